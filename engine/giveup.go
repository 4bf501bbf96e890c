package engine

import "retrylab/policy"

// arm starts a timeout in one of the lanes.
func (s *Sim) arm(n, handle, gen uint32) {
	l := &s.lanes[n]
	due := s.now + l.duration
	l.push(expiry{due, handle, gen})
	if l.n == 1 {
		src := s.srcLane + n
		s.sel.set(src, eventKey(due, src))
	}
}

// expire acts on the head of a lane; false if it had been cancelled. It also drops all
// cancelled timeouts behind it, however far off, which keeps lanes short.
func (s *Sim) expire(n uint32) bool {
	l := &s.lanes[n]
	x := l.pop()
	next := never
	for l.n > 0 {
		h := &l.ring[l.head]
		if s.armed(l, h) {
			next = h.due
			break
		}
		l.pop()
	}
	src := s.srcLane + n
	s.sel.set(src, eventKey(next, src))
	if !s.armed(l, &x) {
		return false
	}
	if l.deadline {
		s.deadlineHit(x.handle)
	} else {
		s.timedOut(x.handle)
	}
	return true
}

func (s *Sim) armed(l *lane, x *expiry) bool {
	if l.deadline {
		return s.calls[x.handle].gen == x.gen
	}
	a := &s.attempts[x.handle]
	return a.gen == x.gen && a.call != 0
}

// timedOut ends an attempt for its caller.
func (s *Sim) timedOut(h uint32) {
	c := s.attempts[h].call
	s.giveUp(h, s.edges[s.calls[c].edge].plan.cancel)
	s.ended(c, policy.TimedOut)
}

// deadlineHit ends a request, whatever it is doing.
func (s *Sim) deadlineHit(h uint32) {
	c := &s.calls[h]
	e := &s.edges[c.edge]
	if c.attempt != 0 {
		s.giveUp(c.attempt, e.plan.cancel)
		c = &s.calls[h]
		c.attempt = 0
		e.Ended[policy.TimedOut]++
		s.told = policy.Attempt{Number: int(c.n), Outcome: policy.TimedOut, RTT: s.now - c.sent, PrevDelay: c.backoff, Deadline: s.now, Pushback: -1}
		if e.watches&policy.WatchEnd != 0 {
			e.policy(c.request).AttemptEnd(s.now, &s.told)
		}
	}
	s.callEnded(h, policy.TimedOut)
}

// giveUp leaves an attempt without a caller: its work is cancelled or goes on for nothing.
func (s *Sim) giveUp(h uint32, cancel bool) {
	a := &s.attempts[h]
	a.call = 0
	if a.state != travelling && a.state != replying {
		s.stations[a.svc].Abandoned++
	}
	if cancel {
		s.cancel(h)
	} else {
		s.waste(h)
	}
}

// waste marks an attempt, and all the work below it, as useless from now on.
func (s *Sim) waste(h uint32) {
	a := &s.attempts[h]
	if a.gone != 0 {
		return
	}
	a.gone = s.now
	for c := a.calls; c != 0; c = s.calls[c].sib {
		if b := s.calls[c].attempt; b != 0 {
			s.waste(b)
		}
	}
}

// cancel stops an attempt and all the work below it at once.
func (s *Sim) cancel(h uint32) {
	a := &s.attempts[h]
	st := &s.stations[a.svc]
	switch a.state {
	case travelling, replying:
		s.freeAttempt(h)
		return
	case serving:
		st.WorkNs += s.now - a.since
		if st.source != 0 {
			st.current = 0
			s.sel.set(st.source, never)
		}
	case below, resuming:
		s.cancelCalls(h, true)
		a = &s.attempts[h]
	}
	st.Cancelled++
	if a.state == waiting || a.state == resuming { // stays in the queue until it comes to the head
		s.touch(st)
		st.waiting--
		a.state = dead
		a.gen++
		return
	}
	holds := a.holds
	s.freeAttempt(h)
	if holds {
		s.touch(st)
		st.busy--
		s.startWaiting(st)
	}
}

// cancelCalls ends the open calls of an attempt that is no more. What is below them is cancelled
// where everything must be, or where their edge says so.
func (s *Sim) cancelCalls(h uint32, everything bool) {
	for {
		ch := s.attempts[h].calls
		if ch == 0 {
			return
		}
		c := &s.calls[ch]
		s.attempts[h].calls = c.sib
		e := &s.edges[c.edge]
		if b := c.attempt; b != 0 {
			e.Ended[policy.Cancelled]++
			if e.watches&policy.WatchEnd != 0 {
				s.told = policy.Attempt{Number: int(c.n), Outcome: policy.Cancelled, RTT: s.now - c.sent, PrevDelay: c.backoff, Pushback: -1}
				e.policy(c.request).AttemptEnd(s.now, &s.told)
			}
			s.giveUp(b, everything || e.plan.cancel)
			c = &s.calls[ch]
		}
		e.CallsEnded[policy.Cancelled]++
		if e.watches&policy.WatchCall != 0 {
			e.policy(c.request).CallEnd(s.now, policy.Cancelled, int(c.n))
		}
		s.freeCall(ch)
	}
}
