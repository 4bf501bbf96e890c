package experiments

import (
	"context"
	"fmt"
	"strconv"

	"retrylab/results"
)

// The parameters that a manifest of a run names.
const (
	ParameterExperiment = "experiment" // name of the set of cells
	ParameterTrials     = "trials"     // per cell, over all shards
	ParameterWindows    = "window_trials"
	ParameterShard      = "shard" // i/n; absent in a whole or merged run
)

// Execute runs a set into the folder dir and gives the manifest of the tables, which the caller writes
// when all other files are there too. On any error, ErrInterrupted included, nothing is published; with Runner.Checkpoint, what was
// finished is kept there, and the next such run goes on behind it.
func (s *Set) Execute(ctx context.Context, dir, version string, r Runner) (*results.Manifest, error) {
	d, err := CreateDataset(dir)
	if err != nil {
		return nil, err
	}
	defer d.Abort()
	if err := d.Cells(s.Cells, r.Trials); err != nil {
		return nil, err
	}
	if r.Checkpoint == "" {
		err = r.Run(ctx, s.Cells, d.Write)
	} else {
		err = r.runKept(ctx, s, version, d)
	}
	if err != nil {
		return nil, err
	}
	entries, err := d.Close()
	if err != nil {
		return nil, err
	}
	m := results.NewManifest(version, r.Seed)
	m.Parameters = map[string]string{
		ParameterExperiment: s.Name,
		ParameterTrials:     strconv.Itoa(r.Trials),
		ParameterWindows:    strconv.Itoa(min(r.Windows, r.Trials)),
	}
	if r.Shard.Count > 0 {
		m.Parameters[ParameterShard] = r.Shard.String()
	}
	for _, f := range s.Files {
		m.AddModel(f.File, f.Bytes)
	}
	m.Add(entries...)
	return m, nil
}

// CheckTrials says what is wrong with a number of trials or workers, or nothing.
func CheckTrials(trials, workers, windows int) error {
	switch {
	case trials < 1 || trials > 1<<31:
		return fmt.Errorf("trials: must be between 1 and %d, got %d", 1<<31, trials)
	case workers < 0 || workers > 4096:
		return fmt.Errorf("workers: must be between 0 (one a core) and 4096, got %d", workers)
	case windows < 0:
		return fmt.Errorf("window-trials: must be at least 0, got %d", windows)
	}
	return nil
}
