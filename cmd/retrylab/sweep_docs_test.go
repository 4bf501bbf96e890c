package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"retrylab/experiments"
)

var sweepRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| .* \\| (\\d+ x \\d+) \\|$")

// The table of standard sweeps in docs/sweeps.md has all of them, with the cells and trials that they have.
func TestDocumentedSweepsAreThoseOfTheFiles(t *testing.T) {
	text, err := readProject("docs/sweeps.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(projectRoot, "experiments/sweeps/*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, row := range sweepRow.FindAllStringSubmatch(string(text), -1) {
		documented[row[1]] = row[2]
	}
	if len(documented) != len(files) || len(files) == 0 {
		t.Errorf("%d sweeps are documented, of %d files", len(documented), len(files))
	}
	for name, size := range documented {
		s, err := experiments.LoadSweep(name, experiments.SweepChanges{})
		if err != nil {
			t.Error(err)
			continue
		}
		if want := fmt.Sprintf("%d x %d", len(s.Cells), s.Trials); size != want {
			t.Errorf("docs/sweeps.md: %s has %s cells and trials, the sweep %s", name, size, want)
		}
	}
}
