package dist_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"retrylab/engine/dist"
	"retrylab/engine/rng"
)

// known is a law with its true moments in ns: analytic value first, Monte Carlo check second.
type known struct {
	law            dist.Law
	mean, variance float64
	excess         float64 // kurtosis, for the standard error of the variance; NaN: no check of the variance
	cdf            func(float64) float64
}

const ms = float64(time.Millisecond)

func laws() map[string]known {
	of := func(kind string, cv, alpha float64) dist.Law {
		return dist.Law{Kind: kind, Mean: time.Millisecond, Low: time.Millisecond, High: 3 * time.Millisecond, CV: cv, Alpha: alpha}
	}
	s2 := math.Log1p(0.25) // of the lognormal with CV 0.5
	w := math.Exp(s2)
	lognormal := distuv.LogNormal{Mu: math.Log(ms) - s2/2, Sigma: math.Sqrt(s2)}
	pareto := distuv.Pareto{Xm: ms, Alpha: 6}
	heavy := distuv.Pareto{Xm: ms, Alpha: 2.5}
	gamma := distuv.Gamma{Alpha: 4, Beta: 4 / ms}
	bursty := distuv.Gamma{Alpha: 0.25, Beta: 0.25 / ms}
	return map[string]known{
		"constant":    {of("constant", 1, 1), ms, 0, 0, nil},
		"exponential": {of("exponential", 1, 1), ms, ms * ms, 6, distuv.Exponential{Rate: 1 / ms}.CDF},
		"uniform":     {of("uniform", 1, 1), 2 * ms, ms * ms / 3, -1.2, distuv.Uniform{Min: ms, Max: 3 * ms}.CDF},
		"lognormal":   {of("lognormal", 0.5, 1), ms, ms * ms / 4, w*w*w*w + 2*w*w*w + 3*w*w - 6, lognormal.CDF},
		"gamma":       {of("gamma", 0.5, 1), ms, ms * ms / 4, 6.0 / 4, gamma.CDF},
		"bursty":      {of("gamma", 2, 1), ms, 4 * ms * ms, 6 / 0.25, bursty.CDF},
		"pareto":      {of("pareto", 1, 6), ms * 6 / 5, pareto.Variance(), pareto.ExKurtosis(), pareto.CDF},
		"heavy":       {of("pareto", 1, 2.5), ms * 2.5 / 1.5, heavy.Variance(), math.NaN(), heavy.CDF},
	}
}

func TestLaws(t *testing.T) {
	const n = 100_000
	for name, k := range laws() {
		t.Run(name, func(t *testing.T) {
			if got := k.law.MeanNs(); math.Abs(got-k.mean) > 1e-9*k.mean {
				t.Errorf("MeanNs is %v, expected %v", got, k.mean)
			}
			if p := k.law.Problems(); p != nil {
				t.Fatalf("problems: %v", p)
			}
			s, r := k.law.Sampler(), rng.New(rng.Key(7))
			var sum, squares float64
			below := [9]float64{}
			for range n {
				x := float64(s.Draw(&r)) + 0.5 // whole ns, rounded down
				sum += x - k.mean
				squares += (x - k.mean) * (x - k.mean)
				if k.cdf != nil {
					for i, u := 0, k.cdf(x); i < 9; i++ {
						if u <= float64(i+1)/10 {
							below[i]++
						}
					}
				}
			}
			if k.variance == 0 {
				if sum != n*0.5 {
					t.Errorf("constant is %v ns off", sum/n-0.5)
				}
				return
			}
			if z := sum / n / math.Sqrt(k.variance/n); math.Abs(z) >= 4 {
				t.Errorf("mean is off by %v ns, z = %.1f", sum/n, z)
			}
			if z := (squares/n/k.variance - 1) / math.Sqrt((k.excess+2)/n); math.Abs(z) >= 4 {
				t.Errorf("variance is %.4f of the law's, z = %.1f", squares/n/k.variance, z)
			}
			for i, m := range below {
				p := float64(i+1) / 10
				if z := (m - n*p) / math.Sqrt(n*p*(1-p)); math.Abs(z) >= 4 {
					t.Errorf("%.0f of %d draws are below the %v quantile, z = %.1f", m, n, p, z)
				}
			}
		})
	}
}

// TestEdges: draws stay within [0, MaxNs] in whole ns, whatever the law.
func TestEdges(t *testing.T) {
	for _, l := range []dist.Law{
		dist.Constant(0), dist.Exponential(0), dist.Uniform(0, 0), dist.Uniform(5, 6), dist.Exponential(1000 * time.Hour),
		{Kind: "pareto", Low: 1000 * time.Hour, Alpha: 0.01}, {Kind: "gamma", Mean: 1, CV: 100}, {Kind: "lognormal", Mean: 1000 * time.Hour, CV: 100},
		{Kind: "lognormal", Mean: 0, CV: 1}, {Kind: "gamma", Mean: 0, CV: 1},
	} {
		if p := l.Problems(); p != nil {
			t.Errorf("%+v has problems: %v", l, p)
		}
		s, r := l.Sampler(), rng.New(1)
		for range 10_000 {
			x := s.Draw(&r)
			if x < 0 || x > dist.MaxNs {
				t.Fatalf("%+v draws %d ns", l, x)
			}
			if l.Kind != "pareto" && l.Mean+l.High == 0 && x != 0 || l == dist.Uniform(5, 6) && x != 5 {
				t.Fatalf("%+v draws %d ns", l, x)
			}
		}
	}
	if got := (dist.Law{Kind: "pareto", Low: 1, Alpha: 1}).MeanNs(); !math.IsInf(got, 1) {
		t.Errorf("mean of pareto with alpha 1 is %v", got)
	}
}

// TestOneDrawOneValue: equal streams give equal draws.
func TestOneDrawOneValue(t *testing.T) {
	for name, k := range laws() {
		s := k.law.Sampler()
		a, b := rng.New(3), rng.New(3)
		for range 100 {
			if x, y := s.Draw(&a), s.Draw(&b); x != y {
				t.Fatalf("%s: %d and %d from equal streams", name, x, y)
			}
		}
	}
}

func TestProblems(t *testing.T) {
	for _, x := range []struct {
		law  dist.Law
		want string
	}{
		{dist.Law{}, "[kind]"},
		{dist.Law{Kind: "normal"}, "[kind]"},
		{dist.Constant(-1), "[mean]"},
		{dist.Exponential(1001 * time.Hour), "[mean]"},
		{dist.Uniform(-1, -2), "[low high]"},
		{dist.Uniform(2, 1), "[high]"},
		{dist.Law{Kind: "lognormal", Mean: -1, CV: 0}, "[mean cv]"},
		{dist.Law{Kind: "gamma", Mean: 1, CV: 101}, "[cv]"},
		{dist.Law{Kind: "gamma", Mean: 1, CV: math.NaN()}, "[cv]"},
		{dist.Law{Kind: "pareto"}, "[low alpha]"},
		{dist.Law{Kind: "pareto", Low: 1, Alpha: math.Inf(1)}, "[alpha]"},
		{dist.Law{Kind: "exponential", Mean: 1, CV: -1, Alpha: -1, Low: -1}, "[]"}, // what a kind does not use is not looked at
		{dist.Default(), "[]"},
	} {
		fields := []string{}
		for _, p := range x.law.Problems() {
			fields = append(fields, p.Field)
		}
		if got := fmt.Sprint(fields); got != x.want {
			t.Errorf("%+v: problems in %s, expected %s", x.law, got, x.want)
		}
	}
}
