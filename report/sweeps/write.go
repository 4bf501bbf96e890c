package sweeps

import (
	"cmp"
	"fmt"
	"strings"

	"retrylab/report"
	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

// parts are what goes into a sweep's report.
type parts struct {
	findings []string
	tables   []*table.Table // shown and written
	hidden   []*table.Table // written as CSV
	figures  []*figure.Figure
	sections []report.Section
	complete bool // its own tables say what those of cells and pairs would
}

// compose makes the report of the rows in dir. m describes them.
func compose(dir string, m *results.Manifest) (*report.Document, error) {
	d, err := load(dir, m)
	if err != nil {
		return nil, err
	}
	p := &parts{}
	if err := reportOf(d)(d, p); err != nil {
		return nil, err
	}
	if text := untilFinding(d); text != "" {
		p.findings = append(p.findings, text)
	}
	if !p.complete {
		p.hidden = append(p.hidden, cellsTable(d))
		if t := pairsTable(d); t != nil {
			p.hidden = append(p.hidden, t)
		}
	}
	p.addHumps(d)
	trials := 0
	for _, c := range d.cells {
		trials += c.trials
	}
	for _, t := range p.tables {
		t.Method += " " + d.sample()
	}
	for _, f := range p.figures {
		f.Caption += " " + d.sample()
	}
	doc := &report.Document{
		Title: "Sweep " + d.name, Sample: fmt.Sprintf("%s %s, %d trials.", sentence(d.about), report.Count(len(d.cells), "cell"), trials),
		Summary: p.findings, Sections: p.sections, Tables: p.tables, Hidden: p.hidden, Figures: p.figures, Manifest: m,
	}
	if m != nil {
		doc.Notice = m.Parameters[results.ParameterNotice]
		for _, t := range p.tables {
			t.Notice = doc.Notice
		}
	}
	return doc, nil
}

// Write makes the report of the sweep in dir from its rows. m is its manifest, of which only what is known before
// the report is written may be set.
func Write(dir string, m *results.Manifest) error {
	doc, err := compose(dir, m)
	if err != nil {
		return err
	}
	return doc.Write(dir)
}

// sentence makes one of what a sweep is about, which may be nothing.
func sentence(about string) string {
	text := table.UpperFirst(cmp.Or(about, "sweep"))
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
