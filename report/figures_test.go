package report_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"testing"

	"retrylab/report"
	"retrylab/results"
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

// The names below the small panels tell the services apart and have room: whole where they fit, cut at the end that they share
// with another, and not below every dot where there are many.
func TestNamesOfServicesTellThemApart(t *testing.T) {
	numbered := func(n int) (names []string) {
		for i := range n {
			names = append(names, fmt.Sprintf("S%d", i+1))
		}
		return names
	}
	for _, c := range []struct{ tiers, labels []string }{
		{[]string{"front", "store"}, []string{"front", "store"}},
		{[]string{"API", "Auth", "Catalog", "Inventory", "Database"}, []string{"API", "Auth", "Cat.", "Inv.", "Dat."}},
		{[]string{"gateway", "payments", "payroll", "service-1", "service-2"}, []string{"gat.", ".nts", ".oll", ".e-1", ".e-2"}},
		{numbered(12), []string{"S1", "S4", "S7", "S10"}},
	} {
		r := makeRun("reference")
		var rows []results.Window
		for i := range r.windows {
			if w := r.windows[i]; w.Station == "client" {
				rows = append(rows, w)
				for _, tier := range c.tiers {
					w.Station, w.IsClient, w.Servers, w.BusyNs = tier, false, 10, 5e9
					rows = append(rows, w)
				}
			}
		}
		r.windows = rows
		svg := contents(t, written(t, r, report.Options{}), "figures/utilization.svg")
		var labels []string
		for _, text := range regexp.MustCompile(`>([^<>]+)</text>`).FindAllStringSubmatch(svg, -1) {
			if slices.Contains(c.labels, text[1]) && !slices.Contains(labels, text[1]) {
				labels = append(labels, text[1])
			} else if slices.Contains(c.tiers, text[1]) && !slices.Contains(c.labels, text[1]) {
				t.Errorf("%v: %s has a label, want only %v", c.tiers, text[1], c.labels)
			}
		}
		if !slices.Equal(labels, c.labels) {
			t.Errorf("%v: labels %v, want %v", c.tiers, labels, c.labels)
		}
	}
}
