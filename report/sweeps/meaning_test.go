package sweeps

import (
	"math"
	"testing"

	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

// Where a time to recover has no meaning, neither it nor staying down is in the table of cells, and nobody is counted
// as never back: the clients of the sweep jitter fail from 0 s on.
func TestRecoveryIsEmptyWhereItHasNoMeaning(t *testing.T) {
	d := publishedSweep(t, "jitter")
	cells := cellsTable(d)
	for _, row := range cells.Rows {
		for i, name := range cells.Fields {
			switch name {
			case "staying_down", "staying_down_lo", "staying_down_hi", "recovery_s", "recovery_s_lo", "recovery_s_hi":
				if row[i] != table.None {
					t.Errorf("%s is %s", name, row[i].Raw())
				}
			case "collapse":
				if row[i] == table.None {
					t.Errorf("%s is empty", name)
				}
			}
		}
	}
	for _, m := range marginals(d) {
		if m.never != 0 || !math.IsNaN(m.staying.Estimate) {
			t.Errorf("%d points never recover, %v stay down", m.never, m.staying)
		}
	}
	if s := d.cells[0].addRecoveries(figure.Series{}, 0, 1); len(s.X) != 0 {
		t.Errorf("%d trials are drawn", len(s.X))
	}
}

// The rule looks at the warm-up too, which is in the composed model.
func TestTellsRecovery(t *testing.T) {
	row := results.Cell{Cell: "a", WindowNs: 1e9, FaultFromNs: 5e9, FaultToNs: 7e9, DurationNs: 10e9, ModelYAML: "name: a\nduration: 10s\nservices:\n  - warmup: 9s\n"}
	for name, c := range map[string]struct {
		change func(*results.Cell)
		want   bool
	}{
		"room on both sides":    {func(*results.Cell) {}, true},
		"warm-up to the faults": {func(r *results.Cell) { r.ModelYAML += "warmup: 4.5s\n" }, false},
		"short warm-up":         {func(r *results.Cell) { r.ModelYAML += "warmup: 4s\n" }, true},
		"long windows":          {func(r *results.Cell) { r.WindowNs = 2e9 }, false},
		"no faults":             {func(r *results.Cell) { r.FaultFromNs, r.FaultToNs = -1, -1 }, false},
	} {
		r := row
		c.change(&r)
		if got, err := tellsRecovery(&r); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	row.ModelYAML += "warmup: soon\n"
	if _, err := tellsRecovery(&row); err == nil {
		t.Error("a warm-up that is no duration was accepted")
	}
}
