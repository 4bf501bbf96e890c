package analysis_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"retrylab/analysis"
)

func TestFindHumpsOnOneHump(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 1985))
	shapes := map[string]func() float64{
		"uniform": r.Float64, "normal": r.NormFloat64, "exponential": r.ExpFloat64,
		"lognormal": func() float64 { return math.Exp(r.NormFloat64()) },
		"counts":    func() float64 { return math.Floor(3 + 1.2*r.NormFloat64()) },
	}
	for _, name := range []string{"uniform", "normal", "exponential", "lognormal", "counts"} {
		for n, allowed := range map[int]float64{10: 0.04, 30: 0.025, 100: 0.02} {
			const samples = 1000
			found := 0
			for range samples {
				if analysis.FindHumps(sample(n, shapes[name])).Two {
					found++
				}
			}
			if share := float64(found) / samples; share > allowed+0.01 {
				t.Errorf("%s, n=%d: two humps seen in %.1f%% of samples", name, n, 100*share)
			}
		}
	}
}

// What the flag is for: goodput of trials that held, near 500, and of trials
// that collapsed, near 0; and two overlapping humps that only the dip sees.
func TestFindHumpsOnTwoHumps(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 1985))
	seen := func(n int, draw func(k int) float64) (two, dip, gap int) {
		for range 300 {
			k := 0
			h := analysis.FindHumps(sample(n, func() float64 { k++; return draw(k) }))
			if h.Two {
				two++
			}
			if h.ByDip {
				dip++
			}
			if h.ByGap {
				gap++
			}
		}
		return two, dip, gap
	}
	collapsed := func(every int) func(int) float64 {
		return func(k int) float64 {
			if k%every == 0 {
				return 20 + 10*r.NormFloat64()
			}
			return 480 + 10*r.NormFloat64()
		}
	}
	if two, _, _ := seen(20, collapsed(2)); two != 300 {
		t.Errorf("half of 20 collapsed: seen %d of 300", two)
	}
	if two, dip, gap := seen(100, collapsed(15)); two != 300 || gap != 300 || dip > 200 {
		t.Errorf("6 of 100 collapsed: seen %d, by dip %d, by gap %d; the gap rule should see what the dip cannot", two, dip, gap)
	}
	broad := func(k int) float64 { return 5*float64(k%2) + r.NormFloat64() }
	if two, dip, gap := seen(100, broad); two < 290 || dip < 290 || gap > 100 {
		t.Errorf("two broad humps: seen %d, by dip %d, by gap %d", two, dip, gap)
	}
}

func TestFindHumpsDescribesTheSplit(t *testing.T) {
	xs := []float64{0, 1, 2, 3, 0.5, 1.5, 100, 101, 102, 100.5, math.NaN()}
	h := analysis.FindHumps(xs)
	if !h.Judged || !h.Two || h.Below != 6 || h.Above != 4 || h.Split != 51.5 || h.Width != 97 || math.Abs(h.Apart-(100.875-4.0/3)) > 1e-12 {
		t.Errorf("got %+v", h)
	}
	if few := analysis.FindHumps(xs[:9]); few.Judged || few.Two {
		t.Errorf("9 values are too few: %+v", few)
	}
	if flat := analysis.FindHumps(make([]float64, 50)); !flat.Judged || flat.Two || flat.Gap != 0 {
		t.Errorf("equal values have one hump: %+v", flat)
	}
	twoValued := analysis.FindHumps([]float64{0, 0, 0, 0, 0, 0, 0, 1, 1, 1})
	if !twoValued.ByGap || !math.IsInf(twoValued.Gap, 1) || twoValued.Above != 3 {
		t.Errorf("a quantity of two values: %+v", twoValued)
	}
}

// The fitted critical values against simulation.
func TestDipCriticalValues(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1985))
	for _, n := range []int{10, 50, 300} {
		const samples = 4000
		over := 0
		for range samples {
			xs := sample(n, r.Float64)
			slices.Sort(xs)
			if analysis.Dip(xs) > analysis.FindHumps(xs).DipCritical {
				over++
			}
		}
		if share := float64(over) / samples; share < 0.005 || share > 0.0175 {
			t.Errorf("n=%d: a uniform law exceeds the critical value in %.2f%% of samples, expected 1%%", n, 100*share)
		}
	}
}
