package analysis_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

// With many trials t is z = 1.959964, and a half-width of z is a standard error of 1.
func TestCrossingByHand(t *testing.T) {
	const z = 1.959963985
	at := func(estimate, se float64) analysis.Interval {
		return analysis.Interval{Estimate: estimate, Low: estimate - z*se, High: estimate + z*se, Level: 0.95, N: 1e9}
	}
	xs := []float64{0, 1, 2, 3, 4}
	// Between 1 and -1 with equal errors s, |1-2w| = z s sqrt(w^2 + (1-w)^2): with v = w - 1/2 that is
	// 4 v^2 = z^2 s^2 (2 v^2 + 1/2).
	s := 0.3
	v := math.Sqrt(z * z * s * s / 2 / (4 - 2*z*z*s*s))
	i := analysis.Crossing(xs[:2], []analysis.Interval{at(1, s), at(-1, s)}, 0)
	near(t, "estimate", i.Estimate, 0.5, 1e-12)
	near(t, "low", i.Low, 0.5-v, 1e-6)
	near(t, "high", i.High, 0.5+v, 1e-6)
	mustNotWarn(t, i)
	// Moving the target moves the estimate and not the rest.
	shifted := analysis.Crossing(xs[:2], []analysis.Interval{at(6, s), at(4, s)}, 5)
	near(t, "another target: low", shifted.Low, i.Low, 1e-9)
	// At a grid point the test is that of the point: 2 z s against 2 (4 - x) on the way from 3 to 4, say, with no error at 4.
	exact := analysis.Crossing(xs[:3], []analysis.Interval{at(1, 0), at(-1, 0.2), at(-3, 0.2)}, 0)
	// (1 - 2w) = -z 0.2 w above, and = z 0.2 w below the estimate.
	near(t, "an exact mean: low", exact.Low, 1/(2+z*0.2), 1e-6)
	near(t, "an exact mean: high", exact.High, 1/(2-z*0.2), 1e-6)

	falling := []analysis.Interval{at(4, 0.5), at(2, 0.5), at(0.5, 0.5), at(-1, 1), at(-5, 0.5)}
	over := analysis.Crossing(xs, falling, 0)
	near(t, "over several points: estimate", over.Estimate, 2+1.0/3, 1e-12)
	if over.Low < 1 || over.Low > 2 || over.High < 3 || over.High > 4 {
		t.Errorf("over several points: %v", over)
	}
	open := analysis.Crossing(xs[2:4], falling[2:4], 0)
	mustWarn(t, open, analysis.WarnOpenEnd)
	if !math.IsInf(open.Low, -1) || !math.IsInf(open.High, 1) {
		t.Errorf("undecided ends: %v", open)
	}
	none := analysis.Crossing(xs[:2], falling[:2], 0)
	mustWarn(t, none, analysis.WarnNoCrossing)
	mustWarn(t, analysis.Crossing(nil, nil, 0), analysis.WarnNoCrossing)
	there := []analysis.Interval{falling[0], falling[4], falling[0], falling[1]}
	mustWarn(t, analysis.Crossing(xs[:4], there, 0), analysis.WarnManyCrossings)
	missing := analysis.Crossing(xs[:3], []analysis.Interval{at(1, 0.1), analysis.Mean(nil, 0.95), at(-1, 0.1)}, 0)
	near(t, "a point without data is passed over", missing.Estimate, 1, 1e-12)
	one := analysis.Crossing(xs[:3], []analysis.Interval{at(1, 0.1), analysis.Mean([]float64{-1}, 0.95), at(-1, 0.1)}, 0)
	if one.Estimate != 0.5 || one.Low > 0.5 || one.High < 1 || one.High > 2 {
		t.Errorf("one trial at a point bounds nothing there: %v", one)
	}
	mustPanic(t, "order", func() { analysis.Crossing([]float64{1, 1}, falling[:2], 0) })
}

// A mean that falls along the factor and is 0 at a grid point, and between; with the same noise everywhere, and with more
// noise and fewer trials on one side.
func TestCrossingCoverage(t *testing.T) {
	xs := []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}
	for _, tip := range []float64{0.6, 0.65, 0.63} {
		for _, uneven := range []bool{false, true} {
			checkCoverage(t, fmt.Sprintf("crossing at %v, uneven %v", tip, uneven), coverage(4000, 81, tip, func(r *rand.Rand) analysis.Interval {
				at := make([]analysis.Interval, len(xs))
				for k, x := range xs {
					noise, trials := 1.5, 9
					if uneven && k%2 == 0 {
						noise, trials = 0.5, 5
					}
					at[k] = analysis.Mean(sample(trials, func() float64 { return 10*(tip-x) + noise*r.NormFloat64() }), 0.95)
				}
				return analysis.Crossing(xs, at, 0)
			}))
		}
	}
}
