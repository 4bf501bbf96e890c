package engine

import (
	"retrylab/engine/dist"
	"retrylab/engine/rng"
	"retrylab/policy"
)

// station is a service while it runs: workers, a queue, and what it counts. What every
// event needs comes first, so that it shares few cache lines.
type station struct {
	waiting int64  // in the queue, dead attempts not counted
	busy    int64  // occupied workers
	workers int64  // available now
	touched int64  // integrals are up to date to this time
	next    int64  // service time of the next start, drawn in advance, off the critical path
	head    uint32 // queue, linked by attempt.next; dead attempts included
	tail    uint32
	current uint32 // single-server: attempt in service
	source  uint32 // of a single-server service; 0 otherwise
	limit   int64
	random  rng.Stream
	ServiceTally
	time   dist.Sampler
	peak   int64  // of the queue in this window
	firsts int64  // arrived attempts with number 1
	tosses uint64 // failure coins so far: one for each service time, whether or not it can fail
	coins  uint64 // their key
	flags
	plan    *servicePlan
	chance  chance     // how failures are decided now
	fast    rng.Stream // coins of failures before service
	slow    rng.Stream // added latency
	carried int64      // attempts in the service's care when the warm-up ended
	relayed            // overload, see signal.go
}

// flags are what a station's events ask first.
type flags struct {
	limitAll bool // the limit counts those in service too
	hold     bool // a worker stays occupied while its attempt waits downstream
	early    bool // the failure coin is tossed at the start of service
	odd      bool // an arrival needs a closer look: crashed, fast failures, or signals
	slowed   bool // a fault adds latency
	down     bool // crashed
	parallel bool
	failing  bool // failures after service are possible now
}

// touch brings the integrals up to date; it comes before every change of busy or waiting.
func (s *Sim) touch(st *station) {
	dt := s.now - st.touched
	st.touched = s.now
	st.BusyNs += st.busy * dt
	st.InSystemNs += (st.busy + st.waiting) * dt
}

// deliver lets an attempt arrive at its service.
func (s *Sim) deliver(h uint32, first bool) {
	a := &s.attempts[h]
	st := &s.stations[a.svc]
	st.Attempts++
	if first {
		st.firsts++
	}
	if st.odd && s.failsFast(st, a) {
		st.FastFailed++
		s.reply(h, policy.Failed)
		return
	}
	idle := st.busy < st.workers
	inside := st.waiting
	if st.limitAll {
		inside += st.busy
	} else if idle {
		inside = -1
	}
	if inside >= st.limit {
		st.Rejected++
		s.reply(h, policy.Rejected)
		return
	}
	s.touch(st)
	a.since, a.state = s.now, waiting
	if idle {
		s.serve(st, h)
		return
	}
	st.push(s, h)
}

func (st *station) push(s *Sim, h uint32) {
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
	a.next = 0
	a.holds = true
	st.busy++
	if a.state == resuming {
		a.state = below
		s.send(a.calls) // sequential calls only: the one it slept for
		return
	}
	st.WaitNs += s.now - a.since
	work := st.next
	if st.slowed || st.early {
		work = s.unusualWork(st, a, work)
	}
	a.since, a.state = s.now, serving
	if st.source != 0 {
		st.current = h
		s.sel.set(st.source, eventKey(s.now+work, st.source))
	} else {
		s.after(work, timerServed, h, a.gen)
	}
	st.next = st.time.Draw(&st.random)
}

// unusualWork is the service time where faults add latency, or where an attempt's fate is
// known at the start and shortens it.
func (s *Sim) unusualWork(st *station, a *attempt, work int64) int64 {
	if st.slowed {
		work += s.addedLatency(st)
	}
	if st.early {
		st.tosses++
		if a.fails = s.failure(st, a); a.fails {
			work = int64(float64(work) * st.plan.failureCost)
		}
	}
	return work
}

// servedSingle ends the service time of a single-server service.
func (s *Sim) servedSingle(source uint32) {
	st := &s.stations[s.singles[source]]
	h := st.current
	st.current = 0
	s.sel.set(source, never)
	s.served(st, h)
}

// served ends an attempt's service time.
func (s *Sim) served(st *station, h uint32) {
	a := &s.attempts[h]
	work := s.now - a.since
	st.Served++
	st.WorkNs += work
	if a.gone != 0 {
		st.WastedNs += min(work, s.now-a.gone)
	}
	failed := a.fails
	if !st.early {
		st.tosses++
		failed = st.failing && s.failure(st, a)
	}
	a.state, a.fails = below, false
	last := failed || st.plan.calls == 0
	if last || !st.hold {
		s.release(st, a)
	}
	switch {
	case failed:
		st.Failed++
		s.reply(h, policy.Failed)
	case last:
		st.Succeeded++
		s.reply(h, policy.Success)
	default:
		s.proceed(st, h)
	}
}

// release frees the worker that an attempt occupies and starts who waits.
func (s *Sim) release(st *station, a *attempt) {
	s.touch(st)
	a.holds = false
	st.busy--
	if st.head != 0 {
		s.startWaiting(st)
	}
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

// finish ends an attempt at its service: it gives its worker back and counts.
func (s *Sim) finish(st *station, h uint32, o policy.Outcome) {
	if a := &s.attempts[h]; a.holds {
		s.release(st, a)
	}
	if o == policy.Success {
		st.Succeeded++
	} else {
		st.FailedBelow++
	}
}
