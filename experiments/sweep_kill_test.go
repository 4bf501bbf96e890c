package experiments_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"retrylab/experiments"
	"retrylab/results"
)

const smallSweep = `
name: small
base:
  duration: 2s
  clients: [{arrivals: {rate: 50}, call: {to: A}}]
  services:
    - {name: A, servers: 2, calls: [{to: B}]}
    - {name: B, limit: {max: 10}}
  faults: [{services: [B], from: 500ms, to: 1s}]
strategies: [NR, SR]
trials: 40
tables: [services, windows]
factors:
  - {name: p, path: "faults[0].p", list: [0.2, 0.8]}
  - {name: time_ms, path: services.B.time.mean, suffix: ms, linspace: {from: 1, to: 20, n: 3}}
`

// untilSweep is the same with a number of trials that depends on the rows.
var untilSweep = strings.Replace(smallSweep, "trials: 40", "until: {success: 0.02, min: 5, max: 60}", 1)

func parseSweep(t testing.TB, text string) *experiments.Sweep {
	t.Helper()
	s, err := experiments.ParseSweep("small.yaml", ".", []byte(text), experiments.SweepChanges{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runSweep runs a sweep to its manifest.
func runSweep(t testing.TB, text, dir string, o experiments.SweepOptions) {
	t.Helper()
	o.Version = "test"
	if _, err := parseSweep(t, text).Execute(context.Background(), dir, o); err != nil {
		t.Fatal(err)
	}
}

// filesOf are the contents of all files of a folder, by name.
func filesOf(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		all[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func sameFiles(t testing.TB, what string, want, got map[string][]byte) {
	t.Helper()
	for name := range want {
		if !bytes.Equal(want[name], got[name]) {
			t.Errorf("%s: %s differs (%d bytes, %d wanted)", what, name, len(got[name]), len(want[name]))
		}
	}
	for name := range got {
		if want[name] == nil {
			t.Errorf("%s: %s should not be there", what, name)
		}
	}
}

// TestSweepChild is the process that the kill test kills: it runs the sweep named by the environment.
func TestSweepChild(t *testing.T) {
	dir := os.Getenv("RETRYLAB_SWEEP_DIR")
	if dir == "" {
		return // only in the kill test's child
	}
	text := smallSweep
	if os.Getenv("RETRYLAB_SWEEP_UNTIL") != "" {
		text = untilSweep
	}
	fmt.Println("started")
	o := experiments.SweepOptions{Workers: 2, Interval: time.Millisecond, Progress: func(done, _ int) { fmt.Println("done", done) }}
	runSweep(t, text, dir, o)
	fmt.Println("finished")
}

// A run that is killed at random points again and again ends in the same bytes as one that is not.
func TestKilledSweepEndsInTheSameBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(20260826, 4))
	for _, mode := range []string{"fixed", "until"} {
		text, environment := smallSweep, ""
		if mode == "until" {
			text, environment = untilSweep, "1"
		}
		whole := t.TempDir()
		runSweep(t, text, whole, experiments.SweepOptions{Workers: 1})
		want := filesOf(t, whole)
		kills, finished, resumed := 0, 0, 0
		var dir string
		for kills < 12 {
			if dir == "" {
				dir = filepath.Join(t.TempDir(), "killed")
			}
			// Kill after a random number of progress lines, and a random time that falls into writing too.
			killed, progress := killAfter(t, dir, environment, 1+rng.IntN(8), time.Duration(rng.IntN(3000))*time.Microsecond)
			if killed {
				kills++
				if progress > 0 {
					resumed++
				}
				continue
			}
			finished++
			sameFiles(t, fmt.Sprintf("%s after %d kills", mode, kills), want, filesOf(t, dir))
			dir = ""
		}
		if dir != "" {
			runSweep(t, text, dir, experiments.SweepOptions{Workers: 2})
			sameFiles(t, fmt.Sprintf("%s after %d kills", mode, kills), want, filesOf(t, dir))
		}
		if resumed == 0 {
			t.Errorf("%s: no kill came after the first trials: nothing was tested", mode)
		}
		t.Logf("%s: %d kills, %d of them after some trials, %d runs finished between", mode, kills, resumed, finished)
	}
}

// killAfter starts the child, kills it after some lines of progress and a delay, and says whether it was killed
// before it ended, and after how many lines.
func killAfter(t *testing.T, dir, until string, lines int, delay time.Duration) (killed bool, progress int) {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^TestSweepChild$")
	c.Env = append(os.Environ(), "RETRYLAB_SWEEP_DIR="+dir, "RETRYLAB_SWEEP_UNTIL="+until)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	finished := false
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		switch {
		case strings.HasPrefix(scanner.Text(), "done"):
			if progress++; progress == lines {
				time.Sleep(delay)
				_ = c.Process.Kill() // it may just have ended
			}
		case scanner.Text() == "finished":
			finished = true
		}
	}
	_ = c.Wait() // "signal: killed" is what is wanted
	return !finished, progress
}

// The bytes do not depend on workers, on shards, or on the order in which they are merged.
func TestSweepBytesAreEqualForWorkersAndShards(t *testing.T) {
	for _, text := range []string{smallSweep, untilSweep} {
		whole := t.TempDir()
		runSweep(t, text, whole, experiments.SweepOptions{Workers: 1})
		want := filesOf(t, whole)
		for _, workers := range []int{2, 7} {
			dir := t.TempDir()
			runSweep(t, text, dir, experiments.SweepOptions{Workers: workers, Interval: time.Millisecond})
			sameFiles(t, fmt.Sprintf("%d workers", workers), want, filesOf(t, dir))
		}
		var parts []string
		for _, i := range []int{3, 1, 4, 2} {
			part := t.TempDir()
			runSweep(t, text, part, experiments.SweepOptions{Workers: 2, Shard: experiments.Shard{Index: i, Count: 4}})
			parts = append(parts, part)
		}
		merged := t.TempDir()
		m, err := experiments.MergeSweep(parts, merged)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Write(merged); err != nil {
			t.Fatal(err)
		}
		sameFiles(t, "merged shards", want, filesOf(t, merged))
		if _, err := experiments.MergeSweep(parts[:3], t.TempDir()); err == nil || !strings.Contains(err.Error(), "shard 2/4 is missing") {
			t.Errorf("a merge with a hole: %v", err)
		}
		if _, err := experiments.MergeSweep(append(parts, parts[0]), t.TempDir()); err == nil || !strings.Contains(err.Error(), "are both shard 3/4") {
			t.Errorf("a merge with an overlap: %v", err)
		}
	}
}

// An interrupted sweep keeps what is finished, and the same command goes on; another sweep is refused and
// touches nothing.
func TestInterruptedSweepGoesOn(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := experiments.SweepOptions{Version: "test", Workers: 2, Progress: func(done, _ int) {
		if done > 100 {
			cancel()
		}
	}}
	if _, err := parseSweep(t, smallSweep).Execute(ctx, dir, o); !errors.Is(err, experiments.ErrInterrupted) {
		t.Fatalf("interrupted: %v", err)
	}
	kept := filesOf(t, dir)
	other := parseSweep(t, strings.Replace(smallSweep, "rate: 50", "rate: 51", 1))
	if _, err := other.Execute(context.Background(), dir, experiments.SweepOptions{Version: "test"}); !errors.Is(err, experiments.ErrOtherSweep) {
		t.Errorf("another sweep in the folder: %v", err)
	}
	sameFiles(t, "after a refusal", kept, filesOf(t, dir))
	first := 0
	o.Progress = func(done, _ int) {
		if first == 0 {
			first = done
		}
	}
	runSweep(t, smallSweep, dir, o)
	if first <= 100 {
		t.Errorf("the second run began at trial %d, expected after 100", first)
	}
	whole := t.TempDir()
	runSweep(t, smallSweep, whole, experiments.SweepOptions{})
	sameFiles(t, "gone on", filesOf(t, whole), filesOf(t, dir))
}

// Two processes, or two runs in one, do not write the same checkpoint: the others wait, and then find the work done.
// Each begins at another moment of the first, some while it publishes and takes its checkpoint away.
func TestOtherRunsWaitForTheFirst(t *testing.T) {
	whole := t.TempDir()
	runSweep(t, smallSweep, whole, experiments.SweepOptions{})
	want := filesOf(t, whole)
	for round := range 8 {
		dir := t.TempDir()
		var group errgroup.Group
		for k := range 4 {
			group.Go(func() error {
				time.Sleep(time.Duration(k*(5+7*round)) * time.Millisecond)
				s, err := experiments.ParseSweep("small.yaml", ".", []byte(smallSweep), experiments.SweepChanges{})
				if err != nil {
					return err
				}
				_, err = s.Execute(t.Context(), dir, experiments.SweepOptions{Version: "test", Workers: 1})
				return err
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		sameFiles(t, fmt.Sprint("four runs, round ", round), want, filesOf(t, dir))
	}
}

// Whoever waited for the run of another sweep finds its results there, and leaves them.
func TestAnotherSweepThatWaitedReplacesNothing(t *testing.T) {
	dir, alone := t.TempDir(), t.TempDir()
	other := parseSweep(t, strings.Replace(smallSweep, "rate: 50", "rate: 51", 1))
	refused := make(chan error, 1)
	var once sync.Once
	runSweep(t, smallSweep, dir, experiments.SweepOptions{Workers: 1, Progress: func(int, int) {
		once.Do(func() {
			go func() {
				_, err := other.Execute(t.Context(), dir, experiments.SweepOptions{Version: "test"})
				refused <- err
			}()
			time.Sleep(100 * time.Millisecond) // it gets as far as the lock; if not, it is refused before
		})
	}})
	if err := <-refused; !errors.Is(err, experiments.ErrOtherSweep) {
		t.Errorf("the other sweep: %v", err)
	}
	runSweep(t, smallSweep, alone, experiments.SweepOptions{})
	sameFiles(t, "after a refusal", filesOf(t, alone), filesOf(t, dir))
}

// A write that fails costs nothing that was finished.
func TestUnwritableSweepKeepsWhatIsFinished(t *testing.T) {
	dir := t.TempDir()
	o := experiments.SweepOptions{Version: "test", Workers: 1, Interval: time.Millisecond}
	// Take the folder away while the sweep runs: from then on no segment can be written.
	o.Progress = func(n, _ int) {
		if n > 60 {
			_ = os.Rename(filepath.Join(dir, ".checkpoint"), filepath.Join(dir, "away"))
		}
	}
	if _, err := parseSweep(t, smallSweep).Execute(context.Background(), dir, o); err == nil {
		t.Fatal("no error")
	}
	if err := os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, ".checkpoint")); err != nil {
		t.Fatal(err)
	}
	first := -1
	o.Progress = func(n, _ int) {
		if first < 0 {
			first = n
		}
	}
	runSweep(t, smallSweep, dir, o)
	if first < 40 {
		t.Errorf("the second run began at trial %d: what was finished is lost", first)
	}
	whole := t.TempDir()
	runSweep(t, smallSweep, whole, experiments.SweepOptions{})
	sameFiles(t, "after a failed write", filesOf(t, whole), filesOf(t, dir))
}

// Cells' ids and rows do not depend on the order in which factors and levels stand.
func TestSweepIDsDoNotDependOnOrder(t *testing.T) {
	turned := strings.Replace(smallSweep, "list: [0.2, 0.8]", "list: [0.8, 0.2]", 1)
	i := strings.Index(turned, "  - {name: p,")
	j := strings.Index(turned, "  - {name: time_ms")
	turned = turned[:i] + turned[j:] + turned[i:j]
	want, got := map[string]string{}, map[string]string{}
	for _, c := range parseSweep(t, smallSweep).Cells {
		want[c.ID()] = c.SHA256
	}
	for _, c := range parseSweep(t, turned).Cells {
		got[c.ID()] = c.SHA256
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		t.Errorf("ids and hashes\n%v\nin another order\n%v", want, got)
	}
	if want["small/model/SR/p=0.2,time_ms=10.5"] == "" {
		t.Errorf("ids are %v", want)
	}
}

// The rows of a sweep can be read by a table's own reader, factors and all.
func TestSweepTablesHoldTheFactors(t *testing.T) {
	dir := t.TempDir()
	runSweep(t, smallSweep, dir, experiments.SweepOptions{})
	b, err := results.ReadExtra[results.Trial](filepath.Join(dir, "data/trials/experiment=small/part-0.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Rows) != 480 || len(b.Extra) != 2 || b.Extra[0].Name != "p" || b.Extra[1].Unit != "ms" {
		t.Fatalf("%d rows, extra columns %v", len(b.Rows), b.Extra)
	}
	for i, r := range b.Rows {
		if want := fmt.Sprintf("p=%v,time_ms=%v", b.Extra[0].Floats[i], b.Extra[1].Floats[i]); !strings.HasSuffix(r.Cell, want) {
			t.Fatalf("row %d of cell %s has %s", i, r.Cell, want)
		}
	}
}

func readTrials(t testing.TB, dir string) []results.Trial { return readTable[results.Trial](t, dir) }

func readWindows(t testing.TB, dir string) []results.Window { return readTable[results.Window](t, dir) }

func readTable[T results.Row](t testing.TB, dir string) []T {
	t.Helper()
	var row T
	found, err := filepath.Glob(filepath.Join(dir, "data", row.TableName(), "*", "*.parquet"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d files of table %s, %v", len(found), row.TableName(), err)
	}
	rows, err := results.Read[T](found[0])
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Trials that another build of the program has run are not mixed with this one's, and stay as they are.
func TestAnotherBuildDoesNotGoOn(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	o := experiments.SweepOptions{Version: "test", Workers: 1, Progress: func(int, int) { stop() }}
	if _, err := parseSweep(t, smallSweep).Execute(ctx, dir, o); !errors.Is(err, experiments.ErrInterrupted) {
		t.Fatal(err)
	}
	path := filepath.Join(dir, ".checkpoint", "sweep.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var id map[string]string
	if err := json.Unmarshal(text, &id); err != nil {
		t.Fatal(err)
	}
	if len(id["program"]) != 64 {
		t.Fatalf("program %q", id["program"])
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte(id["program"][:8]), []byte("00000000"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	before := filesOf(t, dir)
	o.Progress = nil
	if _, err := parseSweep(t, smallSweep).Execute(t.Context(), dir, o); !errors.Is(err, experiments.ErrOtherSweep) || !strings.Contains(err.Error(), "another build of the program") {
		t.Errorf("another build: %v", err)
	}
	sameFiles(t, "after another build", before, filesOf(t, dir))
}
