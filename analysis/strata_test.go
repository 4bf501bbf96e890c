package analysis_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"retrylab/analysis"
)

// One stratum has Wilson's own interval; many of nothing are Wilson's of all trials together.
func TestMeanOfProportionsOfSimpleDesigns(t *testing.T) {
	one, wilson := analysis.MeanOfProportions([]analysis.Count{{7, 20}}, 0.95), analysis.Wilson(7, 20, 0.95)
	if math.Abs(one.Low-wilson.Low) > 1e-9 || math.Abs(one.High-wilson.High) > 1e-9 || one.Estimate != 0.35 {
		t.Errorf("one stratum: %v, Wilson %v", one, wilson)
	}
	none, pooled := analysis.MeanOfProportions(slices.Repeat([]analysis.Count{{0, 20}}, 25), 0.95), analysis.Wilson(0, 500, 0.95)
	if none.Low != 0 || math.Abs(none.High-pooled.High) > 1e-9 || none.N != 500 {
		t.Errorf("nothing in 25 strata: %v, Wilson of 500: %v", none, pooled)
	}
	// Half of the strata all, half none: trials of a pooled sample would vary, those of this design hardly can.
	split := analysis.MeanOfProportions(append(slices.Repeat([]analysis.Count{{20, 20}}, 12), slices.Repeat([]analysis.Count{{0, 20}}, 12)...), 0.95)
	if wide := analysis.Wilson(240, 480, 0.95); split.Half() > wide.Half()/2 || split.Estimate != 0.5 {
		t.Errorf("all or none: %v, and pooled %v", split, wide)
	}
}

// The 95% interval covers the mean of the strata's probabilities in 92% of designs or more, and is not much wider than it must be
// where all strata vary.
func TestMeanOfProportionsCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2010))
	for name, ps := range map[string][]float64{
		"alike": slices.Repeat([]float64{0.3}, 25), "rare": slices.Repeat([]float64{0.02}, 25), "spread": {0.05, 0.2, 0.4, 0.6, 0.8, 0.95},
		"mostly certain": append(append(slices.Repeat([]float64{0}, 10), slices.Repeat([]float64{1}, 13)...), 0.7, 0.4),
	} {
		want := 0.0
		for _, p := range ps {
			want += p / float64(len(ps))
		}
		const designs = 3000
		covered := 0
		for range designs {
			strata := make([]analysis.Count, len(ps))
			for i, p := range ps {
				for range 20 {
					if r.Float64() < p {
						strata[i].Hits++
					}
				}
				strata[i].Of = 20
			}
			if analysis.MeanOfProportions(strata, 0.95).Contains(want) {
				covered++
			}
		}
		share := float64(covered) / designs
		if share < 0.92 || share > 0.97 && name != "mostly certain" {
			t.Errorf("%s: covered in %.1f%% of designs, want 95%%", name, 100*share)
		}
	}
}

// Strata that differ widely in level do not widen the interval of the mean difference, as pooling their trials would.
func TestMeanOfDifferencesCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1947))
	const designs, trials = 2000, 20
	covered, narrower := 0, 0
	for range designs {
		var strata []analysis.Difference
		var allA, allB []float64
		for _, effect := range []float64{0, -50, -100, 3} {
			a, b := make([]float64, trials), make([]float64, trials)
			for i := range a {
				b[i] = r.NormFloat64()
				a[i] = b[i] + effect + (1+math.Abs(effect)/50)*r.NormFloat64()
			}
			strata = append(strata, analysis.Paired(a, b, 0.95))
			allA, allB = append(allA, a...), append(allB, b...)
		}
		d := analysis.MeanOfDifferences(strata, 0.95)
		if d.Contains(-147.0 / 4) {
			covered++
		}
		if d.Half() < analysis.Paired(allA, allB, 0.95).Half()/4 {
			narrower++
		}
	}
	if share := float64(covered) / designs; share < 0.93 || share > 0.97 || narrower < designs {
		t.Errorf("covered in %.1f%% of designs; narrower than pooled in %d of %d", 100*share, narrower, designs)
	}
	same := analysis.MeanOfDifferences([]analysis.Difference{analysis.Paired([]float64{1, 2}, []float64{1, 2}, 0.95)}, 0.95)
	if same.Estimate != 0 || same.Low != 0 || same.PValue != 1 {
		t.Errorf("equal sides: %v, p = %v", same.Interval, same.PValue)
	}
}
