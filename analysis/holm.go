package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Holm returns the p-values of several comparisons made together, corrected so
// that the chance of even one false discovery is at most the level they are
// compared with, whatever the comparisons' dependence:
//
//	sorted upward, p(i) becomes the largest of (m-j+1) p(j), j <= i, at most 1.
//
// The result is in the order of the arguments. NaN (a comparison without enough
// trials) stays NaN and does not count among the m. Source: Holm, A Simple
// Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of
// Statistics 6 (1979).
func Holm(pValues []float64) []float64 {
	adjusted := make([]float64, len(pValues))
	var order []int
	for i, p := range pValues {
		if p < 0 || p > 1 {
			panic(fmt.Sprintf("analysis: p-value %d must be between 0 and 1, got %v", i, p))
		}
		adjusted[i] = p
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pValues[a], pValues[b]) })
	var largest float64
	for rank, i := range order {
		largest = max(largest, float64(len(order)-rank)*pValues[i])
		adjusted[i] = min(1, largest)
	}
	return adjusted
}
