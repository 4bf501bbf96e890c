package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

// Work is counted in nanoseconds, 10^13 a trial, and trials differ by a millionth of it: sums of squares would keep
// no digit of the variance.
func TestSumsOfLargeNearlyEqualTrials(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, base = 1000, 1e13
	s := analysis.NewRatioSums()
	small := make([]float64, n)
	for i := range small {
		small[i] = 1e7 * r.NormFloat64()
		s.Add(base+small[i], base)
	}
	want := analysis.Mean(small, 0.95)
	got := s.Interval(0.95)
	near(t, "estimate", (got.Estimate-1)*base, want.Estimate, 1e-2*want.Half())
	near(t, "half", got.Half()*base, want.Half(), 1e-6*want.Half())
	if got.N != n {
		t.Errorf("n is %d, want %d", got.N, n)
	}
}

// A ratio that is the same in every trial has no width, whatever the trials' sizes, though rounding leaves some.
func TestSumsOfAConstantRatio(t *testing.T) {
	s := analysis.NewRatioSums()
	for i := range 1000 {
		size := 1 + 0.1*float64(i*i%977)
		s.Add(3*size, 7*size)
	}
	i := s.Interval(0.95)
	mustWarn(t, i, analysis.WarnConstant)
	near(t, "estimate", i.Estimate, 3.0/7, 1e-15)
	near(t, "half", i.Half(), 0, 0)
}

// Pairs that come one by one: the difference's variance by hand, and the two humps that only the shape shows.
func TestPairedSums(t *testing.T) {
	s := analysis.NewPairedRatioSums()
	for i := range 40 {
		s.Add(float64(5+5*(i%2)), 10, 5, 10)
	}
	d := s.Difference(0.95)
	near(t, "difference", d.Estimate, 0.25, 1e-15)
	near(t, "half", d.Half(), 2.0226909*math.Sqrt(0.0625*40/39/40), 1e-7)
	near(t, "variance ratio", d.VarianceRatio, 1, 1e-12)
	mustWarn(t, d.Interval, analysis.WarnTwoHumps)
	s.Add(math.NaN(), 10, 5, 10)
	if left := s.Difference(0.95); left.N != 40 {
		t.Errorf("a pair without a value counts: %v", left)
	} else {
		mustWarn(t, left.Interval, analysis.WarnLeftOut)
	}
}
