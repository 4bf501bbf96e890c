package engine

import (
	"math"

	"retrylab/engine/rng"
	"retrylab/policy"
)

// edge is a call between two services, or from a client, while it runs.
type edge struct {
	plan     *edgePlan
	count    *EdgeTally
	policies []policy.Policy // one an instance
	watches  policy.Events
	split    uint64     // key that deals requests to instances
	coin     rng.Stream // of the policy's decisions
	jitter   rng.Stream
	fresh    rng.Stream
	branch   rng.Stream // whether the call is made at all
	lag      rng.Stream // added latency
	coins    uint64     // key of the failure coins, one an attempt
	tosses   uint64
	chance   chance
	slowed   bool
	heard    relay // last overload signal from the callee
	carried  int64 // attempts in flight when the warm-up ended
	inFlight int64 // attempts in flight at the end
}

func (e *edge) policy(request uint32) policy.Policy {
	if len(e.policies) == 1 {
		return e.policies[0]
	}
	return e.policies[rng.At(e.split, uint64(request))%uint64(len(e.policies))]
}

// open makes a call record for an edge. parent is 0 for a client's request.
func (s *Sim) open(edge, parent, request uint32) uint32 {
	h := s.newCall()
	c := &s.calls[h]
	gen := c.gen
	*c = call{open: true, began: s.now, parent: parent, request: request, edge: edge, gen: gen}
	return h
}

// begin starts a call, if the caller's policy lets it.
func (s *Sim) begin(h uint32) {
	c := &s.calls[h]
	e := &s.edges[c.edge]
	e.count.Calls++
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
	e.count.Attempts++
	if c.n > 1 {
		e.count.Retries++
	}
	*a = attempt{live: true, call: h, gen: a.gen, request: c.request, svc: e.plan.callee}
	if c.parent != 0 {
		a.gone = s.attempts[c.parent].gone
	}
	if e.watches&policy.WatchStart != 0 {
		e.policy(c.request).AttemptStart(s.now, int(c.n))
	}
	if e.plan.lane >= 0 {
		s.arm(e.plan.lane, ah, a.gen)
	}
	if s.trace != nil {
		s.report(TraceSent, h, 0)
	}
	e.tosses++
	if e.chance.any && s.edgeFailure(e, a) {
		s.answer(ah, policy.Failed)
		return
	}
	if lag := s.lag(e); lag > 0 {
		s.after(lag, timerArrive, ah, a.gen)
		return
	}
	s.deliver(ah)
}

// reply sends an attempt's answer to its caller.
func (s *Sim) reply(h uint32, o policy.Outcome) {
	a := &s.attempts[h]
	if a.call != 0 {
		e := &s.edges[s.calls[a.call].edge]
		if lag := s.lag(e); lag > 0 {
			a.state, a.outcome = replying, uint8(o)
			s.after(lag, timerReply, h, a.gen)
			return
		}
	}
	s.answer(h, o)
}

// answer ends an attempt: its caller learns the outcome, if there still is one.
func (s *Sim) answer(h uint32, o policy.Outcome) {
	a := &s.attempts[h]
	ch, svc := a.call, a.svc
	s.freeAttempt(h)
	if ch == 0 {
		return
	}
	signal := policy.Calm
	if s.stations[svc].plan.signals {
		signal = s.hear(&s.edges[s.calls[ch].edge], &s.stations[svc])
	}
	s.ended(ch, o, signal)
}

