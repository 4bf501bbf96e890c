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
		if s.armed(h) {
			next = h.due
			break
		}
		l.pop()
	}
	src := s.srcLane + n
	s.sel.set(src, eventKey(next, src))
	if !s.armed(&x) {
		return false
	}
	if l.deadline {
		s.deadlineHit(x.handle)
	} else {
		s.timedOut(x.handle)
	}
	return true
}

func (s *Sim) armed(x *expiry) bool {
	f := &s.frames[x.handle]
	return f.gen == x.gen && (f.caller != 0 || f.role == isRequest)
}

// timedOut ends an attempt for its caller.
func (s *Sim) timedOut(h uint32) {
	up := s.frames[h].caller
	s.giveUp(h, s.edges[s.frames[up].edge].plan.cancel)
	s.ended(up, policy.TimedOut)
}

// deadlineHit ends a request, whatever it is doing.
func (s *Sim) deadlineHit(h uint32) {
	f := &s.frames[h]
	if child := f.child; child != 0 {
		e := &s.edges[f.edge]
		f.child = 0
		e.Ended[policy.TimedOut]++
		s.tellEnd(e, f, policy.TimedOut)
		s.giveUp(child, e.plan.cancel)
	}
	s.callEnded(h, policy.TimedOut)
}

// tellEnd tells a policy about the end of an attempt that it is not asked to retry.
func (s *Sim) tellEnd(e *edge, f *frame, o policy.Outcome) {
	if e.watches&policy.WatchEnd != 0 {
		s.told = policy.Attempt{Number: int(f.n), Outcome: o, RTT: s.now - f.sent, PrevDelay: f.backoff, Pushback: -1}
		e.policy(f.request).AttemptEnd(s.now, &s.told)
	}
}

// giveUp leaves an attempt without a caller: its work is cancelled or goes on for nothing.
func (s *Sim) giveUp(h uint32, cancel bool) {
	f := &s.frames[h]
	f.caller = 0
	if f.inCare() {
		s.stations[f.svc].Abandoned++
	}
	if cancel {
		s.cancel(h)
	} else {
		s.waste(h)
	}
}

// Only programs in which callers may give up follow wasted work: gone[h] is when the caller of
// frame h, or any above it, gave up; 0 if it did not.

func (s *Sim) inheritWaste(from, to uint32) {
	s.gone[to] = s.gone[from]
	if s.frames[from].role == isRequest {
		s.gone[to] = 0
	}
}

// waste marks an attempt, and all the work below it, as useless from now on.
func (s *Sim) waste(h uint32) {
	if s.gone[h] != 0 {
		return
	}
	s.gone[h] = s.now
	f := &s.frames[h]
	if f.child != 0 {
		s.waste(f.child)
	}
	for c := f.fork; f.role == isAttempt && c != 0; c = s.frames[c].fork {
		s.waste(c)
	}
}

// cancel stops an attempt and all the work below it at once.
func (s *Sim) cancel(h uint32) {
	f := &s.frames[h]
	if !f.inCare() {
		s.freeFrame(h)
		return
	}
	st := &s.stations[f.svc]
	st.Cancelled++
	s.stop(st, h, true)
	s.touch(st)
	s.startWaiting(st)
}

// stop takes an attempt out of a service's care, whatever it is doing there.
func (s *Sim) stop(st *station, h uint32, everything bool) {
	s.touch(st)
	f := &s.frames[h]
	switch f.state {
	case serving:
		work := s.now - f.since
		st.WorkNs += work
		if s.gone[h] != 0 {
			st.WastedNs += min(work, s.now-s.gone[h])
		}
		switch {
		case st.source == 0: // its timer points to a frame that is no more
		case st.current == h:
			s.leave(st)
		default:
			st.others.remove(h)
		}
	case below, resuming:
		s.cancelCalls(h, everything)
		f = &s.frames[h]
	}
	if f.holds {
		f.holds = false
		st.busy--
	}
	if f.state == waiting || f.state == resuming { // stays in the queue until it comes to the head
		st.waiting--
		f.state = dead
		f.gen++
		return
	}
	s.freeFrame(h)
}

// cancelCalls ends the open calls of an attempt that is no more. What is below them is cancelled
// where everything must be, or where their edge says so.
func (s *Sim) cancelCalls(h uint32, everything bool) {
	if !s.stations[s.frames[h].svc].parallel {
		s.cancelCall(h, everything)
		return
	}
	for s.frames[h].fork != 0 {
		c := s.frames[h].fork
		s.frames[h].fork = s.frames[c].fork
		s.cancelCall(c, everything)
		s.freeFrame(c)
	}
}

func (s *Sim) cancelCall(h uint32, everything bool) {
	f := &s.frames[h]
	e := &s.edges[f.edge]
	e.CallsEnded[policy.Cancelled]++
	child := f.child
	if child != 0 {
		f.child = 0
		e.Ended[policy.Cancelled]++
		s.tellEnd(e, f, policy.Cancelled)
	}
	if e.watches&policy.WatchCall != 0 {
		e.policy(f.request).CallEnd(s.now, policy.Cancelled, int(f.n))
	}
	if child != 0 {
		s.giveUp(child, everything || e.plan.cancel)
	}
}
