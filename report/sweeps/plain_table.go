package sweeps

import (
	"fmt"
	"strings"

	"retrylab/analysis"
	"retrylab/report"
	"retrylab/report/table"
	"retrylab/results"
)

// mostRows is the most cells that are shown as a table.
const mostRows = 60

// plainFindings say where success and amplification are lowest and highest, in how many cells the system collapses, and
// what each strategy changes.
func plainFindings(d *data) []string {
	list := []string{report.Count(len(d.cells), "cell") + "; tables/cells.csv has the statistics of each."}
	success, raf := newSpan(), newSpan()
	certain, some, faulty := 0, 0, 0
	for _, c := range d.cells {
		name := c.shortName()
		success.see(name, 100*c.over(successAll).Estimate)
		raf.see(name, c.over(rafClient).Estimate)
		if !c.hasFaults() {
			continue
		}
		faulty++
		if collapse, _ := c.collapsed(); certainlyLikely(collapse) {
			certain++
		} else if c.down > 0 {
			some++
		}
	}
	switch {
	case success.low == success.high && raf.low == raf.high:
		list = append(list, fmt.Sprintf("Success per arrival is %.2f%% and the client's RAF %.3f in every cell.", success.low, raf.low))
	case success.low <= success.high:
		list = append(list, fmt.Sprintf("Success per arrival lies between %.2f%% (%s) and %.2f%% (%s), the client's RAF between %.3f (%s) and %.3f (%s).",
			success.low, success.lowAt, success.high, success.highAt, raf.low, raf.lowAt, raf.high, raf.highAt))
	}
	if faulty > 0 {
		list = append(list, fmt.Sprintf("Collapse after the fault is certainly likelier than %.0f%% in %d of %d cells with faults, and some trials collapsed in %d more.",
			100*likely, certain, faulty, some))
	}
	return append(list, pairFindings(d)...)
}

// pairFindings are a sentence for each strategy but the first: at how many points it has more success than the first, and less.
func pairFindings(d *data) []string {
	type count struct{ better, worse, of int }
	counts := map[string]*count{}
	var signs []float64
	var names []string
	var ps []float64
	for _, group := range d.byPoint() {
		for _, c := range group[1:] {
			diff := c.minus[successAll]
			names, signs, ps = append(names, c.Strategy), append(signs, diff.Estimate), append(ps, diff.PValue)
		}
	}
	for i, p := range analysis.Holm(ps) {
		n := counts[names[i]]
		if n == nil {
			n = &count{}
			counts[names[i]] = n
		}
		n.of++
		switch {
		case !(p < 1-level):
		case signs[i] > 0:
			n.better++
		case signs[i] < 0:
			n.worse++
		}
	}
	phases := ""
	if withFaults(d) {
		phases = "; tables/pairs.csv tells requests during and after the faults apart"
	}
	var list []string
	for _, name := range d.strategies {
		if n := counts[name]; n != nil {
			list = append(list, fmt.Sprintf("Of %d points, %s has certainly more success than %s in %d and certainly less in %d (paired, Holm's correction over all %d comparisons%s).",
				n.of, name, d.strategies[0], n.better, n.worse, len(ps), phases))
		}
	}
	return list
}

// shortName is the cell's id without what the cells of most sweeps share: the model, the scenario, and the word model where the
// strategy is that of the model.
func (c *cell) shortName() string {
	name := strings.TrimPrefix(c.Cell.Cell, c.Model+"/"+c.Scenario+"/")
	if rest, found := strings.CutPrefix(name, "model/"); found && c.Strategy == "model" {
		return rest
	}
	return name
}

// plainTable shows the cells of a short sweep; nil if there are too many.
func plainTable(d *data) *table.Table {
	if len(d.cells) == 0 || len(d.cells) > mostRows {
		return nil
	}
	t := &table.Table{
		Name: "overview", Label: "Overview", Title: "Success, amplification and collapse in every cell",
		Caption: "Success: requests that succeeded / that arrived; during and after: of those that arrived during the faults and after them. RAF: client attempts sent / requests. " +
			"Collapse: share of trials in which fewer than half as many requests succeed after the fault as before it (docs/adr/0030-collapse.md).",
		Method: "Ratio of sums over trials, Student's t; collapse: Wilson's interval; 95%.",
	}
	for _, f := range d.factors {
		t.Columns = append(t.Columns, table.Column{Head: strings.ReplaceAll(f.Name, "_", " "), Field: f.Name})
	}
	if len(d.strategies) > 1 {
		t.Columns = append(t.Columns, table.Column{Head: "Strategy", Field: "strategy"})
	}
	interval := func(head, name string, digits int) {
		t.Columns = append(t.Columns, table.Column{Head: head + " [95% CI]", Field: name, Lo: name + "_lo", Hi: name + "_hi", Digits: digits})
	}
	t.Columns = append(t.Columns, table.Column{Head: "Trials", Field: "trials"})
	interval("Success, %", "success", 2)
	interval("Client RAF", "raf_client", 3)
	if withFaults(d) {
		interval("During, %", "success_during", 2)
		interval("After, %", "success_after", 2)
		interval("Collapse, %", "collapse", 1)
	}
	for _, c := range d.cells {
		plainRow(d, c).into(t)
		noteHumps(t, "success", successAll, c)
		if c.hasFaults() {
			noteHumps(t, "success_after", successAfter, c)
		}
	}
	return t
}

func plainRow(d *data, c *cell) *columnSet {
	s := &columnSet{}
	for _, f := range d.factors {
		level := c.level(f.Name)
		if f.Kind == results.Float64 && level == "" {
			s.add(f.Name, table.None)
		} else {
			s.add(f.Name, table.Text(level))
		}
	}
	s.add("strategy", table.Text(c.Strategy))
	s.add("trials", table.Int(int64(c.trials)))
	s.interval("success", asShare(c.over(successAll)).Scale(100))
	s.interval("raf_client", c.over(rafClient))
	switch {
	case c.hasFaults():
		collapse, _ := c.collapsed()
		s.interval("success_during", asShare(c.over(successDuring)).Scale(100))
		s.interval("success_after", asShare(c.over(successAfter)).Scale(100))
		s.interval("collapse", collapse.Scale(100))
	case withFaults(d):
		for _, name := range []string{"success_during", "success_after", "collapse"} {
			s.interval(name, noMeaning)
		}
	}
	return s
}
