package experiments_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"retrylab/analysis"
	"retrylab/experiments"
	"retrylab/results"
)

// The cases of the field that a sweep can express, run as sweeps: what a user writes gives the known answers. The files
// in testdata/cases name the cases, which engine/testdata/cases.jsonl holds with their sources.

// caseTables runs a sweep and gives its trials and windows by cell.
func caseTables(t *testing.T, name string) (trials map[string][]results.Trial, windows map[string][]results.Window) {
	t.Helper()
	file := filepath.Join("testdata", "cases", name+".yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := experiments.ParseSweep(file, ".", text, experiments.SweepChanges{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := s.Execute(t.Context(), dir, experiments.SweepOptions{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	trials, windows = map[string][]results.Trial{}, map[string][]results.Window{}
	for _, f := range m.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		switch filepath.Base(filepath.Dir(filepath.Dir(path))) {
		case "trials":
			rows, err := results.Read[results.Trial](path)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				trials[r.Cell] = append(trials[r.Cell], r)
			}
		case "windows":
			rows, err := results.Read[results.Window](path)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				windows[r.Cell] = append(windows[r.Cell], r)
			}
		}
	}
	return trials, windows
}

// within checks a value against an answer.
func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.5g, expected %.5g within %.2g", what, got, want, tolerance)
	}
}

// perTrial sums something of the clients' windows from one to before another, for each trial.
func perTrial(windows []results.Window, from, to int64, of func(*results.Window) int64) []float64 {
	var sums []float64
	for i := range windows {
		w := &windows[i]
		for w.Trial >= int64(len(sums)) {
			sums = append(sums, 0)
		}
		if w.IsClient && w.Window >= from && w.Window < to {
			sums[w.Trial] += float64(of(w))
		}
	}
	return sums
}

// hotos-280-300 and hotos-no-retry-control: one retry keeps the server down for good, none lets it drain.
func TestSweepOfHotOSCases(t *testing.T) {
	_, windows := caseTables(t, "hotos")
	succeeded := func(w *results.Window) int64 { return w.Succeeded }
	stuck, free := windows["hotos/model/R1"], windows["hotos/model/NR"]
	if len(stuck) == 0 || len(free) == 0 {
		t.Fatalf("cells %d and %d", len(stuck), len(free))
	}
	within(t, "goodput before", analysis.Mean(perTrial(stuck, 0, 20, succeeded), 0.95).Estimate/20, 280, 0.03*280)
	for trial, n := range perTrial(stuck, 170, 200, succeeded) {
		if n != 0 {
			t.Errorf("trial %d: %v requests succeed in the last 30 s, none should", trial, n)
		}
	}
	offered := analysis.Mean(perTrial(stuck, 170, 200, func(w *results.Window) int64 { return w.Attempts }), 0.95)
	within(t, "attempts at the end", offered.Estimate/30, 560, 0.03*560)
	back := perTrial(free, 170, 200, succeeded)
	slices.Sort(back)
	within(t, "goodput at the end without retries, median trial", back[len(back)/2]/30, 280, 0.03*280)
}

// brooker-n-retries, and the long run of brooker-token-bucket-call-deposit.
func TestSweepOfBrookersCases(t *testing.T) {
	trials, _ := caseTables(t, "brooker")
	sums := func(cell string) (raf, success analysis.Interval) {
		a, s := analysis.NewRatioSums(), analysis.NewRatioSums()
		for i := range trials[cell] {
			r := &trials[cell][i]
			a.Add(float64(r.AttemptsSent), float64(r.Requests))
			s.Add(float64(r.RequestsSucceeded), float64(r.Requests))
		}
		return a.Interval(0.9999), s.Interval(0.9999)
	}
	for _, c := range []struct {
		p            string
		raf, success float64
	}{{"0.01", 1.010101, 0.99999999}, {"0.1", 1.111, 0.9999}, {"0.2", 1.248, 0.9984}, {"0.5", 1.875, 0.9375}, {"0.9", 3.439, 0.3439}} {
		raf, success := sums("brooker/model/R3/p=" + c.p)
		if !raf.Contains(c.raf) {
			t.Errorf("p = %s: RAF %v, expected %v", c.p, raf, c.raf)
		}
		// The last requests of a trial may still be open, which counts as not succeeded.
		within(t, "success at p = "+c.p, success.Estimate, c.success, success.Half()+1e-4)
	}
	for _, c := range []struct {
		p       string
		success float64
	}{{"0.2", 0.88}, {"0.5", 0.55}, {"0.9", 0.11}} {
		raf, success := sums("brooker/model/budget/p=" + c.p)
		within(t, "RAF of the budget at p = "+c.p, raf.Estimate, 1.1, 0.01)
		within(t, "success of the budget at p = "+c.p, success.Estimate, c.success, 0.01)
	}
}

// k8s-87915-herd: the retries of a thousand clients come at once without jitter; with full jitter over a second the fullest
// of a hundred windows of 10 ms has 16 to 25.
func TestSweepOfTheHerd(t *testing.T) {
	_, windows := caseTables(t, "herd")
	for cell, want := range map[string][2]float64{
		"herd/model/model/jitter=none": {1000, 0},
		"herd/model/model/jitter=full": {20.5, 4.5},
	} {
		peaks, totals := map[int64]float64{}, map[int64]float64{}
		for i := range windows[cell] {
			if w := &windows[cell][i]; w.IsClient {
				retries := float64(w.Attempts - w.First)
				peaks[w.Trial], totals[w.Trial] = max(peaks[w.Trial], retries), totals[w.Trial]+retries
			}
		}
		sum, all := 0.0, 0.0
		for trial := range int64(len(peaks)) {
			sum, all = sum+peaks[trial], all+totals[trial]
		}
		if len(peaks) != 100 || all != 100*1000 {
			t.Fatalf("%s: %d trials with %v retries", cell, len(peaks), all)
		}
		within(t, cell+", mean peak", sum/100, want[0], want[1])
	}
}
