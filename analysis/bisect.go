package analysis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Probe runs a number of trials at a value of the factor and returns one value
// for each: 1 or 0 where a share tips (collapsed or not), or a measurement, such
// as a paired difference. Every call must run new trials, independent of all
// earlier ones, also at a value that was looked at before.
type Probe func(x float64, trials int) ([]float64, error)

// Bisection says where and how hard to look for a tipping point.
type Bisection struct {
	// From and To bound the factor; From < To.
	From, To float64
	// Target is the value that the mean passes, such as 0.5 for a probability of
	// collapse or 0 for a difference. For shares above 0 and below 1.
	Target float64
	// Shares says that the values are 0 or 1.
	Shares bool
	// Width ends the search when the interval is at most this wide; above 0.
	Width float64
	// MinTrials are run at each value first; more, in steps, where they do not
	// tell the mean from Target. At least 2; 20 or more keep the level.
	MinTrials int
	// MaxTrials of the whole search; at least 2 MinTrials.
	MaxTrials int
	// Level of the resulting interval, such as 0.95.
	Level float64
}

// Probed is one look at one value, for the record and for a figure.
type Probed struct {
	// X is the value of the factor.
	X float64
	// At is the mean of this look's trials with its own interval at the search's
	// Level: [Wilson] for shares, t for others. At.N is the number of trials.
	At Interval
	// Side is +1 when the mean was decided to lie above the target, -1 below, 0
	// undecided. Decisions are stricter than Level, so that all are right together.
	Side int
}

// Methods of the interval that [Bisect] gives.
const (
	// MethodBracket is between two values at which the mean was decided to lie on
	// different sides of the target. It assumes no shape and covers nearly always.
	MethodBracket = "bisection: between decided values"
	// MethodLogistic is a likelihood ratio test inverted, see [Bisect].
	MethodLogistic = "bisection, then logistic likelihood ratio on three values"
	// MethodQuadratic is a t test inverted, see [Bisect].
	MethodQuadratic = "bisection, then t on the parabola through three values"
)

// Bisect finds where the mean of a quantity passes a target, as a factor grows;
// the mean must rise or fall with it. It locates by bisection: the range is
// halved as long as its middle can be told apart from the target. A stretch that
// cannot is closed in on from both sides and then measured: in windows of three
// values, each as narrow as the last interval allows, with 70% of the trials in
// the middle. The interval is made from the last window's trials alone, all of
// them new, and is the set of factor values that a test at Level does not
// reject:
//
//   - shares: the likelihood ratio of logit p = logit Target + slope (x - x0),
//     slope of the right sign, against the best x0 ([MethodLogistic]);
//   - other values: whether the parabola through the three means equals the
//     target at x0, with Welch and Satterthwaite's degrees of freedom
//     ([MethodQuadratic]). Curvature that shares do not show on the logit scale
//     is so allowed for.
//
// The window is about as wide as the interval, so the shape farther away does
// not matter. A test is used only if the middle cannot be told from the target.
// Where the change is sharper than Width, no value in between was undecided and
// nothing is known of the shape: the interval is then that between the two
// decided values nearest to the change ([MethodBracket]), and holds in nearly
// all searches, not just a share Level of them. docs/adr/0032-tipping-points.md
// has the reasons and the coverage.
//
// Nothing to find, because the ends do not lie on different sides, gives NaN,
// infinite ends and [WarnNoCrossing]. An end of the interval that is not bounded
// by a decided value is infinite with [WarnOpenEnd]; an interval still wider than
// Width after MaxTrials has [WarnTargetMissed]. N is the number of trials of all
// looks, which are returned in order, also with an error, which is that of the
// probe. Values that are not finite are left out with [WarnLeftOut].
func Bisect(b Bisection, probe Probe) (Interval, []Probed, error) {
	b.mustValid()
	s := search{Bisection: b, probe: probe, low: b.From, high: b.To}
	s.interval = unknown(b.Level, MethodBracket, 0)
	s.interval.Warnings = nil
	err := s.run()
	s.interval.N = s.used
	return s.interval, s.record, err
}

// Multiples of MinTrials: what is run at most at an end of the range, and at a
// value between, before it counts as undecided. The ends are looked at once and
// hold up everything else.
const (
	mostAtEnd  = 16
	mostWithin = 4
)

// search is between low and high: the nearest values known to lie on different
// sides, or an undecided end of the range.
type search struct {
	Bisection
	probe                   Probe
	record                  []Probed
	used                    int // trials
	low, high               float64
	lowDecided, highDecided bool
	lowSide                 int // of values below the tipping point
	interval                Interval
}

