package engine

import (
	"retrylab/engine/rng"
	"retrylab/policy"
)

// Key names a trial. Equal keys and programs give equal tallies; programs that differ only in
// policies face the same arrivals, service times and fault coins under the same key.
type Key struct{ Seed, Environment, Trial uint64 }

// What a stream is for; with an entity's number it completes a key.
const (
	forArrivals uint64 = iota + 1
	forThink
	forService
	forFailure
	forFastFailure
	forFaultLatency
	forEdgeFailure
	forShared
	forRegime
	forBranch
	forCoin
	forJitter
	forFresh
	forPhase
	forInstance
)

// Sim runs trials, one at a time. It keeps its memory from trial to trial; after the first
// few it allocates nothing.
type Sim struct {
	sel      selector
	now      int64
	p        *Program
	frames   []frame
	freed    uint32  // first of the free frames
	gone     []int64 // see inheritWaste
	stations []station
	edges    []edge
	clients  []client
	faults   []fault
	timers   wheel
	agenda   agenda
	lanes    []lane
	srcTimer uint32
	srcLane  uint32
	trial    uint64 // key
	requests uint32 // numbered from 1
	told     policy.Attempt
	tally    Tally
	marks    []windowMark
	windows  int32
	caught   []caught
	care     []int64  // scratch of check
	firsts   []int64  // scratch of closeWindow
	sourced  []uint32 // service of each source
	trace    func(TraceEvent)
}

// NewSim makes an empty simulator.
func NewSim() *Sim { return &Sim{} }

// Trace makes the following trials report what happens to every request; nil stops it.
func (s *Sim) Trace(f func(TraceEvent)) { s.trace = f }

// Run simulates one trial. The tally belongs to the Sim and is overwritten by the next Run.
func (s *Sim) Run(p *Program, key Key) *Tally {
	s.reset(p, key)
	sourced, firstClient := uint32(p.sourced), uint32(p.sourced+1)
	end, flat, events := p.end, s.sel.isFlat(), int64(0)
	for {
		var k int64
		if flat {
			k = s.sel.minFlat()
		} else {
			k = s.sel.tree[1]
		}
		t, src := k>>srcBits, uint32(k&srcMask)
		if t > end {
			break
		}
		s.now = t
		events++
		switch {
		case src-1 < sourced:
			s.servedFirst(src)
		case src == s.srcTimer:
			if !s.fire(s.timers.pop()) {
				events--
			}
			s.sel.set(s.srcTimer, eventKey(s.timers.top, s.srcTimer))
		case src == 0:
			if !s.turnAgenda() {
				events--
			}
		case src < s.srcTimer:
			s.arrive(src - firstClient)
		default:
			if !s.expire(src - s.srcLane) {
				events--
			}
		}
	}
	s.now = p.end
	s.tally.Events = events
	s.close()
	return &s.tally
}

// after sets a timer.
func (s *Sim) after(delay int64, kind timerKind, handle, gen uint32) {
	due := s.now + delay
	if delay > s.p.turn/2 {
		s.agenda.put(item{due: due, class: agendaTimer, timer: timer{due: due, handle: handle, gen: gen, kind: kind}})
		s.sel.set(0, eventKey(s.agenda.top(), 0))
		return
	}
	s.timers.put(due, kind, handle, gen)
	if s.timers.top == due {
		s.sel.set(s.srcTimer, eventKey(due, s.srcTimer))
	}
}

// fire acts on a timer; false if it had been cancelled.
func (s *Sim) fire(t timer) bool {
	if t.kind == timerThink { // points to a user, not to a frame
		s.userArrives(t.handle, t.gen)
		return true
	}
	f := &s.frames[t.handle]
	if f.gen != t.gen {
		return false
	}
	switch t.kind {
	case timerServed:
		s.served(&s.stations[f.svc], t.handle)
	case timerRetry:
		s.retry(t.handle)
	case timerArrive:
		s.deliver(&s.stations[f.svc], t.handle)
	case timerReply:
		s.answer(t.handle, policy.Outcome(f.step), true)
	}
	return true
}

// turnAgenda acts on the agenda's first item; false if that is not an event of the model.
func (s *Sim) turnAgenda() bool {
	it := s.agenda.pop()
	event := false
	switch it.class {
	case agendaWindow:
		s.closeWindow()
		if next := s.now + s.p.window; next <= s.p.end {
			s.agenda.put(item{due: next, class: agendaWindow})
		}
	case agendaWarmup:
		s.endWarmup()
	case agendaFault:
		s.turnFault(it.fault)
	case agendaTimer:
		event = s.fire(it.timer)
	}
	s.sel.set(0, eventKey(s.agenda.top(), 0))
	return event
}

// stream starts the trial's stream for one purpose and entity.
func (s *Sim) stream(purpose uint64, entity int) rng.Stream { return rng.New(s.key(purpose, entity)) }

func (s *Sim) key(purpose uint64, entity int) uint64 {
	return rng.Sub(rng.Sub(s.trial, purpose), uint64(entity))
}

// resize gives a slice of length n, reusing memory; the elements keep what they hold.
func resize[T any](v []T, n int) []T {
	for len(v) < n {
		v = append(v, *new(T))
	}
	return v[:n]
}
