package analysis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Sums are plain loops in argument order. A library's may use vector
// instructions and add in another order on another processor, and then the last
// digits of published tables would depend on the machine.

func sum(xs []float64) float64 {
	var total float64
	for _, x := range xs {
		total += x
	}
	return total
}

func mean(xs []float64) float64 { return sum(xs) / float64(len(xs)) }

// variance is the sample variance around the mean, divided by n-1; NaN for
// fewer than two values.
func variance(xs []float64) float64 {
	if len(xs) < 2 {
		return math.NaN()
	}
	m := mean(xs)
	var squares float64
	for _, x := range xs {
		squares += (x - m) * (x - m)
	}
	return squares / float64(len(xs)-1)
}

// constant reports whether all values are equal. The computed variance of equal
// values need not be exactly 0, because their mean may be rounded.
func constant(xs []float64) bool {
	for _, x := range xs {
		if x != xs[0] {
			return false
		}
	}
	return true
}

// normalQuantile is z for a two-sided level: 1.96 for 0.95.
func normalQuantile(level float64) float64 {
	mustLevel(level)
	return distuv.UnitNormal.Quantile(0.5 + level/2)
}

// studentQuantile is the same for Student's t.
func studentQuantile(level float64, freedom int) float64 {
	mustLevel(level)
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(freedom)}.Quantile(0.5 + level/2)
}

func mustLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic(fmt.Sprintf("analysis: level must be above 0 and below 1, got %v", level))
	}
}

func mustEqualLengths(lengths ...int) {
	for _, n := range lengths {
		if n != lengths[0] {
			panic(fmt.Sprintf("analysis: arguments must have equal lengths, got %v", lengths))
		}
	}
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// finiteRows keeps the positions at which every column is finite, and says
// whether any was left out. Columns are copied only if needed.
func finiteRows(columns ...[]float64) (kept [][]float64, leftOut bool) {
	lengths := make([]int, len(columns))
	for i, c := range columns {
		lengths[i] = len(c)
	}
	mustEqualLengths(lengths...)
	good := func(row int) bool {
		for _, c := range columns {
			if !isFinite(c[row]) {
				return false
			}
		}
		return true
	}
	all := true
	for row := range columns[0] {
		all = all && good(row)
	}
	if all {
		return columns, false
	}
	kept = make([][]float64, len(columns))
	for row := range columns[0] {
		if good(row) {
			for i, c := range columns {
				kept[i] = append(kept[i], c[row])
			}
		}
	}
	return kept, true
}