// ended lets a caller see the end of its open attempt: the call ends, or waits for a retry.
func (s *Sim) ended(h uint32, o policy.Outcome, signal policy.Signal) {
	c := &s.calls[h]
	e := &s.edges[c.edge]
	c.attempt = 0
	e.count.Ended[o]++
	if c.n == 1 {
		e.count.EndedFirst++
	}
	if s.trace != nil {
		s.report(TraceEnded, h, uint8(o))
	}
	if o == policy.Success && e.watches&policy.WatchEnd == 0 {
		s.callEnded(h, o)
		return
	}
	p := e.policy(c.request)
	s.told = policy.Attempt{Number: int(c.n), Outcome: o, Signal: signal, RTT: s.now - c.sent, PrevDelay: c.backoff, Deadline: s.deadline(c), Pushback: -1}
	if e.watches&policy.WatchEnd != 0 {
		p.AttemptEnd(s.now, &s.told)
	}
	if o == policy.Success {
		s.callEnded(h, o)
		return
	}
	d := p.Retry(s.now, &s.told, policy.Draws{Coin: e.coin.Float64(), Jitter: e.jitter.Float64()})
	if d.Deny == policy.Allowed && s.told.Deadline != 0 && s.now+d.Delay >= s.told.Deadline {
		d.Deny = policy.DeadlineHit
	}
	if d.Deny != policy.Allowed {
		e.count.Denied[d.Deny]++
		s.callEnded(h, o)
		return
	}
	c.backoff = d.Delay
	e.count.BackoffNs += d.Delay
	s.after(d.Delay, timerRetry, h, c.gen)
	if parent := c.parent; parent != 0 && s.attempts[parent].holds {
		if st := &s.stations[s.attempts[parent].svc]; !st.plan.holdBackoff {
			s.release(st, parent)
		}
	}
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
	c := &s.calls[h]
	if s.trace != nil {
		s.report(TraceRetry, h, 0)
	}
	if c.parent != 0 {
		a := &s.attempts[c.parent]
		if st := &s.stations[a.svc]; st.plan.hold && !a.holds {
			s.touch(st)
			a.state = resuming
			if st.busy < st.workers {
				s.serve(st, c.parent)
			} else {
				st.pushFront(s, c.parent)
			}
			return
		}
	}
	s.send(h)
}

// callEnded ends a call for good.
func (s *Sim) callEnded(h uint32, o policy.Outcome) {
	c := &s.calls[h]
	e := &s.edges[c.edge]
	e.count.CallsEnded[o]++
	if e.watches&policy.WatchCall != 0 {
		e.policy(c.request).CallEnd(s.now, o, int(c.n))
	}
	parent := c.parent
	if parent == 0 {
		s.requestEnded(h, o)
		return
	}
	s.unlink(parent, h)
	s.freeCall(h)
	s.progress(parent, o)
}

// unlink takes a call out of its attempt's open calls.
func (s *Sim) unlink(parent, h uint32) {
	p := &s.attempts[parent].calls
	for *p != h {
		p = &s.calls[*p].sib
	}
	*p = s.calls[h].sib
}

// progress lets an attempt go on after one of its calls has ended.
func (s *Sim) progress(h uint32, o policy.Outcome) {
	a := &s.attempts[h]
	st := &s.stations[a.svc]
	if st.plan.parallel {
		a.open--
		a.fails = a.fails || o != policy.Success
		if a.open > 0 {
			return
		}
		if !a.fails {
			s.finish(h, policy.Success)
			return
		}
	} else if o == policy.Success {
		s.proceed(h)
		return
	}
	st.count.FailedBelow++
	s.finish(h, policy.Failed)
}

// proceed makes an attempt's next call, or all of them, or ends it if none is left.
func (s *Sim) proceed(h uint32) {
	plan := s.stations[s.attempts[h].svc].plan
	if plan.parallel {
		s.fanOut(h, plan)
		return
	}
	for {
		a := &s.attempts[h]
		if a.step == plan.calls {
			s.finish(h, policy.Success)
			return
		}
		e := plan.firstEdge + a.step
		a.step++
		if s.made(e) {
			s.begin(s.child(h, e))
			return
		}
	}
}

// fanOut makes all calls at once. The attempt counts as one open call itself meanwhile, so
// that it cannot end before the last call is made.
func (s *Sim) fanOut(h uint32, plan *servicePlan) {
	s.attempts[h].open = 1
	for e := plan.firstEdge; e < plan.firstEdge+plan.calls; e++ {
		if s.made(e) {
			s.attempts[h].open++
			s.begin(s.child(h, e))
		}
	}
	s.progress(h, policy.Success)
}

// child opens a call of an attempt.
func (s *Sim) child(parent, edge uint32) uint32 {
	c := s.open(edge, parent, s.attempts[parent].request)
	a := &s.attempts[parent]
	s.calls[c].sib, a.calls = a.calls, c
	return c
}

// resumed is the call that an attempt sleeping in backoff waits with; it has just one.
func (s *Sim) resumed(a *attempt) uint32 { return a.calls }

// made draws whether a call is made.
func (s *Sim) made(edge uint32) bool {
	e := &s.edges[edge]
	return e.plan.probability == 1 || e.branch.Float64() < e.plan.probability
}

// lag is the delay of one way over an edge, now.
func (s *Sim) lag(e *edge) int64 {
	lag := e.plan.latency
	if e.slowed {
		lag += s.addedLag(e)
	}
	return min(lag, math.MaxInt64/4)
}
