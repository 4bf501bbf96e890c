// Package canary has no code of its own: its test plants bugs in the simulator and sees that the
// suite catches each, by the test that is there for it and by no other one named here.
package canary

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the module's folder.
const root = "../.."

// bug is one wrong line, and the test that must fail because of it.
type bug struct {
	name     string
	file     string
	old, new string // old occurs once in the file
	caught   string
}

var bugs = []bug{
	{"timers due at the same time come out last in, first out", "engine/wheel.go",
		"w.timers[*p].due <= due", "w.timers[*p].due < due", "TestWheelAgainstSortedSlice"},
	{"far timers forget their order of insertion", "engine/agenda.go",
		"return a.seq < b.seq", "return a.seq > b.seq", "TestAgendaAgainstSortedSlice"},
	{"keys are derived by adding", "engine/rng/stream.go",
		"k = Sub(k, w)", "k += golden * (w + 1)", "TestNoSharedDraws"},
	{"purpose and entity are added", "engine/sim.go",
		"rng.Sub(rng.Sub(s.trial, purpose), uint64(entity))", "rng.Sub(s.trial, purpose+uint64(entity))", "TestStreamsOfATrialDiffer"},
	{"a policy draws from the service's stream", "engine/calls.go",
		"Coin: e.coin.Float64()", "Coin: s.stations[e.callee].random.Float64()", "TestCommonRandomNumbers"},
	{"a deadline fires before an answer of the same time", "engine/giveup.go",
		"due := s.now + l.duration\n", "due := s.now + l.duration\n\tif l.deadline {\n\t\tdue--\n\t}\n", "TestReplyWinsTie"},
	{"cancelled work goes on", "engine/giveup.go",
		"	if cancel {", "	if cancel && h == 0 {", "TestTimeoutCancels"},
	{"jitter only shortens", "policy/backoff.go",
		"return 1 - b.JitterFraction, 2 * b.JitterFraction, true", "return 1 - b.JitterFraction, b.JitterFraction, true", "TestJitter"},
	{"one more is admitted than the limit", "engine/station.go",
		"inside >= st.limit", "inside > st.limit", "TestLimit"},
	{"an attempt that wakes from backoff needs no worker", "engine/calls.go",
		"st.hold && !f.holds", "st.hold && !f.holds && h == 0", "TestWorkerInBackoff"},
	{"correlated coins are tossed by attempt", "engine/fault.go",
		"rng.At(f.shared, 2*uint64(request)+1)", "rng.At(f.shared, coin)", "TestCorrelatedRetries"},
	{"the warm-up's end restarts the failure coins", "engine/window.go",
		"st.tossed += uint64(st.Served)", "st.tossed += 0", "TestWarmupObservesOnly"},
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (Test\w+)`)

// TestEveryPlantedBugIsCaught runs all the named tests once for each bug.
func TestEveryPlantedBugIsCaught(t *testing.T) {
	watchSources(t)
	var names []string
	for _, b := range bugs {
		names = append(names, b.caught)
	}
	only := "^(" + strings.Join(names, "|") + ")$"
	t.Run("no bug", func(t *testing.T) {
		t.Parallel()
		if caught := run(t, only, nil); len(caught) != 0 {
			t.Errorf("without a bug these fail: %v", caught)
		}
	})
	for _, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			if caught := run(t, only, &b); !slices.Equal(caught, []string{b.caught}) {
				t.Errorf("caught by %v, expected %s alone", caught, b.caught)
			}
		})
	}
}

// run runs the named tests with a bug and gives those that fail.
func run(t *testing.T, only string, b *bug) []string {
	args := []string{"test", "-vet=off", "-ldflags=-s -w", "-v", "-run", only}
	if b != nil {
		args = append(args, "-overlay", overlay(t, b))
	}
	out, err := exec.Command("go", append(args, "retrylab/engine", "retrylab/engine/rng")...).CombinedOutput()
	var caught []string
	for _, m := range failed.FindAllSubmatch(out, -1) {
		caught = append(caught, string(m[1]))
	}
	if (err != nil) != (len(caught) > 0) {
		t.Fatalf("%v:\n%s", err, out)
	}
	return caught
}

// overlay writes a wrong copy of a file, and the list that tells the go command to use it.
func overlay(t *testing.T, b *bug) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, b.file))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), b.old); n != 1 {
		t.Fatalf("%s has %d times %q, expected once: plant the bug in what is there now", b.file, n, b.old)
	}
	wrong, list := filepath.Join(t.TempDir(), "wrong.go"), filepath.Join(t.TempDir(), "overlay.json")
	write(t, wrong, strings.Replace(string(source), b.old, b.new, 1))
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{path: wrong}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, list, string(text))
	return list
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// watchSources reads the files of the tested packages, so that a stored result of this test is not used after one changed.
func watchSources(t *testing.T) {
	t.Helper()
	for _, folder := range []string{"engine", "engine/rng", "engine/dist", "policy"} {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(fmt.Sprint("no files in ", folder, ": "), err)
		}
		for _, f := range files {
			if _, err := os.ReadFile(f); err != nil {
				t.Fatal(err)
			}
		}
	}
}
