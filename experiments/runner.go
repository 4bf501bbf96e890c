package experiments

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/errgroup"

	"retrylab/engine"
)

// Runner runs the trials of cells on several cores.
type Runner struct {
	// Seed is the root of all random draws.
	Seed uint64
	// Trials of each cell, over all shards.
	Trials int
	// Windows is the number of trials of each cell, from the first, whose windows are recorded.
	Windows int
	// Workers is the number of trials that run at once; 0 is one a core.
	Workers int
	// Shard is the part of the trials to run. Default all.
	Shard Shard
	// Progress is told after every trial, or every few; nil is nobody.
	Progress func(done, total int)
	// Checkpoint is the folder in which Execute keeps finished trials until all are there; empty is nowhere. The caller removes it.
	Checkpoint string
}

// ErrInterrupted is the error of a run that was cancelled: the trials that were running have been
// finished and handed over, the others have not been started.
var ErrInterrupted = errors.New("interrupted")

// unit is one trial of one cell; index is its place in the order of rows.
type unit struct {
	index int
	cell  *Cell
	trial int
}

type finished struct {
	index int
	rows  *Rows
}

// Run runs all trials and hands the rows of each to sink, cell by cell and trial by trial, whatever
// the order in which they end. The rows do not depend on Workers. Only a few trials a worker are
// held in memory at a time. An error of sink stops the run.
func (r Runner) Run(ctx context.Context, cells []*Cell, sink func(*Rows) error) error {
	workers := r.EffectiveWorkers()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	var (
		ahead = make(chan struct{}, 4*workers+4) // a place for each trial that is begun and not handed over
		units = make(chan unit)
		done  = make(chan finished, workers)
		spare = sync.Pool{New: func() any { return new(Rows) }}
	)
	group.Go(func() error {
		defer close(units)
		return r.deal(ctx, cells, ahead, units)
	})
	for range workers {
		group.Go(func() error { return r.work(units, done, &spare) })
	}
	ended := make(chan error, 1)
	go func() {
		ended <- group.Wait()
		close(done)
	}()
	sinkErr := r.deliver(done, ahead, stop, sink, &spare, r.total(cells))
	if err := <-ended; sinkErr == nil && err != nil {
		return err
	}
	return sinkErr
}

// EffectiveWorkers is the number of trials that run at once.
func (r Runner) EffectiveWorkers() int {
	if r.Workers > 0 {
		return r.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// total is the number of trials of this shard.
func (r Runner) total(cells []*Cell) int {
	total := 0
	for _, c := range cells {
		from, to := r.Shard.Range(c.trials(r.Trials))
		total += to - from
	}
	return total
}

// deal hands out the trials in order, as long as there are places.
func (r Runner) deal(ctx context.Context, cells []*Cell, ahead chan<- struct{}, units chan<- unit) error {
	index := 0
	for _, c := range cells {
		from, to := r.Shard.Range(c.trials(r.Trials))
		for trial := from; trial < to; trial++ {
			select {
			case <-ctx.Done():
				return ErrInterrupted
			case ahead <- struct{}{}:
			}
			select {
			case <-ctx.Done():
				return ErrInterrupted
			case units <- unit{index, c, trial}:
			}
			index++
		}
	}
	return nil
}

// work runs trials until there are no more. It shares nothing with other workers.
func (r Runner) work(units <-chan unit, done chan<- finished, spare *sync.Pool) error {
	sim := engine.NewSim()
	rec := recorder{seed: r.Seed, tables: allDetails}
	for u := range units {
		rows := spare.Get().(*Rows)
		if err := r.trial(sim, &rec, u, rows); err != nil {
			return err
		}
		done <- finished{u.index, rows}
	}
	return nil
}

// trial runs one trial. A broken invariant of the engine comes back as an error that says how to repeat it.
func (r Runner) trial(sim *engine.Sim, rec *recorder, u unit, rows *Rows) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cell %s, trial %d, seed %d: %v (to repeat: the same command with --workers 1)\n%s",
				u.cell.ID(), u.trial, r.Seed, p, debug.Stack())
		}
	}()
	tally := sim.Run(u.cell.Program, r.key(u.cell, u.trial))
	d := rec.tables
	if most := u.cell.MaxDetails; most > 0 && u.trial >= most {
		d.services, d.edges = false, false
	}
	d.windows = d.windows && u.trial < u.cell.windows(r.Windows)
	rec.record(rows, u.cell, u.trial, tally, d)
	return nil
}

func (r Runner) key(c *Cell, trial int) engine.Key {
	return engine.Key{Seed: r.Seed, Environment: c.Environment, Trial: uint64(trial)}
}

// deliver hands rows over in order. It reads on after an error, so that workers can end.
func (r Runner) deliver(done <-chan finished, ahead <-chan struct{}, stop func(), sink func(*Rows) error, spare *sync.Pool, total int) error {
	waiting := map[int]*Rows{}
	next := 0
	var failed error
	for f := range done {
		waiting[f.index] = f.rows
		for rows := waiting[next]; rows != nil; rows = waiting[next] {
			delete(waiting, next)
			next++
			if failed == nil {
				if failed = sink(rows); failed != nil {
					stop()
				} else if r.Progress != nil {
					r.Progress(next, total)
				}
			}
			spare.Put(rows)
			<-ahead
		}
	}
	return failed
}
