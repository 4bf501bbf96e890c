package policy

// window counts two kinds of things over the current time slot and a fixed number
// of slots before it. Slots are aligned to time zero, so what is counted does not
// depend on when somebody looked. A count is kept for at least kept slots' time
// and at most one slot's time more.
type window struct {
	width int64  // ns of one slot
	head  int64  // number of the current slot since time zero
	at    int    // its place in slots
	slots []slot // the current slot and those kept
	sum   slot   // of all slots
}

type slot struct{ a, b int64 }

func newWindow(width int64, kept int) window {
	return window{width: width, slots: make([]slot, kept+1)}
}

// reset forgets everything; the current slot is the one at time now.
func (w *window) reset(now int64) {
	clear(w.slots)
	w.sum = slot{}
	w.head, w.at = now/w.width, 0
}

// advance drops the slots that have grown too old at time now.
func (w *window) advance(now int64) {
	head := now / w.width
	if head == w.head {
		return
	}
	if head-w.head >= int64(len(w.slots)) {
		w.reset(now)
		return
	}
	for ; w.head < head; w.head++ {
		w.at++
		if w.at == len(w.slots) {
			w.at = 0
		}
		w.sum.a -= w.slots[w.at].a
		w.sum.b -= w.slots[w.at].b
		w.slots[w.at] = slot{}
	}
}

// add counts at time now.
func (w *window) add(now, a, b int64) {
	w.advance(now)
	w.slots[w.at].a += a
	w.slots[w.at].b += b
	w.sum.a += a
	w.sum.b += b
}

// total is what the window holds at time now.
func (w *window) total(now int64) (a, b int64) {
	w.advance(now)
	return w.sum.a, w.sum.b
}

// covered is how much time before now the window looks at, in ns: less than the
// full window at the start, but never less than a tenth of a slot, so that a rate
// over it does not explode.
func (w *window) covered(now int64) int64 {
	full := int64(len(w.slots)-1)*w.width + now%w.width
	return max(min(now, full), w.width/10)
}
