package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

// Textbook sizes: 385 for 5 points at p = 1/2, 16 for half a standard deviation
// (18 with t).
func TestTrialsByHand(t *testing.T) {
	for what, got := range map[string][2]int{
		"normal, p=1/2": {analysis.TrialsNormal(0.5, 0.05, 0.95), 385},
		"normal, sd/2":  {analysis.TrialsNormal(1, 0.5, 0.95), 16},
		"t, sd/2":       {analysis.TrialsForMean(1, 0.5, 0.95), 18},
		"Wilson, p=1/2": {analysis.TrialsForProportion(0.5, 0.05, 0.95), 381},
		"no spread":     {analysis.TrialsForMean(0, 0.5, 0.95), 2},
		"easy":          {analysis.TrialsNormal(1, 100, 0.95), 1},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: got %d, want %d", what, got[0], got[1])
		}
	}
	mustPanic(t, "no width", func() { analysis.TrialsForMean(1, 0, 0.95) })
	mustPanic(t, "p > 1", func() { analysis.TrialsForProportion(2, 0.1, 0.95) })
	mustPanic(t, "negative spread", func() { analysis.TrialsNormal(-1, 0.1, 0.95) })
}

// What the design promises, the interval must keep: n is enough, n-1 is not.
func TestTrialsForProportionIsSmallest(t *testing.T) {
	for _, p := range []float64{0.1, 0.25, 0.5} {
		for _, half := range []float64{0.02, 0.1} {
			// At a size where p n is whole, the Wilson interval itself can be asked.
			n := analysis.TrialsForProportion(p, half, 0.95)
			whole := (n + 19) / 20 * 20
			if got := analysis.Wilson(int(math.Round(p*float64(whole))), whole, 0.95).Half(); got > half {
				t.Errorf("p=%v: %d trials give a half-width of %v, want at most %v", p, whole, got, half)
			}
			less := (n - 1) / 20 * 20
			if got := analysis.Wilson(int(math.Round(p*float64(less))), less, 0.95).Half(); got <= half {
				t.Errorf("p=%v: %d trials would do already", p, less)
			}
		}
	}
}

func TestStopRuleSteps(t *testing.T) {
	rule := analysis.StopRule{HalfWidth: 1, MinTrials: 20, MaxTrials: 100}
	wide := func(half float64) analysis.Interval { return analysis.Interval{Low: -half, High: half} }
	for _, c := range []struct {
		trials int
		half   float64
		total  int
		reason analysis.StopReason
	}{
		{0, math.Inf(1), 20, analysis.GoOn},
		{10, 0.1, 20, analysis.GoOn},  // narrow too early
		{20, 1.2, 29, analysis.GoOn},  // 20 x 1.44 = 28.8
		{20, 1.01, 22, analysis.GoOn}, // at least 10% more
		{20, 9, 40, analysis.GoOn},    // at most double
		{20, math.Inf(1), 40, analysis.GoOn},
		{80, 2, 100, analysis.GoOn}, // never over the maximum
		{29, 1, 29, analysis.TargetReached},
		{100, 2, 100, analysis.MaximumReached},
	} {
		total, reason := rule.Next(c.trials, wide(c.half))
		if total != c.total || reason != c.reason {
			t.Errorf("after %d trials with half-width %v: %d, %q; want %d, %q", c.trials, c.half, total, reason, c.total, c.reason)
		}
	}
	mustWarn(t, rule.Mark(wide(2)), analysis.WarnTargetMissed)
	mustNotWarn(t, rule.Mark(wide(1)))
	mustPanic(t, "one trial has no interval", func() { analysis.StopRule{HalfWidth: 1, MinTrials: 1, MaxTrials: 9}.Next(0, wide(1)) })
}

// What docs/sweeps.md says of until with min: 2, that two trials that agree by chance are enough to end a cell: with 16 needed,
// nine intervals in ten cover. From 20 on none is lost.
func TestSequentialCoverageOfTwoTrials(t *testing.T) {
	cover := func(least int) float64 {
		rule := analysis.StopRule{HalfWidth: 0.5, MinTrials: least, MaxTrials: 500}
		return coverage(3000, 73, 0, func(r *rand.Rand) analysis.Interval {
			var xs []float64
			for {
				i := analysis.Mean(xs, 0.95)
				total, reason := rule.Next(len(xs), i)
				if reason != analysis.GoOn {
					return i
				}
				xs = append(xs, sample(total-len(xs), r.NormFloat64)...)
			}
		})
	}
	if two := cover(2); two < 0.87 || two > 0.915 {
		t.Errorf("two trials: %.3f, docs/sweeps.md says 89%%", two)
	}
	checkCoverage(t, "sequential t from 20 trials on", cover(20))
}

// Stopping on a look at the width must not cost the interval its level.
func TestSequentialCoverage(t *testing.T) {
	rule := analysis.StopRule{HalfWidth: 0.25, MinTrials: 20, MaxTrials: 500} // about 62 are needed
	used := 0
	share := coverage(3000, 71, 0, func(r *rand.Rand) analysis.Interval {
		var xs []float64
		for {
			i := analysis.Mean(xs, 0.95)
			total, reason := rule.Next(len(xs), i)
			if reason != analysis.GoOn {
				used += len(xs)
				return i
			}
			xs = append(xs, sample(total-len(xs), r.NormFloat64)...)
		}
	})
	checkCoverage(t, "sequential t", share)
	if average := used / 3000; average < 55 || average > 75 {
		t.Errorf("used %d trials on average, about 62 are needed", average)
	}
	shareOfCollapse := coverage(3000, 72, 0.3, func(r *rand.Rand) analysis.Interval {
		trials, k := 0, 0
		proportions := analysis.StopRule{HalfWidth: 0.1, MinTrials: 20, MaxTrials: 500}
		for {
			i := analysis.Wilson(k, trials, 0.95)
			total, reason := proportions.Next(trials, i)
			if reason != analysis.GoOn {
				return i
			}
			for ; trials < total; trials++ {
				if r.Float64() < 0.3 {
					k++
				}
			}
		}
	})
	checkCoverage(t, "sequential Wilson", shareOfCollapse)
}
