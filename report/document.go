package report

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"retrylab/internal/atomicfile"
	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

// Document is a report whose tables and figures another package has made, e.g. that of a sweep.
type Document struct {
	Title    string           // of the page
	Sample   string           // below the title: what was run
	Notice   string           // on top of the page, e.g. that this is a quick run; may be empty
	Summary  []string         // plain sentences
	Sections []Section        // shown after the summary
	Tables   []*table.Table   // also written as files, in folder tables
	Hidden   []*table.Table   // written as CSV alone, because they are too long to read
	Figures  []*figure.Figure // also written as files, in folder figures
	Manifest *results.Manifest
}

// Write writes tables, figures and report.html into the folder dir.
func (d *Document) Write(dir string) error {
	for _, folder := range []string{"tables", "figures"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			return err
		}
	}
	c := &content{tables: d.Tables, figures: d.Figures}
	files := append(c.tableFiles(), d.hiddenFiles()...)
	figures, svgs, err := c.figureFiles()
	if err != nil {
		return err
	}
	page, err := d.page(svgs)
	if err != nil {
		return err
	}
	files = append(append(files, figures...), file{"report.html", page})
	for _, f := range files {
		if err := atomicfile.WriteBytes(filepath.Join(dir, filepath.FromSlash(f.name)), f.bytes); err != nil {
			return err
		}
	}
	return nil
}

// Check compares tables and figures' data with the files in dir, as the function Check does.
func (d *Document) Check(dir string) ([]Difference, error) {
	c := &content{tables: d.Tables, figures: d.Figures}
	files := append(c.tableFiles(), d.hiddenFiles()...)
	for _, f := range d.Figures {
		files = append(files, file{"figures/" + f.Name + ".csv", f.Data().CSV()})
	}
	return compareFiles(dir, files)
}

func (d *Document) hiddenFiles() []file {
	var files []file
	for _, t := range d.Hidden {
		files = append(files, file{"tables/" + t.Name + ".csv", t.CSV()})
	}
	return files
}

// page renders the page with the template of all reports.
func (d *Document) page(svgs map[string][]byte) ([]byte, error) {
	p := newPageData(d.Title, d.Notice, d.Manifest)
	p.Sample, p.Summary = d.Sample, d.Summary
	p.addSections(d.Sections)
	for _, t := range d.Tables {
		p.addTable(t)
	}
	for _, f := range d.Figures {
		p.addFigure(f, svgs[f.Name])
	}
	p.addManifest()
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, p); err != nil {
		return nil, fmt.Errorf("report.html: %w", err)
	}
	return out.Bytes(), nil
}
