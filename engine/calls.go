package engine

import (
	"retrylab/engine/rng"
	"retrylab/policy"
)

// edge is a call between two services, or from a client, while it runs. What every attempt
// needs comes first.
type edge struct {
	callee  uint32
	lane    int32 // of the timeout; -1: none
	watches policy.Events
	always  bool          // the call is made with probability 1
	lagged  bool          // messages take time
	odd     bool          // something besides calling and answering happens on it
	slowed  bool          // a fault adds latency
	failing bool          // failures on the edge are possible now
	signals bool          // the callee's replies carry overload signals
	only    policy.Policy // of the only instance; nil if there are several
	coin    rng.Stream    // of the policy's decisions
	jitter  rng.Stream
	EdgeTally
	policies      []policy.Policy // one an instance
	plan          *edgePlan
	split         uint64 // key that deals requests to instances
	fresh         rng.Stream
	branch        rng.Stream // whether the call is made at all
	lag           rng.Stream // added latency
	coins         uint64     // key of the failure coins, one an attempt
	tossed        uint64     // of them, before the warm-up ended
	chance        chance
	heard         relay // last overload signal from the callee
	inFlight      int64 // open attempts, when last counted, and of them with number 1
	firstInFlight int64
	carried       int64 // the same when the warm-up ended
	firstCarried  int64
}

func (e *edge) policy(request uint32) policy.Policy {
	if e.only != nil {
		return e.only
	}
	return e.policies[rng.At(e.split, uint64(request))%uint64(len(e.policies))]
}

// first is the number of first attempts sent: calls that were not refused.
func (e *edge) first() int64 { return e.Calls - e.CallsEnded[policy.Blocked] }

// begin starts the call of frame h, if the caller's policy lets it. f is the frame, e its edge.
func (s *Sim) begin(e *edge, f *frame, h uint32) {
	f.n, f.backoff = 0, 0
	e.Calls++
	if e.watches&policy.WatchFresh != 0 && !e.policy(f.request).AllowFresh(s.now, e.fresh.Float64()) {
		s.callEnded(h, policy.Blocked)
		return
	}
	s.send(e, f.request, h)
}

// again sends the call's next attempt after a backoff.
func (s *Sim) again(h uint32) {
	f := &s.frames[h]
	e := &s.edges[f.edge]
	e.Retries++
	s.send(e, f.request, h)
}

// send sends the next attempt of frame h's call over edge e.
func (s *Sim) send(e *edge, request, h uint32) {
	ch := s.newFrame()
	f, c := &s.frames[h], &s.frames[ch]
	f.n++
	f.sent, f.child = s.now, ch
	c.caller, c.request, c.svc = h, request, e.callee
	if e.odd && s.sentOddly(e, h, ch) {
		return
	}
	s.deliver(&s.stations[e.callee], ch)
}

// sentOddly does what only some edges need when an attempt is sent; true if it does not
// arrive at once.
func (s *Sim) sentOddly(e *edge, h, ch uint32) bool {
	f, c := &s.frames[h], &s.frames[ch]
	c.state = travelling
	if s.p.abandons {
		s.inheritWaste(h, ch)
	}
	if e.lane >= 0 {
		s.arm(uint32(e.lane), ch, c.gen)
	}
	if e.watches&policy.WatchStart != 0 {
		e.policy(f.request).AttemptStart(s.now, int(f.n))
	}
	if s.trace != nil {
		s.report(TraceSent, h, policy.Success)
	}
	if e.failing && s.edgeFailure(e, c) { // no answer, and so no signal of the callee
		s.freeFrame(ch)
		s.ended(h, policy.Failed)
		return true
	}
	if e.lagged {
		s.after(s.delay(e), timerArrive, ch, c.gen)
	}
	return e.lagged
}

// answer ends an attempt: its caller learns the outcome, if there still is one, and so on up
// the chain of callers as far as the answer ends calls and attempts. arrived says that the
// first answer has reached the caller; otherwise it may have to travel.
func (s *Sim) answer(h uint32, o policy.Outcome, arrived bool) {
	for {
		f := &s.frames[h]
		up := f.caller
		if up == 0 {
			s.freeFrame(h)
			return
		}
		u := &s.frames[up]
		e := &s.edges[u.edge]
		signal := policy.Calm
		if e.odd {
			if e.lagged && !arrived {
				f.state, f.step = replying, uint16(o)
				s.after(s.delay(e), timerReply, h, f.gen)
				return
			}
			signal = s.answeredOddly(e, &s.stations[f.svc], up, o)
		}
		s.freeFrame(h)
		u.child = 0
		if (o != policy.Success || e.watches&policy.WatchEnd != 0) && s.retried(up, o, signal) {
			return
		}
		if u.role != isAttempt || e.watches&policy.WatchCall != 0 {
			s.callEnded(up, o)
			return
		}
		e.CallsEnded[o]++
		st := &s.stations[u.svc]
		if o == policy.Success && u.step < st.calls {
			s.proceed(st, up)
			return
		}
		o = s.finish(st, u, o)
		h, arrived = up, false
	}
}

// answeredOddly does what only some edges need when an answer arrives.
func (s *Sim) answeredOddly(e *edge, st *station, up uint32, o policy.Outcome) policy.Signal {
	if s.trace != nil {
		s.report(TraceEnded, up, o)
	}
	if e.signals {
		return s.hear(e, st)
	}
	return policy.Calm
}

// ended lets a caller see the end of its open attempt without an answer: a timeout or a crash.
func (s *Sim) ended(h uint32, o policy.Outcome) {
	s.frames[h].child = 0
	if s.trace != nil {
		s.report(TraceEnded, h, o)
	}
	if !s.retried(h, o, policy.Calm) {
		s.callEnded(h, o)
	}
}

