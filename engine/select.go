package engine

import "math"

// The next event is the least of a few candidates, one per source: the agenda, the
// first service time to end at each service with few workers, the next arrival of each client,
// the head of the timers and the head of each lane. A candidate is one word,
// time<<srcBits | source, so there is no event record and no sequence number.
//
// The order of equal times is part of the model: by source number, then by the
// source's own order, which is the order of insertion. Sources are numbered in the
// order named above, so a window closes and a fault turns before anything that
// happens at the same nanosecond, and an answer comes before a timeout.
const (
	srcBits    = 14
	srcMask    = 1<<srcBits - 1
	maxSources = 1 << srcBits
	never      = int64(math.MaxInt64)
	maxTime    = never >> srcBits // about 6.5 simulated days
)

func eventKey(t int64, src uint32) int64 {
	if t > maxTime { // beyond any horizon
		return never
	}
	return t<<srcBits | int64(src)
}

// selector holds the candidates: up to eight in a flat array, more in a winner tree.
type selector struct {
	flat   [8]int64
	tree   []int64 // leaves at [leaves, 2 leaves), the winner at 1; nil if flat
	leaves uint32
}

func (s *selector) reset(sources int) {
	s.leaves = 8
	for int(s.leaves) < sources {
		s.leaves *= 2
	}
	if sources <= len(s.flat) {
		s.tree = s.tree[:0]
	} else if n := int(2 * s.leaves); cap(s.tree) >= n {
		s.tree = s.tree[:n]
	} else {
		s.tree = make([]int64, n)
	}
	for i := range s.flat {
		s.flat[i] = never
	}
	for i := range s.tree {
		s.tree[i] = never
	}
}

// set replaces the candidate of one source.
func (s *selector) set(src uint32, key int64) {
	if len(s.tree) == 0 {
		s.flat[src&7] = key
		return
	}
	s.setTree(src, key)
}

func (s *selector) setTree(src uint32, key int64) {
	tree := s.tree
	i := s.leaves + src
	for i > 1 {
		tree[i] = key
		key = min(key, tree[i^1])
		if i >>= 1; tree[i] == key {
			return // nothing changes further up
		}
	}
	tree[1] = key
}

// isFlat tells whether the least candidate is minFlat or at the root of the tree.
func (s *selector) isFlat() bool { return len(s.tree) == 0 }

// minFlat is the least candidate. It is kept out of the event loop because inlined there the compiler turns
// these minima into branches, two mispredictions an event, instead of conditional moves.
//
//go:noinline
func (s *selector) minFlat() int64 {
	k := &s.flat
	a, b := min(k[0], k[1]), min(k[2], k[3])
	c, d := min(k[4], k[5]), min(k[6], k[7])
	return min(min(a, b), min(c, d))
}
