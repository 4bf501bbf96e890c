package queueing

import "math"

// Attempts is the law of the number of attempts that one call makes when each
// attempt fails with the same probability, independently, and the caller stops
// at the first success or after its last retry: the truncated geometric law on
// 1 .. MaxRetries+1.
type Attempts struct {
	// Failure is the probability that one attempt fails, 0 to 1.
	Failure float64
	// MaxRetries is the number of attempts allowed after the first; at least 0.
	MaxRetries int
}

// Mean returns the expected attempts of a call,
//
//	1 + p + p^2 + ... + p^n = (1 - p^(n+1)) / (1 - p),
//
// which is n+1 at p = 1. Source: the paper, eq. 2.
func (a Attempts) Mean() float64 {
	a.check()
	return geometricSum(a.Failure, float64(a.MaxRetries)+1)
}

// Variance returns the variance of the number of attempts, from
//
//	E[N^2] = sum over k = 0..n of (2k + 1) p^k,
//
// because P(N > k) = p^k. It is what a z-test of a simulated mean needs.
func (a Attempts) Variance() float64 {
	a.check()
	var square float64
	power := 1.0
	for k := 0; k <= a.MaxRetries && power > 0; k++ {
		square += float64(2*k+1) * power
		power *= a.Failure
	}
	mean := a.Mean()
	return square - mean*mean
}

// Probability returns P(N = n): p^(n-1) (1-p) below the last attempt, and
// p^(n-1) at the last attempt, which is made whether or not it succeeds.
func (a Attempts) Probability(n int) float64 {
	a.check()
	switch {
	case n < 1 || n > a.MaxRetries+1:
		return 0
	case n == a.MaxRetries+1:
		return math.Pow(a.Failure, float64(n-1))
	}
	return math.Pow(a.Failure, float64(n-1)) * (1 - a.Failure)
}

// Success returns the probability that the call succeeds: 1 - p^(n+1).
func (a Attempts) Success() float64 {
	a.check()
	return 1 - math.Pow(a.Failure, float64(a.MaxRetries)+1)
}

func (a Attempts) check() {
	mustProbability("failure", a.Failure)
	mustAtLeast("max retries", a.MaxRetries, 0)
}

// geometricSum returns 1 + p + ... + p^(terms-1). Few terms are added one by
// one, which is exact for the round numbers of tables; for many the closed form
// is used, through expm1 so that it stays accurate when p is near 1.
func geometricSum(p, terms float64) float64 {
	switch {
	case p == 0:
		return 1
	case p == 1:
		return terms
	case terms <= 64:
		sum := 0.0
		for range int(terms) {
			sum = sum*p + 1
		}
		return sum
	}
	return -math.Expm1(terms*math.Log(p)) / (1 - p)
}
