package analysis

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// meanPoint is a mean at a value of a factor, independent of the other points'.
type meanPoint struct {
	x, mean  float64
	variance float64 // of the mean; +Inf if not known
	freedom  float64 // degrees of freedom of variance
}

// meanBehind takes back from a t interval what it was made of.
func meanBehind(i Interval) meanPoint {
	p := meanPoint{mean: i.Estimate, variance: math.Inf(1), freedom: 1}
	if i.N > 1 && isFinite(i.Half()) {
		p.freedom = float64(i.N - 1)
		p.variance = math.Pow(i.Half()/studentQuantile(i.Level, i.N-1), 2)
	}
	return p
}

// combine is a weighted sum of means with its variance and the degrees of
// freedom of that, after Welch and Satterthwaite. Source: Satterthwaite, An
// Approximate Distribution of Estimates of Variance Components, Biometrics
// Bulletin 2 (1946).
func combine(points []meanPoint, weights []float64) (value, variance, freedom float64) {
	var squares float64
	for k, p := range points {
		if weights[k] == 0 {
			continue // also if the variance is infinite
		}
		v := weights[k] * weights[k] * p.variance
		value += weights[k] * p.mean
		variance += v
		squares += v * v / p.freedom
	}
	return value, variance, variance * variance / squares
}

// notRejected is the two-sided t test of a value being 0.
func notRejected(level float64) func(value, variance, freedom float64) bool {
	return func(value, variance, freedom float64) bool {
		switch {
		case value == 0 || math.IsInf(variance, 1):
			return true
		case variance == 0:
			return false
		}
		t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: freedom}
		return 2*t.CDF(-math.Abs(value)/math.Sqrt(variance)) >= 1-level
	}
}

// reach is how far a property that holds at inside goes on holding towards
// outside, which may be all the way. It may fail and hold again on the way, so
// steps come first.
func reach(holds func(float64) bool, inside, outside float64) float64 {
	const steps = 24
	last := inside
	for k := 1; k <= steps; k++ {
		x := inside + (outside-inside)*float64(k)/steps
		if k == steps {
			x = outside
		}
		if !holds(x) {
			return edge(holds, last, x)
		}
		last = x
	}
	return outside
}

// edge is where a property that holds at inside and not at outside ends, on the
// inside, by bisection to a hundred thousandth of the stretch.
func edge(holds func(float64) bool, inside, outside float64) float64 {
	for range 17 {
		middle := inside + (outside-inside)/2
		if holds(middle) {
			inside = middle
		} else {
			outside = middle
		}
	}
	return inside
}

// edgeOr is edge for a property that may hold at outside too, and between then.
func edgeOr(holds func(float64) bool, inside, outside float64) float64 {
	if holds(outside) {
		return outside
	}
	return edge(holds, inside, outside)
}
