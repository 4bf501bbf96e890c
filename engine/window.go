package engine

import "retrylab/policy"

// windowMark is what had been counted at a station when the last window closed.
type windowMark struct {
	attempts, first, succeeded, failed, rejected, busy, work, wasted, latency int64
}

// closeWindow appends a row for every station.
func (s *Sim) closeWindow() {
	for i := range s.clients {
		c := &s.clients[i]
		m := c.total
		e := &s.edges[c.plan.edge]
		m.attempts = e.first() + e.Retries
		m.rejected = e.Ended[policy.Rejected]
		w := s.row(i, &m)
		w.QueueEnd = c.current
		s.showPolicies(w, c.plan.edge, 1)
	}
	s.firsts = resize(s.firsts, len(s.stations))
	clear(s.firsts)
	for i := range s.edges {
		s.firsts[s.edges[i].callee] += s.edges[i].first()
	}
	for i := range s.stations {
		st := &s.stations[i]
		s.touch(st)
		n := &st.ServiceTally
		m := windowMark{n.Attempts, s.firsts[i], n.Succeeded, n.Failed + n.FailedBelow + n.FastFailed + n.Crashed + n.Cancelled + n.Rejected,
			n.Rejected, n.BusyNs, n.WorkNs, n.WastedNs, 0}
		w := s.row(len(s.clients)+i, &m)
		w.QueueEnd, w.QueuePeak = st.waiting, st.peak
		n.QueuePeak = max(n.QueuePeak, st.peak)
		st.peak = st.waiting
		s.showPolicies(w, st.plan.firstEdge, st.plan.calls)
	}
	s.windows++
}

// row appends a station's row: what was counted since its last one.
func (s *Sim) row(station int, m *windowMark) *Window {
	o := &s.marks[station]
	s.tally.Windows = append(s.tally.Windows, Window{
		Index: s.windows, Station: int32(station),
		Attempts: m.attempts - o.attempts, First: m.first - o.first,
		Succeeded: m.succeeded - o.succeeded, Failed: m.failed - o.failed, Rejected: m.rejected - o.rejected,
		BusyNs: m.busy - o.busy, WorkNs: m.work - o.work, WastedNs: m.wasted - o.wasted, LatencySum: m.latency - o.latency,
	})
	*o = *m
	return &s.tally.Windows[len(s.tally.Windows)-1]
}

// showPolicies averages the state of the policies on a station's outgoing edges.
func (s *Sim) showPolicies(w *Window, first, n uint32) {
	count := 0.0
	for e := first; e < first+n; e++ {
		for _, p := range s.edges[e].policies {
			st := p.State(s.now)
			w.Budget += st.Budget
			w.FailureRate += st.FailureRate
			if st.Breaker != policy.Closed {
				w.BreakerOpen++
			}
			w.Transitions += st.Transitions
			count++
		}
	}
	if count > 0 {
		w.Budget /= count
		w.FailureRate /= count
		w.BreakerOpen /= count
	}
}

// endWarmup forgets what was counted so far. A window has just closed.
func (s *Sim) endWarmup() {
	for i := range s.stations {
		st := &s.stations[i]
		s.touch(st)
		st.carried = st.inCare()
		st.tossed += uint64(st.Served)
		st.ServiceTally = ServiceTally{}
		st.cpuBusy = 0
		m := &s.marks[len(s.clients)+i]
		*m = windowMark{}
	}
	s.countInFlight()
	for i := range s.edges {
		e := &s.edges[i]
		e.carried, e.firstCarried = e.inFlight, e.firstInFlight
		e.tossed += uint64(e.Calls + e.Retries)
		e.EdgeTally = EdgeTally{}
	}
	for i := range s.clients {
		s.marks[i].attempts, s.marks[i].rejected = 0, 0
	}
}

func sum(v []int64) int64 {
	n := int64(0)
	for _, x := range v {
		n += x
	}
	return n
}
