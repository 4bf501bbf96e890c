package experiments

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"retrylab/results"
)

// IsSweep tells whether a manifest is that of a sweep.
func IsSweep(m *results.Manifest) bool { return m.Parameters[ParameterSweep] != "" }

// MergeSweep joins the shards of a sweep, in any order, into the folder out, with the same bytes as the whole sweep
// would have, and gives the manifest, for the caller to write. The shards must be complete, agree in everything but
// their part, and match their manifests; otherwise the error lists all that is wrong, and nothing is written.
func MergeSweep(dirs []string, out string) (*results.Manifest, error) {
	shards, err := openShards(dirs)
	if err != nil {
		return nil, err
	}
	if problems := differentCommits(shards); len(problems) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrIncompatible, strings.Join(problems, "; "))
	}
	if m, err := finishedSweep(out, identity{}); m != nil || err != nil {
		return nil, fmt.Errorf("%w: %s has results already, give another folder", ErrOtherSweep, out)
	}
	rows, err := mergedCells(shards)
	if err != nil {
		return nil, err
	}
	var parts sweepParts
	for _, s := range shards {
		parts.trials = append(parts.trials, tableOf[results.Trial](s.dir, rows.name))
		parts.services = append(parts.services, tableOf[results.Service](s.dir, rows.name))
		parts.edges = append(parts.edges, tableOf[results.Edge](s.dir, rows.name))
		parts.windows = append(parts.windows, tableOf[results.Window](s.dir, rows.name))
	}
	entries, err := writeSweep(out, rows, parts, true)
	if err != nil {
		return nil, err
	}
	return mergedManifest(shards, entries), nil
}

// differentCommits compares the sources that the shards were made with, where they are known.
func differentCommits(shards []shardDir) []string {
	var problems []string
	first, from := "", ""
	for _, s := range shards {
		p, err := results.ReadProvenance(s.dir)
		if err != nil || p.Commit == "" || p.Commit == "unknown" {
			continue
		}
		if first == "" {
			first, from = p.Commit, s.dir
		}
		if p.Commit != first {
			problems = append(problems, fmt.Sprintf("%s is of commit %s and %s of commit %s", from, first, s.dir, p.Commit))
		}
	}
	return problems
}

// tableOf streams a shard's table.
func tableOf[T results.Row](dir, experiment string) iter.Seq2[results.Batch[T], error] {
	var row T
	return results.Batches[T](filepath.Join(dir, filepath.FromSlash(partition(row.TableName(), experiment))))
}

// mergedCells are the rows of table cells, with the trials of all shards.
func mergedCells(shards []shardDir) (sweepCells, error) {
	rows := sweepCells{name: shards[0].manifest.Parameters[ParameterSweep]}
	for i, s := range shards {
		b, err := results.ReadExtra[results.Cell](filepath.Join(s.dir, filepath.FromSlash(partition("cells", rows.name))))
		if err != nil {
			return rows, err
		}
		if i == 0 {
			rows.cells = b.Rows
			for _, e := range b.Extra {
				rows.columns = append(rows.columns, e.ExtraColumn)
			}
			for k := range b.Rows {
				rows.values = append(rows.values, extraAt(b, k))
			}
			continue
		}
		if len(b.Rows) != len(rows.cells) {
			return rows, fmt.Errorf("%w: %s has %d cells and %s has %d", ErrIncompatible, shards[0].dir, len(rows.cells), s.dir, len(b.Rows))
		}
		for k := range b.Rows {
			if b.Rows[k].Cell != rows.cells[k].Cell || b.Rows[k].ModelSHA256 != rows.cells[k].ModelSHA256 {
				return rows, fmt.Errorf("%w: %s and %s have other cells: %s and %s", ErrIncompatible, shards[0].dir, s.dir, rows.cells[k].Cell, b.Rows[k].Cell)
			}
			rows.cells[k].Trials += b.Rows[k].Trials
		}
	}
	for _, f := range shards[0].manifest.Files {
		rows.services = rows.services || strings.HasPrefix(f.Name, "data/services/")
		rows.edges = rows.edges || strings.HasPrefix(f.Name, "data/edges/")
		rows.windows = rows.windows || strings.HasPrefix(f.Name, "data/windows/")
	}
	return rows, nil
}

func extraAt(b results.Batch[results.Cell], row int) []results.Value {
	values := make([]results.Value, len(b.Extra))
	for k := range b.Extra {
		values[k] = b.Extra[k].At(row)
	}
	return slices.Clip(values)
}
