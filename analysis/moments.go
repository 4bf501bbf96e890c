package analysis

import "fmt"

// moments are sums, means and summed products of deviations of some quantities
// over units, taken in unit by unit, so that the units need not be kept. Source:
// Welford, Note on a Method for Calculating Corrected Sums of Squares and
// Products, Technometrics 4 (1962).
type moments struct {
	n        int
	sums     []float64
	means    []float64
	products []float64 // of quantities i and j at i*len(means)+j, j >= i
	old      []float64 // deviations of the unit from the means before it; scratch
	leftOut  bool      // a unit with a value that is not finite was left out
}

func newMoments(quantities int) moments {
	room := make([]float64, 3*quantities+quantities*quantities)
	cut := func(n int) []float64 {
		part := room[:n:n]
		room = room[n:]
		return part
	}
	return moments{sums: cut(quantities), means: cut(quantities), old: cut(quantities), products: cut(quantities * quantities)}
}

// add takes a unit in and tells whether it did.
func (m *moments) add(unit ...float64) bool {
	if len(unit) != len(m.means) {
		panic(fmt.Sprintf("analysis: %d quantities, expected %d", len(unit), len(m.means)))
	}
	for _, x := range unit {
		if !isFinite(x) {
			m.leftOut = true
			return false
		}
	}
	m.n++
	for i, x := range unit {
		m.old[i] = x - m.means[i]
		m.sums[i] += x
		m.means[i] += m.old[i] / float64(m.n)
	}
	for i := range unit {
		for j := i; j < len(unit); j++ {
			m.products[i*len(unit)+j] += m.old[i] * (unit[j] - m.means[j])
		}
	}
	return true
}

// variance is that, over units, of the sum of the quantities with the given
// weights, divided by n-1. What rounding leaves of a sum that is the same in
// every unit is taken for 0.
func (m *moments) variance(weights ...float64) float64 {
	var total, size float64
	for i, w := range weights {
		for j := i; j < len(weights); j++ {
			term := w * weights[j] * m.products[i*len(weights)+j]
			if j > i {
				term *= 2
			} else {
				size += term
			}
			total += term
		}
	}
	if total <= roundingShare*size {
		return 0
	}
	return total / float64(m.n-1)
}

// roundingShare is how much of the squares' sum rounding may leave when they
// cancel.
const roundingShare = 1e-14
