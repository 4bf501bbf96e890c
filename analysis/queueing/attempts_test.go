package queueing_test

import (
	"math"
	"testing"

	"retrylab/analysis/queueing"
)

func TestAttemptsMomentsAgreeWithProbabilities(t *testing.T) {
	for _, p := range []float64{0, 0.01, 0.5, 0.9, 1} {
		for _, retries := range []int{0, 1, 3, 10, 200} {
			a := queueing.Attempts{Failure: p, MaxRetries: retries}
			var total, mean, square float64
			for n := range retries + 3 {
				pn := a.Probability(n)
				total += pn
				mean += pn * float64(n)
				square += pn * float64(n) * float64(n)
			}
			relative(t, "total probability", total, 1, 1e-12)
			relative(t, "mean", a.Mean(), mean, 1e-12)
			near(t, "variance", a.Variance(), square-mean*mean, 1e-9*(1+square))
		}
	}
}

// By hand for p = 1/2 and 3 retries: P = 1/2, 1/4, 1/8, 1/8, so the mean is
// 15/8, the mean square 37/8, and the variance 37/8 - 225/64 = 71/64.
func TestAttemptsByHand(t *testing.T) {
	a := queueing.Attempts{Failure: 0.5, MaxRetries: 3}
	near(t, "mean", a.Mean(), 15.0/8, 0)
	near(t, "variance", a.Variance(), 71.0/64, 1e-15)
	near(t, "success", a.Success(), 15.0/16, 0)
	near(t, "P(3)", a.Probability(3), 1.0/8, 0)
	near(t, "P(4)", a.Probability(4), 1.0/8, 0)
	near(t, "P(5)", a.Probability(5), 0, 0)
}

// The sum and the closed form must meet where the code changes from one to the
// other, also where 1-p is tiny.
func TestAttemptsMeanWithManyRetries(t *testing.T) {
	for _, p := range []float64{0.3, 0.999, 1 - 1e-12} {
		below := queueing.Attempts{Failure: p, MaxRetries: 63}.Mean()
		above := queueing.Attempts{Failure: p, MaxRetries: 64}.Mean()
		relative(t, "65 attempts from 64", above, below+math.Pow(p, 64), 1e-12)
	}
	near(t, "p=1", queueing.Attempts{Failure: 1, MaxRetries: 999}.Mean(), 1000, 0)
}

func TestAttemptsRejectsNonsense(t *testing.T) {
	mustPanic(t, "p > 1", func() { queueing.RAFSingle(1.01, 3) })
	mustPanic(t, "p NaN", func() { queueing.RAFSingle(math.NaN(), 3) })
	mustPanic(t, "negative retries", func() { queueing.RAFSingle(0.5, -1) })
	mustPanic(t, "negative depth", func() { queueing.RAFChain(0.5, 3, -1) })
	mustPanic(t, "no attempts", func() { queueing.RAFNestedLeaf(0.5, 0, 2) })
}
