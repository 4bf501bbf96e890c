package analysis_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"retrylab/analysis"
)

// Curves from 0 to 1, some of which no logistic curve follows.
var curves = map[string]func(z float64) float64{
	"logistic":    func(z float64) float64 { return 1 / (1 + math.Exp(-z)) },
	"probit":      func(z float64) float64 { return math.Erfc(-z/1.6/math.Sqrt2) / 2 },
	"cloglog":     func(z float64) float64 { return 1 - math.Exp(-math.Exp(z)) },
	"loglog":      func(z float64) float64 { return math.Exp(-math.Exp(-z)) },
	"0.02...0.95": func(z float64) float64 { return 0.02 + 0.93/(1+math.Exp(-z)) },
}

// rootOf is where a rising or falling curve takes a value.
func rootOf(f func(float64) float64, y float64) float64 {
	low, high := -40.0, 40.0
	for range 80 {
		if middle := (low + high) / 2; (f(middle) < y) == (f(low) < f(high)) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// truth is a curve along a factor that takes the target at tip.
type truth struct {
	shape         func(z float64) float64
	target, width float64
	noise         func(r *rand.Rand, mean float64) float64
}

func collapse(r *rand.Rand, p float64) float64 {
	if r.Float64() < p {
		return 1
	}
	return 0
}

func (c truth) probe(r *rand.Rand, tip float64) analysis.Probe {
	root := rootOf(c.shape, c.target)
	return func(x float64, trials int) ([]float64, error) {
		mean := c.shape(root + (x-tip)/c.width)
		return sample(trials, func() float64 { return c.noise(r, mean) }), nil
	}
}

// searches gives the shares of many searches that covered, and that ended between decided values. The tip moves, so
// that no grid favours it.
func (c truth) searches(t *testing.T, n int, b analysis.Bisection, from, to float64) (covered, brackets float64) {
	t.Helper()
	random := rand.New(rand.NewPCG(13, 13))
	b.From, b.To, b.Target, b.Level = 0.2, 1.2, c.target, 0.95
	for range n {
		tip := from + (to-from)*random.Float64()
		i, _, err := analysis.Bisect(b, c.probe(random, tip))
		if err != nil {
			t.Fatal(err)
		}
		if i.Contains(tip) {
			covered++
		}
		if i.Method == analysis.MethodBracket {
			brackets++
		}
		if len(i.Warnings) == 0 && i.High-i.Low > b.Width {
			t.Fatalf("%v is wider than %v without a warning", i, b.Width)
		}
	}
	return covered / float64(n), brackets / float64(n)
}

// From changes about as wide as the interval to some many times as wide; the widths are those of a logistic curve.
func TestBisectCoverageOfShares(t *testing.T) {
	for _, c := range []struct {
		curve         string
		target, width float64
	}{
		{"logistic", 0.5, 0.04}, {"logistic", 0.5, 0.15}, {"logistic", 0.1, 0.04}, {"probit", 0.5, 0.06}, {"cloglog", 0.5, 0.04},
		{"cloglog", 0.1, 0.08}, {"loglog", 0.5, 0.06}, {"loglog", 0.1, 0.1}, {"0.02...0.95", 0.5, 0.04}, {"0.02...0.95", 0.1, 0.04},
	} {
		t.Run(fmt.Sprintf("%s through %v, width %v", c.curve, c.target, c.width), func(t *testing.T) {
			t.Parallel()
			of := truth{curves[c.curve], c.target, c.width, collapse}
			covered, brackets := of.searches(t, 2000, analysis.Bisection{Shares: true, Width: 0.04, MinTrials: 20, MaxTrials: 6000}, 0.5, 0.9)
			checkCoverage(t, "tipping point of a share", covered)
			if brackets > 0.25 {
				t.Errorf("%.0f%% of the searches were left with a bracket", 100*brackets)
			}
		})
	}
}

// difference falls from 0.2 to -0.6, with noise that is largest where it falls.
func difference(curve string, target, width float64) truth {
	return truth{
		shape: func(z float64) float64 { return 0.2 - 0.8*curves[curve](z) }, target: target, width: width,
		noise: func(r *rand.Rand, mean float64) float64 {
			p := (0.2 - mean) / 0.8
			return mean + (0.1+0.8*p*(1-p))*r.NormFloat64()
		},
	}
}

func TestBisectCoverageOfDifferences(t *testing.T) {
	for _, c := range []struct {
		curve         string
		target, width float64
	}{{"logistic", 0, 0.04}, {"logistic", 0.1, 0.08}, {"cloglog", 0, 0.06}, {"cloglog", 0.1, 0.12}, {"loglog", 0, 0.1}} {
		t.Run(fmt.Sprintf("%s through %v, width %v", c.curve, c.target, c.width), func(t *testing.T) {
			t.Parallel()
			covered, brackets := difference(c.curve, c.target, c.width).searches(t, 2000, analysis.Bisection{Width: 0.04, MinTrials: 20, MaxTrials: 6000}, 0.5, 0.9)
			checkCoverage(t, "tipping point of a difference", covered)
			if brackets > 0.25 {
				t.Errorf("%.0f%% of the searches were left with a bracket", 100*brackets)
			}
		})
	}
}

// Where everything happens within a fraction of the width, the interval is between decided values: it covers more than
// asked, because nothing is known of what lies between.
func TestBisectOfAStep(t *testing.T) {
	for name, of := range map[string]truth{
		"share": {curves["logistic"], 0.5, 0.0005, collapse}, "rare": {curves["0.02...0.95"], 0.1, 0.0005, collapse}, "difference": difference("logistic", 0, 0.0005),
	} {
		b := analysis.Bisection{Shares: name != "difference", Width: 0.04, MinTrials: 20, MaxTrials: 6000}
		covered, brackets := of.searches(t, 500, b, 0.5, 0.9)
		t.Logf("%s: coverage %.3f, brackets %.3f", name, covered, brackets)
		if covered < 0.95 || brackets < 0.9 {
			t.Errorf("%s: covered %.3f, and %.3f ended with a bracket; want nearly all", name, covered, brackets)
		}
	}
}

// The known limit: a target just above a floor, and a change much sharper than the width. docs/adr/0032-tipping-points.md.
func TestBisectCloseToAFloor(t *testing.T) {
	of := truth{curves["0.02...0.95"], 0.1, 0.01, collapse}
	covered, _ := of.searches(t, 1000, analysis.Bisection{Shares: true, Width: 0.04, MinTrials: 20, MaxTrials: 6000}, 0.5, 0.9)
	t.Logf("coverage %.3f", covered)
	if covered < 0.87 || covered > 0.92 {
		t.Errorf("covered %.3f, the documents say about 0.89", covered)
	}
}

// Too few trials for the width: the interval is wide, says so, and still covers.
func TestBisectWithoutEnoughTrials(t *testing.T) {
	of, missed := truth{curves["logistic"], 0.5, 0.1, collapse}, 0
	random := rand.New(rand.NewPCG(3, 3))
	share := coverage(2000, 14, 0.7, func(*rand.Rand) analysis.Interval {
		i, _, err := analysis.Bisect(analysis.Bisection{From: 0.2, To: 1.2, Target: 0.5, Shares: true, Width: 0.001, MinTrials: 20, MaxTrials: 1500, Level: 0.95}, of.probe(random, 0.7))
		if err != nil || i.N > 1500 {
			t.Fatal(i, err)
		}
		if slices.Contains(i.Warnings, analysis.WarnTargetMissed) {
			missed++
		}
		return i
	})
	checkCoverage(t, "stopped by the most trials", share)
	if missed != 2000 {
		t.Errorf("%d of 2000 said that they missed the width", missed)
	}
}

// Without noise the search is plain bisection, rising or falling.
func TestBisectWithoutNoise(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		i, record, err := analysis.Bisect(analysis.Bisection{From: 0, To: 1, Width: 0.01, MinTrials: 2, MaxTrials: 100, Level: 0.9},
			func(x float64, trials int) ([]float64, error) {
				return sample(trials, func() float64 { return sign * (x - 0.3) }), nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if !i.Contains(0.3) || i.High-i.Low > 0.01 || i.Level != 0.9 || i.Method != analysis.MethodBracket {
			t.Errorf("got %v", i)
		}
		if len(record) != 2+7 || i.N != 2*len(record) {
			t.Errorf("looked at %d values with %d trials, want the ends and 7 halvings, two trials each", len(record), i.N)
		}
		mustNotWarn(t, i)
	}
}

func TestBisectSaysWhenThereIsNothing(t *testing.T) {
	b := analysis.Bisection{From: 0, To: 1, Target: 0.5, Shares: true, Width: 0.1, MinTrials: 10, MaxTrials: 2000, Level: 0.95}
	random := rand.New(rand.NewPCG(1, 1))
	of := truth{curves["logistic"], 0.5, 0.1, collapse}
	i, _, err := analysis.Bisect(b, of.probe(random, 7))
	if err != nil || !math.IsNaN(i.Estimate) || !math.IsInf(i.High, 1) {
		t.Errorf("tips outside the range: %v, %v", i, err)
	}
	mustWarn(t, i, analysis.WarnNoCrossing)
	of.width = 0.05
	edge, record, err := analysis.Bisect(b, of.probe(random, 1))
	if err != nil || !math.IsInf(edge.High, 1) || edge.Low < 0.5 {
		t.Errorf("tips at the end of the range: %v, %v", edge, err)
	}
	mustWarn(t, edge, analysis.WarnOpenEnd)
	total := 0
	for _, p := range record {
		total += p.At.N
	}
	if total != edge.N {
		t.Errorf("N is %d, the record adds up to %d", edge.N, total)
	}
	broken := errors.New("disk full")
	_, record, err = analysis.Bisect(b, func(x float64, trials int) ([]float64, error) {
		if x == 0 {
			return make([]float64, trials), nil
		}
		return nil, broken
	})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "probe at 1 with 10 trials") || len(record) != 1 {
		t.Errorf("got %v with %d values", err, len(record))
	}
	b.Shares = false
	holes, _, err := analysis.Bisect(b, func(x float64, trials int) ([]float64, error) {
		values := sample(trials, func() float64 { return x + 0.05*random.NormFloat64() })
		values[0] = math.NaN()
		return values, nil
	})
	if err != nil || !holes.Contains(0.5) || holes.High-holes.Low > 0.1 {
		t.Errorf("with values missing: %v, %v", holes, err)
	}
	mustWarn(t, holes, analysis.WarnLeftOut)
	mustPanic(t, "empty range", func() { _, _, _ = analysis.Bisect(analysis.Bisection{}, nil) })
	b.Shares, b.Target = true, 0
	mustPanic(t, "a share is never below 0", func() { _, _, _ = analysis.Bisect(b, nil) })
}
