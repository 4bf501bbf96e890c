package experiments

import (
	"fmt"
	"strconv"

	"retrylab/results"
)

// CheckRows compares what a manifest says of the rows in dir, beside their digests, with what they say themselves: the seed that they were
// drawn from, and the number of trials. It gives all that differs.
func CheckRows(dir string, m *results.Manifest) ([]results.Mismatch, error) {
	cells, err := results.Read[results.Cell](tablePath[results.Cell](dir))
	if err != nil {
		return nil, err
	}
	got := map[cellName]int64{}
	var list []results.Mismatch
	otherSeed := int64(0)
	for b, err := range results.Batches[results.Trial](tablePath[results.Trial](dir)) {
		if err != nil {
			return nil, err
		}
		for i := range b.Rows {
			got[cellOfTrial(&b.Rows[i])]++
			if b.Rows[i].Seed != m.Seed {
				otherSeed++
				if otherSeed == 1 {
					list = append(list, results.Mismatch{File: results.ManifestName, Problem: fmt.Sprintf("seed: %d, but trials were drawn from %d", m.Seed, b.Rows[i].Seed)})
				}
			}
		}
	}
	return append(list, checkCounts(cells, got, m)...), nil
}

// checkCounts compares the trials of each cell with what table cells and the manifest say.
func checkCounts(cells []results.Cell, got map[cellName]int64, m *results.Manifest) []results.Mismatch {
	var list []results.Mismatch
	shard, _ := ParseShard(m.Parameters[ParameterShard]) // one that cannot be read is found where it is used
	most := int64(0)
	for i := range cells {
		c := &cells[i]
		want := c.Trials
		if !IsSweep(m) { // where it is that of the whole run
			from, to := shard.Range(int(c.Trials))
			want = int64(to - from)
		}
		most = max(most, c.Trials)
		if n := got[cellName{c.Experiment, c.Cell}]; n != want {
			list = append(list, results.Mismatch{File: "data", Problem: fmt.Sprintf("cell %s: %d trials, expected %d", c.Cell, n, want)})
		}
	}
	// A sweep until an interval is narrow has no number, and a part of a sweep has fewer.
	trials, err := strconv.ParseInt(m.Parameters[ParameterTrials], 10, 64)
	if err == nil && trials != most && !(IsSweep(m) && shard.Count > 0) {
		list = append(list, results.Mismatch{File: results.ManifestName, Problem: fmt.Sprintf("parameter trials: %d, but cells have up to %d", trials, most)})
	}
	return list
}
