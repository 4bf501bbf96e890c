package analysis

import (
	"fmt"
	"math"
)

// Probe runs a number of trials at a value of the factor and returns the
// interval, at the level asked for, of the quantity of interest: a collapse
// probability ([ClopperPearson] keeps the promise of [Bisect] exactly), or a
// paired difference ([Paired]). trials is the total at this value: the first
// trials of a larger call are those of a smaller one, so results can be kept.
type Probe func(x float64, trials int, level float64) (Interval, error)

// Bisection says where and how hard to look for a tipping point.
type Bisection struct {
	// From and To bound the factor; From < To.
	From, To float64
	// Target is the value at which the quantity tips, such as 0.5 for a collapse
	// probability or 0 for a difference.
	Target float64
	// Width ends the search when the interval is at most this wide; above 0.
	Width float64
	// MinTrials are run at each value first, then twice as many, and so on up to
	// MaxTrials, until the interval excludes Target.
	MinTrials, MaxTrials int
	// Level of the resulting interval, such as 0.95.
	Level float64
}

// Probed is one value that was looked at, for the record and for a figure.
type Probed struct {
	// X is the value of the factor.
	X float64
	// Trials is how many were run there.
	Trials int
	// At is the last interval there, at the corrected level.
	At Interval
	// Side is +1 when At lies above the target, -1 below, 0 undecided.
	Side int
}

// Bisect finds where a quantity that rises or falls with a factor passes a
// target. It halves the range as long as the middle can be told apart from the
// target; where it cannot, within MaxTrials, it closes in on that undecided
// stretch from both sides. The interval runs from the last value decided on one
// side to the first decided on the other.
//
// Its level holds for any shape, as long as the quantity is monotone: it is
// wrong only if some decision was, and the error is divided over all decisions
// and looks that can happen (Bonferroni). With a steep change the width is that
// of the search, and coverage is then far above the level. Estimate is the
// middle of the interval. When the ends do not lie on different sides of the
// target there is nothing to find: NaN, infinite ends and [WarnNoCrossing].
// [WarnOpenEnd] is given when an end could not be decided.
//
// N is the number of trials run in all. The values looked at are returned in
// order, also with an error, which is that of the probe.
func Bisect(b Bisection, probe Probe) (Interval, []Probed, error) {
	b.mustValid()
	s := search{Bisection: b, probe: probe}
	i := Interval{Estimate: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Level: b.Level, Method: "sequential bisection"}
	from, errFrom := s.look(b.From)
	if errFrom != nil {
		return i, s.record, errFrom
	}
	to, errTo := s.look(b.To)
	if errTo != nil {
		return i, s.record, errTo
	}
	var err error
	switch {
	case from == to && from != 0, from == 0 && to == 0:
		i.warn(WarnNoCrossing)
	default:
		err = s.narrow(&i, from, to)
	}
	i.N = s.trials()
	return i, s.record, err
}

type search struct {
	Bisection
	probe  Probe
	record []Probed
}

// narrow closes in while low and high lie on known sides. An undecided end of
// the range counts as on the side opposite to the other end.
func (s *search) narrow(i *Interval, from, to int) error {
	if from == 0 || to == 0 {
		i.warn(WarnOpenEnd)
	}
	if from == 0 {
		from = -to
	}
	low, high := s.From, s.To
	for high-low > s.Width {
		middle := low + (high-low)/2
		side, err := s.look(middle)
		if err != nil {
			return err
		}
		if side == 0 {
			low, high, err = s.closeIn(low, middle, high, from)
			if err != nil {
				return err
			}
			break
		}
		if side == from {
			low = middle
		} else {
			high = middle
		}
	}
	i.Low, i.High, i.Estimate = low, high, low+(high-low)/2
	return nil
}

// closeIn moves both ends towards a value that could not be decided: each by
// halving, down to half the wanted width from what is undecided.
func (s *search) closeIn(low, undecided, high float64, from int) (float64, float64, error) {
	inner := undecided
	for inner-low > s.Width/2 {
		middle := low + (inner-low)/2
		side, err := s.look(middle)
		switch {
		case err != nil:
			return low, high, err
		case side == from:
			low = middle
		case side == 0:
			inner = middle
		default: // beyond the target already: the undecided value was too
			return low, middle, nil
		}
	}
	inner = undecided
	for high-inner > s.Width/2 {
		middle := inner + (high-inner)/2
		side, err := s.look(middle)
		switch {
		case err != nil:
			return low, high, err
		case side == -from:
			high = middle
		case side == 0:
			inner = middle
		default:
			return middle, high, nil
		}
	}
	return low, high, nil
}

// look decides on which side of the target one value lies.
func (s *search) look(x float64) (int, error) {
	level := 1 - (1-s.Level)/float64(s.looks()*s.values())
	for trials := s.MinTrials; ; trials = min(2*trials, s.MaxTrials) {
		at, err := s.probe(x, trials, level)
		if err != nil {
			return 0, fmt.Errorf("probe at %g with %d trials: %w", x, trials, err)
		}
		side := at.Excludes(s.Target)
		if side != 0 || trials == s.MaxTrials {
			s.record = append(s.record, Probed{X: x, Trials: trials, At: at, Side: side})
			return side, nil
		}
	}
}

// looks is how often one value can be looked at.
func (s *search) looks() int {
	n := 1
	for trials := s.MinTrials; trials < s.MaxTrials; trials *= 2 {
		n++
	}
	return n
}

// values bounds how many values can be looked at: the ends, and one halving
// from each side down to half of the width.
func (s *search) values() int {
	return 2 + 2*int(math.Ceil(math.Log2(max(2, (s.To-s.From)/s.Width)))+1)
}

func (s *search) trials() int {
	total := 0
	for _, p := range s.record {
		total += p.Trials
	}
	return total
}

func (b Bisection) mustValid() {
	mustLevel(b.Level)
	if !(b.From < b.To) || !isFinite(b.To-b.From) || !(b.Width > 0) || b.MinTrials < 1 || b.MaxTrials < b.MinTrials {
		panic(fmt.Sprintf("analysis: bisection needs From < To, Width > 0, 1 <= MinTrials <= MaxTrials, got %+v", b))
	}
}
