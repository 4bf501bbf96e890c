package main

import (
	"errors"
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

// writeSweepReport makes a sweep's report from the rows in dir and adds its files to the manifest.
func writeSweepReport(dir string, m *results.Manifest) error {
	return addReport(dir, m, func() error { return sweeps.Write(dir, m) })
}
