package analysis

import (
	"fmt"
	"math"
)

// StopRule samples until an interval is narrow enough. It decides from the
// interval alone, so the trials that run depend on the data and never on the
// number of workers.
type StopRule struct {
	// HalfWidth wanted, in the unit of the interval; above 0.
	HalfWidth float64
	// MinTrials are run before the first look; at least 2. Fewer than about 20
	// cost coverage: a lucky early spread stops too soon.
	MinTrials int
	// MaxTrials ends sampling whatever the width; at least MinTrials.
	MaxTrials int
}

// StopReason says why sampling goes on or ends.
type StopReason string

const (
	// GoOn: more trials are needed.
	GoOn StopReason = "go on"
	// TargetReached: the half-width is at most the one wanted.
	TargetReached StopReason = "target reached"
	// MaximumReached: MaxTrials were run and the interval is still too wide; the
	// interval should carry [WarnTargetMissed] (see [StopRule.Mark]).
	MaximumReached StopReason = "maximum reached"
)

// Next looks at an interval from a number of trials run so far and returns how
// many there should be in all before the next look; when the reason is not GoOn
// that number is trials itself. The next size is what the present width
// predicts, at least 10% more and at most double, so that there are few looks:
// each look is a chance to stop on a lucky spread. trials counts all that ran,
// also those that the interval had to leave out.
func (r StopRule) Next(trials int, i Interval) (total int, reason StopReason) {
	r.mustValid()
	if trials < r.MinTrials {
		return r.MinTrials, GoOn
	}
	if i.Half() <= r.HalfWidth {
		return trials, TargetReached
	}
	if trials >= r.MaxTrials {
		return trials, MaximumReached
	}
	n := float64(trials)
	predicted := n * math.Pow(i.Half()/r.HalfWidth, 2)
	if !(predicted <= 2*n) { // also for an infinite width
		predicted = 2 * n
	}
	predicted = max(math.Ceil(predicted), math.Ceil(1.1*n))
	return int(min(predicted, float64(r.MaxTrials))), GoOn
}

// Mark returns the interval with [WarnTargetMissed] when it is too wide.
func (r StopRule) Mark(i Interval) Interval {
	r.mustValid()
	if !(i.Half() <= r.HalfWidth) {
		i.warn(WarnTargetMissed)
	}
	return i
}

func (r StopRule) mustValid() {
	if !(r.HalfWidth > 0) || r.MinTrials < 2 || r.MaxTrials < r.MinTrials {
		panic(fmt.Sprintf("analysis: stop rule needs HalfWidth > 0 and 2 <= MinTrials <= MaxTrials, got %+v", r))
	}
}
