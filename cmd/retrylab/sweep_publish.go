package main

import (
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

// writeSweepReport makes a sweep's report from the rows in dir and adds its files to the manifest.
func writeSweepReport(dir string, m *results.Manifest) error {
	return addReport(dir, m, func() error { return sweeps.Write(dir, m) })
}
