package experiments_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrylab/engine"
	"retrylab/experiments"
	"retrylab/results"
)

// brief is a small experiment: two models' worth of cells, short trials, with faults and retries.
func brief(t *testing.T) *experiments.Set {
	t.Helper()
	s := &experiments.Set{Name: "brief", Trials: 7, Seed: 11, Windows: 3}
	set := []experiments.Setting{{"duration", "6s"}}
	if err := s.Add([]string{"reference"}, []string{"S1", "S3"}, []string{"NR", "SR", "ARB"}, set); err != nil {
		t.Fatal(err)
	}
	return s
}

func runner(s *experiments.Set) experiments.Runner {
	return experiments.Runner{Seed: s.Seed, Trials: s.Trials, Windows: s.Windows, Workers: 2}
}

// execute runs a set into a new folder and writes the manifest.
func execute(t *testing.T, s *experiments.Set, r experiments.Runner) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	m, err := s.Execute(context.Background(), dir, "test", r)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// contents is every file of a folder by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func sameContents(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	if len(want) != len(got) || len(want) == 0 {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s differs", what, name)
		}
	}
}

// The same bytes for any number of workers, for a second run, and for shards merged in any order.
func TestBytesDoNotDependOnWorkersOrShards(t *testing.T) {
	s := brief(t)
	r := runner(s)
	want := contents(t, execute(t, s, r))
	sameContents(t, "second run", want, contents(t, execute(t, brief(t), r)))
	for _, workers := range []int{1, 7} {
		r.Workers = workers
		sameContents(t, "other workers", want, contents(t, execute(t, s, r)))
	}
	for _, count := range []int{1, 4, 9} { // 9 shards of 7 trials: some are empty
		var dirs []string
		for i := count; i >= 1; i-- {
			r.Shard = experiments.Shard{Index: i, Count: count}
			dirs = append(dirs, execute(t, s, r))
		}
		out := filepath.Join(t.TempDir(), "merged")
		m, err := experiments.Merge(dirs, out)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Write(out); err != nil {
			t.Fatal(err)
		}
		sameContents(t, "merged shards", want, contents(t, out))
	}
	other := r
	other.Shard, other.Seed = experiments.Shard{}, 12
	if contents(t, execute(t, s, other))["data/trials.parquet"] == want["data/trials.parquet"] {
		t.Error("another seed gives the same rows")
	}
}

