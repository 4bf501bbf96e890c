package experiments_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"retrylab/experiments"
)

// A run that keeps what is finished ends in the same bytes as one that does not, interrupted or not; what a run with other settings
// left is not mixed in.
func TestKeptRunEndsInTheSameBytes(t *testing.T) {
	s := brief(t)
	s.Cells[1].MaxTrials, s.Cells[2].MaxWindows, s.Cells[3].MaxWindows, s.Cells[4].MaxDetails = 3, -1, 2, 2
	r := runner(s)
	r.Trials = 60 // so that there is much left when it is interrupted
	want := contents(t, execute(t, s, r))
	r.Checkpoint = filepath.Join(t.TempDir(), "kept")
	sameContents(t, "never interrupted", want, contents(t, execute(t, s, r)))
	if err := os.RemoveAll(r.Checkpoint); err != nil {
		t.Fatal(err)
	}

	other := r
	other.Seed++
	began := 0
	interrupted := func(r experiments.Runner, after int) {
		t.Helper()
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		began = 0
		r.Progress = func(done, _ int) {
			if began == 0 {
				began = done
			}
			if done >= after {
				stop()
			}
		}
		out := filepath.Join(t.TempDir(), "out")
		if _, err := s.Execute(ctx, out, "test", r); !errors.Is(err, experiments.ErrInterrupted) {
			t.Fatalf("interrupted: %v", err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("an interrupted run has published something")
		}
	}
	interrupted(other, 1)
	interrupted(r, 5)
	if began > 5 {
		t.Errorf("a run began at trial %d, behind those of another seed", began)
	}
	interrupted(r, 60)
	if began <= 5 {
		t.Errorf("the second run began at trial %d, expected after those that were kept", began)
	}
	sameContents(t, "gone on", want, contents(t, execute(t, s, r)))
}
