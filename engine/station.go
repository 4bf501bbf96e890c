package engine

import (
	"retrylab/engine/dist"
	"retrylab/engine/rng"
	"retrylab/policy"
)

// station is a service while it runs: workers, a queue, and what it counts.
type station struct {
	plan    *servicePlan
	source  uint32 // of a single-server service; 0 otherwise
	current uint32 // single: attempt in service
	head    uint32 // queue, linked by attempt.next; dead attempts included
	tail    uint32
	waiting int64  // not dead
	busy    int64  // occupied workers
	workers int64  // available now
	touched int64  // integrals are up to date to this time
	next    int64  // service time of the next start, drawn in advance, off the critical path
	coins   uint64 // key of the failure coins
	tosses  uint64 // failure coins so far: one for each service time, whether or not it can fail
	random  rng.Stream
	time    dist.Sampler
	fast    rng.Stream // coins of failures before service
	slow    rng.Stream // added latency
	chance  chance     // how failures are decided now
	down    bool       // crashed
	slowed  bool
	relayed // overload, see signal.go
	count   *ServiceTally
	ended   int64 // attempts whose answer is known; completes the check of the counts
	carried int64 // in the service's care when the warm-up ended
	peak    int64 // of the queue in this window
	firsts  int64 // arrived attempts with number 1
}

// touch brings the integrals up to date; it comes before every change of busy or waiting.
func (s *Sim) touch(st *station) {
	dt := s.now - st.touched
	st.count.BusyNs += st.busy * dt
	st.count.InSystemNs += (st.busy + st.waiting) * dt
	st.touched = s.now
}

// deliver lets an attempt arrive at its service.
func (s *Sim) deliver(h uint32) {
	a := &s.attempts[h]
	st := &s.stations[a.svc]
	st.count.Attempts++
	if s.calls[a.call].n == 1 {
		st.firsts++
	}
	if st.plan.signals {
		st.countArrival(s.now)
	}
	switch {
	case st.down || st.chance.before && s.fastFailure(st, a):
		st.count.FastFailed++
		s.reply(h, policy.Failed)
	case st.full():
		st.count.Rejected++
		s.reply(h, policy.Rejected)
	default:
		st.count.Admitted++
		s.touch(st)
		a.since, a.state = s.now, waiting
		if st.busy < st.workers {
			s.serve(st, h)
			return
		}
		st.push(s, h)
	}
}

func (st *station) full() bool {
	if st.plan.limitAll {
		return st.waiting+st.busy >= st.plan.limit
	}
	return st.busy >= st.workers && st.waiting >= st.plan.limit
}

func (st *station) push(s *Sim, h uint32) {
	a := &s.attempts[h]
	a.next = 0
	if st.head == 0 {
		st.head = h
	} else {
		s.attempts[st.tail].next = h
	}
	st.tail = h
	st.grew()
}

// pushFront puts an attempt that must only go on before all that wait for service.
func (st *station) pushFront(s *Sim, h uint32) {
	s.attempts[h].next = st.head
	if st.head == 0 {
		st.tail = h
	}
	st.head = h
	st.grew()
}

func (st *station) grew() {
	st.waiting++
	st.peak = max(st.peak, st.waiting)
}

// serve gives an attempt a worker. Integrals are up to date.
func (s *Sim) serve(st *station, h uint32) {
	a := &s.attempts[h]
	st.busy++
	a.holds = true
	if a.state == resuming {
		a.state = below
		s.send(s.resumed(a))
		return
	}
	st.count.WaitNs += s.now - a.since
	work := st.next
	st.next = st.time.Draw(&st.random)
	if st.slowed {
		work += s.addedLatency(st)
	}
	if st.plan.failureCost < 1 {
		st.tosses++
		if a.fails = s.failure(st, a); a.fails {
			work = int64(float64(work) * st.plan.failureCost)
		}
	}
	a.since, a.state = s.now, serving
	if st.source != 0 {
		st.current = h
		s.sel.set(st.source, eventKey(s.now+work, st.source))
		return
	}
	s.after(work, timerServed, h, a.gen)
}

// servedSingle ends the service time of a single-server service.
func (s *Sim) servedSingle(source uint32) {
	st := &s.stations[s.singles[source]]
	h := st.current
	st.current = 0
	s.sel.set(source, never)
	s.served(h)
}

// served ends an attempt's service time.
func (s *Sim) served(h uint32) {
	a := &s.attempts[h]
	st := &s.stations[a.svc]
	work := s.now - a.since
	st.count.Served++
	st.count.WorkNs += work
	if a.gone != 0 {
		st.count.WastedNs += min(work, s.now-a.gone)
	}
	failed := a.fails
	if st.plan.failureCost == 1 {
		st.tosses++
		failed = st.chance.any && s.failure(st, a)
	}
	if !st.plan.hold || failed || st.plan.calls == 0 {
		s.release(st, h)
		a = &s.attempts[h]
	}
	if failed {
		st.count.Failed++
		s.finish(h, policy.Failed)
		return
	}
	a.state = below
	if st.plan.calls == 0 {
		s.finish(h, policy.Success)
		return
	}
	a.fails = false
	s.proceed(h)
}

// release frees the worker that an attempt occupies and starts who waits.
func (s *Sim) release(st *station, h uint32) {
	s.touch(st)
	s.attempts[h].holds = false
	st.busy--
	s.startWaiting(st)
}

// startWaiting gives free workers to the queue. Integrals are up to date.
func (s *Sim) startWaiting(st *station) {
	for st.head != 0 && st.busy < st.workers {
		h := st.head
		a := &s.attempts[h]
		st.head = a.next
		if a.state == dead {
			s.freeAttempt(h)
			continue
		}
		st.waiting--
		s.serve(st, h)
	}
}

// finish ends an attempt at its service and answers its caller.
func (s *Sim) finish(h uint32, o policy.Outcome) {
	a := &s.attempts[h]
	st := &s.stations[a.svc]
	if a.holds {
		s.release(st, h)
	}
	if o == policy.Success {
		st.count.Succeeded++
	}
	st.ended++
	s.reply(h, o)
}
