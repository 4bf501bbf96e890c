package engine

import "math/bits"

// timerKind says what happens when a timer fires.
type timerKind uint8

const (
	timerRetry  timerKind = iota // a call sends its next attempt
	timerServed                  // an attempt's service time ends (services with several workers)
	timerArrive                  // an attempt arrives after the edge's latency
	timerReply                   // a reply arrives after the edge's latency
	timerThink                   // a user of a closed loop sends a request
)

// timer is one pending happening. It is cancelled by changing the generation of what
// it points to: a timer with an old generation is dropped when it fires.
type timer struct {
	due    int64
	next   uint32 // in the same bucket, or in the free list
	handle uint32
	gen    uint32
	kind   timerKind
}

// wheel orders timers exactly by (due, insertion) at a cost independent of their number:
// buckets of equal width, sorted lists inside, three levels of bitmaps to find the next
// one. All timers must be due within one turn; callers keep to half a turn, so that
// doubling the buckets never changes what fits.
type wheel struct {
	timers  []timer
	free    uint32
	buckets []uint32
	bits0   []uint64 // a bit a bucket
	bits1   []uint64 // a bit a word of bits0
	bits2   uint64   // a bit a word of bits1
	mask    uint32
	shift   uint8 // a bucket is 2^shift ns wide
	n       int
	top     int64  // due time of the first timer; never if empty
	last    uint32 // timer put last, while it is pending: many due at the same time line up behind it at once
}

const (
	wheelMin = 1 << 12 // buckets at the start
	wheelMax = 1 << 18 // and at most: what three levels of bitmaps address
)

// reset empties the wheel and fits its turn to turn ns, a power of two of at least wheelMin.
// Buckets that an earlier trial needed are kept; the order of timers does not depend on their number.
func (w *wheel) reset(turn int64) {
	n := max(len(w.buckets), wheelMin)
	for n > wheelMin && int64(n) > turn {
		n /= 2
	}
	w.size(n, uint8(bits.Len64(uint64(turn))-bits.Len64(uint64(n))))
	if len(w.timers) == 0 {
		w.timers = make([]timer, 1, 1024) // handle 0 is none
	}
	w.timers, w.free = w.timers[:1], 0
	w.n, w.top, w.last = 0, never, 0
}

func (w *wheel) size(n int, shift uint8) {
	if len(w.buckets) != n {
		w.buckets = make([]uint32, n)
		w.bits0 = make([]uint64, n/64)
		w.bits1 = make([]uint64, max(n/4096, 1))
	} else {
		clear(w.buckets)
		clear(w.bits0)
		clear(w.bits1)
	}
	w.bits2, w.mask, w.shift = 0, uint32(n-1), shift
}

// put adds a timer behind all that are due at the same time.
func (w *wheel) put(due int64, kind timerKind, handle, gen uint32) {
	f := w.free
	if f != 0 {
		w.free = w.timers[f].next
	} else {
		f = uint32(len(w.timers))
		w.timers = append(w.timers, timer{})
	}
	w.timers[f] = timer{due: due, handle: handle, gen: gen, kind: kind}
	if last := &w.timers[w.last]; w.last != 0 && last.due == due {
		w.timers[f].next, last.next = last.next, f
	} else {
		w.link(f, due)
	}
	w.last = f
	w.n++
	w.top = min(w.top, due)
	if w.n > len(w.buckets) && len(w.buckets) < wheelMax && w.shift > 0 {
		w.grow()
	}
}

func (w *wheel) link(f uint32, due int64) {
	b := uint32(due>>w.shift) & w.mask
	p := &w.buckets[b]
	for *p != 0 && w.timers[*p].due <= due {
		p = &w.timers[*p].next
	}
	w.timers[f].next = *p
	*p = f
	w.bits0[b>>6] |= 1 << (b & 63)
	w.bits1[b>>12] |= 1 << (b >> 6 & 63)
	w.bits2 |= 1 << (b >> 12)
}

// pop removes the first timer. The wheel must not be empty.
func (w *wheel) pop() timer {
	b := uint32(w.top>>w.shift) & w.mask
	f := w.buckets[b]
	t := w.timers[f]
	w.timers[f].next, w.free = w.free, f
	if w.last == f {
		w.last = 0
	}
	w.buckets[b] = t.next
	w.n--
	if t.next != 0 {
		w.top = w.timers[t.next].due
		return t
	}
	if w.bits0[b>>6] &^= 1 << (b & 63); w.bits0[b>>6] == 0 {
		if w.bits1[b>>12] &^= 1 << (b >> 6 & 63); w.bits1[b>>12] == 0 {
			w.bits2 &^= 1 << (b >> 12)
		}
	}
	w.top = never
	if w.n > 0 {
		w.top = w.timers[w.buckets[w.scan(b)]].due
	}
	return t
}

// scan finds the first bucket in use at or after b, going round.
func (w *wheel) scan(b uint32) uint32 {
	i := b >> 6
	if m := w.bits0[i] >> (b & 63); m != 0 {
		return b + uint32(bits.TrailingZeros64(m))
	}
	i++
	g := i >> 6
	if int(g) < len(w.bits1) {
		if m := w.bits1[g] >> (i & 63); m != 0 {
			return w.first(i + uint32(bits.TrailingZeros64(m)))
		}
	}
	g++
	m := w.bits2 >> g << g
	if m == 0 {
		m = w.bits2
	}
	g = uint32(bits.TrailingZeros64(m))
	return w.first(g*64 + uint32(bits.TrailingZeros64(w.bits1[g])))
}

func (w *wheel) first(word uint32) uint32 {
	return word*64 + uint32(bits.TrailingZeros64(w.bits0[word]))
}

// grow doubles the buckets at half the width.
func (w *wheel) grow() {
	old := w.buckets
	w.buckets = nil
	w.size(2*len(old), w.shift-1)
	for _, f := range old {
		for f != 0 { // a list is in order, and so are its two halves
			next := w.timers[f].next
			w.link(f, w.timers[f].due)
			f = next
		}
	}
}
