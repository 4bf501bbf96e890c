package experiments

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"retrylab/engine"
)

// Estimate is what a short pilot says about a sweep.
type Estimate struct {
	Pilot    int           // trials that were run
	PerTrial time.Duration // time of one trial on one core
	Events   float64       // of one trial
	RowBytes float64       // of one trial in all tables
	OwnBytes float64       // of the tables beside what trials add
	Workers  int           // trials that run at once
}

// The pilot ends after that time or that many trials.
const (
	pilotTime   = time.Second
	pilotTrials = 1000
)

// Estimate runs trials of cells spread over the design for about a second.
func (s *Sweep) Estimate(ctx context.Context, o SweepOptions) (*Estimate, error) {
	r := Runner{Seed: s.Seed, Workers: o.Workers, Windows: s.WindowTrials}
	e := &Estimate{Workers: r.EffectiveWorkers()}
	dir, err := os.MkdirTemp("", "retrylab-pilot-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	sim, rec := engine.NewSim(), recorder{seed: s.Seed, tables: s.details()}
	var rows []Rows
	started := time.Now()
	least, _ := s.TotalTrials()
	for k := 0; k < min(least, pilotTrials) && time.Since(started) < pilotTime; k++ {
		if ctx.Err() != nil {
			return nil, ErrInterrupted
		}
		cell := s.Cells[spread(k%len(s.Cells), len(s.Cells))]
		rows = append(rows, Rows{})
		if err := r.trial(sim, &rec, cell, k/len(s.Cells), &rows[k]); err != nil {
			return nil, err
		}
		e.Events += float64(rows[k].Trial.Events)
	}
	e.Pilot = len(rows)
	e.PerTrial = time.Since(started) / time.Duration(max(e.Pilot, 1))
	e.Events /= float64(max(e.Pilot, 1))
	return e, e.weigh(dir, rows)
}

// spread visits 0..n-1 in an order that is even from the start: steps of the golden section.
func spread(k, n int) int {
	const golden = 0.6180339887498949
	x := float64(k) * golden
	return int((x - float64(int(x))) * float64(n))
}

// weigh finds what a trial's rows add to the tables, and what the tables cost beside them.
func (e *Estimate) weigh(dir string, rows []Rows) error {
	all, err := tableBytes(filepath.Join(dir, "all"), rows)
	if err != nil || len(rows) == 1 {
		e.RowBytes = all
		return err
	}
	one, err := tableBytes(filepath.Join(dir, "one"), rows[:1])
	e.RowBytes = (all - one) / float64(len(rows)-1)
	e.OwnBytes = one - e.RowBytes
	return err
}

// tableBytes writes tables and looks at the files.
func tableBytes(dir string, rows []Rows) (float64, error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return 0, err
	}
	c := &checkpoint{dir: dir, interval: time.Hour}
	c.start(0)
	if err := c.add(&block{span: span{to: len(rows)}, rows: rows}); err != nil {
		return 0, err
	}
	if err := c.flush(); err != nil {
		return 0, err
	}
	total := int64(0)
	files, err := filepath.Glob(filepath.Join(dir, segmentPrefix+"*", "*.parquet"))
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			total += info.Size()
		}
	}
	return float64(total), err
}

// share is the part of the sweep that is run.
func share(o SweepOptions) float64 {
	if o.Shard.Count == 0 {
		return 1
	}
	return 1 / float64(o.Shard.Count)
}

// Time is how long that many trials take on all cores.
func (e *Estimate) Time(trials int, o SweepOptions) time.Duration {
	return time.Duration(float64(e.PerTrial) * float64(trials) * share(o) / float64(e.Workers))
}

// Bytes is the size of the tables of that many trials.
func (e *Estimate) Bytes(trials int, o SweepOptions) float64 {
	return e.OwnBytes + e.RowBytes*float64(trials)*share(o)
}
