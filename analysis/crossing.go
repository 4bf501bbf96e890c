package analysis

import (
	"fmt"
	"math"
)

// Crossing finds where a quantity measured on a grid of factor values passes a
// target: a boundary in a map. xs ascend, and at[k] is the interval at xs[k],
// all at one level. Estimate is where the estimates, joined by straight lines,
// first cross the target. Low and High are how far the target stays between the
// lower and upper limits, joined likewise: the values at which a test of "the
// quantity equals the target here" would not reject.
//
// At a grid point the interval has the level of its inputs; between points
// somewhat more, because a joined estimate varies less than its limits say. An
// end that the grid does not bound is infinite with [WarnOpenEnd]; no crossing
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
	i := Interval{Estimate: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Method: "crossing between grid points", N: len(xs)}
	if len(at) > 0 {
		i.Level = at[0].Level
	}
	xs, at = measured(xs, at)
	k := firstCrossing(at, target)
	if k < 0 {
		i.warn(WarnNoCrossing)
		return i
	}
	i.Estimate = meet(xs, at, k, target, func(a Interval) float64 { return a.Estimate })
	for j := k; j >= 0; j-- {
		if side := at[j].Excludes(target); side != 0 {
			i.Low = meet(xs, at, j, target, nearLimit(side))
			break
		}
	}
	for j := k + 1; j < len(at); j++ {
		if side := at[j].Excludes(target); side != 0 {
			i.High = meet(xs, at, j-1, target, nearLimit(side))
			break
		}
	}
	if math.IsInf(i.Low, 0) || math.IsInf(i.High, 0) {
		i.warn(WarnOpenEnd)
	}
	if sureCrossings(at, target) > 1 {
		i.warn(WarnManyCrossings)
	}
	return i
}

// measured drops grid points without an estimate.
func measured(xs []float64, at []Interval) (keptXs []float64, kept []Interval) {
	for k, a := range at {
		if !math.IsNaN(a.Estimate) {
			keptXs, kept = append(keptXs, xs[k]), append(kept, a)
		}
	}
	return keptXs, kept
}

// firstCrossing is the first k whose estimate and the next lie on different
// sides of the target, or on it; -1 for none.
func firstCrossing(at []Interval, target float64) int {
	for k := 0; k+1 < len(at); k++ {
		a, b := at[k].Estimate-target, at[k+1].Estimate-target
		if a*b <= 0 && a != b {
			return k
		}
	}
	return -1
}

// nearLimit picks the limit that faces the target.
func nearLimit(side int) func(Interval) float64 {
	if side > 0 {
		return func(a Interval) float64 { return a.Low }
	}
	return func(a Interval) float64 { return a.High }
}

// meet is where the line through a value at points k and k+1 meets the target,
// which lies between the two. An infinite value leaves the whole stretch open.
func meet(xs []float64, at []Interval, k int, target float64, value func(Interval) float64) float64 {
	a, b := value(at[k])-target, value(at[k+1])-target
	switch {
	case math.IsInf(a, 0):
		return xs[k+1]
	case math.IsInf(b, 0):
		return xs[k]
	}
	return xs[k] + a/(a-b)*(xs[k+1]-xs[k])
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