// The same trials of strategies face the same world: requests arrive alike.
func TestStrategiesShareTheirArrivals(t *testing.T) {
	s := brief(t)
	requests := map[string][]int64{}
	err := runner(s).Run(context.Background(), s.Cells, func(r *experiments.Rows) error {
		requests[r.Cell.Scenario+r.Cell.Strategy] = append(requests[r.Cell.Scenario+r.Cell.Strategy], r.Trial.Requests)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	equal := func(a, b string) bool {
		for i := range requests[a] {
			if requests[a][i] != requests[b][i] {
				return false
			}
		}
		return true
	}
	if !equal("S1NR", "S1SR") || !equal("S1NR", "S1ARB") || !equal("S3NR", "S3SR") {
		t.Error("strategies of one scenario face other arrivals")
	}
	if equal("S1NR", "S3NR") {
		t.Error("scenarios share their arrivals")
	}
}

// Rows come in order, with no trial twice or missing, and conserve requests and attempts.
func TestRowsInOrderAndConserved(t *testing.T) {
	s := brief(t)
	r := runner(s)
	r.Workers = 5
	r.Shard = experiments.Shard{Index: 2, Count: 3}
	i := 0
	err := r.Run(context.Background(), s.Cells, func(rows *experiments.Rows) error {
		row := &rows.Trial
		if rows.Cell != s.Cells[i/2] || row.Trial != int64(2+i%2) {
			t.Errorf("row %d is trial %d of %s", i, row.Trial, rows.Cell.ID())
		}
		i++
		ended := row.RequestsSucceeded + row.RequestsFailed + row.RequestsTimedOut + row.RequestsRejected + row.RequestsBlocked
		if row.Requests != ended+row.RequestsUnfinished || row.RequestsUnfinished < 0 {
			t.Errorf("%+v: requests are lost", row)
		}
		if row.AttemptsEnded != row.AttemptsSucceeded+row.AttemptsFailed+row.AttemptsTimedOut+row.AttemptsRejected || row.AttemptsSent < row.AttemptsEnded {
			t.Errorf("%+v: attempts are lost", row)
		}
		if row.Requests != row.RequestsBefore+row.RequestsDuring+row.RequestsAfter {
			t.Errorf("%+v: phases do not add up", row)
		}
		var all, busy int64
		for _, v := range rows.Services {
			all += v.Attempts
			busy += v.BusyNs
		}
		if all != row.AttemptsAllServices || rows.Services[0].Attempts != row.AttemptsSent || busy < row.WorkNs {
			t.Errorf("%+v: services do not add up", row)
		}
		if len(rows.Edges) != 5 || rows.Edges[0].Edge != "client>API" || rows.Edges[0].Attempts != row.AttemptsSent || rows.Edges[0].Policy == "" {
			t.Errorf("edges %+v", rows.Edges)
		}
		checkWindows(t, rows)
		return nil
	})
	if err != nil || i != 2*len(s.Cells) {
		t.Errorf("%d rows, %v", i, err)
	}
}

func checkWindows(t *testing.T, rows *experiments.Rows) {
	t.Helper()
	if rows.Trial.Trial >= 3 {
		if len(rows.Windows) != 0 {
			t.Errorf("trial %d has windows", rows.Trial.Trial)
		}
		return
	}
	var succeeded, attempts int64
	for _, w := range rows.Windows {
		if w.IsClient {
			succeeded += w.Succeeded
		} else if w.Station == "API" {
			attempts += w.Attempts
		}
		if w.IsClient != (w.Station == "client") || w.IsClient != (w.Servers == 0) {
			t.Errorf("station %+v", w)
		}
	}
	if len(rows.Windows) != 6*6 || succeeded != rows.Trial.RequestsSucceeded || attempts != rows.Services[0].Attempts {
		t.Errorf("%d windows, %d successes, %d attempts", len(rows.Windows), succeeded, attempts)
	}
}

func TestInterruptFinishesWhatRuns(t *testing.T) {
	s := brief(t)
	s.Trials = 1000
	r := runner(s)
	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	total := 0
	r.Progress = func(done, of int) { total = of }
	err := r.Run(ctx, s.Cells, func(*experiments.Rows) error {
		if seen++; seen == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, experiments.ErrInterrupted) || seen < 3 || seen > s.Trials*len(s.Cells)/2 || total != s.Trials*len(s.Cells) {
		t.Errorf("%d rows of %d, %v", seen, total, err)
	}
	dir := filepath.Join(t.TempDir(), "a", "b")
	if _, err := s.Execute(ctx, dir, "test", r); !errors.Is(err, experiments.ErrInterrupted) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("an interrupted run leaves a folder")
	}
}

func TestSinkErrorStopsTheRun(t *testing.T) {
	s := brief(t)
	full := errors.New("disk full")
	calls := 0
	err := runner(s).Run(context.Background(), s.Cells, func(*experiments.Rows) error { calls++; return full })
	if !errors.Is(err, full) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// A broken invariant in a worker is an error that names the trial, not a crash: the first such trial in order, with all
// cells before it handed over, whichever worker came upon one first.
func TestPanicNamesTheTrial(t *testing.T) {
	s := brief(t)
	for _, c := range s.Cells[1:] {
		c.Program = nil // which no composed cell has
	}
	r := runner(s)
	r.Workers = 8
	for range 20 {
		seen := 0
		err := r.Run(context.Background(), s.Cells, func(*experiments.Rows) error { seen++; return nil })
		if err == nil || !strings.Contains(err.Error(), "cell "+s.Cells[1].ID()+", trial 0, seed 11") || seen != s.Trials {
			t.Fatalf("%d rows, got %v", seen, err)
		}
	}
}

func TestUnusableFolders(t *testing.T) {
	s := brief(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Execute(context.Background(), filepath.Join(file, "out"), "test", runner(s)); err == nil {
		t.Error("a folder below a file is accepted")
	}
}

func TestShards(t *testing.T) {
	for _, trials := range []int{0, 1, 7, 100, 101} {
		for _, count := range []int{1, 3, 8} {
			next := 0
			for i := 1; i <= count; i++ {
				from, to := experiments.Shard{Index: i, Count: count}.Range(trials)
				if from != next || to < from || to-from > trials/count+1 {
					t.Errorf("shard %d/%d of %d: %d to %d", i, count, trials, from, to)
				}
				next = to
			}
			if next != trials {
				t.Errorf("%d shards end at %d of %d", count, next, trials)
			}
		}
	}
	for _, bad := range []string{"1", "0/4", "5/4", "a/b", "1/0", "-1/4", "1/4/5"} {
		if s, err := experiments.ParseShard(bad); err == nil {
			t.Errorf("%q is %v", bad, s)
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	s := brief(t)
	s.Cells = s.Cells[:2]
	shard := func(i, n int, change func(*experiments.Runner)) string {
		r := runner(s)
		r.Shard = experiments.Shard{Index: i, Count: n}
		change(&r)
		return execute(t, s, r)
	}
	keep := func(*experiments.Runner) {}
	a, b, c := shard(1, 3, keep), shard(2, 3, keep), shard(3, 3, keep)
	for _, tc := range []struct {
		name string
		dirs []string
		want []string
	}{
		{"holes", []string{b}, []string{"shard 1/3 is missing", "shard 3/3 is missing"}},
		{"twice", []string{a, b, c, shard(2, 3, keep)}, []string{"are both shard 2/3"}},
		{"other seed", []string{a, b, shard(3, 3, func(r *experiments.Runner) { r.Seed++ })}, []string{"disagree: seed 11 and 12"}},
		{"other trials", []string{a, b, shard(3, 3, func(r *experiments.Runner) { r.Trials++ })}, []string{"disagree: parameter trials: 7 and 8"}},
		{"other count", []string{a, b, shard(3, 4, keep)}, []string{"disagree: number of shards 3 and 4"}},
		{"whole run", []string{execute(t, s, runner(s))}, []string{"is not a shard"}},
		{"nothing", nil, []string{"no shard is given"}},
		{"no results", []string{t.TempDir()}, []string{"manifest.json"}},
	} {
		out := filepath.Join(t.TempDir(), "merged")
		_, err := experiments.Merge(tc.dirs, out)
		for _, want := range tc.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", tc.name, err, want)
			}
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: leaves a folder", tc.name)
		}
	}
	if err := os.Truncate(filepath.Join(b, "data", "trials.parquet"), 500); err != nil {
		t.Fatal(err)
	}
	if _, err := experiments.Merge([]string{a, b, c}, filepath.Join(t.TempDir(), "m")); err == nil || !strings.Contains(err.Error(), "trials.parquet") {
		t.Errorf("a damaged shard: %v", err)
	}
}

func TestReplayGivesTheSameRows(t *testing.T) {
	s := brief(t)
	dir := execute(t, s, runner(s))
	for _, id := range []string{s.Cells[1].ID() + ":2", s.Cells[5].ID() + ":6"} {
		events := 0
		got, err := experiments.Replay(dir, id, func(p *engine.Program, e engine.TraceEvent) {
			if events++; p.Edges()[e.Edge] == "" {
				t.Error("an event on no edge")
			}
		})
		if err != nil || len(got.Differences) > 0 || events == 0 {
			t.Errorf("%s: %v, %v, %d events", id, err, got, events)
		}
	}
	for id, want := range map[string]string{
		"x": "expected CELL:NUMBER", s.Cells[0].ID() + ":99": "has no trial 99", s.Cells[0].ID() + "x:1": "no cell of this name, did you mean",
	} {
		if _, err := experiments.Replay(dir, id, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", id, err, want)
		}
	}
}

// A stored row that was tampered with is reported column by column.
func TestReplayReportsDifferences(t *testing.T) {
	s := brief(t)
	dir := execute(t, s, runner(s))
	path := filepath.Join(dir, "data", "trials.parquet")
	rows, err := results.Read[results.Trial](path)
	if err != nil {
		t.Fatal(err)
	}
	rows[0].RequestsFailed++
	if _, err := results.WriteTable(path, rows); err != nil {
		t.Fatal(err)
	}
	got, err := experiments.Replay(dir, rows[0].Cell+":0", nil)
	if err != nil || len(got.Differences) != 1 || !strings.HasPrefix(got.Differences[0], "trials: requests_failed: ") {
		t.Errorf("%v, %v", got, err)
	}
}
