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
	current uint32 // with few workers: attempt in service that ends first; see roster.go
	source  uint32 // with few workers; 0 otherwise
	limit   int64
	random  rng.Stream
	flags
	firstEdge uint32 // its calls are edges firstEdge..firstEdge+calls-1
	calls     uint16
	ServiceTally
	time    dist.Sampler
	peak    int64  // of the queue in this window
	coins   uint64 // key of the failure coins: one for each service time, whether or not it can fail
	tossed  uint64 // of them, before the warm-up ended
	due     int64  // when current ends
	others  roster // in service behind current
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
	plain    bool // one server, never held, nothing changes its service and nothing in its queue is cancelled
}

// touch brings the integrals up to date; it comes before every change of busy or waiting.
func (s *Sim) touch(st *station) {
	dt := s.now - st.touched
	st.touched = s.now
	st.BusyNs += st.busy * dt
	st.InSystemNs += (st.busy + st.waiting) * dt
}

// deliver lets an attempt arrive at its service.
func (s *Sim) deliver(st *station, h uint32) {
	st.Attempts++
	if st.odd && s.failsFast(st, &s.frames[h]) {
		st.FastFailed++
		s.answer(h, policy.Failed, false)
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
		s.answer(h, policy.Rejected, false)
		return
	}
	s.touch(st)
	f := &s.frames[h]
	f.since, f.state, f.next = s.now, waiting, 0
	if idle {
		s.serve(st, h)
		return
	}
	if st.head == 0 {
		st.head = h
	} else {
		s.frames[st.tail].next = h
	}
	st.tail = h
	st.grew()
}

// pushFront queues an attempt that must only go on before all that wait for service.
func (st *station) pushFront(s *Sim, h uint32) {
	s.frames[h].next = st.head
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
	f := &s.frames[h]
	f.holds = true
	st.busy++
	if f.state == resuming {
		f.state = below
		s.again(h)
		return
	}
	st.WaitNs += s.now - f.since
	work := st.next
	if st.slowed || st.early {
		work = s.unusualWork(st, f, work)
	}
	f.since, f.state = s.now, serving
	if st.source != 0 {
		s.enter(st, h, s.now+work)
	} else {
		s.after(work, timerServed, h, f.gen)
	}
	st.next = st.time.Draw(&st.random)
}

// unusualWork is the service time where faults add latency, or where an attempt's fate is
// known at the start and shortens it.
func (s *Sim) unusualWork(st *station, f *frame, work int64) int64 {
	if st.slowed {
		work += s.addedLatency(st)
	}
	if st.early {
		st.tossed++
		if f.fails = st.failing && s.failure(st, f); f.fails {
			work = int64(float64(work) * st.plan.failureCost)
		}
	}
	return work
}

// servedFirst ends the first service time of a service with few workers. What nearly every event does
// where there is just one, who goes from one attempt to the next, is written out here; served is the whole rule.
func (s *Sim) servedFirst(source uint32) {
	st := &s.stations[s.sourced[source]]
	h := st.current
	if st.plain {
		f := &s.frames[h]
		f.state, f.holds = below, false
		st.Served++
		work := s.now - f.since
		st.WorkNs += work
		if s.p.abandons && s.gone[h] != 0 {
			st.WastedNs += min(work, s.now-s.gone[h])
		}
		failed := st.failing && s.failure(st, f)
		s.touch(st)
		s.startNext(st, source)
		s.onward(st, h, failed)
		return
	}
	s.leave(st)
	s.served(st, h)
}

// startNext lets the worker of a plain station take who waits first.
func (s *Sim) startNext(st *station, source uint32) {
	h := st.head
	st.current = h
	if h == 0 {
		st.busy = 0
		s.sel.set(source, never)
		return
	}
	f := &s.frames[h]
	st.head = f.next
	st.waiting--
	st.WaitNs += s.now - f.since
	f.since, f.state, f.holds = s.now, serving, true
	s.sel.set(source, eventKey(s.now+st.next, source))
	st.next = st.time.Draw(&st.random)
}

// served ends an attempt's service time.
func (s *Sim) served(st *station, h uint32) {
	f := &s.frames[h]
	work := s.now - f.since
	st.Served++
	st.WorkNs += work
	if s.p.abandons && s.gone[h] != 0 {
		st.WastedNs += min(work, s.now-s.gone[h])
	}
	failed := f.fails
	if st.failing && !st.early {
		failed = s.failure(st, f)
	}
	f.state, f.fails = below, false
	if failed || st.calls == 0 || !st.hold {
		s.release(st, f)
	}
	s.onward(st, h, failed)
}

// onward is what follows an attempt's service time: its answer, or its calls.
func (s *Sim) onward(st *station, h uint32, failed bool) {
	switch {
	case failed:
		st.Failed++
		s.answer(h, policy.Failed, false)
	case st.calls == 0:
		st.Succeeded++
		s.answer(h, policy.Success, false)
	default:
		s.proceed(st, h)
	}
}

// release frees the worker that an attempt occupies and starts who waits.
func (s *Sim) release(st *station, f *frame) {
	s.touch(st)
	f.holds = false
	st.busy--
	if st.head != 0 {
		s.startWaiting(st)
	}
}

// startWaiting gives free workers to the queue. Integrals are up to date.
func (s *Sim) startWaiting(st *station) {
	for st.head != 0 && st.busy < st.workers {
		h := st.head
		f := &s.frames[h]
		st.head = f.next
		if f.state == dead {
			s.freeFrame(h)
			continue
		}
		st.waiting--
		s.serve(st, h)
	}
}

// finish ends an attempt's stay at its service after its calls: it gives its worker back and
// counts. What fails below makes it fail, whatever the outcome there was.
func (s *Sim) finish(st *station, f *frame, o policy.Outcome) policy.Outcome {
	if f.holds {
		s.release(st, f)
	}
	if o == policy.Success {
		st.Succeeded++
		return o
	}
	st.FailedBelow++
	return policy.Failed
}
