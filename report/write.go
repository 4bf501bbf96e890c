package report

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"retrylab/internal/atomicfile"
	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

// Options of a report. The zero value is a plain one.
type Options struct {
	// Notice is printed in front of every table's method and on top of the page, e.g. that this is a
	// quick run with few trials. Default: the manifest's parameter "notice", or none.
	Notice string
	// Manifest is what the page says about the run's origin. Only what is known before the report is
	// written may be in it; files outside data/ are not shown. Default: dir/manifest.json, if it is there.
	Manifest *results.Manifest
	// Sections are further parts of the page, shown after the summary in this order.
	Sections []Section
}

// NoticeParameter is the name of the manifest's parameter that holds the notice of a run.
const NoticeParameter = "notice"

// Section is a part of the page that another package provides.
type Section struct {
	// ID is the anchor, unique in the page; letters, digits and hyphens.
	ID string
	// Title is the heading.
	Title string
	// HTML is the content, as trusted HTML without scripts or outside resources.
	HTML string
}

// file is a file of a report, relative to its folder with slashes.
type file struct {
	name  string
	bytes []byte
}

// content is a report before it is written.
type content struct {
	data    *data
	tables  []*table.Table
	figures []*figure.Figure
	ledger  *ledger // nil if the run does not hold the paper's cells
	options Options
}

// Write makes the tables, figures and the page of the run in dir from dir/data/*.parquet. Files are
// replaced one by one, each as a whole; those of an earlier report that have no successor are removed. Errors: a table that cannot be read (named), or a file that
// cannot be written.
func Write(dir string, opts Options) error {
	c, err := compose(dir, opts)
	if err != nil {
		return err
	}
	for _, folder := range []string{"tables", "figures"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			return err
		}
	}
	files := c.tableFiles()
	figures, svgs, err := c.figureFiles()
	if err != nil {
		return err
	}
	page, err := c.page(dir, svgs)
	if err != nil {
		return err
	}
	files = append(append(files, figures...), c.ledger.files()...)
	files = append(files, file{"report.html", page})
	for _, f := range files {
		if err := atomicfile.WriteBytes(filepath.Join(dir, filepath.FromSlash(f.name)), f.bytes); err != nil {
			return err
		}
	}
	return removeStale(dir, files)
}

// removeStale removes the tables and figures of an earlier report that this run has nothing for. Files
// that no report writes are left alone.
func removeStale(dir string, fresh []file) error {
	keep := map[string]bool{}
	for _, f := range fresh {
		keep[f.name] = true
	}
	for _, name := range ownFiles() {
		if keep[name] {
			continue
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// The forms of a table and of a figure.
var (
	tableForms  = []string{".csv", ".md", ".tex"}
	figureForms = []string{".svg", ".pdf", ".png", ".csv"}
)

// ownFiles are all tables and figures that any report writes.
func ownFiles() []string {
	var names []string
	for _, b := range builders {
		for _, form := range tableForms {
			names = append(names, "tables/"+b.name+form)
		}
	}
	for _, d := range drawers {
		for _, form := range figureForms {
			names = append(names, "figures/"+d.name+form)
		}
	}
	return append(names, ledgerFiles...)
}

// compose reads the rows and builds tables and figures.
func compose(dir string, opts Options) (*content, error) {
	if opts.Manifest == nil {
		manifest, err := results.ReadManifest(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		opts.Manifest = manifest
	}
	if opts.Notice == "" && opts.Manifest != nil {
		opts.Notice = opts.Manifest.Parameters[NoticeParameter]
	}
	d, err := load(dir)
	if err != nil {
		return nil, err
	}
	c := &content{data: d, options: opts}
	if c.tables, err = buildTables(d, opts.Notice); err != nil {
		return nil, err
	}
	if c.figures, err = buildFigures(d); err != nil {
		return nil, err
	}
	c.ledger, err = newLedger(d.evidence, opts.Notice)
	return c, err
}

// tableFiles renders each table as CSV, Markdown and LaTeX.
func (c *content) tableFiles() []file {
	var files []file
	for _, t := range c.tables {
		stem := "tables/" + t.Name
		files = append(files, file{stem + ".csv", t.CSV()}, file{stem + ".md", t.Markdown()}, file{stem + ".tex", t.Latex()})
	}
	return files
}

// figureFiles renders each figure as SVG, PDF, PNG and CSV, and returns the SVGs once more by name.
func (c *content) figureFiles() (files []file, svgs map[string][]byte, err error) {
	svgs = map[string][]byte{}
	for _, f := range c.figures {
		svg, err := f.SVG()
		if err != nil {
			return nil, nil, err
		}
		pdf, err := f.PDF()
		if err != nil {
			return nil, nil, err
		}
		png, err := f.PNG()
		if err != nil {
			return nil, nil, err
		}
		stem := "figures/" + f.Name
		svgs[f.Name] = svg
		files = append(files, file{stem + ".svg", svg}, file{stem + ".pdf", pdf}, file{stem + ".png", png}, file{stem + ".csv", f.Data().CSV()})
	}
	return files, svgs, nil
}

// Difference is a file of a report that is not what the stored rows give.
type Difference struct {
	// File is its path within the folder, with slashes.
	File string
	// Problem says where it differs, with both contents.
	Problem string
}

// String returns the difference as one line.
func (d Difference) String() string { return d.File + ": " + d.Problem }

// Check makes all tables, the data of all figures, and the ledger of claims again from the rows in dir/data and compares
// them with the files, byte for byte. It reports every file that differs or is missing. Errors are
// those of reading the rows.
func Check(dir string, opts Options) ([]Difference, error) {
	c, err := compose(dir, opts)
	if err != nil {
		return nil, err
	}
	files := append(c.tableFiles(), c.ledger.files()...)
	for _, f := range c.figures {
		files = append(files, file{"figures/" + f.Name + ".csv", f.Data().CSV()})
	}
	return compareFiles(dir, files)
}

// compareFiles compares what should be in the folder with what is there.
func compareFiles(dir string, files []file) ([]Difference, error) {
	var list []Difference
	for _, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(want.name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			list = append(list, Difference{want.name, "missing"})
		case err != nil:
			return nil, err
		case !bytes.Equal(got, want.bytes):
			list = append(list, Difference{want.name, firstDifference(got, want.bytes)})
		}
	}
	return list, nil
}

// firstDifference shows the first line in which two texts differ.
func firstDifference(got, want []byte) string {
	gotLines, wantLines := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(gotLines), len(wantLines)) {
		var a, b []byte
		if i < len(gotLines) {
			a = gotLines[i]
		}
		if i < len(wantLines) {
			b = wantLines[i]
		}
		if !bytes.Equal(a, b) || i >= len(gotLines) || i >= len(wantLines) {
			return fmt.Sprintf("line %d is %q, the rows give %q", i+1, clip(a), clip(b))
		}
	}
	return "differs"
}

// clip shortens a line for a message.
func clip(line []byte) string {
	const most = 160
	if len(line) > most {
		return string(line[:most]) + "..."
	}
	return string(line)
}
