package experiments

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"retrylab/results"
)

// ErrIncompatible marks shards that do not make one run together.
var ErrIncompatible = errors.New("the shards do not make one run")

// Merge joins the shards of a run, in any order, into the folder out, with the same bytes as the whole
// run would have, and gives the manifest, for the caller to write. The shards must be complete, agree in
// everything but their part, and match their manifests; otherwise the error lists what is wrong.
func Merge(dirs []string, out string) (*results.Manifest, error) {
	shards, err := openShards(dirs)
	if err != nil {
		return nil, err
	}
	d, err := CreateDataset(out)
	if err != nil {
		return nil, err
	}
	defer d.Abort()
	if err := d.merge(shards); err != nil {
		return nil, err
	}
	entries, err := d.Close()
	if err != nil {
		return nil, err
	}
	m := *shards[0].manifest
	m.Parameters = maps.Clone(m.Parameters)
	delete(m.Parameters, ParameterShard)
	m.Files = entries
	return &m, nil
}

type shardDir struct {
	dir      string
	shard    Shard
	manifest *results.Manifest
}

// openShards reads the manifests and puts the shards in order; all that is wrong is reported at once.
func openShards(dirs []string) ([]shardDir, error) {
	var shards []shardDir
	var errs []error
	for _, dir := range dirs {
		s, err := openShard(dir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		shards = append(shards, s)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if len(shards) == 0 {
		return nil, fmt.Errorf("%w: no shard is given", ErrIncompatible)
	}
	slices.SortStableFunc(shards, func(a, b shardDir) int { return a.shard.Index - b.shard.Index })
	problems := compareShards(shards)
	if len(problems) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrIncompatible, strings.Join(problems, "; "))
	}
	return shards, nil
}

// openShard reads a shard's manifest and checks its files against it.
func openShard(dir string) (shardDir, error) {
	m, err := results.ReadManifest(dir)
	if err != nil {
		return shardDir{}, err
	}
	shard, err := ParseShard(m.Parameters[ParameterShard])
	if err != nil || shard.Count == 0 {
		return shardDir{}, fmt.Errorf("%w: %s is not a shard", ErrIncompatible, dir)
	}
	wrong, err := results.Verify(dir)
	if err != nil {
		return shardDir{}, err
	}
	if len(wrong) > 0 {
		return shardDir{}, fmt.Errorf("%w: %s: %v", ErrIncompatible, dir, wrong[0])
	}
	return shardDir{dir, shard, m}, nil
}

// compareShards lists holes, overlaps and disagreements.
func compareShards(shards []shardDir) []string {
	var problems []string
	first := shards[0]
	held := map[int]string{}
	for _, s := range shards {
		if other, twice := held[s.shard.Index]; twice && s.shard.Count == first.shard.Count {
			problems = append(problems, fmt.Sprintf("%s and %s are both shard %v", other, s.dir, s.shard))
		}
		held[s.shard.Index] = s.dir
		if text := disagreement(first.manifest, s.manifest); text != "" {
			problems = append(problems, fmt.Sprintf("%s and %s disagree: %s", first.dir, s.dir, text))
		}
	}
	for i := 1; i <= first.shard.Count; i++ {
		if held[i] == "" {
			problems = append(problems, fmt.Sprintf("shard %v is missing", Shard{i, first.shard.Count}))
		}
	}
	return problems
}

// disagreement says in what two shards' manifests differ that must be equal.
func disagreement(a, b *results.Manifest) string {
	for _, f := range []struct{ what, a, b string }{
		{"tool version", a.ToolVersion, b.ToolVersion},
		{"Go version", a.GoVersion, b.GoVersion},
		{"processor", a.GOARCH + a.GOAMD64, b.GOARCH + b.GOAMD64},
		{"seed", strconv.FormatUint(a.Seed, 10), strconv.FormatUint(b.Seed, 10)},
		{"number of shards", countOf(a), countOf(b)},
		{"parameters", parameters(a), parameters(b)},
		{"model files", fmt.Sprint(a.Models), fmt.Sprint(b.Models)},
		{"cells", cellsDigest(a), cellsDigest(b)},
	} {
		if f.a != f.b {
			return fmt.Sprintf("%s %s and %s", f.what, f.a, f.b)
		}
	}
	return ""
}

