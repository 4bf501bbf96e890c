package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/analysis"
)

func TestPrevalenceReproducesThePaper(t *testing.T) {
	audit := analysis.Audit{Found: 23, Scanned: 200, Missed: 10, Checked: 30}
	printed := readProportions(t).Prevalence
	i := analysis.PrevalenceAuditOnly(audit, 0.95).Scale(100)
	near(t, "share", i.Estimate, printed.Share, 0.05)
	near(t, "low", i.Low, printed.Low, 0.06)
	near(t, "high", i.High, printed.High, 0.06)
	full := analysis.Prevalence(audit, 0.95).Scale(100)
	near(t, "same estimate", full.Estimate, i.Estimate, 1e-12)
	if full.Half() <= i.Half() {
		t.Errorf("with both uncertainties the interval must be wider: %v against %v", full, i)
	}
}

func TestPrevalenceEdges(t *testing.T) {
	none := analysis.Prevalence(analysis.Audit{Found: 0, Scanned: 50, Missed: 0, Checked: 20}, 0.95)
	if none.Estimate != 0 || none.Low != 0 || none.High < 0.1 || none.High > 0.3 {
		t.Errorf("nothing found: %v", none)
	}
	all := analysis.Prevalence(analysis.Audit{Found: 50, Scanned: 50, Missed: 3, Checked: 20}, 0.95)
	if all.Estimate != 1 || all.High != 1 || all.Low < 0.9 {
		t.Errorf("everything found: %v", all)
	}
	for _, f := range []func(analysis.Audit, float64) analysis.Interval{analysis.Prevalence, analysis.PrevalenceAuditOnly} {
		unchecked := f(analysis.Audit{Found: 5, Scanned: 50}, 0.95)
		mustWarn(t, unchecked, analysis.WarnNoData)
		if !math.IsNaN(unchecked.Estimate) || unchecked.Low != 0 || unchecked.High != 1 {
			t.Errorf("without an audit nothing is known: %v", unchecked)
		}
	}
}

func TestPrevalenceCoverage(t *testing.T) {
	const detected, missed = 0.115, 1.0 / 3
	draw := func(r *rand.Rand) analysis.Interval {
		a := analysis.Audit{Scanned: 200, Checked: 30}
		for range a.Scanned {
			if r.Float64() < detected {
				a.Found++
			}
		}
		for range a.Checked {
			if r.Float64() < missed {
				a.Missed++
			}
		}
		return analysis.Prevalence(a, 0.95)
	}
	checkCoverage(t, "prevalence", coverage(4000, 7, detected+(1-detected)*missed, draw))
}

// The paper's interval takes the detection rate as known: it keeps its level for that rate, here 23 of 200, and not for one
// that is drawn too.
func TestPrevalenceAuditOnlyCoverage(t *testing.T) {
	const missed = 1.0 / 3
	share := coverage(4000, 8, 0.115+0.885*missed, func(r *rand.Rand) analysis.Interval {
		a := analysis.Audit{Found: 23, Scanned: 200, Checked: 60}
		for range a.Checked {
			if r.Float64() < missed {
				a.Missed++
			}
		}
		return analysis.PrevalenceAuditOnly(a, 0.95)
	})
	checkCoverage(t, "prevalence, detection rate known", share)
}
