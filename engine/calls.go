package engine

import (
	"retrylab/engine/rng"
	"retrylab/policy"
)

// edge is a call between two services, or from a client, while it runs. What every attempt
// needs comes first.
type edge struct {
	callee  uint32
	lane    int32  // of the timeout; -1: none
	tosses  uint64 // failure coins so far, one an attempt
	watches policy.Events
	always  bool // the call is made with probability 1
	lagged  bool // messages take time
	slowed  bool // a fault adds latency
	failing bool // failures on the edge are possible now
	signals bool // the callee's replies carry overload signals
	EdgeTally
	policies      []policy.Policy // one an instance
	coin          rng.Stream      // of the policy's decisions
	jitter        rng.Stream
	plan          *edgePlan
	split         uint64 // key that deals requests to instances
	fresh         rng.Stream
	branch        rng.Stream // whether the call is made at all
	lag           rng.Stream // added latency
	coins         uint64     // key of the failure coins
	chance        chance
	heard         relay // last overload signal from the callee
	inFlight      int64 // open attempts, when last counted, and of them with number 1
	firstInFlight int64
	carried       int64 // the same when the warm-up ended
	firstCarried  int64
}

func (e *edge) policy(request uint32) policy.Policy {
	if len(e.policies) == 1 {
		return e.policies[0]
	}
	return e.policies[rng.At(e.split, uint64(request))%uint64(len(e.policies))]
}

// sent is the number of attempts sent: calls that were not refused, and retries.
func (e *edge) sent() int64 { return e.Calls - e.CallsEnded[policy.Blocked] + e.Retries }

// open makes a call record for an edge. parent is 0 for a client's request.
func (s *Sim) open(edge, parent, request uint32) uint32 {
	h := s.newCall()
	c := &s.calls[h]
	c.began, c.backoff, c.parent, c.sib = s.now, 0, parent, 0
	c.request, c.edge, c.n, c.open = request, edge, 0, true
	return h
}

// begin starts a call, if the caller's policy lets it.
func (s *Sim) begin(h uint32) {
	c := &s.calls[h]
	e := &s.edges[c.edge]
	e.Calls++
	if e.watches&policy.WatchFresh != 0 && !e.policy(c.request).AllowFresh(s.now, e.fresh.Float64()) {
		s.callEnded(h, policy.Blocked)
		return
	}
	s.send(h)
}

// send sends a call's next attempt.
func (s *Sim) send(h uint32) {
	ah := s.newAttempt()
	a, c := &s.attempts[ah], &s.calls[h]
	e := &s.edges[c.edge]
	c.n++
	c.sent, c.attempt = s.now, ah
	a.call, a.calls, a.request, a.svc, a.step = h, 0, c.request, e.callee, 0
	a.state, a.live, a.gone, a.next = travelling, true, 0, 0
	if s.p.abandons && c.parent != 0 {
		a.gone = s.attempts[c.parent].gone
	}
	first := c.n == 1
	if !first {
		e.Retries++
	}
	if e.watches&policy.WatchStart != 0 {
		e.policy(c.request).AttemptStart(s.now, int(c.n))
	}
	if e.lane >= 0 {
		s.arm(uint32(e.lane), ah, a.gen)
	}
	if s.trace != nil {
		s.report(TraceSent, h, policy.Success)
	}
	e.tosses++
	if e.failing && s.edgeFailure(e, a) {
		s.answer(ah, policy.Failed)
		return
	}
	if e.lagged {
		s.after(s.delay(e), timerArrive, ah, a.gen)
		return
	}
	s.deliver(ah, first)
}

// reply sends an attempt's answer to its caller.
func (s *Sim) reply(h uint32, o policy.Outcome) {
	a := &s.attempts[h]
	if a.call != 0 {
		if e := &s.edges[s.calls[a.call].edge]; e.lagged {
			a.state, a.outcome = replying, o
			s.after(s.delay(e), timerReply, h, a.gen)
			return
		}
	}
	s.answer(h, o)
}

// answer ends an attempt: its caller learns the outcome, if there still is one, and so on up
// the chain of callers as far as the answer ends calls and attempts.
func (s *Sim) answer(h uint32, o policy.Outcome) {
	for {
		a := &s.attempts[h]
		ch, svc := a.call, a.svc
		s.freeAttempt(h)
		if ch == 0 {
			return
		}
		c := &s.calls[ch]
		c.attempt = 0
		e := &s.edges[c.edge]
		signal := policy.Calm
		if e.signals {
			signal = s.hear(e, &s.stations[svc])
		}
		if s.trace != nil {
			s.report(TraceEnded, ch, o)
		}
		if (o != policy.Success || e.watches&policy.WatchEnd != 0) && s.retried(ch, o, signal) {
			return
		}
		if h = s.closeCall(ch, o); h == 0 {
			return
		}
		st := &s.stations[s.attempts[h].svc]
		if o = s.progress(st, h, o); o == unsettled {
			return
		}
		s.finish(st, h, o)
		if c := s.attempts[h].call; c != 0 && s.edges[s.calls[c].edge].lagged {
			s.reply(h, o)
			return
		}
	}
}

// ended lets a caller see the end of its open attempt without an answer: a timeout or a crash.
func (s *Sim) ended(h uint32, o policy.Outcome) {
	s.calls[h].attempt = 0
	if s.trace != nil {
		s.report(TraceEnded, h, o)
	}
	if !s.retried(h, o, policy.Calm) {
		s.callEnded(h, o)
	}
}

