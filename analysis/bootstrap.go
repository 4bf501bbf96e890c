package analysis

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Statistic computes a number from some trials, named by their positions; with
// resampling a position may come more than once. Taking positions rather than
// values lets one statistic look at several columns of the same trials.
type Statistic func(trials []int) float64

// Of makes a Statistic from a function of one value per trial.
func Of(xs []float64, f func([]float64) float64) Statistic {
	return func(trials []int) float64 {
		picked := make([]float64, len(trials))
		for i, trial := range trials {
			picked[i] = xs[trial]
		}
		return f(picked)
	}
}

// Resampling says how often to resample n trials and from which seed; the same
// seed gives the same interval.
type Resampling struct {
	// Trials is the number of trials, positions 0 .. Trials-1.
	Trials int
	// Replicates is the number of resamples; 2000 or more for a 95% interval.
	Replicates int
	// Seed of the resampling alone; it is independent of the simulation's.
	Seed uint64
}

// BootstrapPercentile returns the statistic of all trials with the interval
// between the percentiles of its resampled values. Simple, but it undercovers
// skewed statistics; prefer [BootstrapBCa]. Source: Efron and Tibshirani, An
// Introduction to the Bootstrap (Chapman and Hall, 1993), chapter 13.
func BootstrapPercentile(statistic Statistic, by Resampling, level float64) Interval {
	i, replicates := by.run(statistic, level, "bootstrap, percentile")
	i.setPercentiles(replicates, (1-level)/2, (1+level)/2)
	return i
}

// BootstrapBCa returns the same with percentiles shifted for bias (from the
// share of resamples below the estimate) and acceleration (from the jackknife's
// skewness). When the shift cannot be computed, because the statistic does not
// vary or all resamples lie on one side, plain percentiles are given with
// [WarnSkewed]. Source: Efron, Better Bootstrap Confidence Intervals, JASA 82
// (1987).
func BootstrapBCa(statistic Statistic, by Resampling, level float64) Interval {
	i, replicates := by.run(statistic, level, "bootstrap, BCa")
	if len(replicates) == 0 {
		return i
	}
	bias := biasCorrection(replicates, i.Estimate)
	acceleration := jackknifeAcceleration(statistic, by.Trials)
	shifted := func(p float64) float64 {
		z := bias + distuv.UnitNormal.Quantile(p)
		return distuv.UnitNormal.CDF(bias + z/(1-acceleration*z))
	}
	low, high := shifted((1-level)/2), shifted((1+level)/2)
	if math.IsInf(bias, 0) || !(low < high) {
		i.warn(WarnSkewed)
		low, high = (1-level)/2, (1+level)/2
	}
	i.setPercentiles(replicates, low, high)
	return i
}

// run returns the estimate and the sorted values of all resamples.
func (by Resampling) run(statistic Statistic, level float64, method string) (Interval, []float64) {
	mustLevel(level)
	i := unknown(level, method, by.Trials)
	if by.Trials < 1 || by.Replicates < 1 {
		return i, nil
	}
	trials := make([]int, by.Trials)
	for t := range trials {
		trials[t] = t
	}
	i.Estimate = statistic(trials)
	// The second word only separates this use of the seed from others.
	random := rand.New(rand.NewPCG(by.Seed, 0x626f6f7473747261))
	replicates := make([]float64, 0, by.Replicates)
	for range by.Replicates {
		for t := range trials {
			trials[t] = random.IntN(by.Trials)
		}
		if x := statistic(trials); !math.IsNaN(x) {
			replicates = append(replicates, x)
		}
	}
	if len(replicates) < by.Replicates {
		i.warn(WarnLeftOut)
	}
	slices.Sort(replicates)
	return i, replicates
}

func (i *Interval) setPercentiles(sorted []float64, low, high float64) {
	if len(sorted) == 0 {
		return
	}
	i.Low, i.High = sortedQuantile(sorted, low), sortedQuantile(sorted, high)
	if i.Low == i.High {
		i.warn(WarnConstant)
	}
}

// biasCorrection is z of the share of resamples below the estimate, those equal
// to it counted half (statistics of counts tie often).
func biasCorrection(sorted []float64, estimate float64) float64 {
	var below float64
	for _, x := range sorted {
		switch {
		case x < estimate:
			below++
		case x == estimate:
			below += 0.5
		}
	}
	return distuv.UnitNormal.Quantile(below / float64(len(sorted)))
}

// jackknifeAcceleration is sum d^3 / (6 (sum d^2)^1.5), d being the mean of the
// leave-one-out values minus each; 0 when they do not vary.
func jackknifeAcceleration(statistic Statistic, n int) float64 {
	without := make([]float64, n)
	rest := make([]int, n-1)
	for out := range n {
		for i := range rest {
			rest[i] = i
			if i >= out {
				rest[i] = i + 1
			}
		}
		without[out] = statistic(rest)
	}
	centre := mean(without)
	var squares, cubes float64
	for _, x := range without {
		d := centre - x
		squares += d * d
		cubes += d * d * d
	}
	if acceleration := cubes / (6 * math.Pow(squares, 1.5)); isFinite(acceleration) {
		return acceleration
	}
	return 0
}
