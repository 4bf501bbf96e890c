package analysis

import "math"

// WarmUp is where a series has settled.
type WarmUp struct {
	// Discard is the number of observations to drop from the start.
	Discard int
	// Statistic is the minimum that MSER found, the squared standard error of
	// what remains; NaN for series too short to judge.
	Statistic float64
	// Settled is false when the best cut lies in the second half of the series or
	// the series is too short: it must then be longer, and Discard is not to be
	// trusted.
	Settled bool
}

// mserBatch is the 5 of MSER-5: observations are averaged in fives, which makes
// the statistic robust to single outliers.
const mserBatch = 5

// MSER5 finds the end of warm-up as the cut that minimizes the standard error
// of the mean of the rest: with batch means z of five observations each,
//
//	sum over j >= d of (z(j) - mean)^2 / (m-d)^2   over d <= m/2.
//
// A leftover of fewer than five observations at the end is ignored. At least 10
// batches (50 observations) are needed. Source: White, Cobb and Spratt, A
// Comparison of Five Steady-State Truncation Heuristics for Simulation, Winter
// Simulation Conference 2000.
func MSER5(series []float64) WarmUp {
	batches := make([]float64, len(series)/mserBatch)
	for j := range batches {
		batches[j] = mean(series[j*mserBatch : (j+1)*mserBatch])
	}
	m := len(batches)
	if m < 10 {
		return WarmUp{Statistic: math.NaN()}
	}
	best, cut := math.Inf(1), 0
	// From the end backwards, mean and squares by Welford's update: one pass.
	var count, centre, squares float64
	for d := m - 1; d >= 0; d-- {
		count++
		step := batches[d] - centre
		centre += step / count
		squares += step * (batches[d] - centre)
		// The last few batches always look settled by chance: leave them out.
		if rest := m - d; rest >= 5 {
			if statistic := squares / (count * count); statistic <= best {
				best, cut = statistic, d
			}
		}
	}
	return WarmUp{Discard: cut * mserBatch, Statistic: best, Settled: cut <= m/2}
}
