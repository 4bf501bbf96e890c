package analysis_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

// The classic remission times of 21 patients on 6-mercaptopurine (Freireich and
// others, Blood 21, 1963); negative means censored. Curve, standard errors and
// the log-log interval of the median (13 to unknown) are those of textbooks and
// of R's survfit.
var remission = []float64{6, 6, 6, -6, 7, -9, 10, -10, -11, 13, 16, -17, -19, -20, 22, 23, -25, -32, -32, -34, -35}

func split(signed []float64) (durations []float64, recovered []bool) {
	for _, x := range signed {
		durations, recovered = append(durations, math.Abs(x)), append(recovered, x > 0)
	}
	return durations, recovered
}

func TestKaplanMeierOnRemissionTimes(t *testing.T) {
	s := analysis.KaplanMeier(split(remission))
	if s.N != 21 || s.Censored != 12 || s.Last != 35 || len(s.Steps) != 7 {
		t.Fatalf("got %d trials, %d censored, last %v, %d steps", s.N, s.Censored, s.Last, len(s.Steps))
	}
	for k, want := range []struct {
		time      float64
		atRisk    int
		surviving float64
	}{{6, 21, 0.8571}, {7, 17, 0.8067}, {10, 15, 0.7529}, {13, 12, 0.6902}, {16, 11, 0.6275}, {22, 7, 0.5378}, {23, 6, 0.4482}} {
		step := s.Steps[k]
		if step.Time != want.time || step.AtRisk != want.atRisk {
			t.Errorf("step %d: %+v, want %+v", k, step, want)
		}
		near(t, "surviving", step.Surviving, want.surviving, 5e-5)
	}
	at := s.At(10, 0.95)
	near(t, "S(10)", at.Estimate, 0.7529, 5e-5)
	near(t, "low", at.Low, 0.5032, 5e-4)
	near(t, "high", at.High, 0.8894, 5e-4)
	median := s.Median(0.95)
	if median.Estimate != 23 || median.Low != 13 || !math.IsInf(median.High, 1) {
		t.Errorf("median: %v, want 23 [13, +Inf]", median)
	}
	mustWarn(t, median, analysis.WarnCensored)
	mustWarn(t, median, analysis.WarnNotReached)
	quarter := s.Quantile(0.25, 0.95)
	near(t, "25%", quarter.Estimate, 13, 0)
}

func TestSurvivalWithoutCensoring(t *testing.T) {
	s := analysis.KaplanMeier(split([]float64{4, 2, 1, 3}))
	near(t, "median of 4", s.Median(0.95).Estimate, 2, 0)
	near(t, "before the first", s.At(0.5, 0.95).Estimate, 1, 0)
	near(t, "after the last", s.At(9, 0.95).Estimate, 0, 0)
	if after := s.At(9, 0.95); after.High <= 0 || after.High > 1 {
		t.Errorf("after the last: %v", after)
	}
}

// Recovery times in whole windows often coincide, or are 0 in every trial.
func TestSurvivalAllAtOnce(t *testing.T) {
	median := func(n int) analysis.Interval {
		recovered := make([]bool, n)
		for i := range recovered {
			recovered[i] = true
		}
		return analysis.KaplanMeier(make([]float64, n), recovered).Median(0.95)
	}
	many := median(100)
	if many.Estimate != 0 || many.Low != 0 || many.High != 0 {
		t.Errorf("100 trials that never were down: %v", many)
	}
	mustNotWarn(t, many)
	few := median(5) // 1 - 0.025^(1/5) = 0.52: half may still be slower
	if few.Estimate != 0 || !math.IsInf(few.High, 1) {
		t.Errorf("5 trials: %v", few)
	}
	mustWarn(t, few, analysis.WarnNotReached)
}

