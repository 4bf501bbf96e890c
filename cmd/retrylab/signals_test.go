package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// stopped starts a sweep as a process, waits for a line of its talk, and sends it signals, each after the program has
// answered the one before. It gives all that was said.
func stopped(t *testing.T, args []string, until *regexp.Regexp, signals ...syscall.Signal) result {
	t.Helper()
	c := child(t, nil, os.Args[0], args...)
	pipe, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	lines := bufio.NewReader(pipe)
	for {
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		if len(signals) > 0 && (until.MatchString(line) || strings.HasPrefix(line, "stopping:")) {
			if err := c.Process.Signal(signals[0]); err != nil {
				t.Fatal(err)
			}
			signals, until = signals[1:], regexp.MustCompile(`^$`)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	_ = c.Wait() // the exit code says it
	return result{code: c.ProcessState.ExitCode(), stderr: said.String()}
}

var firstDone = regexp.MustCompile(`: (\d+) of \d+ trials`)

// doneFirst is the number of trials of the first line of progress.
func doneFirst(t *testing.T, text string) int {
	t.Helper()
	m := firstDone.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no progress in %q", text)
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The first signal lets running trials end, writes what is finished, and exits with 75; the same command then goes on and ends in
// the bytes of a run that nobody stopped.
func TestFirstSignalKeepsWhatIsFinished(t *testing.T) {
	tmp := t.TempDir()
	args := []string{"sweep", "testdata/sweep.yaml", "--trials", "2000", "--workers", "2", "--out"}
	whole := filepath.Join(tmp, "whole")
	expect(t, exitOK, append(args, whole, "--quiet")...)
	want := files(t, whole)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		dir := filepath.Join(tmp, strconv.Itoa(int(s)))
		r := stopped(t, append(args, dir), firstDone, s)
		if r.code != exitInterrupted || !strings.Contains(r.stderr, "goes on from there") {
			t.Fatalf("%v: exit code %d, want %d\n%s", s, r.code, exitInterrupted, r.stderr)
		}
		if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err == nil {
			t.Errorf("%v: a stopped sweep has a manifest", s)
		}
		// The checkpoint's own interval, 10 s, has not passed: it is the signal that had it written.
		again := expect(t, exitOK, append(args, dir)...)
		if before, after := doneFirst(t, r.stderr), doneFirst(t, again.stderr); after <= before {
			t.Errorf("%v: stopped after %d trials, the next run began at %d", s, before, after)
		}
		compareFiles(t, s.String(), want, files(t, dir))
	}
}

// The second signal stops at once, in the middle of a trial, with 128 and its number. What was on the disk stays, and the next run
// goes on behind it to the same bytes.
func TestSecondSignalStopsAtOnce(t *testing.T) {
	tmp := t.TempDir()
	file := filepath.Join(tmp, "slow.yaml")
	text := `
name: slow_end
base:
  window: 1000s
  clients: [{arrivals: {rate: 80}, call: {to: A}}]
  services: [{name: A, servers: 2, time: {mean: 1ms}}]
strategies: [NR]
trials: 1
factors:
  - {name: duration, path: duration, suffix: s, list: [1, 2, 3, 4, 5, 6, 7, 8, 9, 80000]}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir := filepath.Join(tmp, strconv.Itoa(int(s)))
		args := []string{"sweep", file, "--workers", "1", "--checkpoint", "1ns", "--out", dir}
		r := stopped(t, args, regexp.MustCompile(`: 8 of 10 trials`), s, s)
		if want := exitSignal + int(s); r.code != want || strings.Contains(r.stderr, "goes on from there") {
			t.Fatalf("%v: exit code %d, want %d\n%s", s, r.code, want, r.stderr)
		}
		if s != syscall.SIGINT {
			continue // its end would be the same
		}
		again := expect(t, exitOK, args...)
		if n := doneFirst(t, again.stderr); n < 8 {
			t.Errorf("the next run began at trial %d, expected after those that were finished", n)
		}
		whole := filepath.Join(tmp, "whole")
		expect(t, exitOK, "sweep", file, "--quiet", "--out", whole)
		compareFiles(t, "after the second signal", files(t, whole), files(t, dir))
	}
}

// Under nohup a terminal that goes away stops nothing.
func TestNohupKeepsRunning(t *testing.T) {
	nohup, err := exec.LookPath("nohup")
	if err != nil {
		t.Fatal(err) // it is in every Unix
	}
	dir := filepath.Join(t.TempDir(), "out")
	c := child(t, nil, nohup, os.Args[0], "sweep", "testdata/sweep.yaml", "--trials", "500", "--out", dir)
	pipe, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(pipe)
	sent := false
	for lines.Scan() {
		if !sent && firstDone.MatchString(lines.Text()) {
			sent = true
			if err := c.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := c.Wait(); err != nil || !sent {
		t.Errorf("a hang-up was sent: %v; the run ended with %v", sent, err)
	}
}

// So with a run: its tables come whole or not at all, and the trials wait beside them.
func TestInterruptedRunGoesOn(t *testing.T) {
	tmp := t.TempDir()
	args := []string{"run", "testdata/small.yaml", "--strategy", "NR,SR", "--trials", "6000", "--window-trials", "10", "--workers", "2", "--out"}
	whole, dir := filepath.Join(tmp, "whole"), filepath.Join(tmp, "below", "stopped")
	expect(t, exitOK, append(args, whole, "--quiet")...)
	r := stopped(t, append(args, dir), firstDone, syscall.SIGTERM)
	if r.code != exitInterrupted || !strings.Contains(r.stderr, "goes on from there") {
		t.Fatalf("exit code %d, want %d\n%s", r.code, exitInterrupted, r.stderr)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("an interrupted run has published something")
	}
	again := expect(t, exitOK, append(args, dir)...)
	if before, after := doneFirst(t, r.stderr), doneFirst(t, again.stderr); after <= before {
		t.Errorf("stopped after %d trials, the next run began at %d", before, after)
	}
	compareFiles(t, "gone on", files(t, whole), files(t, dir))
	if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Finished results stay while others are made to replace them, whatever happens on the way, and their own command knows them.
func TestAgainKeepsTheOldUntilTheNewAreThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	old := []string{"sweep", "testdata/sweep.yaml", "--quiet", "--out", dir}
	expect(t, exitOK, old...)
	want := files(t, dir)
	args := []string{"sweep", "testdata/sweep.yaml", "--trials", "3000", "--seed", "5", "--again", "--out", dir}
	if r := stopped(t, args, firstDone, syscall.SIGINT); r.code != exitInterrupted {
		t.Fatalf("exit code %d\n%s", r.code, r.stderr)
	}
	expect(t, exitOK, "verify", dir)
	expect(t, exitOK, old...)
	for name, text := range want {
		if now, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(now) != text {
			t.Errorf("%s is not as it was: %v", name, err)
		}
	}
	expect(t, exitOK, append(args, "--quiet")...)
	expect(t, exitOK, "verify", dir)
	if r := expect(t, exitUsage, old...); !strings.Contains(r.stderr, "seed 5 and not") {
		t.Errorf("%s", r.stderr)
	}
}

// What a killed writer has left beside the results goes with the next sweep, and nothing else does.
func TestSweepClearsWhatAKilledOneLeft(t *testing.T) {
	tmp := t.TempDir()
	for _, name := range []string{".out.3w5e11264sgsf.tmp", ".out.checkpoint.tmp", ".out.b.3w5e.tmp", ".other.3w5e.tmp"} {
		if err := os.MkdirAll(filepath.Join(tmp, name, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--quiet", "--out", filepath.Join(tmp, "out"))
	entries, err := os.ReadDir(tmp)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got, want := strings.Join(left, " "), ".other.3w5e.tmp .out.b.3w5e.tmp .out.checkpoint.tmp out"; got != want {
		t.Errorf("left are %s, expected %s", got, want)
	}
}
