package report_test

import (
	"math"
	"testing"

	"retrylab/report"
)

// columns of a figure's data
const (
	quantityColumn = iota
	unitColumn
	panelColumn
	seriesColumn
	xColumn
	valueColumn
	loColumn
	hiColumn
)

// point finds the value of a figure's data.
func point(t *testing.T, records [][]string, quantity, panel, series, x string) []string {
	t.Helper()
	for _, r := range records {
		if r[quantityColumn] == quantity && r[panelColumn] == panel && r[seriesColumn] == series && r[xColumn] == x {
			return r
		}
	}
	t.Fatalf("no point %s %s %s %s", quantity, panel, series, x)
	return nil
}

func TestFigureData(t *testing.T) {
	dir := reference(t)
	// Medians over trials 0 to 5 are at 2.5; the band's ends, by interpolation, at 0.25 and 4.75.
	for _, want := range []struct {
		figure, quantity, panel, series, x string
		value, lo, hi                      float64
	}{
		{"raf-against-p", "raf", "", "n = 3", "0.5", 1.875, 0, 0},
		{"raf-against-p", "raf", "", "n = 5", "1", 6, 0, 0},
		{"raf-against-depth", "raf", "", "eq. 3, p = 0.5", "3", 6.591796875, 0, 0},
		{"raf-against-depth", "raf", "", "exact, only the last tier fails, p = 0.5", "2", 1.999969482, 0, 0},
		{"success", "success", "S3", "paper, per attempt", "SR", 41.5, 41.4, 41.6},
		{"success", "success", "S1", "authors' run, per attempt", "CB", 71.37, 71.273, 71.467},
		{"raf", "raf_difference", "S2", "ours", "SR", 0, 0, 0},
		{"load-over-time", "attempt_load", "S2", "ARB", "2.5", 500, 500, 500},
		{"load-over-time", "attempt_load", "S2", "ARB", "3.5", 602.5, 600.25, 604.75},
		{"load-over-time", "goodput", "S1", "NR", "0.5", 397.5, 395.25, 399.75},
		{"load-over-time", "queue", "S3", "SR", "4", 39, 39, 39},
		{"policy-over-time", "budget", "S1", "ARB: budget B", "3.5", 0.25, 0.25, 0.25},
		{"policy-over-time", "failure_rate", "S1", "ARB: failure rate f", "9.5", 0.1, 0.1, 0.1},
		{"policy-over-time", "breaker_open", "S1", "CB: breaker not closed", "3.5", 0.5, 0, 1},
		{"utilization", "utilization", "S1 NR", "before the fault", "API", 100, 100, 100},
		{"utilization", "utilization", "S3 ARB", "after the fault", "Catalog", 25, 25, 25},
	} {
		got := point(t, readCSV(t, dir, "figures/"+want.figure+".csv"), want.quantity, want.panel, want.series, want.x)
		if v := number(t, got[valueColumn]); math.Abs(v-want.value) > 1e-6 {
			t.Errorf("%+v: value %v", want, v)
		}
		if want.lo == want.hi && want.lo == 0 {
			continue
		}
		if lo, hi := number(t, got[loColumn]), number(t, got[hiColumn]); math.Abs(lo-want.lo) > 1e-6 || math.Abs(hi-want.hi) > 1e-6 {
			t.Errorf("%+v: interval %v to %v", want, lo, hi)
		}
	}
}

// The fault lasts from 3 s to 7 s: windows 3 to 6 are during it, and each other window is before or after.
func TestPhasesOfUtilization(t *testing.T) {
	r := makeRun("reference")
	for i := range r.windows {
		w := &r.windows[i]
		switch {
		case w.Station != "API":
		case w.Window < 3:
			w.BusyNs = 1e9
		case w.Window < 7:
			w.BusyNs = 2e9
		default:
			w.BusyNs = 3e9
		}
	}
	records := readCSV(t, written(t, r, report.Options{}), "figures/utilization.csv")
	for series, want := range map[string]float64{"before the fault": 10, "during the fault": 20, "after the fault": 30} {
		if got := number(t, point(t, records, "utilization", "S2 CB", series, "API")[valueColumn]); got != want {
			t.Errorf("%s: %v%%, want %v%%", series, got, want)
		}
	}
}

func TestWithoutFaults(t *testing.T) {
	r := makeRun("mine")
	for i := range r.cells {
		r.cells[i].FaultFromNs, r.cells[i].FaultToNs = -1, -1
	}
	dir := written(t, r, report.Options{})
	if got := point(t, readCSV(t, dir, "figures/utilization.csv"), "utilization", "S1 NR", "whole trial", "API"); got[valueColumn] != "100" {
		t.Errorf("got %v", got)
	}
	if got := row(t, readCSV(t, dir, "tables/cells.csv"), "mine"); got[len(got)-1] != "" {
		t.Errorf("nothing can recover without faults: %v", got)
	}
}