// retried tells the policy how an attempt ended and plans a retry, if there is to be one.
func (s *Sim) retried(h uint32, o policy.Outcome, signal policy.Signal) bool {
	f := &s.frames[h]
	e := &s.edges[f.edge]
	p := e.policy(f.request)
	s.told = policy.Attempt{Number: int(f.n), Outcome: o, Signal: signal, RTT: s.now - f.sent, PrevDelay: f.backoff, Deadline: s.deadline(f), Pushback: -1}
	if e.watches&policy.WatchEnd != 0 {
		p.AttemptEnd(s.now, &s.told)
	}
	if o == policy.Success {
		return false
	}
	e.Ended[o]++
	d := p.Retry(s.now, &s.told, policy.Draws{Coin: e.coin.Float64(), Jitter: e.jitter.Float64()})
	if d.Deny == policy.Allowed && s.told.Deadline != 0 && s.now+d.Delay >= s.told.Deadline {
		d.Deny = policy.DeadlineHit
	}
	if d.Deny != policy.Allowed {
		e.Denied[d.Deny]++
		return false
	}
	f.backoff = d.Delay
	e.BackoffNs += d.Delay
	s.after(d.Delay, timerRetry, h, f.gen)
	if f.holds {
		if st := &s.stations[f.svc]; !st.plan.holdBackoff {
			s.release(st, f)
		}
	}
	return true
}

// deadline is when a request must have ended; 0 for never and for calls of services, which
// do not know it. A client's edge has the client's number.
func (s *Sim) deadline(f *frame) int64 {
	if f.role != isRequest || s.p.clients[f.edge].deadline == 0 {
		return 0
	}
	return f.since + s.p.clients[f.edge].deadline
}

// retry goes on after a backoff. A caller whose worker was given back takes the next one first.
func (s *Sim) retry(h uint32) {
	f := &s.frames[h]
	if s.trace != nil {
		s.report(TraceRetry, h, policy.Success)
	}
	if f.role == isAttempt {
		if st := &s.stations[f.svc]; st.hold && !f.holds {
			s.touch(st)
			f.state = resuming
			if st.busy < st.workers {
				s.serve(st, h)
			} else {
				st.pushFront(s, h)
			}
			return
		}
	}
	s.again(h)
}

// callEnded ends the call of frame h for good, and whatever ends with it.
func (s *Sim) callEnded(h uint32, o policy.Outcome) {
	f := &s.frames[h]
	e := &s.edges[f.edge]
	e.CallsEnded[o]++
	if e.watches&policy.WatchCall != 0 {
		e.policy(f.request).CallEnd(s.now, o, int(f.n))
	}
	switch f.role {
	case isRequest:
		s.requestEnded(h, o)
		return
	case isParallelCall:
		s.joined(h, o)
		return
	}
	st := &s.stations[f.svc]
	if o == policy.Success && f.step < st.calls {
		s.proceed(st, h)
		return
	}
	s.settle(st, h, o)
}

// settle ends an attempt whose calls are over, and answers its caller.
func (s *Sim) settle(st *station, h uint32, o policy.Outcome) {
	o = s.finish(st, &s.frames[h], o)
	s.answer(h, o, false)
}

// proceed makes an attempt's next call, or all of them; if none is left the attempt succeeds.
func (s *Sim) proceed(st *station, h uint32) {
	if st.parallel {
		s.fanOut(st, h)
		return
	}
	f := &s.frames[h]
	for f.step < st.calls {
		f.edge = st.firstEdge + uint32(f.step)
		f.step++
		if e := &s.edges[f.edge]; e.always || e.branch.Float64() < e.plan.probability {
			s.begin(e, f, h)
			return
		}
	}
	s.settle(st, h, policy.Success)
}

// fanOut makes all calls at once. The attempt counts as one open call itself meanwhile, so
// that it cannot end before the last call is made.
func (s *Sim) fanOut(st *station, h uint32) {
	s.frames[h].step = 1
	for e := st.firstEdge; e < st.firstEdge+uint32(st.calls); e++ {
		if p := &s.edges[e]; !p.always && p.branch.Float64() >= p.plan.probability {
			continue
		}
		ch := s.newFrame()
		f, c := &s.frames[h], &s.frames[ch]
		f.step++
		c.caller, c.fork, f.fork = h, f.fork, ch
		c.request, c.edge = f.request, e
		c.state, c.role = below, isParallelCall
		if s.p.abandons {
			s.inheritWaste(h, ch)
		}
		s.begin(&s.edges[e], c, ch)
	}
	s.oneLess(h, policy.Success)
}

// joined ends a parallel call.
func (s *Sim) joined(h uint32, o policy.Outcome) {
	up := s.frames[h].caller
	p := &s.frames[up].fork
	for *p != h {
		p = &s.frames[*p].fork
	}
	*p = s.frames[h].fork
	s.freeFrame(h)
	s.oneLess(up, o)
}

// oneLess ends an attempt when the last of its parallel calls has ended.
func (s *Sim) oneLess(h uint32, o policy.Outcome) {
	f := &s.frames[h]
	f.fails = f.fails || o != policy.Success
	if f.step--; f.step > 0 {
		return
	}
	o = policy.Success
	if f.fails {
		o = policy.Failed
	}
	s.settle(&s.stations[f.svc], h, o)
}

// delay is the time of one way over an edge, now.
func (s *Sim) delay(e *edge) int64 {
	d := e.plan.latency
	if e.slowed {
		d += s.addedLag(e)
	}
	return d
}
