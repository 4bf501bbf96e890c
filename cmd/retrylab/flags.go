package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/results"
)

// running are the flags of every command that runs trials.
type running struct {
	trials  int
	seed    uint64
	workers int
	shard   string
	out     string
	quiet   bool
	windows int
}

func (f *running) add(c *cobra.Command, trials, windows int, out string) {
	flags := c.Flags()
	flags.IntVar(&f.trials, "trials", trials, "trials of each cell")
	flags.Uint64Var(&f.seed, "seed", experiments.PaperSeed, "root seed of all random draws")
	flags.IntVar(&f.workers, "workers", 0, "trials that run at once; 0 is one a core")
	flags.StringVar(&f.shard, "shard", "", "run part i of n of each cell's trials, as i/n; join the parts with merge")
	flags.StringVar(&f.out, "out", out, "folder of the results")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress")
	flags.IntVar(&f.windows, "window-trials", windows, "record the window series of the first N trials of each cell; -1 is all")
}

// runner checks the flags, all at once.
func (f *running) runner() (experiments.Runner, error) {
	shard, shardErr := experiments.ParseShard(f.shard)
	windows := f.windows
	var windowsErr error
	switch {
	case windows == -1:
		windows = f.trials
	case windows < 0:
		windowsErr = fmt.Errorf("window-trials: must be at least 0, or -1 for all, got %d", windows)
	}
	err := errors.Join(shardErr, experiments.CheckTrials(f.trials, f.workers, 0), windowsErr)
	if err == nil {
		err = shard.Check(f.trials, "trials of a cell")
	}
	if err != nil {
		return experiments.Runner{}, usageError{err}
	}
	return experiments.Runner{Seed: f.seed, Trials: f.trials, Windows: windows, Workers: f.workers, Shard: shard}, nil
}

// execute runs a set into its folder and publishes what comes of it.
func (a *app) execute(c *cobra.Command, s *experiments.Set, f *running, notice string) error {
	r, err := f.runner()
	if err != nil {
		return err
	}
	if err := sameExperiment(f.out, s.Name); err != nil {
		return err
	}
	r.Checkpoint = beside(f.out, keptWord)
	err = staged(f.out, func(dir string) (err error) {
		defer func() {
			if err == nil || !experiments.KeepsTrials(r.Checkpoint) {
				err = errors.Join(err, experiments.DropTrials(r.Checkpoint))
			}
		}()
		started := time.Now()
		bar := a.progress(s.Name, f.quiet)
		r.Progress = bar.step
		m, err := s.Execute(c.Context(), dir, version, r)
		bar.finish()
		if errors.Is(err, experiments.ErrOtherSweep) { // another process is at it
			return usageError{err}
		}
		if err != nil {
			return err
		}
		if notice != "" {
			m.Parameters[results.ParameterNotice] = notice
		}
		return publish(dir, m, r.Shard.Count == 0, results.NewProvenance(r.EffectiveWorkers(), started, source()))
	})
	if err != nil && experiments.KeepsTrials(r.Checkpoint) {
		return fmt.Errorf("%w; what is finished is kept in %s, and the same command goes on from there", err, r.Checkpoint)
	}
	return err
}

// sameExperiment refuses a folder that holds the finished results of another experiment.
func sameExperiment(dir, experiment string) error {
	m, err := results.ReadManifest(dir)
	if err != nil { // nothing finished is there
		return nil
	}
	if there := m.Parameters[experiments.ParameterExperiment]; there != experiment {
		return usageError{fmt.Errorf("--out: %s holds finished results of %q, expected another folder or an empty one", dir, there)}
	}
	return nil
}

// sayUnlessQuiet writes one line for people.
func (a *app) sayUnlessQuiet(quiet bool, format string, args ...any) {
	if !quiet {
		fmt.Fprintf(a.stderr, format+"\n", args...)
	}
}
