package report

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"retrylab/results"
)

// Options of a report. The zero value is a plain one.
type Options struct {
	// Notice is printed in front of every table's method and on top of the page, e.g. that this is a
	// quick run with few trials. Default: the manifest's results.ParameterNotice, or none.
	Notice string
	// Manifest is what the page says about the run's origin. Only what is known before the report is
	// written may be in it; files outside data/ are not shown. Default: dir/manifest.json, if it is there.
	Manifest *results.Manifest
	// Sections are further parts of the page, shown after the summary in this order.
	Sections []Section
}

// Section is a part of the page that another package provides.
type Section struct {
	// ID is the anchor, unique in the page; letters, digits and hyphens.
	ID string
	// Title is the heading.
	Title string
	// HTML is the content, as trusted HTML without scripts or outside resources.
	HTML string
}

// Write makes the tables, figures and the page of the run in dir from dir/data/*.parquet, each file as a whole. Files of an
// earlier report that have no successor stay. Errors: a table that cannot be read (named), or a file that cannot be written.
func Write(dir string, opts Options) error {
	d, err := compose(dir, opts)
	if err != nil {
		return err
	}
	return d.Write(dir)
}

// compose reads the rows and makes the document.
func compose(dir string, opts Options) (*Document, error) {
	if opts.Manifest == nil {
		manifest, err := results.ReadManifest(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		opts.Manifest = manifest
	}
	if opts.Notice == "" && opts.Manifest != nil {
		opts.Notice = opts.Manifest.Parameters[results.ParameterNotice]
	}
	d, err := load(dir)
	if err != nil {
		return nil, err
	}
	ledger, err := newLedger(d.evidence, opts.Notice)
	if err != nil {
		return nil, err
	}
	doc := &Document{
		Title: "Retry amplification: tables and figures from the rows", Sample: d.sample(), Notice: opts.Notice, Manifest: opts.Manifest,
		Summary: append(d.summary(), ledger.summary()...), texts: ledger.files(),
	}
	if doc.Tables, err = buildTables(d, opts.Notice); err != nil {
		return nil, err
	}
	if doc.Figures, err = buildFigures(d); err != nil {
		return nil, err
	}
	doc.Sections = slices.Concat(ledger.sections(), doc.studySection(d.repositories()), opts.Sections)
	if doc.models, err = readModels(filepath.Join(dir, "models")); err != nil {
		return nil, err
	}
	doc.models = append(doc.models, d.composedModels()...)
	return doc, nil
}
