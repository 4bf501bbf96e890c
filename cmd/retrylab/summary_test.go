package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab/experiments"
)

// Windows that are longer than the time after the fault cannot show a recovery: that is said, with the field and the values, and is not
// counted as none.
func TestRecoveryThatCannotBeTold(t *testing.T) {
	// 6 s of arrivals, a fault from 2 s to 3 s.
	for _, c := range []struct{ set, recovered, warning string }{
		{"window=1s", "of 3", ""},
		{"window=2s", "not applicable", "warning: small/model/model/window=2s: window: 2s is too long to tell when the system recovers: between the end of the faults at 3s and the end of duration at 6s are 3s, expected room for 3 whole windows, e.g. window: 750ms"},
		{"window=3s", "not applicable", "between the end of warmup at 0s and the start of the faults at 2s are 2s, expected room for 1 whole window, e.g. window: 1s"},
		{"faults[0].to=0s", "not applicable", ""},   // it lasts to the end: no window is to blame
		{"faults[0].from=0s", "not applicable", ""}, // there is no time before it
	} {
		for _, out := range []string{"", filepath.Join(t.TempDir(), "out")} {
			args := []string{"run", "testdata/small.yaml", "--trials", "3", "--quiet", "--set", c.set}
			if out != "" {
				args = append(args, "--out", out)
			}
			r := expect(t, exitOK, args...)
			if !strings.Contains(r.stdout, c.recovered) || !strings.Contains(r.stderr, c.warning) || (c.warning == "") != (r.stderr == "") {
				t.Errorf("%s: %s%s", c.set, r.stdout, r.stderr)
			}
		}
		if r := expect(t, exitOK, "validate", "testdata/small.yaml", "--set", c.set); !strings.Contains(r.stderr, c.warning) {
			t.Errorf("validate %s: %s", c.set, r.stderr)
		}
	}
	// What the warning proposes does it.
	for _, window := range []string{"750ms", "1s"} {
		if r := expect(t, exitOK, "run", "testdata/small.yaml", "--trials", "1", "--quiet", "--set", "window="+window); strings.Contains(r.stdout, "not applicable") {
			t.Errorf("window %s: %s", window, r.stdout)
		}
	}
	r := expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--set", "window=2s", "--quiet", "--out", filepath.Join(t.TempDir(), "out"))
	if !strings.Contains(r.stderr, "warning: 8 cells, small/model/NR/p=0.2,servers=2 first: window: 2s is too long") {
		t.Errorf("%s", r.stderr)
	}
}

// No cell that the program brings along has such windows.
func TestEmbeddedCellsCanTellRecovery(t *testing.T) {
	paper, err := experiments.Paper()
	if err == nil {
		err = paper.AddClaims()
	}
	if err != nil {
		t.Fatal(err)
	}
	cells := paper.Cells
	for _, name := range experiments.Sweeps() {
		s, err := experiments.LoadSweep(name, experiments.SweepChanges{Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		cells = append(cells, s.Cells...)
	}
	for _, c := range cells {
		if _, warning := c.Recovers(); warning != "" {
			t.Errorf("%s: %s", c.ID(), warning)
		}
	}
}

// What run prints of a cell is what its table of cells says, also where requests are still open at the end of a trial.
func TestPrintedCellsAreThoseOfTheTables(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	r := expect(t, exitOK, "run", "reference", "--scenario", "S1", "--strategy", "SR", "--trials", "3", "--quiet", "--out", out)
	lines := strings.Split(r.stdout, "\n")
	if len(lines) < 2 || !strings.Contains(lines[0], "client RAF") {
		t.Fatalf("%s", r.stdout)
	}
	printed := strings.Fields(lines[1]) // cell, trials, then value +- half-width
	file, err := os.Open(filepath.Join(out, "tables", "cells.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows of cells.csv (%v)", len(rows), err)
	}
	for i, c := range []struct {
		field  string
		digits int
	}{{"success_arrival_pct", 2}, {"success_attempt_pct", 2}, {"raf_client", 4}} {
		column := slices.Index(rows[0], c.field)
		if column < 0 {
			t.Fatalf("cells.csv has no column %s: %v", c.field, rows[0])
		}
		value, err := strconv.ParseFloat(rows[1][column], 64)
		if err != nil {
			t.Fatal(err)
		}
		if want := strconv.FormatFloat(value, 'f', c.digits, 64); printed[2+3*i] != want {
			t.Errorf("%s: run prints %s, cells.csv has %s", c.field, printed[2+3*i], want)
		}
	}
}
