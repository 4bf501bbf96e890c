package experiments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"retrylab/results"
)

// Parameters that a manifest of a sweep names beside those of a run.
const (
	ParameterSweep       = "sweep"       // name of the sweep; its presence tells sweeps from runs
	ParameterChanged     = "changed"     // flags of the command line that change the design; they are written by the command
	ParameterFingerprint = "fingerprint" // of everything that the rows depend on, but for the shard
)

// SweepOptions say how a sweep is run. They do not change the results, but for Shard.
type SweepOptions struct {
	Version  string        // of the tool, for the manifest
	Workers  int           // trials that run at once; 0 is one a core
	Shard    Shard         // part to run; default all
	Interval time.Duration // between checkpoints; default 10s
	// Again runs a sweep that has finished results in the folder, which stay until the new ones are published; what another
	// run has left in the checkpoint goes.
	Again bool
	// Publish is called when all trials are run. write writes the tables into a folder and describes them; Publish puts them,
	// with whatever belongs to them, in their place, the manifest last. It has the checkpoint's lock. Default: the
	// tables and the manifest are written into the sweep's folder.
	Publish func(write func(into string) (*results.Manifest, error)) error
	// Progress is told after every unit of work; nil is nobody.
	Progress func(done, total int)
}

// defaultInterval is the time of work that a kill may cost.
const defaultInterval = 10 * time.Second

// Execute runs a sweep into the folder dir, going on where an interrupted run of the same sweep stopped, publishes
// the tables and gives their manifest. Results that are finished already are left as they are. On ErrInterrupted, and on
// any other error, what was finished stays in the folder's checkpoint.
func (s *Sweep) Execute(ctx context.Context, dir string, o SweepOptions) (*results.Manifest, error) {
	if o.Interval == 0 {
		o.Interval = defaultInterval
	}
	if o.Publish == nil {
		o.Publish = publishInto(dir)
	}
	id := identity{s.fingerprint(o.Version), o.Shard.String(), s.Seed, program()}
	if !o.Again {
		if m, err := finishedSweep(dir, id); m != nil || err != nil {
			return m, err
		}
	}
	c, err := openCheckpoint(dir, id, o.Interval, o.Again)
	if err != nil {
		return nil, err
	}
	defer c.release()
	if !o.Again { // another process may have had the lock until it was done
		m, err := finishedSweep(dir, id)
		if m != nil || err != nil && len(c.segments) == 0 {
			err = errors.Join(err, c.remove())
		}
		if m != nil || err != nil {
			return m, err
		}
	}
	plan := newSweepPlan(s, o.Shard)
	r := Runner{Seed: s.Seed, Workers: o.Workers, Windows: s.WindowTrials}
	p := &pipeline{cells: s.Cells, tables: s.details(), runner: r}
	for round := 0; ; round++ {
		spans := plan.next()
		if len(spans) == 0 {
			break
		}
		if err := s.runRound(ctx, c, p, plan, round, spans, o.Progress); err != nil {
			return nil, err
		}
	}
	var m *results.Manifest
	err = o.Publish(func(into string) (*results.Manifest, error) {
		entries, err := writeSweep(into, s.cellRows(plan.totals()), c.parts(), false)
		m = s.manifest(o, id)
		m.Add(entries...)
		return m, err
	})
	if err != nil {
		return nil, err
	}
	return m, c.remove()
}

// publishInto writes tables and manifest into a folder.
func publishInto(dir string) func(func(string) (*results.Manifest, error)) error {
	return func(write func(string) (*results.Manifest, error)) error {
		if err := os.Remove(filepath.Join(dir, results.ManifestName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err // it says that the rest is whole
		}
		m, err := write(dir)
		if err != nil {
			return err
		}
		return m.Write(dir)
	}
}

// runRound runs what a round still lacks.
func (s *Sweep) runRound(ctx context.Context, c *checkpoint, p *pipeline, plan *sweepPlan, round int, spans []span, progress func(done, total int)) error {
	c.start(round)
	if err := plan.recall(c.segments[round]); err != nil {
		return err
	}
	err := p.run(ctx, spans, c.end(round), func(b *block) error {
		plan.see(b)
		if progress != nil {
			progress(plan.done, plan.total())
		}
		return c.add(b)
	})
	if err == nil || errors.Is(err, ErrInterrupted) {
		err = errors.Join(err, c.flush())
	}
	return err
}

// parts are the rows on the disk, a part a round.
func (c *checkpoint) parts() sweepParts {
	var p sweepParts
	for _, segments := range c.segments {
		p.trials = append(p.trials, segmentRowsOf[results.Trial](segments))
		p.services = append(p.services, segmentRowsOf[results.Service](segments))
		p.edges = append(p.edges, segmentRowsOf[results.Edge](segments))
		p.windows = append(p.windows, segmentRowsOf[results.Window](segments))
	}
	return p
}

// manifest describes a sweep's results, without the files.
func (s *Sweep) manifest(o SweepOptions, id identity) *results.Manifest {
	m := results.NewManifest(o.Version, s.Seed)
	m.Parameters = map[string]string{
		ParameterExperiment: s.Name, ParameterSweep: s.Name, results.ParameterAbout: s.About, ParameterFingerprint: id.Fingerprint,
		ParameterTrials: strconv.Itoa(s.Trials),
	}
	if u := s.Until; u != nil {
		m.Parameters[ParameterTrials] = fmt.Sprintf("%d to %d", u.Min, u.Max)
		m.Parameters[results.ParameterUntil] = u.String()
	}
	if id.Shard != "" {
		m.Parameters[ParameterShard] = id.Shard
	}
	for _, f := range s.Sources {
		m.AddModel(filepath.Base(f.File), f.Bytes) // results do not depend on where a file was
	}
	return m
}

// finishedSweep is the manifest of dir if it holds these results already, nil if it holds none, and an error if
// it holds others.
func finishedSweep(dir string, id identity) (*results.Manifest, error) {
	if _, err := os.Stat(filepath.Join(dir, results.ManifestName)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	m, err := results.ReadManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOtherSweep, err)
	}
	found := identity{m.Parameters[ParameterFingerprint], m.Parameters[ParameterShard], m.Seed, id.Program}
	if found != id {
		return nil, fmt.Errorf("%w: %s has those of %s; give another folder, or --again to replace them", ErrOtherSweep, dir, found.difference(id))
	}
	return m, nil
}

// KeepsTrials tells whether the folder holds finished trials of a sweep that has not ended.
func KeepsTrials(dir string) bool {
	kept, _ := filepath.Glob(filepath.Join(dir, checkpointName, segmentPrefix+"*"))
	return len(kept) > 0
}

// DropTrials removes what a run or a sweep has kept in the checkpoint of a folder, and the folder if nothing else is in it.
func DropTrials(dir string) error {
	if err := removeAtOnce(filepath.Join(dir, checkpointName)); err != nil {
		return err
	}
	_ = os.Remove(dir) // only if it is empty
	return nil
}
