package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"retrylab/experiments"
	"retrylab/report/sweeps"
	"retrylab/results"
)

// publishSweep writes the report of a whole sweep, then the provenance, and last the manifest.
func publishSweep(dir string, m *results.Manifest, withReport bool, p results.Provenance) error {
	if withReport {
		if err := writeSweepReport(dir, m); err != nil {
			return err
		}
	}
	if err := p.Write(dir); err != nil {
		return err
	}
	return m.Write(dir)
}

// mergeSweep joins the shards of a sweep.
func (a *app) mergeSweep(shards []string, out string, started time.Time) error {
	m, err := experiments.MergeSweep(shards, out)
	if errors.Is(err, experiments.ErrOtherSweep) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	return publishSweep(out, m, true, results.NewProvenance(1, started, source()))
}

// writeSweepReport makes the report from the rows in dir and adds its files to the manifest.
func writeSweepReport(dir string, m *results.Manifest) error {
	m.Files = slices.DeleteFunc(m.Files, func(f results.FileEntry) bool { return !strings.HasPrefix(f.Name, "data/") })
	slices.SortFunc(m.Files, func(a, b results.FileEntry) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(m.Models, func(a, b results.ModelFile) int { return strings.Compare(a.Name, b.Name) })
	if err := sweeps.Write(dir, m); err != nil {
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
