package experiments

import (
	"fmt"
	"strings"

	"retrylab/analysis"
	"retrylab/results"
)

// sweepPlan says which trials are run, round by round. With a fixed number of trials there is one round. With
// Until, a round looks at each cell's trials so far; what it decides depends on the rows alone, so that a run that
// goes on after a kill decides the same.
type sweepPlan struct {
	sweep  *Sweep
	shard  Shard
	rounds int
	to     []int        // trials of each cell that are planned
	ended  []bool       // cells with enough trials
	seen   []sequential // what Until looks at
	done   int
}

// sequential is what a cell's trials add up to.
type sequential struct {
	success, attempts *analysis.RatioSums // per request
	trials, collapsed int
}

func newSweepPlan(s *Sweep, shard Shard) *sweepPlan {
	p := &sweepPlan{sweep: s, shard: shard, to: make([]int, len(s.Cells)), ended: make([]bool, len(s.Cells))}
	if s.Until != nil {
		p.seen = make([]sequential, len(s.Cells))
		for i := range p.ended {
			// Looking needs all trials of a cell, so a shard has whole cells.
			p.ended[i] = shard.Count > 0 && i%shard.Count != shard.Index-1
		}
	}
	return p
}

// next is the next round's spans, cell by cell; none at the end.
func (p *sweepPlan) next() []span {
	p.rounds++
	var spans []span
	if p.sweep.Until == nil {
		for i := range p.sweep.Cells {
			from, to := p.shard.trialsOf(i, p.sweep.Trials)
			p.to[i] = to - from
			if p.rounds == 1 && to > from {
				spans = append(spans, span{i, from, to})
			}
		}
		return spans
	}
	for i := range p.sweep.Cells {
		if p.ended[i] {
			continue
		}
		total := p.sweep.Until.Min
		if p.rounds > 1 {
			total = p.sweep.Until.next(&p.seen[i])
		}
		if total == p.to[i] {
			p.ended[i] = true
			p.seen[i] = sequential{}
			continue
		}
		spans = append(spans, span{i, p.to[i], total})
		p.to[i] = total
	}
	return spans
}

// trialsOf is the part of a cell's trials: a range, as in a run. Of more parts than trials, several neighbours have the
// same trial, and share the cells.
func (s Shard) trialsOf(cell, trials int) (from, to int) {
	if s.Count <= trials {
		return s.Range(trials)
	}
	index := s.Index - 1
	trial := index * trials / s.Count
	first, end := ceilDiv(int64(trial*s.Count), int64(trials)), ceilDiv(int64((trial+1)*s.Count), int64(trials))
	if int64(cell)%(end-first) != int64(index)-first {
		return 0, 0
	}
	return trial, trial + 1
}

// CheckShard refuses a part of a division that has more parts than the sweep has work for.
func (s *Sweep) CheckShard(shard Shard) error {
	if s.Until != nil {
		return shard.Check(len(s.Cells), "cells, which until needs whole")
	}
	return shard.Check(len(s.Cells)*s.Trials, "trials")
}

// next is the number of trials that a cell should have in all before the next look, or has, if they are enough.
func (u *Until) next(c *sequential) int {
	const level = 0.95
	n := c.trials
	total := n
	ask := func(half float64, i analysis.Interval) {
		if half > 0 {
			more, _ := analysis.StopRule{HalfWidth: half, MinTrials: u.Min, MaxTrials: u.Max}.Next(n, i)
			total = max(total, more)
		}
	}
	ask(u.Success, c.success.Interval(level))
	ask(u.RAF, c.attempts.Interval(level))
	ask(u.Collapse, analysis.Wilson(c.collapsed, n, level))
	return total
}

// see takes note of the trials of a block.
func (p *sweepPlan) see(b *block) {
	for i := range b.rows {
		p.note(b.cell, &b.rows[i].Trial)
	}
}

func (p *sweepPlan) note(cell int, t *results.Trial) {
	p.done++
	if p.seen == nil {
		return
	}
	c := &p.seen[cell]
	if c.trials == 0 {
		c.success, c.attempts = analysis.NewRatioSums(), analysis.NewRatioSums()
	}
	c.trials++
	c.success.Add(float64(t.RequestsSucceeded), float64(t.Requests))
	c.attempts.Add(float64(t.AttemptsSent), float64(t.Requests))
	if analysis.Collapsed(phases(t)) {
		c.collapsed++
	}
}

func phases(t *results.Trial) analysis.Phases {
	return analysis.Phases{Before: t.RequestsBefore, SucceededBefore: t.SucceededBefore, After: t.RequestsAfter, SucceededAfter: t.SucceededAfter}
}

// recall takes note of the trials that a killed run left of a round.
func (p *sweepPlan) recall(segments []segment) error {
	if p.seen == nil {
		for _, s := range segments {
			p.done += int(s.end - s.first)
		}
		return nil
	}
	index := map[string]int{}
	for i, c := range p.sweep.Cells {
		index[c.ID()] = i
	}
	for b, err := range segmentRowsOf[results.Trial](segments) {
		if err != nil {
			return err
		}
		for i := range b.Rows {
			cell, ok := index[b.Rows[i].Cell]
			if !ok {
				return fmt.Errorf("the checkpoint holds a trial of cell %q, which is not one of the sweep", b.Rows[i].Cell)
			}
			p.note(cell, &b.Rows[i])
		}
	}
	return nil
}

// total is the number of trials that are planned so far.
func (p *sweepPlan) total() int {
	n := 0
	for _, to := range p.to {
		n += to
	}
	return n
}

// totals are the trials of each cell in this run; those of a shard are its own.
func (p *sweepPlan) totals() []int { return p.to }

// holes compares the trials that are there with those that should be.
func holes(cells []results.Cell, got []int) error {
	var list []string
	for i := range cells {
		if want := int(cells[i].Trials); want != got[i] {
			list = append(list, fmt.Sprintf("cell %s has %d trials, expected %d", cells[i].Cell, got[i], want))
		}
	}
	if len(list) == 0 {
		return nil
	}
	if n := len(list); n > maxReported {
		list = append(list[:maxReported], fmt.Sprintf("and %d more cells", n-maxReported))
	}
	return fmt.Errorf("%w: %s", ErrIncompatible, strings.Join(list, "; "))
}
