package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder used again does not keep what only the earlier results had, and keeps what is not of the program's making.
func TestStaleFilesGo(t *testing.T) {
	dir := smallResults(t, "run")
	// There afterwards, and named by the manifest.
	files := map[string]struct{ kept, named bool }{
		"tables/old.csv": {false, true}, "figures/old.svg": {false, true}, "figures/old.pdf": {false, false}, "figures/old.png": {false, false},
		"tables/notes.csv": {true, false}, "figures/mine.png": {true, false}, "tables/cells.csv": {true, false},
	}
	for name, f := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		if f.named {
			admit(t, dir, name)
		}
	}
	expect(t, exitOK, "report", dir)
	for name, f := range files {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); (err == nil) != f.kept {
			t.Errorf("%s is there: %v, want %v", name, err == nil, f.kept)
		}
	}
	if text := read(t, filepath.Join(dir, "tables", "cells.csv")); text == "old" {
		t.Error("tables/cells.csv was not made again")
	}
	expect(t, exitOK, "verify", dir)
}
