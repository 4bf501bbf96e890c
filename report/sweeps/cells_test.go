package sweeps

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retrylab/analysis"
	"retrylab/report/table"
	"retrylab/results"
)

func publishedSweep(t *testing.T, name string) *data {
	t.Helper()
	dir := filepath.Join(published, name)
	m, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, err := load(dir, m)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// No interval of a share or of a difference of shares goes where neither can be, and none is cut that needs its width:
// the crossings of the map's boundary are those of whole intervals.
func TestIntervalsOfSharesStayInTheirRange(t *testing.T) {
	harmMap := publishedSweep(t, "harm-map")
	rows := harmRows(harmMap)
	tables := []*table.Table{harmTable(rows)}
	cutRows := 0
	for _, r := range rows {
		if r.during.Low < -1 || r.after.Low < -1 || r.during.High > 1 || r.after.High > 1 {
			cutRows++
		}
	}
	if cutRows == 0 {
		t.Error("no difference was computed beyond its range, so that nothing is tested")
	}
	for _, name := range []string{"recovery", "correlation", "topology", "amplification"} {
		d := publishedSweep(t, name)
		tables = append(tables, cellsTable(d))
		if pairs := pairsTable(d); pairs != nil {
			tables = append(tables, pairs)
		}
	}
	for _, x := range tables {
		for i, name := range x.Fields {
			if !strings.HasPrefix(name, "success") && !strings.HasPrefix(name, "difference") {
				continue
			}
			for _, row := range x.Rows {
				if v, ok := row[i].Float(); ok && (v > 1 || v < -1 || v < 0 && strings.HasPrefix(name, "success")) {
					t.Errorf("%s: %s is %v", x.Title, name, v)
				}
			}
		}
	}
	one := analysis.Interval{Estimate: 0.5, Low: math.Inf(-1), High: math.Inf(1)}
	if got := asShare(one); !math.IsInf(got.High, 1) {
		t.Errorf("one trial has the interval %v", got)
	}
}

// A warning says which quantity it is about.
func TestWarningsNameTheirColumn(t *testing.T) {
	x := cellsTable(publishedSweep(t, "jitter"))
	at := slices.Index(x.Fields, "warnings")
	if got := x.Rows[0][at].Raw(); got != "success: "+analysis.WarnConstant+"; raf_client: "+analysis.WarnConstant {
		t.Errorf("the warnings are %q", got)
	}
}
