package experiments

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"retrylab/engine"
)

// span is a range of trials of a cell.
type span struct {
	cell     int // index in the pipeline's cells
	from, to int // trials from, from+1, ..., to-1
}

func (s span) len() int { return s.to - s.from }

// block is a unit of work: a short span, with its rows when it is done.
type block struct {
	span
	rows []Rows
	err  error
	done chan struct{}
}

// pipeline runs spans on several cores and hands blocks over in order. What is in a block depends on the
// time that trials take; what is in the rows does not.
type pipeline struct {
	cells   []*Cell
	tables  details
	runner  Runner
	perUnit atomic.Int64 // trials of the next unit, as the trials so far suggest
	spare   sync.Pool    // blocks whose rows have been taken
}

const (
	unitTime  = 20 * time.Millisecond // of work that a unit should hold
	maxUnit   = 128                   // trials of a unit, which bounds the rows in memory; trials of 20 us still make 2 ms
	unitsOpen = 3                     // units a worker that are dealt and not yet handed over
)

// run runs the spans from a position on (trials counted over all spans) until they are done or the context is
// cancelled; then what is running ends and is handed over, and the error is ErrInterrupted. Of several trials that
// fail, the error is that of the first in order, whichever ended first.
func (p *pipeline) run(ctx context.Context, spans []span, from int64, sink func(*block) error) error {
	workers := p.runner.EffectiveWorkers()
	work := make(chan *block)
	order := make(chan *block, unitsOpen*workers)
	stop := make(chan struct{})
	var group errgroup.Group
	for range workers {
		group.Go(func() error { p.work(work); return nil })
	}
	group.Go(func() error {
		defer close(order)
		defer close(work)
		return p.deal(ctx, spans, from, order, work, stop)
	})
	var failed error
	for b := range order {
		<-b.done
		if failed == nil {
			failed = b.err
		}
		if failed == nil {
			failed = sink(b)
		}
		if failed != nil && stop != nil {
			close(stop)
			stop = nil
		}
		p.spare.Put(b)
	}
	if err := group.Wait(); failed == nil {
		return err
	}
	return failed
}

// deal cuts the spans into units, in order.
func (p *pipeline) deal(ctx context.Context, spans []span, from int64, order, work chan<- *block, stop <-chan struct{}) error {
	position := int64(0)
	for _, s := range spans {
		if skip := from - position; skip > 0 {
			position += int64(s.len())
			if skip >= int64(s.len()) {
				continue
			}
			s.from += int(skip)
		} else {
			position += int64(s.len())
		}
		for s.from < s.to {
			if ctx.Err() != nil {
				return ErrInterrupted
			}
			b := p.take()
			b.span = span{s.cell, s.from, min(s.to, s.from+max(1, int(p.perUnit.Load())))}
			s.from = b.to
			select {
			case <-stop:
				return nil
			case <-ctx.Done():
				return ErrInterrupted
			case order <- b:
			}
			work <- b // a worker takes it: they take whatever is dealt, and never wait for the order
		}
	}
	return nil
}

func (p *pipeline) take() *block {
	b, _ := p.spare.Get().(*block)
	if b == nil {
		b = &block{}
	}
	b.err = nil
	b.done = make(chan struct{})
	return b
}

// work runs units until there are no more. It shares nothing with other workers but the length of units.
func (p *pipeline) work(units <-chan *block) {
	sim := engine.NewSim()
	rec := recorder{seed: p.runner.Seed, tables: p.tables}
	for b := range units {
		started := time.Now()
		cell := p.cells[b.cell]
		if n := b.len(); n > cap(b.rows) {
			b.rows = append(b.rows[:cap(b.rows)], make([]Rows, n-cap(b.rows))...)
		}
		b.rows = b.rows[:b.len()]
		for i := range b.rows {
			if b.err = p.runner.trial(sim, &rec, cell, b.from+i, &b.rows[i]); b.err != nil {
				break
			}
		}
		each := max(time.Since(started)/time.Duration(b.len()), 1)
		p.perUnit.Store(int64(min(unitTime/each, maxUnit)))
		close(b.done)
	}
}

// trial runs one trial. A broken invariant of the engine comes back as an error that says how to repeat it.
func (r Runner) trial(sim *engine.Sim, rec *recorder, c *Cell, trial int, rows *Rows) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cell %s, trial %d, seed %d: %v (to repeat: the same command with --workers 1)\n%s",
				c.ID(), trial, r.Seed, p, debug.Stack())
		}
	}()
	tally := sim.Run(c.Program, r.key(c, trial))
	d := rec.tables
	if most := c.MaxDetails; most > 0 && trial >= most {
		d.services, d.edges = false, false
	}
	d.windows = d.windows && trial < c.windows(r.Windows)
	rec.record(rows, c, trial, tally, d)
	return nil
}

func (r Runner) key(c *Cell, trial int) engine.Key {
	return engine.Key{Seed: r.Seed, Environment: c.Environment, Trial: uint64(trial)}
}
