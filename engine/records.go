package engine

import "retrylab/policy"

// Attempts and calls live in slabs and are named by handles; handle 0 is none. A record's
// generation changes when it is freed, which cancels every timer that points to it.

type attemptState uint8

const (
	travelling attemptState = iota // on the way to the service
	waiting                        // for a worker, before service
	resuming                       // for a worker, to go on after a backoff
	serving
	below    // waits for its calls
	replying // the answer is on its way back
	dead     // cancelled while in the queue; freed when it comes to the head
)

// attempt is one transmission of a call, and its execution at the service.
type attempt struct {
	since   int64  // arrived at the service; later: service started
	gone    int64  // when the caller, or any caller above it, gave up; 0: not
	call    uint32 // that waits for it; 0: none any more
	next    uint32 // in the service's queue, or in the free list
	calls   uint32 // its open calls, linked by sib
	gen     uint32
	request uint32
	svc     uint32
	step    uint32 // next of the service's calls to make
	open    uint32 // parallel: calls not ended
	state   attemptState
	holds   bool           // occupies a worker
	live    bool           // in use
	fails   bool           // fate known at the start of the service, or a parallel call has failed
	outcome policy.Outcome // while replying
}

// call is one caller asking one callee once; it consists of attempts.
type call struct {
	began    int64
	sent     int64  // its current attempt
	backoff  int64  // last wait
	parent   uint32 // attempt that makes it; 0: a client's request
	attempt  uint32 // open attempt; 0: in backoff
	sib      uint32 // next open call of the same attempt; of a request: user of a closed loop; or free list
	gen      uint32
	request  uint32
	edge     uint32
	n        uint32 // attempts so far
	phase    uint8
	open     bool // in use
	measured bool // a request that arrived after the warm-up
}

func (s *Sim) newAttempt() uint32 {
	if h := s.freeA; h != 0 {
		s.freeA = s.attempts[h].next
		return h
	}
	s.attempts = append(s.attempts, attempt{})
	return uint32(len(s.attempts) - 1)
}

func (s *Sim) freeAttempt(h uint32) {
	a := &s.attempts[h]
	a.gen++
	a.live = false
	a.next, s.freeA = s.freeA, h
}

func (s *Sim) newCall() uint32 {
	if h := s.freeC; h != 0 {
		s.freeC = s.calls[h].sib
		return h
	}
	s.calls = append(s.calls, call{})
	return uint32(len(s.calls) - 1)
}

func (s *Sim) freeCall(h uint32) {
	c := &s.calls[h]
	c.gen++
	c.open, c.attempt = false, 0
	c.sib, s.freeC = s.freeC, h
}
