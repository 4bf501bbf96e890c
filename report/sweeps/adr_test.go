package sweeps

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrylab/analysis"
	"retrylab/results"
)

// What ADR 0030 says of thresholds and of trials is what the published map says: how many trials are neither clearly
// down nor clearly up, below and above the capacity, and what as many trials as a cell has can tell.
func TestADR30HoldsItsNumbers(t *testing.T) {
	text, err := os.ReadFile("../../docs/adr/0030-collapse.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(published, "harm-map")
	d, err := loadCells(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	load := map[string]float64{}
	for _, c := range d.cells {
		load[c.Cell.Cell] = c.number("utilization")
	}
	path, err := tablePath(dir, results.Trial{}.TableName())
	if err != nil {
		t.Fatal(err)
	}
	var all, between [2]int // below utilization 1, above
	for b, err := range results.Batches[results.Trial](path) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Rows {
			r := &b.Rows[i]
			side := 0
			if load[r.Cell] > 1 {
				side = 1
			}
			all[side]++
			if r.RequestsBefore == 0 || r.RequestsAfter == 0 || r.SucceededBefore == 0 {
				continue
			}
			kept := float64(r.SucceededAfter) / float64(r.RequestsAfter) / (float64(r.SucceededBefore) / float64(r.RequestsBefore))
			if kept >= 0.2 && kept < 0.8 {
				between[side]++
			}
		}
	}
	trials := (all[0] + all[1]) / len(d.cells)
	least := analysis.Wilson(trials, trials, level).Low
	for _, want := range []string{
		fmt.Sprintf("in all but %d of %s trials", between[0], spaced(all[0])),
		fmt.Sprintf("%s of the map's %s such trials", spaced(between[1]), spaced(all[1])),
		fmt.Sprintf("%d of %d is %.0f-100%%", trials, trials, 100*least),
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the rows say %q, ADR 0030 does not", want)
		}
	}
}

// spaced writes a count of up to six digits with a space between thousands.
func spaced(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d %03d", n/1000, n%1000)
}
