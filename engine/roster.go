package engine

// A service with few workers keeps its attempts in service itself, ordered by when they end, and
// shows the first of them as its source: no timers, and for one worker no order at all. Insertion
// goes from the back, where a service time that varies little belongs.

// rosterMax is the largest number of workers for which a roster beats timers.
const rosterMax = 32

// roster holds the attempts in service behind the first one, in order of (due, insertion).
type roster struct {
	ring []inService // its length is a power of two
	head uint32
	n    uint32
}

type inService struct {
	due    int64
	handle uint32
}

func (r *roster) reset(servers int64) {
	r.head, r.n = 0, 0
	size := 1
	for int64(size) < servers {
		size *= 2
	}
	if len(r.ring) != size {
		r.ring = make([]inService, size)
	}
}

// put inserts behind all that end no later.
func (r *roster) put(due int64, handle uint32) {
	mask := uint32(len(r.ring) - 1)
	i := r.head + r.n
	for ; i != r.head && r.ring[(i-1)&mask].due > due; i-- {
		r.ring[i&mask] = r.ring[(i-1)&mask]
	}
	r.ring[i&mask] = inService{due, handle}
	r.n++
}

func (r *roster) pop() inService {
	a := r.ring[r.head&uint32(len(r.ring)-1)]
	r.head++
	r.n--
	return a
}

// remove takes out an attempt wherever it is.
func (r *roster) remove(handle uint32) {
	mask := uint32(len(r.ring) - 1)
	found := false
	for i := r.head; i != r.head+r.n; i++ {
		if found {
			r.ring[(i-1)&mask] = r.ring[i&mask]
		}
		found = found || r.ring[i&mask].handle == handle
	}
	if !found {
		panic("engine: an attempt in service is not in its service's roster")
	}
	r.n--
}

// enter puts an attempt in service until due.
func (s *Sim) enter(st *station, h uint32, due int64) {
	switch {
	case st.current == 0:
	case due < st.due: // the new one is first, and before all that end at the same time as the old one
		st.others.pushFront(inService{st.due, st.current})
	default:
		st.others.put(due, h)
		return
	}
	st.current, st.due = h, due
	s.sel.set(st.source, eventKey(due, st.source))
}

func (r *roster) pushFront(a inService) {
	r.head--
	r.ring[r.head&uint32(len(r.ring)-1)] = a
	r.n++
}

// leave takes the first attempt out of service.
func (s *Sim) leave(st *station) {
	if st.others.n > 0 {
		a := st.others.pop()
		st.current, st.due = a.handle, a.due
		s.sel.set(st.source, eventKey(a.due, st.source))
		return
	}
	st.current = 0
	s.sel.set(st.source, never)
}
