package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"retrylab/experiments"
	"retrylab/report"
	"retrylab/report/sweeps"
	"retrylab/results"
)

// published are the files of a report that the manifest describes. PDF and PNG are made too, but are
// not kept under version control, so the manifest leaves them out.
var published = []string{"tables/*.csv", "tables/*.md", "tables/*.tex", "figures/*.svg", "figures/*.csv", "claims.json", "claims.md", "findings.md", "headline.md", "report.html"}

// publish writes the report, if there is to be one, then the provenance, and last the manifest, which makes the
// folder whole. m describes the tables of rows.
func publish(dir string, m *results.Manifest, withReport bool, p results.Provenance) error {
	if withReport {
		if err := addStudy(dir, m); err != nil {
			return err
		}
		if err := writeReport(dir, m); err != nil {
			return err
		}
	}
	if err := p.Write(dir); err != nil {
		return err
	}
	return m.Write(dir)
}

// render makes the report of the rows in dir in another folder, and adds its files to the manifest.
func render(dir, into string, m *results.Manifest) error {
	for _, name := range []string{"data", "models"} {
		if err := see(into, dir, name); err != nil {
			return err
		}
		defer os.Remove(filepath.Join(into, name)) // what it leads to stays
	}
	return writeReport(into, m)
}

// see lets what is in a folder under a name, if it is there, be seen in another folder too.
func see(in, dir, name string) error {
	target, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	if _, err := os.Stat(target); err != nil {
		return nil
	}
	return os.Symlink(target, filepath.Join(in, name))
}

// writeReport makes the report of a run or a sweep from the rows in dir and adds its files to the manifest, which holds only
// rows when it is made.
func writeReport(dir string, m *results.Manifest) error {
	m.Files = slices.DeleteFunc(m.Files, func(f results.FileEntry) bool { return !ofData(f.Name) })
	// The page shows the manifest: it must look the same whether it was just made or read.
	slices.SortFunc(m.Files, func(a, b results.FileEntry) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(m.Models, func(a, b results.ModelFile) int { return strings.Compare(a.Name, b.Name) })
	write := func() error { return report.Write(dir, report.Options{Manifest: m}) }
	if experiments.IsSweep(m) {
		write = func() error { return sweeps.Write(dir, m) }
	}
	if err := write(); err != nil {
		return err
	}
	for _, pattern := range published {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		for _, path := range found {
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			if err := m.AddFile(dir, filepath.ToSlash(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofData tells files of rows from those of the report, by their names in a manifest.
func ofData(name string) bool { return strings.HasPrefix(name, "data/") }

// source asks git for the commit, for programs that were built without a stamp. It is an answer only in this project's own folder: elsewhere
// git tells of something else.
func source() results.Source {
	root, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return results.Source{}
	}
	if module, err := os.ReadFile(filepath.Join(root, "go.mod")); err != nil || !strings.HasPrefix(string(module), "module retrylab\n") {
		return results.Source{}
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return results.Source{}
	}
	s := results.Source{Commit: commit}
	if changes, err := git("status", "--porcelain"); err == nil {
		dirty := changes != ""
		s.Dirty = &dirty
	}
	return s
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	return strings.TrimSpace(string(out)), err
}
