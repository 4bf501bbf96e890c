package analysis_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"retrylab/analysis"
)

type printedShare struct {
	Name        string
	Count, Of   int
	Share, Half float64
	Low, High   float64
}

type printedProportions struct {
	Rows       []printedShare
	Prevalence printedShare
}

func readProportions(t *testing.T) printedProportions {
	t.Helper()
	text, err := os.ReadFile("testdata/proportions.json")
	if err != nil {
		t.Fatal(err)
	}
	var facts printedProportions
	if err := json.Unmarshal(text, &facts); err != nil {
		t.Fatal(err)
	}
	if len(facts.Rows) != 5 {
		t.Fatalf("expected 5 rows, got %d", len(facts.Rows))
	}
	return facts
}

func TestWilsonReproducesThePaper(t *testing.T) {
	const printed = 0.0501 // one digit after the point, in percent
	for _, row := range readProportions(t).Rows {
		i := analysis.Wilson(row.Count, row.Of, 0.95).Scale(100)
		near(t, row.Name, i.Estimate, row.Share, printed)
		if row.Half > 0 {
			near(t, row.Name+", half", i.Half(), row.Half, printed)
		} else {
			near(t, row.Name+", low", i.Low, row.Low, printed)
			near(t, row.Name+", high", i.High, row.High, printed)
		}
		mustNotWarn(t, i)
	}
}

func TestProportionsAtTheEdge(t *testing.T) {
	for name, interval := range map[string]func(k, n int, level float64) analysis.Interval{
		"Wilson": analysis.Wilson, "Clopper-Pearson": analysis.ClopperPearson,
	} {
		none, all := interval(0, 20, 0.95), interval(20, 20, 0.95)
		mustWarn(t, none, analysis.WarnExtreme)
		mustWarn(t, all, analysis.WarnExtreme)
		if none.Low != 0 || all.High != 1 || none.High <= 0.1 || all.Low >= 0.9 {
			t.Errorf("%s: got %v and %v", name, none, all)
		}
		near(t, name+" is symmetric", none.High, 1-all.Low, 1e-12)
		unseen := interval(0, 0, 0.95)
		mustWarn(t, unseen, analysis.WarnNoData)
		if unseen.Low != 0 || unseen.High != 1 || unseen.Estimate == unseen.Estimate {
			t.Errorf("%s with n=0: got %v, want NaN [0, 1]", name, unseen)
		}
		mustWarn(t, interval(1, 4, 0.95), analysis.WarnFewTrials)
		mustPanic(t, name+" k > n", func() { interval(3, 2, 0.95) })
		mustPanic(t, name+" level", func() { interval(1, 2, 95) })
	}
}

// The defining property: at its ends, the data lie exactly in the tail.
func TestClopperPearsonTails(t *testing.T) {
	for _, c := range []struct{ k, n int }{{7, 20}, {1, 30}, {29, 30}, {150, 400}} {
		i := analysis.ClopperPearson(c.k, c.n, 0.95)
		atLow := distuv.Binomial{N: float64(c.n), P: i.Low}
		atHigh := distuv.Binomial{N: float64(c.n), P: i.High}
		near(t, "P(at least k)", 1-atLow.CDF(float64(c.k-1)), 0.025, 1e-9)
		near(t, "P(at most k)", atHigh.CDF(float64(c.k)), 0.025, 1e-9)
	}
	near(t, "0 of 10", analysis.ClopperPearson(0, 10, 0.95).High, 0.3085, 5e-5) // 1 - 0.025^(1/10)
}

func TestProportionCoverage(t *testing.T) {
	draw := func(n int, p float64, interval func(k, n int, level float64) analysis.Interval) func(*rand.Rand) analysis.Interval {
		return func(r *rand.Rand) analysis.Interval {
			k := 0
			for range n {
				if r.Float64() < p {
					k++
				}
			}
			return interval(k, n, 0.95)
		}
	}
	for _, c := range []struct {
		n int
		p float64
	}{{23, 0.4}, {100, 0.1}, {100, 0.5}, {200, 0.03}} {
		checkCoverage(t, "Wilson", coverage(4000, 1, c.p, draw(c.n, c.p, analysis.Wilson)))
	}
	checkCoverage(t, "Clopper-Pearson", coverage(4000, 2, 0.3, draw(200, 0.3, analysis.ClopperPearson)))
	// Its promise is one-sided: never below the level.
	for _, p := range []float64{0.01, 0.1, 0.5} {
		if share := coverage(4000, 3, p, draw(30, p, analysis.ClopperPearson)); share < 0.945 {
			t.Errorf("Clopper-Pearson at p=%v covered %.3f", p, share)
		}
	}
}