func countOf(m *results.Manifest) string {
	_, n, _ := strings.Cut(m.Parameters[ParameterShard], "/")
	return n
}

// parameters is all but the shard.
func parameters(m *results.Manifest) string {
	p := maps.Clone(m.Parameters)
	delete(p, ParameterShard)
	return fmt.Sprint(p) // maps print in the order of their keys
}

func cellsDigest(m *results.Manifest) string {
	for _, f := range m.Files {
		if f.Name == "data/cells.parquet" {
			return f.RowDigest
		}
	}
	return "none"
}

// merge writes each table cell by cell, and of each cell the shards in order.
func (d *Dataset) merge(shards []shardDir) error {
	cells, err := results.Read[results.Cell](tablePath[results.Cell](shards[0].dir))
	if err != nil {
		return err
	}
	if err := d.cells.Append(cells); err != nil {
		return err
	}
	return errors.Join(
		mergeTable(shards, d.trials, cells, func(r *results.Trial, c *results.Cell) bool { return r.Cell == c.Cell && r.Experiment == c.Experiment }),
		mergeTable(shards, d.services, cells, func(r *results.Service, c *results.Cell) bool {
			return r.Cell == c.Cell && r.Experiment == c.Experiment
		}),
		mergeTable(shards, d.edges, cells, func(r *results.Edge, c *results.Cell) bool { return r.Cell == c.Cell && r.Experiment == c.Experiment }),
		mergeTable(shards, d.windows, cells, func(r *results.Window, c *results.Cell) bool { return r.Cell == c.Cell && r.Experiment == c.Experiment }),
	)
}

func mergeTable[T results.Row](shards []shardDir, w *results.Writer[T], cells []results.Cell, of func(*T, *results.Cell) bool) error {
	var parts []*part[T]
	defer func() {
		for _, p := range parts {
			p.stop()
		}
	}()
	for _, s := range shards {
		p := &part[T]{}
		p.next, p.stop = iter.Pull2(results.Batches[T](tablePath[T](s.dir)))
		parts = append(parts, p)
	}
	for i := range cells {
		for _, p := range parts {
			if err := p.copyCell(w, &cells[i], of); err != nil {
				return err
			}
		}
	}
	for i, p := range parts {
		if rows, err := p.rest(); err != nil || len(rows) > 0 {
			return errors.Join(err, fmt.Errorf("%w: %s has rows of a cell that is not in table cells", ErrIncompatible, filepath.Base(shards[i].dir)))
		}
	}
	return nil
}

// part is a shard's table that is being read.
type part[T results.Row] struct {
	next func() (results.Batch[T], error, bool)
	stop func()
	rows []T // read and not yet copied
}

// rest is what is left of the current batch, or the next batch; empty at the end.
func (p *part[T]) rest() ([]T, error) {
	for len(p.rows) == 0 {
		b, err, ok := p.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, nil
		}
		p.rows = b.Rows
	}
	return p.rows, nil
}

// copyCell copies the rows up to the first of another cell.
func (p *part[T]) copyCell(w *results.Writer[T], cell *results.Cell, of func(*T, *results.Cell) bool) error {
	for {
		rows, err := p.rest()
		if err != nil || len(rows) == 0 {
			return err
		}
		n := 0
		for n < len(rows) && of(&rows[n], cell) {
			n++
		}
		if err := w.Append(rows[:n]); err != nil {
			return err
		}
		p.rows = rows[n:]
		if n < len(rows) {
			return nil
		}
	}
}
