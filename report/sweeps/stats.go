package sweeps

import (
	"retrylab/analysis"
	"retrylab/results"
)

// level of all intervals.
const level = 0.95

// share is a ratio of counts per trial.
type share struct{ top, bottom func(*results.Trial) int64 }

var (
	successAll = share{
		func(t *results.Trial) int64 { return t.RequestsSucceeded }, func(t *results.Trial) int64 { return t.Requests }}
	successDuring = share{
		func(t *results.Trial) int64 { return t.SucceededDuring }, func(t *results.Trial) int64 { return t.RequestsDuring }}
	successAfter = share{
		func(t *results.Trial) int64 { return t.SucceededAfter }, func(t *results.Trial) int64 { return t.RequestsAfter }}
	rafClient = share{
		func(t *results.Trial) int64 { return t.AttemptsSent }, func(t *results.Trial) int64 { return t.Requests }}
	wasted = share{
		func(t *results.Trial) int64 { return t.WastedNs }, func(t *results.Trial) int64 { return t.WorkNs }}
)

// counts are a share's parts, one a trial.
func (s share) counts(trials []results.Trial) (top, bottom []float64) {
	top, bottom = make([]float64, len(trials)), make([]float64, len(trials))
	for i := range trials {
		top[i], bottom[i] = float64(s.top(&trials[i])), float64(s.bottom(&trials[i]))
	}
	return top, bottom
}

// over is the share over all trials, with trials as units.
func (s share) over(trials []results.Trial) analysis.Interval {
	top, bottom := s.counts(trials)
	return analysis.RatioOfSums(top, bottom, level)
}

// perTrial are the trials' shares.
func (s share) perTrial(trials []results.Trial) []float64 {
	top, bottom := s.counts(trials)
	for i := range top {
		top[i] /= bottom[i]
	}
	return top
}

// minus is the paired difference of two cells that faced the same draws, first minus second.
func (s share) minus(a, b *cell) analysis.Difference {
	n := min(len(a.trials), len(b.trials))
	topA, bottomA := s.counts(a.trials[:n])
	topB, bottomB := s.counts(b.trials[:n])
	return analysis.PairedRatioOfSums(topA, bottomA, topB, bottomB, level)
}

// phases are a trial's requests before and after its faults.
func phases(t *results.Trial) analysis.Phases {
	return analysis.Phases{Before: t.RequestsBefore, SucceededBefore: t.SucceededBefore, After: t.RequestsAfter, SucceededAfter: t.SucceededAfter}
}

// collapsed is the probability of collapse, and stayedDown that of a collapse without recovery in the trial.
func (c *cell) collapsed() (collapsed, stayedDown analysis.Interval) {
	down, stayed := 0, 0
	for i := range c.trials {
		t := &c.trials[i]
		if analysis.Collapsed(phases(t)) {
			down++
			if !t.Recovered {
				stayed++
			}
		}
	}
	n := len(c.trials)
	return analysis.Wilson(down, n, level), analysis.Wilson(stayed, n, level)
}

// recovery is the median time to recover in seconds, trials that never did being censored at their end.
func (c *cell) recovery() analysis.Interval {
	durations := make([]float64, len(c.trials))
	recovered := make([]bool, len(c.trials))
	for i := range c.trials {
		t := &c.trials[i]
		recovered[i] = t.Recovered
		durations[i] = float64(t.RecoveryNs) / 1e9
		if !t.Recovered {
			durations[i] = float64(c.DurationNs-c.FaultToNs) / 1e9
		}
	}
	return analysis.KaplanMeier(durations, recovered).Median(level)
}

// hasFaults tells whether the cell's model has faults that end before the trial does.
func (c *cell) hasFaults() bool { return c.FaultFromNs >= 0 && c.FaultToNs < c.DurationNs }
