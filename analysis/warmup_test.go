package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

func TestMSER5FindsTheEndOfWarmUp(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2000))
	settled := 0
	for range 50 {
		series := make([]float64, 500)
		for i := range series {
			series[i] = 10 + random.NormFloat64()
			if i < 100 {
				series[i] -= 10 * (1 - float64(i)/100)
			}
		}
		w := analysis.MSER5(series)
		if w.Discard < 60 || w.Discard%5 != 0 {
			t.Fatalf("a ramp that ends at 100 was cut too early: %+v", w)
		}
		if w.Settled != (w.Discard <= 250) {
			t.Fatalf("a cut in the second half is no answer: %+v", w)
		}
		if w.Discard <= 170 {
			settled++
		}
	}
	if settled < 42 {
		t.Errorf("only %d of 50 cuts are near the end of the ramp", settled)
	}
}

func TestMSER5OnSettledSeriesDropsLittle(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 2000))
	dropped := 0
	for range 100 {
		dropped += analysis.MSER5(sample(500, random.NormFloat64)).Discard
	}
	if dropped > 100*75 {
		t.Errorf("on average %d of 500 settled observations were dropped", dropped/100)
	}
}

// The statistic by its definition, at every cut.
func TestMSER5IsTheMinimum(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 2000))
	series := sample(103, func() float64 { return random.ExpFloat64() })
	w := analysis.MSER5(series)
	var batches []float64
	for k := 0; k+5 <= len(series); k += 5 {
		batches = append(batches, average(series[k:k+5]))
	}
	best, cut := math.Inf(1), 0
	for d := 0; d <= len(batches)-5; d++ {
		var squares float64
		for _, z := range batches[d:] {
			squares += (z - average(batches[d:])) * (z - average(batches[d:]))
		}
		rest := float64(len(batches) - d)
		if mser := squares / (rest * rest); mser < best {
			best, cut = mser, d
		}
	}
	near(t, "statistic", w.Statistic, best, 1e-12)
	if w.Discard != 5*cut {
		t.Errorf("cut at %d, want %d", w.Discard, 5*cut)
	}
}

func TestMSER5SaysWhenItCannotTell(t *testing.T) {
	if w := analysis.MSER5(make([]float64, 49)); w.Settled || !math.IsNaN(w.Statistic) {
		t.Errorf("49 observations are too few: %+v", w)
	}
	rising := sample(200, func() float64 { return 0 })
	for i := range rising {
		rising[i] = float64(i * i)
	}
	if w := analysis.MSER5(rising); w.Settled {
		t.Errorf("a series that keeps rising has not settled: %+v", w)
	}
	if w := analysis.MSER5(make([]float64, 100)); !w.Settled || w.Discard != 0 {
		t.Errorf("a constant series needs no cut: %+v", w)
	}
}
