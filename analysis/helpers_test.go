package analysis_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"retrylab/analysis"
)

// near fails unless got is within tolerance of want; equal infinities are near.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if got == want {
		return
	}
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.12g, want %.12g within %g", what, got, want, tolerance)
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: expected a panic", what)
		}
	}()
	f()
}

func mustWarn(t *testing.T, i analysis.Interval, warning string) {
	t.Helper()
	if !slices.Contains(i.Warnings, warning) {
		t.Errorf("%v: expected the warning %q, got %q", i, warning, i.Warnings)
	}
}

func mustNotWarn(t *testing.T, i analysis.Interval) {
	t.Helper()
	if len(i.Warnings) > 0 {
		t.Errorf("%v: expected no warning, got %q", i, i.Warnings)
	}
}

// coverage is the share of repetitions in which the interval held the truth.
// Every caller fixes its seed, so the share is a constant.
func coverage(repetitions int, seed uint64, truth float64, draw func(*rand.Rand) analysis.Interval) float64 {
	random := rand.New(rand.NewPCG(seed, 95))
	covered := 0
	for range repetitions {
		if draw(random).Contains(truth) {
			covered++
		}
	}
	return float64(covered) / float64(repetitions)
}

// checkCoverage wants a share between 92% and 97% for a level of 95%.
func checkCoverage(t *testing.T, what string, share float64) {
	t.Helper()
	t.Logf("%s: coverage %.3f", what, share)
	if share < 0.92 || share > 0.97 {
		t.Errorf("%s: a 95%% interval covered the truth in %.1f%% of samples, expected 92%% to 97%%", what, 100*share)
	}
}

func sample(n int, draw func() float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = draw()
	}
	return xs
}
