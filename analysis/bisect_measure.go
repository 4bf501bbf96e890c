package analysis

import "math"

// How windows are laid out. By simulation (the coverage tests): narrower windows
// know too little of the slope and need many more trials, wider ones see the
// curve's shape.
const (
	windowReach  = 1.2  // from the middle to either side, in widths of the interval
	middleShare  = 0.7  // of the trials; the sides are for the slope
	firstWindow  = 8    // trials of the first window, in MinTrials
	middleLevel  = 0.99 // at which the middle must not differ from the target
	leastGrowth  = 1.5  // of trials from window to window
	mostGrowth   = 8.0
	widestFactor = 1.5 // a window wider than this times what Width asks for is not the last
)

// window is three values with their trials.
type window struct {
	x      [3]float64
	values [3][]float64
	side   int // of the middle
}

// measure narrows windows until the last gives the interval.
func (s *search) measure() error {
	centre, half := s.low+(s.high-s.low)/2, (s.high-s.low)/2
	n := float64(firstWindow * s.MinTrials)
	for {
		if s.high-s.low <= s.Width || s.left() < 2*s.MinTrials {
			s.between(s.low, s.high, MethodBracket)
			return nil
		}
		n = min(n, float64(s.left()))
		w, err := s.open(centre, half, n)
		if err != nil {
			return err
		}
		low, high, estimate, inside := s.fit(w)
		wide := high - low
		final := inside && s.side(w.values[1], middleLevel) == 0
		if final && (wide <= s.Width && half <= widestFactor*windowReach*s.Width || float64(s.left()) < n) {
			method := MethodQuadratic
			if s.Shares {
				method = MethodLogistic
			}
			s.between(low, high, method)
			s.interval.Estimate = estimate
			return nil
		}
		if !inside {
			// Bisection again; with more trials if these decided nothing.
			centre, half = s.low+(s.high-s.low)/2, (s.high-s.low)/2
			if w.side == 0 {
				n *= 2
			}
			continue
		}
		next := max(s.Width, wide/2)
		centre, half = estimate, min(half, windowReach*next)
		n *= max(leastGrowth, min(mostGrowth, math.Pow(wide/next, 2)))
	}
}

// open runs about n trials in a window and takes note of what they decide.
func (s *search) open(centre, half, n float64) (*window, error) {
	w := &window{}
	shares := [3]float64{(1 - middleShare) / 2, middleShare, (1 - middleShare) / 2}
	for k, step := range []float64{-1, 0, 1} {
		w.x[k] = centre + step*half
		values, err := s.trials(w.x[k], max(2, int(n*shares[k])))
		if err != nil {
			return nil, err
		}
		side := s.side(values, s.strict())
		if w.values[k] = values; k == 1 {
			w.side = side
		}
		s.note(w.x[k], values, side)
		s.narrow(w.x[k], side)
	}
	if s.low >= s.high { // one of the decisions was wrong: only the ends are left
		s.low, s.high = s.From, s.To
		s.lowDecided, s.highDecided = s.record[0].Side != 0, s.record[1].Side != 0
	}
	return w, nil
}

// fit is the window's interval, as far as it lies within low and high. What it
// says beyond the window is not relied on. inside tells whether the window has
// the tipping point and its middle is undecided.
func (s *search) fit(w *window) (low, high, estimate float64, inside bool) {
	if w.side == 0 {
		if s.Shares {
			low, high, estimate, inside = s.fitShares(w)
		} else {
			low, high, estimate, inside = s.fitMeans(w)
		}
	}
	if !inside || estimate < s.low || estimate > s.high {
		return s.low, s.high, 0, false
	}
	if low <= w.x[0] {
		low = s.low
	}
	if high >= w.x[2] {
		high = s.high
	}
	return max(low, s.low), min(high, s.high), estimate, true
}

func (s *search) fitMeans(w *window) (low, high, estimate float64, inside bool) {
	points := make([]meanPoint, 3)
	for k, values := range w.values {
		if len(values) < 2 {
			return 0, 0, 0, false
		}
		points[k] = meanPoint{x: w.x[k], mean: mean(values) - s.Target, variance: spread(values) / float64(len(values)), freedom: float64(len(values) - 1)}
	}
	if points[0].mean*points[2].mean > 0 {
		return 0, 0, 0, false
	}
	at := func(x float64) (float64, float64, float64) { return combine(points, parabola(w.x, x)) }
	// A parabola with different signs at two values has one root between them.
	estimate = edge(func(x float64) bool { d, _, _ := at(x); return d*points[0].mean > 0 }, w.x[0], w.x[2])
	accepted := func(x float64) bool { return notRejected(s.Level)(at(x)) }
	return reach(accepted, estimate, w.x[0]), reach(accepted, estimate, w.x[2]), estimate, true
}

// parabola has the weights of three values in Lagrange's interpolation at x.
func parabola(xs [3]float64, x float64) []float64 {
	weights := []float64{1, 1, 1}
	for i := range xs {
		for j := range xs {
			if i != j {
				weights[i] *= (x - xs[j]) / (xs[i] - xs[j])
			}
		}
	}
	return weights
}
