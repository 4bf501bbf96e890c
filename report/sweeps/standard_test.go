package sweeps

import (
	"math"
	"slices"
	"strings"
	"testing"

	"retrylab/analysis"
	"retrylab/results"
)

// A sweep that bears the name of a standard one and is another gets the plain report: theirs would read factors that are
// not there, or draw two cells at one place.
func TestOnlyTheStandardDesignHasItsReport(t *testing.T) {
	for name, s := range own {
		d := publishedSweep(t, strings.ReplaceAll(name, "_", "-"))
		if !s.fits(d) {
			t.Errorf("%s does not fit its own report", name)
		}
		whole := *d
		changes := map[string]func(){
			"a factor more":    func() { d.factors = append(d.factors, results.ExtraColumn{Name: "servers", Kind: results.Float64}) },
			"a factor less":    func() { d.factors = d.factors[1:] },
			"another factor":   func() { d.factors = append(d.factors[1:], results.ExtraColumn{Name: "other", Kind: d.factors[0].Kind}) },
			"texts of numbers": func() { d.factors[0].Kind = results.String + results.Float64 - d.factors[0].Kind },
			"nothing":          func() { d.cells = nil },
		}
		if s.strategies > 0 {
			changes["a strategy more"] = func() { d.strategies = append(d.strategies, "third") }
		}
		if s.table != "" {
			changes["a table less"] = func() { d.dir = t.TempDir() }
		}
		for what, change := range changes {
			*d = whole
			d.factors, d.strategies = slices.Clone(whole.factors), slices.Clone(whole.strategies)
			if change(); s.fits(d) {
				t.Errorf("%s with %s fits", name, what)
			}
		}
	}
}

// That the simulation is where theory is is a finding, not a sentence: it is said of as many trials as there are.
func TestAgreementIsComputed(t *testing.T) {
	row := amplified{success: analysis.Interval{N: 20}, z: 3.6, successZ: -1}
	rows := slices.Repeat([]amplified{row}, 75)
	if got := agreement(rows); !strings.Contains(got, "agree with the exact recursion in all 75 cells (largest |z| 3.6)") {
		t.Error(got)
	}
	rows[7].successZ = -8
	if got := agreement(rows); !strings.Contains(got, "differ from the exact recursion in 1 of 75 cells (largest |z| 8.0)") {
		t.Error(got)
	}
	rows[7].success.N = 5 // with few trials a large z is no wonder
	if got := agreement(rows); !strings.Contains(got, "agree") {
		t.Error(got)
	}
	rows[7].z = math.Inf(1)
	if got := agreement(rows); !strings.Contains(got, "differ") {
		t.Error(got)
	}
}
