package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/report"
	"retrylab/results"
)

// sweeping are the flags of a sweep that is run here.
type sweeping struct {
	designing
	workers       int
	shard         string
	shards        int
	out           string
	quiet         bool
	dryRun, again bool
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
	f.add(flags)
	flags.IntVar(&f.workers, "workers", 0, "trials that run at once; 0 is one a core")
	flags.StringVar(&f.shard, "shard", "", "run part i of n, as i/n")
	flags.IntVar(&f.shards, "shards", 0, "run one part of this many, which the environment of a cluster's job names")
	flags.StringVar(&f.out, "out", "", "folder of the results; default out/sweeps/NAME")
	flags.BoolVar(&f.quiet, "quiet", false, "no progress")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what would be run, and about how long it takes, and stop")
	flags.BoolVar(&f.again, "again", false, "replace finished results in the folder")
	c.RunE = func(c *cobra.Command, args []string) error { return a.sweep(c, args[0], &f) }
	return c
}

func (a *app) sweep(c *cobra.Command, name string, f *sweeping) error {
	began := time.Now()
	s, o, err := f.load(name)
	if err != nil {
		return err
	}
	composing := time.Since(began)
	a.warnOfWindows(s.Cells)
	a.warnOfTask(o.Shard)
	if f.dryRun {
		return a.dryRun(c, s, o, composing)
	}
	out := f.out
	if out == "" {
		out = filepath.Join("out", "sweeps", s.Name)
	}
	if there, err := os.Stat(out); err == nil && !there.IsDir() {
		return notFolder(out)
	}
	a.warnOfWarmup(c, s)
	started := time.Now()
	frugal()
	bar := a.progress(s.Name, f.quiet)
	o.Again, o.Progress = f.again, bar.step
	said := "finished already"
	o.Publish = func(write func(string) (*results.Manifest, error)) error {
		bar.finish()
		said = "written"
		clearLeft(out)
		return staged(out, func(dir string) error {
			m, err := write(dir)
			if err != nil {
				return err
			}
			f.describe(s, m)
			return publish(dir, m, o.Shard.Count == 0, results.NewProvenance(experiments.Runner{Workers: o.Workers}.EffectiveWorkers(), started, source()))
		})
	}
	_, err = s.Execute(c.Context(), out, o)
	if said != "written" {
		bar.finish()
	}
	switch {
	case errors.Is(err, experiments.ErrOtherSweep):
		return usageError{err}
	case errors.Is(err, experiments.ErrInterrupted), err != nil && experiments.KeepsTrials(out):
		return fmt.Errorf("%w; what is finished is kept in %s, and the same command goes on from there", err, out)
	case err != nil:
		return err
	}
	a.sayUnlessQuiet(f.quiet, "%s: %s in %s, %s", s.Name, report.Count(len(s.Cells), "cell"), out, said)
	return nil
}

// describe writes down how the sweep differs from its file, and on top of the page what readers must know: the texts of
// a standard sweep's report are about the system of its file.
func (f *sweeping) describe(s *experiments.Sweep, m *results.Manifest) {
	var notices []string
	if s.Quick {
		notices = append(notices, "Quick run with fewer cells and trials than the published results.")
	}
	if changed := f.changed(); changed != "" {
		m.Parameters[experiments.ParameterChanged] = changed
		if s.Sources[0].Embedded {
			notices = append(notices, "Changed by "+changed+": captions and notes are those of the sweep as published.")
		}
	}
	if len(notices) > 0 {
		m.Parameters[results.ParameterNotice] = strings.Join(notices, " ")
	}
}

// frugal makes the collector of garbage run twice as often, unless GOGC says how often. Trials do not allocate, only the
// rows on their way do, so that it costs little and memory stays flat.
func frugal() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// load reads the sweep and checks the flags, all at once.
func (f *sweeping) load(name string) (*experiments.Sweep, experiments.SweepOptions, error) {
	shard, err := f.part()
	s, loadErr := f.designing.load(name)
	if err = errors.Join(err, experiments.CheckTrials(1, f.workers, 0)); err != nil {
		err = usageError{err}
	}
	o := experiments.SweepOptions{Version: version, Workers: f.workers, Shard: shard, Interval: f.checkpoint}
	if err = errors.Join(err, loadErr); err != nil {
		return nil, o, err
	}
	if err := s.CheckShard(shard); err != nil {
		return nil, o, usageError{err}
	}
	return s, o, nil
}

// part is the part of the sweep that is asked for.
func (f *sweeping) part() (experiments.Shard, error) {
	if f.given("shards") && f.shards < 1 {
		return experiments.Shard{}, fmt.Errorf("shards: must be at least 1, got %d", f.shards)
	}
	return experiments.FindShard(f.shard, f.shards)
}
