package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

// 1..5: mean 3, s = sqrt(2.5), t(4) = 2.776445.
func TestMeanByHand(t *testing.T) {
	i := analysis.Mean([]float64{1, 2, 3, 4, 5}, 0.95)
	near(t, "mean", i.Estimate, 3, 0)
	near(t, "half", i.Half(), 2.776445105*math.Sqrt(0.5), 1e-8)
	mustNotWarn(t, i)
	if i.N != 5 || i.Level != 0.95 {
		t.Errorf("got %+v", i)
	}
}

func TestMeanWarnings(t *testing.T) {
	mustWarn(t, analysis.Mean(nil, 0.95), analysis.WarnNoData)
	one := analysis.Mean([]float64{7}, 0.95)
	mustWarn(t, one, analysis.WarnFewTrials)
	if one.Estimate != 7 || !math.IsInf(one.Low, -1) || !math.IsInf(one.High, 1) {
		t.Errorf("one value says nothing about the spread: %v", one)
	}
	// 0.1 added ten times is not 1: the mean of equal values must still be exact.
	same := analysis.Mean(sample(10, func() float64 { return 0.1 }), 0.95)
	mustWarn(t, same, analysis.WarnConstant)
	if same.Low != 0.1 || same.High != 0.1 {
		t.Errorf("equal values: %v", same)
	}
	gap := analysis.Mean([]float64{1, math.NaN(), 2, math.Inf(1), 3, 4, 5}, 0.95)
	mustWarn(t, gap, analysis.WarnLeftOut)
	near(t, "left out", gap.Estimate, 3, 0)
	var collapsed []float64
	for k := range 40 {
		collapsed = append(collapsed, float64(k%7)*0.001+float64(k%4/3)) // a quarter at 1
	}
	mustWarn(t, analysis.Mean(collapsed, 0.95), analysis.WarnTwoHumps)
}

func TestMeanCoverage(t *testing.T) {
	checkCoverage(t, "t, normal, n=5", coverage(4000, 11, 3, func(r *rand.Rand) analysis.Interval {
		return analysis.Mean(sample(5, func() float64 { return 3 + r.NormFloat64() }), 0.95)
	}))
	checkCoverage(t, "t, exponential, n=100", coverage(4000, 12, 1, func(r *rand.Rand) analysis.Interval {
		return analysis.Mean(sample(100, r.ExpFloat64), 0.95)
	}))
}
