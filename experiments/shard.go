package experiments

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of a run: of every cell, the Index-th of Count equal ranges of trials. The zero
// value is the whole run.
type Shard struct {
	Index int // from 1
	Count int
}

// ParseShard reads i/n, with i from 1 to n; the empty text is the whole run.
func ParseShard(text string) (Shard, error) {
	if text == "" {
		return Shard{}, nil
	}
	i, n, ok := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(i)
	count, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || count < 1 || index < 1 || index > count {
		return Shard{}, fmt.Errorf("shard %q: expected i/n with i from 1 to n, e.g. 2/8", text)
	}
	return Shard{index, count}, nil
}

// String is i/n, or empty for the whole run.
func (s Shard) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// Range is the shard's trials from, from+1, ..., to-1 of that many.
func (s Shard) Range(trials int) (from, to int) {
	if s.Count == 0 {
		return 0, trials
	}
	return trials * (s.Index - 1) / s.Count, trials * s.Index / s.Count
}

// Check refuses more parts than there are units of work, each of which is in one part alone: some parts would be empty.
// What names the units.
func (s Shard) Check(units int, what string) error {
	if s.Count <= units {
		return nil
	}
	return fmt.Errorf("shard %v: there are %d %s, expected at most as many parts", s, units, what)
}
