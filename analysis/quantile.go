package analysis

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Quantile returns the q-quantile of a sample by linear interpolation between
// order statistics at 1 + (n-1) q (type 7 of Hyndman and Fan, The American
// Statistician 50, 1996; what R, NumPy and DuckDB give by default). NaNs are
// ignored, infinities sort last; NaN for no data.
func Quantile(xs []float64, q float64) float64 {
	return sortedQuantile(sortedCopy(xs), q)
}

func sortedCopy(xs []float64) []float64 {
	sorted := make([]float64, 0, len(xs))
	for _, x := range xs {
		if !math.IsNaN(x) {
			sorted = append(sorted, x)
		}
	}
	slices.Sort(sorted)
	return sorted
}

func sortedQuantile(sorted []float64, q float64) float64 {
	mustQuantile(q)
	if len(sorted) == 0 {
		return math.NaN()
	}
	place := q * float64(len(sorted)-1)
	i := int(place)
	part := place - float64(i)
	if part == 0 || sorted[i] == sorted[i+1] { // also keeps Inf - Inf out
		return sorted[i]
	}
	return sorted[i] + part*(sorted[i+1]-sorted[i])
}

func mustQuantile(q float64) {
	if !(q >= 0 && q <= 1) {
		panic(fmt.Sprintf("analysis: quantile must be between 0 and 1, got %v", q))
	}
}

// QuantileInterval returns the q-quantile over trials with an interval between
// two order statistics, chosen by the binomial law so that each tail has at
// most half of what the level leaves. It assumes nothing about the shape. When
// n is too small (below 6 for a 95% interval of the median) the interval is the
// whole range and [WarnLevelNotReached] says so. Source: David and Nagaraja,
// Order Statistics, 3rd edition (Wiley, 2003), section 7.1.
func QuantileInterval(xs []float64, q, level float64) Interval {
	mustLevel(level)
	if q <= 0 || q >= 1 {
		panic(fmt.Sprintf("analysis: an interval needs a quantile above 0 and below 1, got %v", q))
	}
	sorted := sortedCopy(xs)
	n := len(sorted)
	i := unknown(level, fmt.Sprintf("order statistics, q=%g", q), n)
	if n < len(xs) {
		i.warn(WarnLeftOut)
	}
	i.Estimate = sortedQuantile(sorted, q)
	if n == 0 {
		return i
	}
	low, high := quantileRanks(n, q, (1-level)/2)
	if low < 1 || high > n {
		i.warn(WarnLevelNotReached)
	}
	i.Low, i.High = sorted[max(low, 1)-1], sorted[min(high, n)-1]
	return i
}

// quantileRanks returns the ranks, counted from 1, between which the quantile
// lies; 0 or n+1 where no rank is far enough out.
func quantileRanks(n int, q, tail float64) (low, high int) {
	below := distuv.Binomial{N: float64(n), P: q} // values below the true quantile
	low = sort.Search(n, func(rank int) bool { return below.CDF(float64(rank)) > tail })
	high = low + sort.Search(n+1-low, func(more int) bool { return below.CDF(float64(low+more-1)) >= 1-tail })
	return low, high
}

// Summary describes a sample over trials without assuming a shape.
type Summary struct {
	// N counts the values used; NaNs are ignored.
	N int
	// Mean and SD are the mean and the standard deviation (n-1); SD is NaN for
	// fewer than two values.
	Mean, SD float64
	// Min, Q25, Median, Q75 and Max are quantiles as by [Quantile].
	Min, Q25, Median, Q75, Max float64
}

// Summarize returns the summary of a sample; all NaN for none.
func Summarize(xs []float64) Summary {
	sorted := sortedCopy(xs)
	s := Summary{N: len(sorted), Mean: mean(sorted), SD: math.Sqrt(variance(sorted))}
	s.Min, s.Max = sortedQuantile(sorted, 0), sortedQuantile(sorted, 1)
	s.Q25, s.Median, s.Q75 = sortedQuantile(sorted, 0.25), sortedQuantile(sorted, 0.5), sortedQuantile(sorted, 0.75)
	return s
}
