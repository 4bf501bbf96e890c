package analysis_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"retrylab/analysis"
)

func average(xs []float64) float64 {
	var total float64
	for _, x := range xs {
		total += x
	}
	return total / float64(len(xs))
}

func TestBootstrapRepeats(t *testing.T) {
	xs := sample(25, rand.New(rand.NewPCG(1, 1)).ExpFloat64)
	by := analysis.Resampling{Trials: len(xs), Replicates: 500, Seed: 9}
	for name, interval := range map[string]func(analysis.Statistic, analysis.Resampling, float64) analysis.Interval{
		"percentile": analysis.BootstrapPercentile, "BCa": analysis.BootstrapBCa,
	} {
		first, again := interval(analysis.Of(xs, average), by, 0.95), interval(analysis.Of(xs, average), by, 0.95)
		if !reflect.DeepEqual(first, again) {
			t.Errorf("%s: the same seed gave %v and %v", name, first, again)
		}
		other := by
		other.Seed++
		if interval(analysis.Of(xs, average), other, 0.95).Low == first.Low {
			t.Errorf("%s: another seed changed nothing", name)
		}
		near(t, name+" estimate", first.Estimate, average(xs), 1e-12)
		mustNotWarn(t, first)
	}
}

// One statistic over two columns of the same trials: a ratio of sums.
func TestBootstrapOfSeveralColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	bottom := sample(60, func() float64 { return 50 + 50*random.Float64() })
	top := sample(60, random.NormFloat64)
	for i := range top {
		top[i] = bottom[i]*0.6 + 4*top[i]
	}
	ratio := func(trials []int) float64 {
		var a, b float64
		for _, i := range trials {
			a, b = a+top[i], b+bottom[i]
		}
		return a / b
	}
	boot := analysis.BootstrapBCa(ratio, analysis.Resampling{Trials: 60, Replicates: 2000, Seed: 1}, 0.95)
	delta := analysis.RatioOfSums(top, bottom, 0.95)
	near(t, "low", boot.Low, delta.Low, 0.15*delta.Half())
	near(t, "high", boot.High, delta.High, 0.15*delta.Half())
}

func TestBootstrapEdges(t *testing.T) {
	flat := analysis.BootstrapBCa(analysis.Of([]float64{2, 2, 2, 2, 2}, average), analysis.Resampling{Trials: 5, Replicates: 50, Seed: 1}, 0.95)
	mustWarn(t, flat, analysis.WarnConstant)
	if flat.Low != 2 || flat.High != 2 {
		t.Errorf("equal values: %v", flat)
	}
	none := analysis.BootstrapBCa(analysis.Of(nil, average), analysis.Resampling{Replicates: 50}, 0.95)
	mustWarn(t, none, analysis.WarnNoData)
	// The largest value is the extreme of every resample: nothing lies above it.
	largest := analysis.BootstrapBCa(analysis.Of([]float64{1, 2, 3, 4, 5, 6}, slices.Max[[]float64]), analysis.Resampling{Trials: 6, Replicates: 400, Seed: 1}, 0.95)
	if largest.Estimate != 6 || largest.High > 6 || largest.Low < 1 {
		t.Errorf("maximum: %v", largest)
	}
	hole := analysis.BootstrapPercentile(func(trials []int) float64 {
		if trials[0] == 0 {
			return math.NaN()
		}
		return float64(trials[0])
	}, analysis.Resampling{Trials: 6, Replicates: 400, Seed: 1}, 0.95)
	mustWarn(t, hole, analysis.WarnLeftOut)
}

func TestBootstrapCoverage(t *testing.T) {
	checkCoverage(t, "percentile, normal mean, n=40", coverage(1500, 41, 0, func(r *rand.Rand) analysis.Interval {
		xs := sample(40, r.NormFloat64)
		return analysis.BootstrapPercentile(analysis.Of(xs, average), analysis.Resampling{Trials: 40, Replicates: 400, Seed: r.Uint64()}, 0.95)
	}))
	checkCoverage(t, "BCa, exponential mean, n=60", coverage(1500, 42, 1, func(r *rand.Rand) analysis.Interval {
		xs := sample(60, r.ExpFloat64)
		return analysis.BootstrapBCa(analysis.Of(xs, average), analysis.Resampling{Trials: 60, Replicates: 400, Seed: r.Uint64()}, 0.95)
	}))
}

// On a skewed statistic BCa moves both ends towards the long tail.
func TestBCaShiftsTowardsTheTail(t *testing.T) {
	xs := sample(30, rand.New(rand.NewPCG(6, 6)).ExpFloat64)
	by := analysis.Resampling{Trials: 30, Replicates: 4000, Seed: 5}
	plain, shifted := analysis.BootstrapPercentile(analysis.Of(xs, average), by, 0.95), analysis.BootstrapBCa(analysis.Of(xs, average), by, 0.95)
	if shifted.Low <= plain.Low || shifted.High <= plain.High {
		t.Errorf("BCa %v should lie above percentile %v", shifted, plain)
	}
}
