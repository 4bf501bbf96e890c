package sweeps

import (
	"fmt"
	"math"
	"strings"
	"time"

	"retrylab/analysis"
	"retrylab/results"
)

// level of all intervals.
const level = 0.95

// share is a ratio of counts of a trial.
type share int

const (
	successAll share = iota
	successDuring
	successAfter
	rafClient
	wasted
	work // attempts at all services per request
	shares
)

// pairedShares are the first, whose differences from the first strategy are wanted.
const pairedShares = successAfter + 1

// of is what a trial has above and below the line.
func (s share) of(t *results.Trial) (top, bottom float64) {
	var a, b int64
	switch s {
	case successAll:
		a, b = t.RequestsSucceeded, t.Requests
	case successDuring:
		a, b = t.SucceededDuring, t.RequestsDuring
	case successAfter:
		a, b = t.SucceededAfter, t.RequestsAfter
	case rafClient:
		a, b = t.AttemptsSent, t.Requests
	case wasted:
		a, b = t.WastedNs, t.WorkNs
	case work:
		a, b = t.AttemptsAllServices, t.Requests
	}
	return float64(a), float64(b)
}

// summary is what the report needs of a cell's trials.
type summary struct {
	trials    int
	ratios    [shares]analysis.Interval
	minus     [pairedShares]analysis.Difference // from the first cell of the point; zero for that one
	perTrial  [pairedShares][]float64           // the shares of the first trials, for their shape
	requests  [pairedShares]float64             // below the line of the shares, in all trials
	down      int                               // trials that collapsed
	stayed    int                               // of them, those that did not recover
	recovered int
	kept      []results.Trial   // all trials, where the report shows single ones
	recovery  analysis.Interval // median time to recover in seconds, trials that never did being censored at their end
}

// over is the share over all trials, with trials as units.
func (c *cell) over(s share) analysis.Interval { return c.ratios[s] }

// asShare cuts an interval's ends to what a share can be, and asDifference to what a difference of two can be: Student's
// t does not know that, and no truth lies outside, so that what is left covers as often. Only what is shown is cut:
// z-scores and crossings need the width. Ends that are infinite, of one trial, stay: there is no interval.
func asShare(i analysis.Interval) analysis.Interval { return cut(i, 0) }

func asDifference(i analysis.Interval) analysis.Interval { return cut(i, -1) }

func cut(i analysis.Interval, least float64) analysis.Interval {
	if !math.IsInf(i.Low, 0) && !math.IsInf(i.High, 0) {
		i.Low, i.High = max(i.Low, least), min(i.High, 1)
	}
	return i
}

// step is what one request of a trial changes in a share.
func (c *cell) step(s share) float64 { return float64(c.summary.trials) / c.requests[s] }

// collapsed is the probability of collapse, and stayedDown that of a collapse without recovery in the trial, which is
// not a number where recovery has no meaning.
func (c *cell) collapsed() (collapsed, stayedDown analysis.Interval) {
	collapsed, stayedDown = analysis.Wilson(c.down, c.summary.trials, level), noMeaning
	if c.tells {
		stayedDown = analysis.Wilson(c.stayed, c.summary.trials, level)
	}
	return collapsed, stayedDown
}

// noMeaning is what has none; tables leave it empty.
var noMeaning = analysis.Interval{Estimate: math.NaN(), Low: math.NaN(), High: math.NaN()}

// tellsRecovery says whether a time to recover has a meaning in a cell (docs/adr/0010-recovery.md): its trials have
// room for windows before the faults, from the end of the warm-up on, and after them.
func tellsRecovery(c *results.Cell) (bool, error) {
	if c.FaultFromNs < 0 {
		return false, nil
	}
	warmup := time.Duration(0)
	// The composed model is written as one key a line, and only the line of a key of the model itself begins with it.
	if _, rest, found := strings.Cut("\n"+c.ModelYAML, "\nwarmup: "); found {
		line, _, _ := strings.Cut(rest, "\n")
		var err error
		if warmup, err = time.ParseDuration(line); err != nil {
			return false, fmt.Errorf("cell %s: warmup of its model: %w", c.Cell, err)
		}
	}
	return analysis.Watch{Window: c.WindowNs, Warmup: int64(warmup), From: c.FaultFromNs, To: c.FaultToNs, End: c.DurationNs}.Tells(), nil
}

// hasFaults tells whether the cell's model has faults that end before the trial does.
func (c *cell) hasFaults() bool { return c.FaultFromNs >= 0 && c.FaultToNs < c.DurationNs }

// adder makes a cell's summary of its trials, which come one by one and are not kept.
type adder struct {
	cell   *cell
	shape  int  // trials of which the shares are kept
	keep   bool // all trials
	ratios [shares]*analysis.RatioSums
	pairs  [pairedShares]*analysis.PairedRatioSums
	times  analysis.Recoveries
}

func newAdder(c *cell, shape int, keep bool) *adder {
	a := &adder{cell: c, shape: shape, keep: keep}
	for s := range a.ratios {
		a.ratios[s] = analysis.NewRatioSums()
	}
	for s := range a.pairs {
		a.pairs[s] = analysis.NewPairedRatioSums()
	}
	return a
}

// counts are a trial's paired shares, above and below the line.
type counts [pairedShares][2]float64

// add takes a trial in, and gives what the other cells of the point are paired with.
func (a *adder) add(t *results.Trial) counts {
	c := &a.cell.summary
	var own counts
	for s := range shares {
		top, bottom := s.of(t)
		a.ratios[s].Add(top, bottom)
		if s < pairedShares {
			own[s] = [2]float64{top, bottom}
			c.requests[s] += bottom
			if c.trials < a.shape {
				c.perTrial[s] = append(c.perTrial[s], top/bottom)
			}
		}
	}
	c.trials++
	if a.keep {
		c.kept = append(c.kept, *t)
	}
	if analysis.Collapsed(analysis.Phases{Before: t.RequestsBefore, SucceededBefore: t.SucceededBefore, After: t.RequestsAfter, SucceededAfter: t.SucceededAfter}) {
		c.down++
		if a.cell.tells && !t.Recovered {
			c.stayed++
		}
	}
	if !a.cell.tells {
		return own
	}
	if t.Recovered {
		c.recovered++
		a.times.Add(float64(t.RecoveryNs)/1e9, true)
	} else {
		a.times.Add(float64(a.cell.DurationNs-a.cell.FaultToNs)/1e9, false)
	}
	return own
}

// pair takes in a trial and the same trial of the first cell of the point.
func (a *adder) pair(own, first counts) {
	for s, sums := range a.pairs {
		sums.Add(own[s][0], own[s][1], first[s][0], first[s][1])
	}
}

// finish fills the summary in.
func (a *adder) finish() {
	c := &a.cell.summary
	for s := range a.ratios {
		c.ratios[s] = a.ratios[s].Interval(level)
	}
	for s := range a.pairs {
		c.minus[s] = a.pairs[s].Difference(level)
	}
	if c.recovery = noMeaning; a.cell.tells {
		c.recovery = a.times.KaplanMeier().Median(level)
	}
}
