package report

import (
	"os"
	"path/filepath"

	"retrylab/internal/atomicfile"
	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

// Document is a report before it is written: that of a run, or one whose tables and figures another package has made,
// e.g. that of a sweep.
type Document struct {
	Title    string           // of the page
	Sample   string           // below the title: what was run; only what holds for all tables and figures
	Notice   string           // on top of the page, e.g. that this is a quick run; may be empty
	Summary  []string         // plain sentences
	Sections []Section        // shown after the summary
	Tables   []*table.Table   // also written as files, in folder tables
	Hidden   []*table.Table   // written as CSV alone, because they are too long to read
	Figures  []*figure.Figure // also written as files, in folder figures
	Manifest *results.Manifest

	models []modelFile // shown at the end of the page
	texts  []file      // files that are no tables or figures, e.g. the ledger of claims
}

// file is a file of a report, relative to its folder with slashes.
type file struct {
	name  string
	bytes []byte
}

// Write writes tables, figures and report.html into the folder dir.
func (d *Document) Write(dir string) error {
	for _, folder := range []string{"tables", "figures"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			return err
		}
	}
	files, err := d.files()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := atomicfile.WriteBytes(filepath.Join(dir, filepath.FromSlash(f.name)), f.bytes); err != nil {
			return err
		}
	}
	return nil
}

// files are all files of the report.
func (d *Document) files() ([]file, error) {
	var files []file
	for _, t := range d.Tables {
		stem := "tables/" + t.Name
		files = append(files, file{stem + ".csv", t.CSV()}, file{stem + ".md", t.Markdown()}, file{stem + ".tex", t.Latex()})
	}
	for _, t := range d.Hidden {
		files = append(files, file{"tables/" + t.Name + ".csv", t.CSV()})
	}
	svgs := map[string][]byte{}
	for _, f := range d.Figures {
		files = append(files, file{"figures/" + f.Name + ".csv", f.Data().CSV()})
		for _, form := range []struct {
			ending string
			render func() ([]byte, error)
		}{{".svg", f.SVG}, {".pdf", f.PDF}, {".png", f.PNG}} {
			bytes, err := form.render()
			if err != nil {
				return nil, err
			}
			files = append(files, file{"figures/" + f.Name + form.ending, bytes})
			if form.ending == ".svg" {
				svgs[f.Name] = bytes
			}
		}
	}
	page, err := d.page(svgs)
	return append(append(files, d.texts...), file{"report.html", page}), err
}
