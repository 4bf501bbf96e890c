package main

import (
	"context"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"retrylab/experiments"
	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/results"
)

// checkCells holds every cell of Tables III and IV against the authors' own run.
func checkCells(t *testing.T, trials []results.Trial, successPP, raf float64) {
	t.Helper()
	cells := map[[2]string][]results.Trial{}
	for _, row := range trials {
		if row.Model == "reference" {
			cells[[2]string{row.Strategy, row.Scenario}] = append(cells[[2]string{row.Strategy, row.Scenario}], row)
		}
	}
	for _, strategy := range []string{"NR", "SR", "CB", "ARB"} {
		for _, scenario := range []string{"S1", "S2", "S3"} {
			rows := cells[[2]string{strategy, scenario}]
			want, ok := facts.Authors(strategy, scenario)
			if !ok || len(rows) == 0 {
				t.Fatalf("%s %s: %d trials, authors' cell known: %v", strategy, scenario, len(rows), ok)
			}
			success := measure.SuccessPerAttempt.Over(rows, 100).Estimate
			if d := success - want.SuccessPct; math.Abs(d) > successPP {
				t.Errorf("%s %s: success per attempt %.3f%%, authors %.3f%%", strategy, scenario, success, want.SuccessPct)
			}
			if got := measure.RAF.Over(rows, 1).Estimate; math.Abs(got-want.RAF) > raf {
				t.Errorf("%s %s: RAF %.4f, authors %.4f", strategy, scenario, got, want.RAF)
			}
		}
	}
}

// TestPublishedCells: the published run agrees with the authors' in all 24 cells.
func TestPublishedCells(t *testing.T) {
	trials, err := results.Read[results.Trial](filepath.Join("..", "..", "results", "paper", "data", "trials.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	checkCells(t, trials, 0.25, 0.003)
}

// TestPublishedReports: tables, figures and pages of all published results are what the program makes of their rows, to the
// byte on the processor that made them.
func TestPublishedReports(t *testing.T) {
	dirs, err := filepath.Glob("../../results/sweeps/*")
	if err != nil || len(dirs) != len(experiments.Sweeps()) {
		t.Fatalf("%d published sweeps, want %d (%v)", len(dirs), len(experiments.Sweeps()), err)
	}
	for _, dir := range append(dirs, "../../results/paper") {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			m, err := results.ReadManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			r := expect(t, exitOK, "verify", dir)
			if runtime.GOARCH == m.GOARCH && !strings.Contains(r.stdout, "tables, figures and report as the rows give them") {
				t.Error(r.stderr)
			}
		})
	}
}

// TestAnySeed: so do runs with other seeds, with room for their fewer trials.
func TestAnySeed(t *testing.T) {
	set, err := experiments.Paper()
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range []uint64{1, 2, 3} {
		var trials []results.Trial
		err := experiments.Runner{Seed: seed, Trials: 40}.Run(context.Background(), set.Cells, func(r *experiments.Rows) error {
			trials = append(trials, r.Trial)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		checkCells(t, trials, 0.35, 0.006)
	}
}
