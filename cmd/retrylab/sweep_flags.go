package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"retrylab/experiments"
)

// designing are the flags that say what a sweep is and how it is kept: sweep obeys them, submit writes them into jobs.
type designing struct {
	set, sweep []string
	trials     int
	seed       uint64
	quick      bool
	checkpoint time.Duration
	given      func(flag string) bool // whether the command line has it
}

func (f *designing) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.set, "set", nil, "change a field of the model in all cells, e.g. services.API.servers=25")
	flags.StringArrayVar(&f.sweep, "sweep", nil, "other levels of a factor, or another factor by its path, e.g. p=0.1..0.7:7 or services.API.servers=5,10,20; each goes to the blocks that have it, a new one to those that have several, and blocks without any drop out")
	flags.IntVar(&f.trials, "trials", 0, "trials of each cell; default as the file says")
	flags.Uint64Var(&f.seed, "seed", 0, "root seed of all random draws; default as the file says")
	flags.BoolVar(&f.quick, "quick", false, "fewer trials and cells, as the file says")
	flags.DurationVar(&f.checkpoint, "checkpoint", 10*time.Second, "time between checkpoints")
	f.given = flags.Changed
}

// load reads the sweep as the flags change it. The error holds all that is wrong with either.
func (f *designing) load(name string) (*experiments.Sweep, error) {
	changes := experiments.SweepChanges{Sweep: f.sweep, Trials: f.trials, Quick: f.quick}
	if f.given("seed") {
		changes.Seed = &f.seed
	}
	var errs []error
	if f.given("trials") {
		if err := experiments.CheckTrials(f.trials, 0, 0); err != nil {
			errs = append(errs, usageError{err})
		}
		changes.Trials = max(f.trials, 1) // to see the file's mistakes too
	}
	if f.checkpoint <= 0 {
		errs = append(errs, usageError{fmt.Errorf("checkpoint: must be above 0s, got %v", f.checkpoint)})
	}
	set, setErr := settings(f.set)
	changes.Set = set
	s, err := experiments.LoadSweep(name, changes)
	return s, errors.Join(append(errs, setErr, err)...)
}

// settings reads all values of --set.
func settings(texts []string) (list []experiments.Setting, err error) {
	for _, text := range texts {
		s, mistake := experiments.ParseSetting(text)
		if mistake != nil {
			err = errors.Join(err, usageError{mistake})
		}
		list = append(list, s)
	}
	return list, err
}

// changed are the flags that change the design, as they are written in a shell.
func (f *designing) changed() string {
	var words []string
	for _, v := range f.set {
		words = append(words, "--set "+quote(v))
	}
	for _, v := range f.sweep {
		words = append(words, "--sweep "+quote(v))
	}
	return strings.Join(words, " ")
}

// words are the flags that were given, as words of a command line.
func (f *designing) words() []string {
	var words []string
	for _, v := range f.set {
		words = append(words, "--set", v)
	}
	for _, v := range f.sweep {
		words = append(words, "--sweep", v)
	}
	for _, flag := range []struct{ name, value string }{
		{"trials", strconv.Itoa(f.trials)}, {"seed", strconv.FormatUint(f.seed, 10)}, {"checkpoint", f.checkpoint.String()},
	} {
		if f.given(flag.name) {
			words = append(words, "--"+flag.name, flag.value)
		}
	}
	if f.quick {
		words = append(words, "--quick")
	}
	return words
}
