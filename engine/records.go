package engine

// A frame is an attempt at a service together with the one call that it has open: a service
// that calls in order has just one at a time. Where that does not fit, a frame stands for a
// call alone: each call of a service that calls in parallel, and each request of a client.
//
// Frames live in a slab and are named by handles; handle 0 is none. A frame's generation
// changes when it is freed, which cancels every timer that points to it. A free frame has
// child, fork, step, role, holds and fails at zero, so that few fields are set when it is used.
type frame struct { // 64 bytes, a cache line
	since   int64  // attempt: arrived, later service started; request: arrived
	sent    int64  // its call's current attempt
	backoff int64  // its call's last wait
	caller  uint32 // attempt: frame whose call it serves, 0 if nobody waits any more; call alone: attempt that makes it, 0 for a request
	child   uint32 // its call's open attempt; 0: in backoff, or no call is open
	next    uint32 // in the service's queue, or in the free list
	fork    uint32 // parallel attempt: first of its open calls; parallel call: next of them; request: user of a closed loop
	gen     uint32
	request uint32
	svc     uint32 // attempt: its service
	edge    uint32 // of its call
	n       uint16 // attempts of its call so far
	step    uint16 // attempt: next of the service's calls to make; parallel: calls not ended; replying: outcome; request: see arrived
	state   state
	role    role
	holds   bool // attempt: occupies a worker
	fails   bool // attempt: fate known at the start of the service, or a parallel call has failed
}

// arrived notes in which phase a request arrived, and whether it counts.
func (f *frame) arrived(phase int, counted bool) {
	f.step = uint16(phase)
	if counted {
		f.step |= 1 << 8
	}
}

// phase of a request's arrival, and whether it came after the warm-up.
func (f *frame) phase() (phase int, counted bool) { return int(f.step & 0xff), f.step>>8 != 0 }

type state uint8

const (
	free       state = iota
	travelling       // on the way to the service
	waiting          // for a worker, before service
	resuming         // for a worker, to go on after a backoff
	serving
	below    // waits for its calls; calls alone are always in this state
	replying // the answer is on its way back
	dead     // cancelled while in the queue; freed when it comes to the head
)

type role uint8

const (
	isAttempt role = iota
	isParallelCall
	isRequest
)

// inCare tells whether an attempt has been admitted and not been answered.
func (f *frame) inCare() bool {
	return f.role == isAttempt && f.state >= waiting && f.state <= below
}

// newFrame gives a frame whose contents are left from its last use. It may move the slab.
func (s *Sim) newFrame() uint32 {
	if h := s.freed; h != 0 {
		s.freed = s.frames[h].next
		return h
	}
	s.frames = append(s.frames, frame{})
	s.gone = append(s.gone, 0)
	return uint32(len(s.frames) - 1)
}

func (s *Sim) freeFrame(h uint32) {
	f := &s.frames[h]
	f.gen++
	f.state, f.role, f.fails, f.holds = free, isAttempt, false, false
	f.step, f.fork = 0, 0
	f.next, s.freed = s.freed, h
}
