package engine

import (
	"math"
	"math/bits"
)

// Histogram counts durations in buckets whose width is 1/128 of their lower bound
// (1 ns below 256 ns), so the middle of a bucket is within 0.4% of every value in it.
type Histogram struct {
	counts []uint32
	n      int64
}

const (
	histSub     = 7 // bits that tell buckets of one power of two apart
	histBuckets = (62 - histSub) << histSub
)

func (h *Histogram) reset() {
	if h.counts == nil {
		h.counts = make([]uint32, histBuckets)
	}
	clear(h.counts)
	h.n = 0
}

func (h *Histogram) add(ns int64) {
	e := max(bits.Len64(uint64(ns))-histSub-1, 0)
	h.counts[uint64(e)<<histSub+uint64(ns)>>uint(e)]++
	h.n++
}

// Count is the number of durations counted.
func (h *Histogram) Count() int64 { return h.n }

// Quantile is the duration, within 0.4%, below or at which a share q of the counted
// ones lie (nearest rank); -1 if nothing was counted.
func (h *Histogram) Quantile(q float64) int64 {
	rank := max(int64(math.Ceil(q*float64(h.n))), 1)
	for i, c := range h.counts {
		if rank -= int64(c); rank <= 0 {
			return bucketMiddle(i)
		}
	}
	return -1
}

// bucketMiddle is the middle of bucket i, rounded down.
func bucketMiddle(i int) int64 {
	e := max(i>>histSub-1, 0)
	low := int64(i-e<<histSub) << e
	return low + (int64(1)<<e-1)/2
}
