package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/results"
)

// sweeping are the flags of a sweep.
type sweeping struct {
	set, sweep    []string
	trials        int
	seed          uint64
	workers       int
	shard         string
	shards        int
	out           string
	quick, quiet  bool
	dryRun, again bool
	checkpoint    time.Duration
	seedGiven     bool
}

func (a *app) sweepCommand() *cobra.Command {
	var f sweeping
	c := &cobra.Command{
		Use:   "sweep FILE",
		Short: "Run a design of many cells, on all cores or a part of a cluster",
		Long: `Run a sweep file, or an embedded one by name, and write its rows and a report. A run that was stopped, killed
even, goes on where it was when the same command is given again, and ends in the same bytes. The embedded ones are ` +
			strings.Join(experiments.Sweeps(), ", ") + `. The form of the files is docs/sweep.schema.json.

On a cluster, give --shards N: the part is then taken from SLURM_ARRAY_TASK_ID or SGE_TASK_ID, 1 to N, or from
JOB_COMPLETION_INDEX, 0 to N-1. Join the parts with merge; submit writes the jobs.`,
		Example: "  retrylab sweep harm-map --dry-run\n  retrylab sweep my-sweep.yaml --set services.API.servers=25 --sweep p=0.1..0.7:7\n" +
			"  retrylab sweep my-sweep.yaml --shard 2/8 --out part2",
		Args: cobra.ExactArgs(1),
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.set, "set", nil, "change a field of the model in all cells, e.g. services.API.servers=25")
	flags.StringArrayVar(&f.sweep, "sweep", nil, "other levels of a factor, or another factor by its path, e.g. p=0.1..0.7:7 or services.API.servers=5,10,20")
	flags.IntVar(&f.trials, "trials", 0, "trials of each cell; default as the file says")
	flags.Uint64Var(&f.seed, "seed", 0, "root seed of all random draws; default as the file says")
	flags.IntVar(&f.workers, "workers", 0, "trials that run at once; 0 is one a core")
	flags.StringVar(&f.shard, "shard", "", "run part i of n, as i/n")
	flags.IntVar(&f.shards, "shards", 0, "run one part of this many, which the environment of a cluster's job names")
	flags.StringVar(&f.out, "out", "", "folder of the results; default out/sweeps/NAME")
	flags.BoolVar(&f.quick, "quick", false, "fewer trials and cells, as the file says")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be run, and about how long it takes, and stop")
	flags.BoolVar(&f.again, "again", false, "replace finished results in the folder")
	flags.DurationVar(&f.checkpoint, "checkpoint", 0, "time between checkpoints; default 10s")
	c.RunE = func(c *cobra.Command, args []string) error {
		f.seedGiven = flags.Changed("seed")
		return a.sweep(c, args[0], &f)
	}
	return c
}

func (a *app) sweep(c *cobra.Command, name string, f *sweeping) error {
	s, o, err := f.load(name)
	if err != nil {
		return err
	}
	if f.dryRun {
		return a.dryRun(c, s, o)
	}
	out := f.out
	if out == "" {
		out = filepath.Join("out", "sweeps", s.Name)
	}
	started := time.Now()
	if f.again {
		if err := experiments.ForgetSweep(out); err != nil {
			return err
		}
	}
	bar := a.progress(s.Name, f.quiet)
	o.Progress = bar.step
	m, err := s.Execute(c.Context(), out, o)
	bar.finish()
	switch {
	case errors.Is(err, experiments.ErrOtherSweep):
		return usageError{err}
	case errors.Is(err, experiments.ErrInterrupted):
		return fmt.Errorf("%w; what is finished is kept in %s, and the same command goes on from there", err, out)
	case err != nil:
		return err
	}
	if s.Quick {
		m.Parameters[noticeParameter] = "Quick run with fewer cells and trials than the published results."
	}
	if err := publishSweep(out, m, o.Shard.Count == 0, results.NewProvenance(experiments.Runner{Workers: o.Workers}.EffectiveWorkers(), started, source())); err != nil {
		return err
	}
	if err := experiments.FinishSweep(out); err != nil {
		return err
	}
	a.sayUnlessQuiet(f.quiet, "%s: %d cells in %s", s.Name, len(s.Cells), out)
	return nil
}

// load reads the sweep and checks the flags, all at once.
func (f *sweeping) load(name string) (*experiments.Sweep, experiments.SweepOptions, error) {
	changes := experiments.SweepChanges{Sweep: f.sweep, Trials: f.trials, Quick: f.quick}
	if f.seedGiven {
		changes.Seed = &f.seed
	}
	var errs []error
	for _, text := range f.set {
		s, err := experiments.ParseSetting(text)
		if err != nil {
			errs = append(errs, usageError{err})
		}
		changes.Set = append(changes.Set, s)
	}
	shard, err := experiments.FindShard(f.shard, f.shards)
	if err != nil {
		errs = append(errs, usageError{err})
	}
	if err := experiments.CheckTrials(max(f.trials, 1), f.workers, 0); err != nil {
		errs = append(errs, usageError{err})
	}
	s, err := experiments.LoadSweep(name, changes)
	if err != nil {
		errs = append(errs, err)
	}
	o := experiments.SweepOptions{Version: version, Workers: f.workers, Shard: shard, Interval: f.checkpoint}
	return s, o, errors.Join(errs...)
}
