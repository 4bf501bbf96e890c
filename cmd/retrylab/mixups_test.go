package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEqualNamesAreRefused: cells are told apart by their names alone, so two of one name are a mistake.
func TestEqualNamesAreRefused(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(copied, []byte(expect(t, 0, "library", "reference").stdout), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"run", "reference", copied, "--trials", "1"},
		{"run", "reference", "--scenario", "S1,S1", "--trials", "1"},
		{"run", "reference", "--strategy", "NR,NR", "--trials", "1"},
	} {
		if r := expect(t, 2, args...); !strings.Contains(r.stderr, "already in this run") || r.stdout != "" {
			t.Errorf("%v: %s%s", args, r.stdout, r.stderr)
		}
	}
}

// TestOtherResultsAreKept: a run does not write over the finished results of something else.
func TestOtherResultsAreKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	expect(t, 0, "paper", "--quick", "--claims=false", "--trials", "1", "--quiet", "--out", dir)
	before := files(t, dir)
	if r := expect(t, 2, "run", "reference", "--trials", "1", "--quiet", "--out", dir); !strings.Contains(r.stderr, "finished results") {
		t.Error(r.stderr)
	}
	compareFiles(t, "results", before, files(t, dir))
	if r := expect(t, 2, "merge", dir, "--out", dir); !strings.Contains(r.stderr, "one of the shards") {
		t.Error(r.stderr)
	}
}

// TestFailureLeavesWhatWasThere: a run that fails or is interrupted leaves an older result whole and nothing
// else; one that succeeds replaces it, with nothing of the old one left.
func TestFailureLeavesWhatWasThere(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "new", "out")
	run := func(code int, trials string) {
		t.Helper()
		expect(t, code, "run", "testdata/small.yaml", "--trials", trials, "--quiet", "--out", dir)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	interrupted := func() {
		t.Helper()
		if r := commandContext(t, stopped, "run", "testdata/small.yaml", "--trials", "9", "--quiet", "--out", dir); r.code != exitInterrupted {
			t.Fatalf("exit code %d\n%s", r.code, r.stderr)
		}
	}
	interrupted()
	if left, _ := os.ReadDir(parent); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	run(0, "2")
	before := files(t, dir)
	interrupted()
	compareFiles(t, "after an interrupt", before, files(t, dir))
	run(0, "3")
	expect(t, 0, "verify", dir)
	again := filepath.Join(parent, "again")
	expect(t, 0, "run", "testdata/small.yaml", "--trials", "3", "--quiet", "--out", again)
	compareFiles(t, "run over an older one", files(t, again), files(t, dir))
	if left, _ := os.ReadDir(filepath.Join(parent, "new")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
