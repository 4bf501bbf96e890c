package experiments

import (
	"context"
	"errors"
	"runtime"
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

// Run runs all trials and hands the rows of each to sink, cell by cell and trial by trial, whatever
// the order in which they end. The rows do not depend on Workers; they are the sink's until it returns. Only a few
// trials a worker are held in memory at a time. An error of sink stops the run.
func (r Runner) Run(ctx context.Context, cells []*Cell, sink func(*Rows) error) error {
	line := &pipeline{cells: cells, tables: allDetails, runner: r}
	spans := r.spans(cells)
	done, total := 0, length(spans)
	return line.run(ctx, spans, 0, func(b *block) error {
		for i := range b.rows {
			if err := sink(&b.rows[i]); err != nil {
				return err
			}
		}
		done += b.len()
		if r.Progress != nil {
			r.Progress(done, total)
		}
		return nil
	})
}

// spans are the trials of this shard.
func (r Runner) spans(cells []*Cell) []span {
	var spans []span
	for i, c := range cells {
		if from, to := r.Shard.Range(c.trials(r.Trials)); to > from {
			spans = append(spans, span{i, from, to})
		}
	}
	return spans
}

// EffectiveWorkers is the number of trials that run at once.
func (r Runner) EffectiveWorkers() int {
	if r.Workers > 0 {
		return r.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// length is the number of trials in spans.
func length(spans []span) int {
	n := 0
	for _, s := range spans {
		n += s.len()
	}
	return n
}
