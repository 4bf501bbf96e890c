package sweeps

import (
	"slices"
	"strings"
	"testing"

	"retrylab/analysis"
	"retrylab/results"
)

// A cell that ran out of trials before its interval was as narrow as asked for is told, in the table and on the page.
func TestMissedTargetsAreTold(t *testing.T) {
	d := gridOf([]float64{0.1, 0.2}, []float64{0.5}, "NR") // half-widths are 0.01 of success and 0 of RAF
	text := func(until string) (warnings []string, finding string) {
		d.manifest = &results.Manifest{Parameters: map[string]string{results.ParameterUntil: until}}
		x := cellsTable(d)
		at := slices.Index(x.Fields, "warnings")
		for _, row := range x.Rows {
			warnings = append(warnings, row[at].Raw())
		}
		return warnings, untilFinding(d)
	}
	for _, until := range []string{"", "success=0.011", "success=0.011 raf=0.001", "collapse=0.2"} {
		if w, f := text(until); strings.Join(w, "") != "" || f != "" {
			t.Errorf("until %q: %q, %q", until, w, f)
		}
	}
	d.cells[1].ratios[successAll].High += 0.1
	w, f := text("success=0.011")
	if w[0] != "" || w[1] != "success: "+analysis.WarnTargetMissed || !strings.Contains(f, "In 1 of 2 cells") || !strings.Contains(f, "30 trials, the most") {
		t.Errorf("%q, %q", w, f)
	}
	if w, f := text("collapse=0.01 success=1"); w[0] != "collapse: "+analysis.WarnTargetMissed || !strings.Contains(f, "In 2 of 2 cells") {
		t.Errorf("%q, %q", w, f)
	}
}