func (s *search) run() error {
	from, err := s.look(s.From, mostAtEnd)
	if err != nil {
		return err
	}
	to, err := s.look(s.To, mostAtEnd)
	if err != nil {
		return err
	}
	if from == to {
		s.interval.warn(WarnNoCrossing)
		return nil
	}
	s.lowDecided, s.highDecided = from != 0, to != 0
	if s.lowSide = from; from == 0 {
		s.lowSide = -to
	}
	for s.high-s.low > s.Width && s.left() >= s.MinTrials {
		middle := s.low + (s.high-s.low)/2
		side, err := s.lookWithin(middle)
		if err != nil {
			return err
		}
		if side == 0 {
			return s.measureAround(middle)
		}
	}
	s.between(s.low, s.high, MethodBracket)
	return nil
}

// measureAround closes in on an undecided value from both sides, by halving what
// lies between, and measures the stretch that is left.
func (s *search) measureAround(undecided float64) error {
	for _, end := range []*float64{&s.low, &s.high} {
		for math.Abs(undecided-*end) > s.Width/2 && s.left() >= s.MinTrials {
			before := *end
			if _, err := s.lookWithin(before + (undecided-before)/2); err != nil {
				return err
			}
			if *end == before {
				break
			}
		}
	}
	return s.measure()
}

// between sets the interval, open where it reaches an undecided end.
func (s *search) between(low, high float64, method string) {
	i := &s.interval
	i.Low, i.High, i.Estimate, i.Method = low, high, low+(high-low)/2, method
	if low == s.low && !s.lowDecided {
		i.Low = math.Inf(-1)
		i.warn(WarnOpenEnd)
	}
	if high == s.high && !s.highDecided {
		i.High = math.Inf(1)
		i.warn(WarnOpenEnd)
	}
	if high-low > s.Width {
		i.warn(WarnTargetMissed)
	}
}

// lookWithin looks at a value and moves the end on whose side it lies.
func (s *search) lookWithin(x float64) (side int, err error) {
	side, err = s.look(x, mostWithin)
	s.narrow(x, side)
	return side, err
}

// narrow takes note of a decided value.
func (s *search) narrow(x float64, side int) {
	switch {
	case side == 0:
	case side == s.lowSide && x > s.low:
		s.low, s.lowDecided = x, true
	case side == -s.lowSide && x < s.high:
		s.high, s.highDecided = x, true
	}
}

// look runs trials at a value, twice as many each time, until their mean can be
// told from the target or there are most times MinTrials.
func (s *search) look(x float64, most int) (side int, err error) {
	var values []float64
	for ran, total := 0, s.MinTrials; ; ran, total = total, 2*total {
		more, err := s.trials(x, total-ran)
		if err != nil {
			return 0, err
		}
		values = append(values, more...)
		side = s.side(values, s.strict())
		if side != 0 || 2*total > most*s.MinTrials || s.left() < total {
			s.note(x, values, side)
			return side, nil
		}
	}
}

// trials are those of n at a value that gave one.
func (s *search) trials(x float64, n int) ([]float64, error) {
	values, err := s.probe(x, n)
	if err != nil {
		return nil, fmt.Errorf("probe at %g with %d trials: %w", x, n, err)
	}
	if len(values) != n {
		panic(fmt.Sprintf("analysis: probe gave %d values for %d trials", len(values), n))
	}
	s.used += n
	kept, leftOut := finiteRows(values)
	if leftOut {
		s.interval.warn(WarnLeftOut)
	}
	return kept[0], nil
}

func (s *search) left() int { return s.MaxTrials - s.used }

func (s *search) note(x float64, values []float64, side int) {
	p := Probed{X: x, Side: side}
	if s.Shares {
		p.At = Wilson(int(sum(values)), len(values), s.Level)
	} else {
		p.At = meanT(values, s.Level, "t over trials")
	}
	s.record = append(s.record, p)
}

// side tests whether the mean is the target: the exact binomial test or
// Student's.
func (s *search) side(values []float64, level float64) int {
	n, total := float64(len(values)), sum(values)
	if s.Shares {
		law, tail := distuv.Binomial{N: n, P: s.Target}, (1-level)/2
		switch {
		case n > 0 && law.CDF(total) <= tail:
			return -1
		case n > 0 && 1-law.CDF(total-1) <= tail:
			return +1
		}
		return 0
	}
	off := total/n - s.Target
	if n < 2 || notRejected(level)(off, spread(values)/n, n-1) {
		return 0
	}
	return int(math.Copysign(1, off))
}

// strict is the level of decisions, such that all are right together at Level
// (Bonferroni): three looks at each of the ends and of one halving from each
// side, down to half of the width.
func (s *search) strict() float64 {
	halvings := math.Ceil(math.Log2(max(2, (s.To-s.From)/s.Width))) + 1
	return 1 - (1-s.Level)/(3*(2+2*halvings))
}

func (b Bisection) mustValid() {
	mustLevel(b.Level)
	if b.Shares {
		mustLevel(b.Target)
	}
	if !(b.From < b.To) || !isFinite(b.To-b.From) || !(b.Width > 0) || b.MinTrials < 2 || b.MaxTrials < 2*b.MinTrials {
		panic(fmt.Sprintf("analysis: bisection needs From < To, Width > 0, 2 <= MinTrials, 2 MinTrials <= MaxTrials, got %+v", b))
	}
}