// retried tells the policy how an attempt ended and plans a retry, if there is to be one.
func (s *Sim) retried(h uint32, o policy.Outcome, signal policy.Signal) bool {
	c := &s.calls[h]
	e := &s.edges[c.edge]
	p := e.policy(c.request)
	s.told = policy.Attempt{Number: int(c.n), Outcome: o, Signal: signal, RTT: s.now - c.sent, PrevDelay: c.backoff, Deadline: s.deadline(c), Pushback: -1}
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
	c.backoff = d.Delay
	e.BackoffNs += d.Delay
	s.after(d.Delay, timerRetry, h, c.gen)
	if c.parent != 0 {
		a := &s.attempts[c.parent]
		if st := &s.stations[a.svc]; a.holds && !st.plan.holdBackoff {
			s.release(st, a)
		}
	}
	return true
}

// deadline is when the request of a client's call must have ended; 0 for never and for
// calls of services, which do not know it. A client's edge has the client's number.
func (s *Sim) deadline(c *call) int64 {
	if c.parent != 0 || s.p.clients[c.edge].deadline == 0 {
		return 0
	}
	return c.began + s.p.clients[c.edge].deadline
}

// retry goes on after a backoff. A caller whose worker was given back takes the next one first.
func (s *Sim) retry(h uint32) {
	if s.trace != nil {
		s.report(TraceRetry, h, policy.Success)
	}
	if parent := s.calls[h].parent; parent != 0 {
		a := &s.attempts[parent]
		if st := &s.stations[a.svc]; st.hold && !a.holds {
			s.touch(st)
			a.state = resuming
			if st.busy < st.workers {
				s.serve(st, parent)
			} else {
				st.pushFront(s, parent)
			}
			return
		}
	}
	s.send(h)
}

// callEnded ends a call for good, and whatever ends with it.
func (s *Sim) callEnded(h uint32, o policy.Outcome) {
	a := s.closeCall(h, o)
	if a == 0 {
		return
	}
	st := &s.stations[s.attempts[a].svc]
	if o = s.progress(st, a, o); o != unsettled {
		s.finish(st, a, o)
		s.reply(a, o)
	}
}

// closeCall counts a call's end and frees it. It gives the attempt that made it, 0 if it was a request.
func (s *Sim) closeCall(h uint32, o policy.Outcome) uint32 {
	c := &s.calls[h]
	e := &s.edges[c.edge]
	e.CallsEnded[o]++
	if e.watches&policy.WatchCall != 0 {
		e.policy(c.request).CallEnd(s.now, o, int(c.n))
	}
	parent := c.parent
	if parent == 0 {
		s.requestEnded(h, o)
		return 0
	}
	p := &s.attempts[parent].calls
	for *p != h {
		p = &s.calls[*p].sib
	}
	*p = c.sib
	s.freeCall(h)
	return parent
}

// unsettled is the answer of progress while the attempt goes on.
const unsettled = policy.Outcome(255)

// progress lets an attempt go on after one of its calls has ended, or tells how it ends.
func (s *Sim) progress(st *station, h uint32, o policy.Outcome) policy.Outcome {
	a := &s.attempts[h]
	if st.parallel {
		a.open--
		a.fails = a.fails || o != policy.Success
		switch {
		case a.open > 0:
			return unsettled
		case a.fails:
			return policy.Failed
		}
		return policy.Success
	}
	if o != policy.Success {
		return policy.Failed
	}
	if a.step == st.plan.calls {
		return policy.Success
	}
	s.proceed(st, h)
	return unsettled
}

// proceed makes an attempt's next call, or all of them; if none is left the attempt succeeds.
func (s *Sim) proceed(st *station, h uint32) {
	if st.parallel {
		s.fanOut(st, h)
		return
	}
	plan := st.plan
	a := &s.attempts[h]
	for a.step < plan.calls {
		e := plan.firstEdge + a.step
		a.step++
		if s.made(e) {
			s.begin(s.child(h, e))
			return
		}
	}
	s.finish(st, h, policy.Success)
	s.reply(h, policy.Success)
}

// fanOut makes all calls at once. The attempt counts as one open call itself meanwhile, so
// that it cannot end before the last call is made.
func (s *Sim) fanOut(st *station, h uint32) {
	s.attempts[h].open = 1
	for e := st.plan.firstEdge; e < st.plan.firstEdge+st.plan.calls; e++ {
		if s.made(e) {
			s.attempts[h].open++
			s.begin(s.child(h, e))
		}
	}
	if o := s.progress(st, h, policy.Success); o != unsettled {
		s.finish(st, h, o)
		s.reply(h, o)
	}
}

// child opens a call of an attempt.
func (s *Sim) child(parent, edge uint32) uint32 {
	c := s.open(edge, parent, s.attempts[parent].request)
	a := &s.attempts[parent]
	s.calls[c].sib, a.calls = a.calls, c
	return c
}

// made draws whether a call is made.
func (s *Sim) made(edge uint32) bool {
	e := &s.edges[edge]
	return e.always || e.branch.Float64() < e.plan.probability
}

// delay is the time of one way over an edge, now.
func (s *Sim) delay(e *edge) int64 {
	d := e.plan.latency
	if e.slowed {
		d += s.addedLag(e)
	}
	return d
}