// Nobody recovered within 100 s: the median is not known, but it is not below
// 100 either, if enough trials were watched.
func TestSurvivalWithoutRecovery(t *testing.T) {
	median := func(n int) analysis.Interval {
		return analysis.KaplanMeier(split(sample(n, func() float64 { return -100 }))).Median(0.95)
	}
	many := median(20)
	if !math.IsInf(many.Estimate, 1) || many.Low != 100 || !math.IsInf(many.High, 1) {
		t.Errorf("20 trials: %v, want +Inf [100, +Inf]", many)
	}
	mustWarn(t, many, analysis.WarnNotReached)
	mustWarn(t, many, analysis.WarnCensored)
	if few := median(3); few.Low != 0 {
		t.Errorf("3 trials exclude nothing: %v", few)
	}
	// Of 8, five were watched for 10 s only: 10 s is all that can be excluded.
	mixed := analysis.KaplanMeier(split([]float64{-10, -10, -10, -10, -10, -50, -50, -50})).Median(0.95)
	if mixed.Low != 10 {
		t.Errorf("mixed: %v, want a low end of 10", mixed)
	}
	mustWarn(t, analysis.KaplanMeier(nil, nil).Median(0.95), analysis.WarnNoData)
	mustPanic(t, "negative time", func() { analysis.KaplanMeier([]float64{-1}, []bool{true}) })
	mustPanic(t, "lengths", func() { analysis.KaplanMeier([]float64{1}, nil) })
}

// Exponential recoveries, watched for 1.5 mean times: about 22% are censored.
func TestSurvivalCoverage(t *testing.T) {
	draw := func(r *rand.Rand) analysis.Survival {
		signed := make([]float64, 60)
		for i := range signed {
			if signed[i] = r.ExpFloat64(); signed[i] > 1.5 {
				signed[i] = -1.5
			}
		}
		return analysis.KaplanMeier(split(signed))
	}
	checkCoverage(t, "median", coverage(4000, 61, math.Ln2, func(r *rand.Rand) analysis.Interval {
		return draw(r).Median(0.95)
	}))
	checkCoverage(t, "share at 1", coverage(4000, 62, math.Exp(-1), func(r *rand.Rand) analysis.Interval {
		return draw(r).At(1, 0.95)
	}))
}

// Nobody recovers, and trials end one after the other: six of six still down exclude a share of one half at 95%
// (0.025^(1/6) = 0.54), five of five do not (0.48), and six are watched until 15.
func TestNoneRecoversWhileWatched(t *testing.T) {
	durations := make([]float64, 20)
	for i := range durations {
		durations[i] = float64(20 - i)
	}
	i := analysis.KaplanMeier(durations, make([]bool, 20)).Median(0.95)
	near(t, "low", i.Low, 15, 0)
	if five := analysis.KaplanMeier(durations[:5], make([]bool, 5)).Median(0.95); five.Low != 0 {
		t.Errorf("five trials exclude nothing: %v", five)
	}
	if all := analysis.KaplanMeier([]float64{9, 9, 9, 9, 9, 9}, make([]bool, 6)).Median(0.95); all.Low != 9 {
		t.Errorf("six trials that end together: %v", all)
	}
}

// Other quantiles, and trials that stop being watched at times of their own.
func TestSurvivalCoverageWithRandomCensoring(t *testing.T) {
	draw := func(r *rand.Rand) analysis.Survival {
		return analysis.KaplanMeier(split(sample(100, func() float64 {
			recovery, watched := r.ExpFloat64(), 3*r.Float64()
			if watched < recovery {
				return -watched
			}
			return recovery
		})))
	}
	for _, q := range []float64{0.25, 0.5, 0.75} {
		checkCoverage(t, fmt.Sprintf("quantile %v", q), coverage(3000, 63, -math.Log(1-q), func(r *rand.Rand) analysis.Interval {
			return draw(r).Quantile(q, 0.95)
		}))
	}
	checkCoverage(t, "share at 0.3", coverage(3000, 64, math.Exp(-0.3), func(r *rand.Rand) analysis.Interval {
		return draw(r).At(0.3, 0.95)
	}))
}

// Times in whole windows: the interval can end at window ends only, so it covers more than asked, and never less.
func TestSurvivalCoverageInWindows(t *testing.T) {
	const window = 0.25
	median := math.Ceil(math.Ln2/window) * window
	share := coverage(4000, 65, median, func(r *rand.Rand) analysis.Interval {
		return analysis.KaplanMeier(split(sample(60, func() float64 {
			if time := r.ExpFloat64(); time < 1.5 {
				return math.Ceil(time/window) * window
			}
			return -1.5
		}))).Median(0.95)
	})
	t.Logf("median in windows: coverage %.3f", share)
	if share < 0.945 {
		t.Errorf("a 95%% interval of a median in windows covered in %.1f%% of samples", 100*share)
	}
}
