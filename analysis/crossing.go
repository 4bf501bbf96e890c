package analysis

import (
	"fmt"
	"math"
)

// Crossing finds where a quantity measured on a grid of factor values passes a
// target: a boundary in a map. What is estimated is where the straight lines
// that join the true means first cross the target; between points the true curve
// may bend. xs ascend, and at[k] is the t interval at xs[k] ([Mean],
// [RatioOfSums], [Paired] and the like), all at one level and made from
// independent trials: cells that face the same draws (common random numbers) may
// be compared at a value, but not lie along the factor.
//
// Low and High bound the stretch around the estimate at which a t test of "the
// joined means equal the target here" does not reject. Between points i and i+1,
// at a share w of the way, that is
//
//	|(1-w) d_i + w d_i+1| <= t sqrt((1-w)^2 s_i^2 + w^2 s_i+1^2),
//
// d being the mean less the target, s its standard error, and t having Welch and
// Satterthwaite's degrees of freedom (Fieller's interval, where s is the same).
// Source: Fieller, Some Problems in Interval Estimation, JRSS B 16 (1954).
//
// An end that the grid does not bound is infinite with [WarnOpenEnd]; no crossing
// gives NaN with [WarnNoCrossing]; later crossings that the data are sure of
// give [WarnManyCrossings]. N is the number of grid points; those
// without an estimate are passed over.
func Crossing(xs []float64, at []Interval, target float64) Interval {
	mustEqualLengths(len(xs), len(at))
	for k := range xs {
		if k > 0 && !(xs[k] > xs[k-1]) {
			panic(fmt.Sprintf("analysis: factor values must ascend, got %v after %v", xs[k], xs[k-1]))
		}
	}
	i := Interval{Estimate: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Method: "crossing of joined means, t", N: len(xs)}
	if len(at) == 0 {
		i.warn(WarnNoCrossing)
		return i
	}
	i.Level = at[0].Level
	points := meanPoints(xs, at, target)
	k := firstCrossing(points)
	if k < 0 {
		i.warn(WarnNoCrossing)
		return i
	}
	a, b := points[k], points[k+1]
	i.Estimate = a.x + a.mean/(a.mean-b.mean)*(b.x-a.x)
	i.Low, i.High = reachBack(points, k, i.Estimate, i.Level), reachOn(points, k, i.Estimate, i.Level)
	if math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) {
		i.warn(WarnOpenEnd)
	}
	if sureCrossings(at, target) > 1 {
		i.warn(WarnManyCrossings)
	}
	return i
}

// meanPoints are the means behind t intervals, less the target. Points without
// an estimate are dropped.
func meanPoints(xs []float64, at []Interval, target float64) []meanPoint {
	var points []meanPoint
	for k, a := range at {
		if math.IsNaN(a.Estimate) {
			continue
		}
		p := meanBehind(a)
		p.x, p.mean = xs[k], p.mean-target
		points = append(points, p)
	}
	return points
}

// firstCrossing is the first k such that the means at it and the next lie on
// different sides, or on the target; -1 for none.
func firstCrossing(points []meanPoint) int {
	for k := 0; k+1 < len(points); k++ {
		a, b := points[k].mean, points[k+1].mean
		if a*b <= 0 && a != b {
			return k
		}
	}
	return -1
}

// reachBack is the lower end: from an accepted value between points k and k+1
// down to the first that is rejected.
func reachBack(points []meanPoint, k int, from, level float64) float64 {
	for ; k >= 0; k-- {
		a, b := points[k], points[k+1]
		if x := reach(joined(a, b, level), from, a.x); x != a.x {
			return x
		}
		from = a.x
	}
	return math.Inf(-1)
}

// reachOn is the upper end.
func reachOn(points []meanPoint, k int, from, level float64) float64 {
	for ; k+1 < len(points); k++ {
		a, b := points[k], points[k+1]
		if x := reach(joined(a, b, level), from, b.x); x != b.x {
			return x
		}
		from = b.x
	}
	return math.Inf(1)
}

// joined is the test at a value on the line that joins two means.
func joined(a, b meanPoint, level float64) func(x float64) bool {
	test := notRejected(level)
	return func(x float64) bool {
		w := (x - a.x) / (b.x - a.x)
		return test(combine([]meanPoint{a, b}, []float64{1 - w, w}))
	}
}

// sureCrossings counts changes of side among the points that exclude the target.
func sureCrossings(at []Interval, target float64) int {
	count, last := 0, 0
	for _, a := range at {
		side := a.Excludes(target)
		if side == 0 {
			continue
		}
		if last != 0 && side != last {
			count++
		}
		last = side
	}
	return count
}
