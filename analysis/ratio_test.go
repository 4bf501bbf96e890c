package analysis_test

import (
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

// Trials of 10 and 30 attempts with ratios 1/2 and 1/6: the mean of ratios is
// 1/3, the ratio of sums 1/4.
func TestRatiosAnswerDifferentQuestions(t *testing.T) {
	top, bottom := []float64{5, 5}, []float64{10, 30}
	near(t, "ratio of sums", analysis.RatioOfSums(top, bottom, 0.95).Estimate, 0.25, 0)
	near(t, "mean of ratios", analysis.MeanOfRatios(top, bottom, 0.95).Estimate, 1.0/3, 1e-15)
}

// By hand: top 1, 2, 3 over bottom 2, 2, 4: r = 3/4, influence (top - r
// bottom)/(8/3) = (-1/2, 1/2, 0) x 3/8, variance 9/128, t(2) = 4.302653.
func TestRatioOfSumsByHand(t *testing.T) {
	i := analysis.RatioOfSums([]float64{1, 2, 3}, []float64{2, 2, 4}, 0.95)
	near(t, "ratio", i.Estimate, 0.75, 0)
	near(t, "half", i.Half(), 4.30265273*0.1875/1.7320508, 1e-7)
	mustWarn(t, i, analysis.WarnFewTrials)
}

func TestJackknifeOfEqualTrialsIsTheMean(t *testing.T) {
	top, bottom := []float64{3, 5, 4, 8, 6}, []float64{10, 10, 10, 10, 10}
	plain, jackknife := analysis.MeanOfRatios(top, bottom, 0.95), analysis.RatioOfSumsJackknife(top, bottom, 0.95)
	near(t, "estimate", jackknife.Estimate, plain.Estimate, 1e-12)
	near(t, "low", jackknife.Low, plain.Low, 1e-12)
	delta := analysis.RatioOfSums(top, bottom, 0.95)
	near(t, "delta low", delta.Low, plain.Low, 1e-12)
}

func TestRatioEdges(t *testing.T) {
	empty := analysis.MeanOfRatios([]float64{0, 1, 2}, []float64{0, 2, 4}, 0.95)
	mustWarn(t, empty, analysis.WarnLeftOut)
	near(t, "a trial without attempts has no ratio", empty.Estimate, 0.5, 0)
	kept := analysis.RatioOfSums([]float64{0, 1, 2}, []float64{0, 2, 4}, 0.95)
	if kept.N != 3 || kept.Estimate != 0.5 {
		t.Errorf("a trial without attempts still counts in the sums: %v", kept)
	}
	mustWarn(t, kept, analysis.WarnConstant)
	for _, f := range []func(a, b []float64, level float64) analysis.Interval{analysis.RatioOfSums, analysis.RatioOfSumsJackknife} {
		mustWarn(t, f([]float64{0, 0}, []float64{0, 0}, 0.95), analysis.WarnNoData)
		mustWarn(t, f(nil, nil, 0.95), analysis.WarnNoData)
		if one := f([]float64{1}, []float64{2}, 0.95); one.Estimate != 0.5 || one.Contains(1e9) == false {
			t.Errorf("one trial: %v", one)
		}
		mustPanic(t, "unequal lengths", func() { f([]float64{1}, nil, 0.95) })
	}
}

// Trials whose size and success go together, as under saturation: per trial
// 20..120 attempts, success falling with size. The truth is known by design.
func TestRatioCoverage(t *testing.T) {
	const n = 40
	draw := func(r *rand.Rand) (top, bottom []float64) {
		top, bottom = make([]float64, n), make([]float64, n)
		for i := range n {
			size := float64(20 + r.IntN(101))
			bottom[i] = size
			top[i] = size*(0.9-0.004*size) + 3*r.NormFloat64()
		}
		return top, bottom
	}
	// E[size] = 70, E[size^2] = 70^2 + (101^2-1)/12 = 5750.
	const truth = 0.9 - 0.004*5750/70
	checkCoverage(t, "delta", coverage(4000, 21, truth, func(r *rand.Rand) analysis.Interval {
		top, bottom := draw(r)
		return analysis.RatioOfSums(top, bottom, 0.95)
	}))
	checkCoverage(t, "jackknife", coverage(4000, 22, truth, func(r *rand.Rand) analysis.Interval {
		top, bottom := draw(r)
		return analysis.RatioOfSumsJackknife(top, bottom, 0.95)
	}))
	const meanTruth = 0.9 - 0.004*70
	checkCoverage(t, "mean of ratios", coverage(4000, 23, meanTruth, func(r *rand.Rand) analysis.Interval {
		top, bottom := draw(r)
		return analysis.MeanOfRatios(top, bottom, 0.95)
	}))
}
