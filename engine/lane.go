package engine

// lane holds the timeouts of one duration. They expire in the order in which they were
// armed, so a ring is enough. A timeout is cancelled by a new generation of what it
// guards and dropped when it reaches the head.
type lane struct {
	duration int64
	deadline bool // guards calls of clients (request deadlines), not attempts
	ring     []expiry
	head, n  uint32
}

type expiry struct {
	due         int64
	handle, gen uint32
}

func (l *lane) reset() { l.head, l.n = 0, 0 }

func (l *lane) push(e expiry) {
	if int(l.n) == len(l.ring) {
		bigger := make([]expiry, max(1024, 2*len(l.ring)))
		k := copy(bigger, l.ring[l.head:])
		copy(bigger[k:], l.ring[:l.head])
		l.ring, l.head = bigger, 0
	}
	l.ring[(l.head+l.n)&uint32(len(l.ring)-1)] = e
	l.n++
}

func (l *lane) pop() expiry {
	e := l.ring[l.head]
	l.head = (l.head + 1) & uint32(len(l.ring)-1)
	l.n--
	return e
}
