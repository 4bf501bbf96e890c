package experiments

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"retrylab/analysis"
	"retrylab/engine"
)

// Settling is when the number of open requests of a cell without faults has settled, by MSER-5.
type Settling struct {
	Cell *Cell
	// Of is the number of cells that were looked at; Cell is the one that settles last.
	Of int
	// After is that time, 0 where the start does not change the mean; Settled is false if it lies in the second half of
	// the trial or beyond it.
	After   time.Duration
	Settled bool
	// Short tells whether the cell's warmup is shorter, and what follows it has another mean than what has settled.
	Short bool
}

const (
	settleCells   = 5    // that are looked at, evenly over the design, the first and the last among them
	settleTrials  = 5    // of each
	settleWindows = 500  // at least, in a trial
	settleBias    = 0.05 // of the mean: a start that changes it by less is no matter
)

// Settling runs some trials of a few cells without faults, for about a second, and looks at the open requests at the ends of
// windows, which are made short enough to tell. It gives the cell that settles last; nil if all cells have faults.
func (s *Sweep) Settling(ctx context.Context) *Settling {
	var calm []*Cell
	for _, c := range s.Cells {
		if _, _, faults := c.Program.FaultSpan(); !faults {
			calm = append(calm, c)
		}
	}
	var last *Settling
	started := time.Now()
	looks := min(settleCells, len(calm))
	for k := range looks {
		// The last cell, often that of the highest levels, comes first, lest time ends before it.
		c := calm[len(calm)-1-k*(len(calm)-1)/max(looks-1, 1)]
		if k > 0 && (ctx.Err() != nil || time.Since(started) > pilotTime) {
			break
		}
		found := s.settle(c)
		if last == nil || last.Settled && (!found.Settled || found.After > last.After) {
			last = found
		}
		last.Of = k + 1
	}
	return last
}

// settle looks at some trials of a cell: it has settled when most of them have.
func (s *Sweep) settle(c *Cell) *Settling {
	model := c.Spec
	model.Window = max(min(model.Window, model.Duration/settleWindows), 1)
	model.Warmup = 0 // it must be whole windows, and changes nothing but what is counted
	program, problems := engine.Compile(&model)
	if len(problems) > 0 {
		panic(problems[0].Text) // a model stays right with shorter windows
	}
	sim := engine.NewSim()
	var looks []*Settling
	for trial := range uint64(settleTrials) {
		open := make([]float64, int64(model.Duration/model.Window))
		tally := sim.Run(program, engine.Key{Seed: s.Seed, Environment: c.Environment, Trial: trial})
		for i := range tally.Windows {
			if w := &tally.Windows[i]; int(w.Station) < len(tally.Clients) && int(w.Index) < len(open) {
				open[w.Index] += float64(w.QueueEnd)
			}
		}
		looks = append(looks, settled(c, open, model.Window))
	}
	slices.SortFunc(looks, func(a, b *Settling) int {
		switch {
		case a.Settled && !b.Settled:
			return -1
		case b.Settled && !a.Settled:
			return 1
		}
		return cmp.Compare(a.After, b.After)
	})
	return looks[len(looks)/2]
}

// settled looks at one trial's open requests at the ends of windows.
func settled(c *Cell, open []float64, window time.Duration) *Settling {
	found := analysis.MSER5(open)
	rest := analysis.Mean(open[found.Discard:], 0.95).Estimate
	biased := func(from int) bool {
		return math.Abs(analysis.Mean(open[from:], 0.95).Estimate-rest) > settleBias*rest
	}
	if !biased(0) {
		return &Settling{Cell: c, Settled: true} // steady from the start: the cut is chance
	}
	out := &Settling{Cell: c, After: time.Duration(found.Discard) * window, Settled: found.Settled}
	out.Short = found.Settled && c.Spec.Warmup < out.After && biased(int(c.Spec.Warmup/window))
	return out
}
