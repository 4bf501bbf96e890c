package analysis_test

import (
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

// Newcombe's own example: 56 of 70 less 48 of 80 is 0.2 with 0.0524 to 0.3339.
func TestIndependentByNewcombe(t *testing.T) {
	d := analysis.Independent(analysis.Wilson(56, 70, 0.95), analysis.Wilson(48, 80, 0.95))
	near(t, "difference", d.Estimate, 0.2, 1e-12)
	near(t, "low", d.Low, 0.0524, 5e-5)
	near(t, "high", d.High, 0.3339, 5e-5)
}

func TestIndependentCoverage(t *testing.T) {
	count := func(r *rand.Rand, n int, p float64) (k int) {
		for range n {
			if r.Float64() < p {
				k++
			}
		}
		return k
	}
	for _, c := range []struct {
		what string
		n, m int
		p, q float64
	}{{"alike", 60, 60, 0.5, 0.4}, {"rare and uneven", 120, 400, 0.05, 0.12}} {
		checkCoverage(t, "difference of shares, "+c.what, coverage(4000, 91, c.p-c.q, func(r *rand.Rand) analysis.Interval {
			return analysis.Independent(analysis.Wilson(count(r, c.n, c.p), c.n, 0.95), analysis.Wilson(count(r, c.m, c.q), c.m, 0.95))
		}))
	}
}
