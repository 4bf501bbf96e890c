package report

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// pageData is what the template shows.
type pageData struct {
	*Document
	CSS        template.CSS
	Sections   []pageSection
	Tables     []pageTable
	Hidden     []pageHidden
	Figures    []pageFigure
	Models     []modelFile
	Parameters []parameter
	DataFiles  []results.FileEntry
}

type pageSection struct {
	ID, Title string
	HTML      template.HTML
}

// pageHidden links the file of a table that is too long to read.
type pageHidden struct{ Title, File string }

// pageTable is a table with its cells ready to print.
type pageTable struct {
	*table.Table
	Heads []pageHead
	Body  [][]table.Cell
	// Downloads links the files of a table that has some.
	Downloads []string
}

type pageHead struct {
	Text    string
	Numeric bool
}

type pageFigure struct {
	*figure.Figure
	SVG       template.HTML
	Data      pageTable
	Downloads []string
	// MinWidth and MaxWidth, in pixels, keep the text legible on a narrow screen, where the figure
	// then scrolls, and at about the size of the page's text on a wide one.
	MinWidth, MaxWidth int
}

type modelFile struct{ Name, Text string }

type parameter struct{ Name, Value string }

// page renders the HTML page: one file that needs no other to be read.
func (d *Document) page(svgs map[string][]byte) ([]byte, error) {
	p := &pageData{Document: d, CSS: template.CSS(pageCSS), Models: d.models}
	for _, s := range d.Sections {
		p.Sections = append(p.Sections, pageSection{s.ID, s.Title, template.HTML(s.HTML)})
	}
	for _, t := range d.Tables {
		stem := "tables/" + t.Name
		p.Tables = append(p.Tables, newPageTable(t, stem+".csv", stem+".md", stem+".tex"))
	}
	for _, t := range d.Hidden {
		p.Hidden = append(p.Hidden, pageHidden{t.Title, "tables/" + t.Name + ".csv"})
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

func (p *pageData) addFigure(f *figure.Figure, svg []byte) {
	stem := "figures/" + f.Name
	p.Figures = append(p.Figures, pageFigure{
		Figure: f, SVG: inline(svg), Data: newPageTable(f.Wide()),
		Downloads: []string{stem + ".csv", stem + ".svg"}, // PDF and PNG are not in the project's repository, whose pages are read too
		MinWidth:  int(f.WidthInch * 84), MaxWidth: int(f.WidthInch * 125),
	})
}

// inline makes an SVG file part of a page: without the XML declaration.
func inline(svg []byte) template.HTML {
	return template.HTML(svg[max(bytes.Index(svg, []byte("<svg")), 0):])
}

func newPageTable(t *table.Table, downloads ...string) pageTable {
	p := pageTable{Table: t, Downloads: downloads}
	for row := range t.Rows {
		p.Body = append(p.Body, t.Cells(row))
	}
	for i, column := range t.Columns {
		numeric := len(p.Body) > 0
		for _, cells := range p.Body {
			numeric = numeric && cells[i].Numeric
		}
		p.Heads = append(p.Heads, pageHead{strings.ReplaceAll(column.Head, "[95% CI]", "[95%\u00a0CI]"), numeric})
	}
	return p
}

// addManifest takes over what the manifest knew before the report was written.
func (p *pageData) addManifest() {
	if p.Manifest == nil {
		return
	}
	for _, name := range sortedKeys(p.Manifest.Parameters) {
		p.Parameters = append(p.Parameters, parameter{name, p.Manifest.Parameters[name]})
	}
	for _, f := range p.Manifest.Files {
		if strings.HasPrefix(f.Name, "data/") {
			p.DataFiles = append(p.DataFiles, f)
		}
	}
}

// composedModels are the models as they were run: those of all cells of the main experiment, and of every other experiment those of
// its first scenario, one for each strategy, but not those in which a factor is varied.
func (d *data) composedModels() []modelFile {
	var models []modelFile
	first := map[string]string{} // scenario by experiment
	for _, c := range d.cells {
		if d.main == nil || c.ModelYAML == "" {
			continue
		}
		if c.Experiment != d.main.name {
			if _, ok := first[c.Experiment]; !ok {
				first[c.Experiment] = c.Scenario
			}
			if c.Scenario != first[c.Experiment] || c.Factors != "" {
				continue
			}
		}
		models = append(models, modelFile{"Cell " + c.Cell + ", as it was run", c.ModelYAML})
	}
	return models
}

// readModels returns the model files of a folder and its subfolders, by name; none if there is no folder.
func readModels(dir string) ([]modelFile, error) {
	var models []modelFile
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == dir {
			return fs.SkipAll
		}
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		models = append(models, modelFile{"models/" + filepath.ToSlash(name), string(text)})
		return err
	})
	return models, err
}
