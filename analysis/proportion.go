package analysis

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Wilson returns the share k of n with Wilson's score interval,
//
//	(p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n).
//
// It stays in [0, 1] and keeps its level near 0 and 1, where the textbook
// interval collapses. With n = 0 nothing is known: [0, 1] and a warning. Source:
// Wilson, Probable Inference, JASA 22 (1927); recommended by Brown, Cai and
// DasGupta, Statistical Science 16 (2001).
func Wilson(k, n int, level float64) Interval {
	z := normalQuantile(level)
	i := share(k, n, level, "Wilson")
	if n == 0 {
		return i
	}
	i.Low, i.High = wilsonEnds(i.Estimate, float64(n), z)
	// Rounding may leave 1e-17 where the formula gives exactly the edge.
	if k == 0 {
		i.Low = 0
	}
	if k == n {
		i.High = 1
	}
	return i
}

func wilsonEnds(p, n, z float64) (low, high float64) {
	grown := 1 + z*z/n
	centre := (p + z*z/(2*n)) / grown
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n)) / grown
	return centre - half, centre + half
}

// ClopperPearson returns the share k of n with the exact interval: the shares
// that a two-sided binomial test does not reject, from quantiles of the beta
// law. Its coverage is never below the level and usually above, so it is wider
// than [Wilson]. Source: Clopper and Pearson, Biometrika 26 (1934).
func ClopperPearson(k, n int, level float64) Interval {
	mustLevel(level)
	i := share(k, n, level, "Clopper-Pearson")
	tail := (1 - level) / 2
	if k > 0 {
		i.Low = distuv.Beta{Alpha: float64(k), Beta: float64(n-k) + 1}.Quantile(tail)
	}
	if k < n {
		i.High = distuv.Beta{Alpha: float64(k) + 1, Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return i
}

// share is the part that both intervals have in common; its ends are 0 and 1.
func share(k, n int, level float64, method string) Interval {
	if n < 0 || k < 0 || k > n {
		panic(fmt.Sprintf("analysis: need 0 <= k <= n, got k=%d n=%d", k, n))
	}
	i := Interval{Estimate: float64(k) / float64(n), Low: 0, High: 1, Level: level, Method: method, N: n}
	i.warnCount()
	if n > 0 && (k == 0 || k == n) {
		i.warn(WarnExtreme)
	}
	return i
}
