package engine

// agendaClass orders what the agenda holds at equal times.
type agendaClass uint8

const (
	agendaWindow agendaClass = iota // a window ends
	agendaWarmup                    // the warm-up ends
	agendaFault                     // a fault turns on or off
	agendaTimer                     // a timer too far off for the wheel
)

// item is one entry of the agenda.
type item struct {
	due   int64
	seq   uint32
	class agendaClass
	fault uint32 // agendaFault: its number
	timer timer  // agendaTimer
}

func (a *item) before(b *item) bool {
	if a.due != b.due {
		return a.due < b.due
	}
	if a.class != b.class {
		return a.class < b.class
	}
	return a.seq < b.seq
}

// agenda is a binary heap of what is rare or far off, ordered by (due, class, insertion).
type agenda struct {
	items []item
	seq   uint32
}

func (a *agenda) reset() { a.items, a.seq = a.items[:0], 0 }

func (a *agenda) top() int64 {
	if len(a.items) == 0 {
		return never
	}
	return a.items[0].due
}

func (a *agenda) put(it item) {
	a.seq++
	it.seq = a.seq
	h := append(a.items, it)
	i := len(h) - 1
	for i > 0 && h[i].before(&h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	a.items = h
}

func (a *agenda) pop() item {
	h := a.items
	it := h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && h[c+1].before(&h[c]) {
			c++
		}
		if !h[c].before(&h[i]) {
			break
		}
		h[i], h[c] = h[c], h[i]
		i = c
	}
	a.items = h
	return it
}
