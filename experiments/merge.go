package experiments

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
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
	return mergedManifest(shards, entries), nil
}

// mergedManifest is that of the whole which the shards make.
func mergedManifest(shards []shardDir, entries []results.FileEntry) *results.Manifest {
	m := *shards[0].manifest
	m.Parameters = maps.Clone(m.Parameters)
	delete(m.Parameters, ParameterShard)
	m.Files = entries
	return &m
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
		return nil, fmt.Errorf("%w: %w", ErrIncompatible, errors.Join(errs...))
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
		return shardDir{}, fmt.Errorf("%s is not a shard", dir)
	}
	wrong, err := results.Verify(dir)
	if err != nil {
		return shardDir{}, err
	}
	if len(wrong) > 0 {
		return shardDir{}, fmt.Errorf("%s: %v", dir, wrong[0])
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
	} {
		if f.a != f.b {
			return fmt.Sprintf("%s %s and %s", f.what, f.a, f.b)
		}
	}
	mine, theirs := parameters(a), parameters(b)
	if f := fingerprintOf(a); f[ParameterFingerprint] != "" && maps.Equal(f, fingerprintOf(b)) {
		// All that rows depend on is equal, however the command lines said it.
		for _, p := range []map[string]string{mine, theirs} {
			delete(p, ParameterChanged)
			delete(p, results.ParameterNotice) // which repeats them
		}
	}
	return cmp.Or(
		otherValue("parameter", mine, theirs),
		otherValue("parameter", fingerprintOf(a), fingerprintOf(b)),
		otherValue("hash of model file", models(a), models(b)),
		otherValue("rows of", cellsDigest(a), cellsDigest(b)))
}

// otherValue names the first of named values in which two shards differ.
func otherValue(what string, a, b map[string]string) string {
	all := map[string]string{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if a[name] != b[name] {
			return fmt.Sprintf("%s %s: %s and %s", what, name, cmp.Or(a[name], "none"), cmp.Or(b[name], "none"))
		}
	}
	return ""
}

func countOf(m *results.Manifest) string {
	_, n, _ := strings.Cut(m.Parameters[ParameterShard], "/")
	return n
}

// parameters is all but the shard and the fingerprint, which says least and is compared last.
func parameters(m *results.Manifest) map[string]string {
	p := maps.Clone(m.Parameters)
	delete(p, ParameterShard)
	delete(p, ParameterFingerprint)
	return p
}

func fingerprintOf(m *results.Manifest) map[string]string {
	return map[string]string{ParameterFingerprint: m.Parameters[ParameterFingerprint]}
}

func models(m *results.Manifest) map[string]string {
	hashes := map[string]string{}
	for _, f := range m.Models {
		hashes[f.Name] = f.SHA256
	}
	return hashes
}

func cellsDigest(m *results.Manifest) map[string]string {
	for _, f := range m.Files {
		if f.Name == "data/cells.parquet" {
			return map[string]string{f.Name: f.RowDigest}
		}
	}
	return nil // a sweep's cells hold the trials of the shard: mergedCells compares them
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
	counts, err := mergeTable(shards, d.trials, cells, cellOfTrial)
	if err != nil {
		return err
	}
	_, servicesErr := mergeTable(shards, d.services, cells, cellOfService)
	_, edgesErr := mergeTable(shards, d.edges, cells, cellOfEdge)
	_, windowsErr := mergeTable(shards, d.windows, cells, cellOfWindow)
	return errors.Join(holes(cells, counts), servicesErr, edgesErr, windowsErr)
}

func mergeTable[T results.Row](shards []shardDir, w *results.Writer[T], cells []results.Cell, cellOf func(*T) cellName) ([]int, error) {
	var parts []iter.Seq2[results.Batch[T], error]
	for _, s := range shards {
		parts = append(parts, results.Batches[T](tablePath[T](s.dir)))
	}
	return joinParts(cells, parts, cellOf, func(_ int, rows []T) error { return w.Append(rows) })
}
