package experiments

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"retrylab/results"
)

// runKept runs a set as a sweep is run: finished trials go to the checkpoint, and from there into the tables, in the same order, when all are
// there. What another run left in the checkpoint is no use to this one, and goes.
func (r Runner) runKept(ctx context.Context, set *Set, version string, d *Dataset) error {
	c, err := openCheckpoint(r.Checkpoint, identity{set.fingerprint(version, r), r.Shard.String(), r.Seed, program()}, defaultInterval, true)
	if err != nil {
		return err
	}
	defer c.release()
	c.start(0)
	spans := r.spans(set.Cells)
	done, total := int(c.end(0)), length(spans)
	line := &pipeline{cells: set.Cells, tables: allDetails, runner: r}
	err = line.run(ctx, spans, c.end(0), func(b *block) error {
		done += b.len()
		if r.Progress != nil {
			r.Progress(done, total)
		}
		return c.add(b)
	})
	if err == nil || errors.Is(err, ErrInterrupted) {
		err = errors.Join(err, c.flush())
	}
	if err != nil {
		return err
	}
	return d.copy(c.segments[0])
}

// fingerprint is that of a sweep of the same cells, and what only a set's cells have.
func (s *Set) fingerprint(version string, r Runner) string {
	sweep := Sweep{
		Name: s.Name, Cells: s.Cells, Values: make([][]results.Value, len(s.Cells)), Trials: r.Trials, Seed: r.Seed,
		WindowTrials: r.Windows, Services: true, Edges: true, Windows: true,
	}
	h := sha256.New()
	fmt.Fprintln(h, sweep.fingerprint(version))
	for _, c := range s.Cells {
		fmt.Fprintln(h, c.Experiment, c.MaxTrials, c.MaxWindows, c.MaxDetails)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// copy writes the rows of segments.
func (d *Dataset) copy(segments []segment) error {
	return errors.Join(copyRows(segments, d.trials), copyRows(segments, d.services), copyRows(segments, d.edges), copyRows(segments, d.windows))
}

func copyRows[T results.Row](segments []segment, w *results.Writer[T]) error {
	for b, err := range segmentRowsOf[T](segments) {
		if err == nil {
			err = w.Append(b.Rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
