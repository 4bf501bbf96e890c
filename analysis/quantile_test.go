package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

// Type 7 on 1, 2, 4, 8: the quartiles are 1.75, 3, 5.
func TestQuantileByHand(t *testing.T) {
	xs := []float64{8, 1, 4, 2}
	for q, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 3, 0.75: 5, 1: 8} {
		near(t, "quantile", analysis.Quantile(xs, q), want, 1e-15)
	}
	if xs[0] != 8 {
		t.Error("the argument was sorted in place")
	}
	near(t, "not reached", analysis.Quantile([]float64{1, math.Inf(1), math.Inf(1)}, 0.75), math.Inf(1), 0)
	near(t, "NaN ignored", analysis.Quantile([]float64{math.NaN(), 5}, 0.5), 5, 0)
	if !math.IsNaN(analysis.Quantile(nil, 0.5)) {
		t.Error("no data has no quantile")
	}
	mustPanic(t, "q > 1", func() { analysis.Quantile(xs, 1.5) })
}

// Tables for the median at 95%: ranks 2 and 9 of 10, 6 and 15 of 20, 40 and 61
// of 100 (Conover, Practical Nonparametric Statistics).
func TestMedianRanks(t *testing.T) {
	for _, c := range []struct{ n, low, high int }{{6, 1, 6}, {10, 2, 9}, {20, 6, 15}, {100, 40, 61}} {
		value := 0.0
		xs := sample(c.n, func() float64 { value++; return value })
		i := analysis.QuantileInterval(xs, 0.5, 0.95)
		if i.Low != float64(c.low) || i.High != float64(c.high) {
			t.Errorf("n=%d: ranks %v and %v, want %d and %d", c.n, i.Low, i.High, c.low, c.high)
		}
		mustNotWarn(t, i)
	}
	five := analysis.QuantileInterval([]float64{1, 2, 3, 4, 5}, 0.5, 0.95)
	mustWarn(t, five, analysis.WarnLevelNotReached)
	if five.Low != 1 || five.High != 5 {
		t.Errorf("n=5: %v", five)
	}
	mustWarn(t, analysis.QuantileInterval(nil, 0.5, 0.95), analysis.WarnNoData)
	mustPanic(t, "maximum", func() { analysis.QuantileInterval([]float64{1}, 1, 0.95) })
}

func TestQuantileCoverage(t *testing.T) {
	checkCoverage(t, "median, n=100", coverage(4000, 51, math.Ln2, func(r *rand.Rand) analysis.Interval {
		return analysis.QuantileInterval(sample(100, r.ExpFloat64), 0.5, 0.95)
	}))
	// Ranks are whole numbers, so coverage is above the level: 97% at 200 trials.
	checkCoverage(t, "90%, n=500", coverage(4000, 52, math.Log(10), func(r *rand.Rand) analysis.Interval {
		return analysis.QuantileInterval(sample(500, r.ExpFloat64), 0.9, 0.95)
	}))
}

func TestSummarize(t *testing.T) {
	s := analysis.Summarize([]float64{8, 1, math.NaN(), 4, 2})
	want := analysis.Summary{N: 4, Mean: 3.75, SD: s.SD, Min: 1, Q25: 1.75, Median: 3, Q75: 5, Max: 8}
	if s != want {
		t.Errorf("got %+v, want %+v", s, want)
	}
	near(t, "SD", s.SD, math.Sqrt(28.75/3), 1e-12)
	if one := analysis.Summarize([]float64{2}); one.Mean != 2 || !math.IsNaN(one.SD) {
		t.Errorf("one value: %+v", one)
	}
}
