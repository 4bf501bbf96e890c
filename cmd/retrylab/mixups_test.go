package main

import (
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
}
