package analysis_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"retrylab/analysis"
)

// collapse probes a collapse probability that rises from 0 to 1 around tip.
func collapse(r *rand.Rand, tip, width float64) analysis.Probe {
	type tally struct{ trials, collapsed int }
	seen := map[float64]tally{}
	return func(x float64, trials int, level float64) (analysis.Interval, error) {
		p := 1 / (1 + math.Exp(-(x-tip)/width))
		s := seen[x]
		for ; s.trials < trials; s.trials++ {
			if r.Float64() < p {
				s.collapsed++
			}
		}
		seen[x] = s
		return analysis.ClopperPearson(s.collapsed, s.trials, level), nil
	}
}

func TestBisectHoldsItsLevel(t *testing.T) {
	for _, width := range []float64{0.001, 0.02, 0.1} {
		random := rand.New(rand.NewPCG(13, 13))
		const searches = 400
		covered, narrow := 0, 0
		for range searches {
			tip := 0.4 + 0.5*random.Float64()
			i, record, err := analysis.Bisect(analysis.Bisection{
				From: 0.2, To: 1.2, Target: 0.5, Width: 0.02, MinTrials: 16, MaxTrials: 256, Level: 0.95,
			}, collapse(random, tip, width))
			if err != nil {
				t.Fatal(err)
			}
			if i.Contains(tip) {
				covered++
			}
			if i.High-i.Low <= 0.02+4*width {
				narrow++
			}
			total := 0
			for _, p := range record {
				total += p.Trials
			}
			if total != i.N {
				t.Fatalf("N is %d, the record adds up to %d", i.N, total)
			}
		}
		// Its promise is one-sided: Bonferroni's correction covers more than asked.
		share := float64(covered) / searches
		t.Logf("bisection, width %v: coverage %.3f", width, share)
		if share < 0.95 {
			t.Errorf("width %v: covered %.3f", width, share)
		}
		if narrow < searches*9/10 {
			t.Errorf("width %v: only %d of %d intervals are narrow", width, narrow, searches)
		}
	}
}

// Without noise the search is plain bisection, rising or falling.
func TestBisectWithoutNoise(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		i, record, err := analysis.Bisect(analysis.Bisection{
			From: 0, To: 1, Width: 0.01, MinTrials: 1, MaxTrials: 1, Level: 0.9,
		}, func(x float64, _ int, level float64) (analysis.Interval, error) {
			y := sign * (x - 0.3)
			return analysis.Interval{Estimate: y, Low: y, High: y, Level: level}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !i.Contains(0.3) || i.High-i.Low > 0.01 || i.Level != 0.9 {
			t.Errorf("got %v", i)
		}
		if len(record) != 2+7 {
			t.Errorf("looked at %d values, want the ends and 7 halvings", len(record))
		}
		mustNotWarn(t, i)
	}
}

func TestBisectSaysWhenThereIsNothing(t *testing.T) {
	b := analysis.Bisection{From: 0, To: 1, Target: 0.5, Width: 0.1, MinTrials: 10, MaxTrials: 100, Level: 0.95}
	i, _, err := analysis.Bisect(b, collapse(rand.New(rand.NewPCG(1, 1)), 7, 0.1))
	if err != nil || !math.IsNaN(i.Estimate) || !math.IsInf(i.High, 1) {
		t.Errorf("tips outside the range: %v, %v", i, err)
	}
	mustWarn(t, i, analysis.WarnNoCrossing)
	edge, _, err := analysis.Bisect(b, collapse(rand.New(rand.NewPCG(1, 1)), 1, 0.05))
	if err != nil {
		t.Fatal(err)
	}
	mustWarn(t, edge, analysis.WarnOpenEnd)
	broken := errors.New("disk full")
	_, record, err := analysis.Bisect(b, func(x float64, _ int, _ float64) (analysis.Interval, error) {
		if x == 0 {
			return analysis.Interval{Low: 0, High: 0.1}, nil
		}
		return analysis.Interval{}, broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "probe at 1 with 10 trials") || len(record) != 1 {
		t.Errorf("got %v with %d values", err, len(record))
	}
	mustPanic(t, "empty range", func() { _, _, _ = analysis.Bisect(analysis.Bisection{}, nil) })
}

func TestCrossingByHand(t *testing.T) {
	at := func(estimate, half float64) analysis.Interval {
		return analysis.Interval{Estimate: estimate, Low: estimate - half, High: estimate + half, Level: 0.95}
	}
	xs := []float64{0, 1, 2, 3, 4}
	falling := []analysis.Interval{at(4, 1), at(2, 1), at(0.5, 1), at(-1, 2), at(-5, 1)}
	i := analysis.Crossing(xs, falling, 0)
	near(t, "estimate", i.Estimate, 2+1.0/3, 1e-12)
	near(t, "low: lower limits 1 and -0.5", i.Low, 1+2.0/3, 1e-12)
	near(t, "high: upper limits 1 and -4", i.High, 3.2, 1e-12)
	mustNotWarn(t, i)

	open := analysis.Crossing(xs[2:4], falling[2:4], 0)
	mustWarn(t, open, analysis.WarnOpenEnd)
	if !math.IsInf(open.Low, -1) || !math.IsInf(open.High, 1) {
		t.Errorf("undecided ends: %v", open)
	}
	none := analysis.Crossing(xs[:2], falling[:2], 0)
	mustWarn(t, none, analysis.WarnNoCrossing)
	there := append(append([]analysis.Interval{}, falling[0], falling[4]), falling[0], falling[1])
	mustWarn(t, analysis.Crossing(xs[:4], there, 0), analysis.WarnManyCrossings)
	missing := analysis.Crossing(xs[:3], []analysis.Interval{at(1, 0.5), analysis.Mean(nil, 0.95), at(-1, 0.5)}, 0)
	near(t, "a point without data is passed over", missing.Estimate, 1, 1e-12)
	sure := analysis.Crossing(xs[:2], []analysis.Interval{at(1, 0.5), at(-1, 0.5)}, 0)
	near(t, "between sure points: low", sure.Low, 0.25, 1e-12)
	near(t, "between sure points: high", sure.High, 0.75, 1e-12)
	mustPanic(t, "order", func() { analysis.Crossing([]float64{1, 1}, falling[:2], 0) })
}

// A difference that falls along the factor and is 0 at a grid point.
func TestCrossingCoverage(t *testing.T) {
	xs := []float64{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}
	checkCoverage(t, "crossing at a grid point", coverage(3000, 81, 0.6, func(r *rand.Rand) analysis.Interval {
		at := make([]analysis.Interval, len(xs))
		for k, x := range xs {
			at[k] = analysis.Mean(sample(9, func() float64 { return 10*(0.6-x) + 1.5*r.NormFloat64() }), 0.95)
		}
		return analysis.Crossing(xs, at, 0)
	}))
}
