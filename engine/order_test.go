package engine

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The fast event set against a sorted slice: the same timers must come out in the same order, that of
// (time, source, insertion).

// Property tests draw the same cases in every run, unless the command line says otherwise.
func init() {
	_ = flag.Set("rapid.seed", "20260826")
	_ = flag.Set("rapid.nofailfile", "true")
}

// dumb is a slice of events that is searched for the least.
type dumb []dumbEvent

type dumbEvent struct {
	due    int64
	source uint32
	class  agendaClass
	n      uint32 // of the insertion
}

func (d dumbEvent) compare(e dumbEvent) int {
	for _, x := range [][2]int64{{d.due, e.due}, {int64(d.source), int64(e.source)}, {int64(d.class), int64(e.class)}, {int64(d.n), int64(e.n)}} {
		if x[0] != x[1] {
			return int(x[0]-x[1]) | 1
		}
	}
	return 0
}

func (d *dumb) put(e dumbEvent) {
	i, _ := slices.BinarySearchFunc(*d, e, dumbEvent.compare)
	*d = slices.Insert(*d, i, e)
}

func (d *dumb) pop() dumbEvent {
	e := (*d)[0]
	*d = (*d)[1:]
	return e
}

// delays are drawn so that ties, neighbours in a bucket and the longest allowed all occur.
func delays(longest int64) *rapid.Generator[int64] {
	return rapid.OneOf(rapid.Just(int64(0)), rapid.SampledFrom([]int64{1, min(1000, longest), min(1_000_000, longest), longest}),
		rapid.Int64Range(0, 5), rapid.Int64Range(0, longest), rapid.Int64Range(longest-5, longest))
}

func TestWheelAgainstSortedSlice(t *testing.T) {
	w := &wheel{} // kept from check to check, as a Sim keeps it
	rapid.Check(t, func(t *rapid.T) {
		turn := int64(1) << rapid.IntRange(8, 34).Draw(t, "turn")
		w.reset(turn)
		var d dumb
		now, n := int64(0), uint32(0)
		put := func(delay int64) {
			n++
			w.put(now+delay, timerRetry, n, 7)
			d.put(dumbEvent{due: now + delay, n: n})
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) { put(delays(turn/2).Draw(t, "delay")) },
			"pop": func(t *rapid.T) {
				if len(d) == 0 {
					return
				}
				want, got := d.pop(), w.pop()
				if got.due != want.due || got.handle != want.n || got.gen != 7 {
					t.Fatalf("got timer %d due %d, expected %d due %d", got.handle, got.due, want.n, want.due)
				}
				now = got.due
			},
			"": func(t *rapid.T) {
				if want := append(d, dumbEvent{due: never})[0].due; w.top != want || w.n != len(d) {
					t.Fatalf("first due %d of %d, expected %d of %d", w.top, w.n, want, len(d))
				}
			},
		})
	})
}

// TestWheelGrows puts in more timers than there are buckets, and empties it while it grows again.
func TestWheelGrows(t *testing.T) {
	w := &wheel{}
	for round := range 3 {
		w.reset(1 << 30)
		var d []dumbEvent
		now, x, n := int64(0), uint64(round), uint32(0)
		for range 5 {
			for range 4000 {
				x = x*6364136223846793005 + 1442695040888963407
				delay := int64(x>>33) % (1 << 29)
				if x>>60 == 0 {
					delay = 1 << 20
				}
				n++
				d = append(d, dumbEvent{due: now + delay, n: n})
				w.put(now+delay, timerRetry, n, 0)
			}
			slices.SortFunc(d, dumbEvent.compare)
			for i := range 2000 {
				if got := w.pop(); got.due != d[i].due || got.handle != d[i].n {
					t.Fatalf("round %d: timer %d due %d, expected %d due %d", round, got.handle, got.due, d[i].n, d[i].due)
				}
			}
			now = d[1999].due
			d = d[2000:]
		}
		if len(w.buckets) <= wheelMin {
			t.Fatalf("%d timers in %d buckets: the wheel did not grow", w.n, len(w.buckets))
		}
	}
}

func TestAgendaAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a agenda
		var d dumb
		n := uint32(0)
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				n++
				e := dumbEvent{due: rapid.Int64Range(0, 20).Draw(t, "due"), class: agendaClass(rapid.IntRange(0, 3).Draw(t, "class")), n: n}
				a.put(item{due: e.due, class: e.class, fault: n})
				d.put(e)
			},
			"pop": func(t *rapid.T) {
				if len(d) == 0 {
					return
				}
				if want, got := d.pop(), a.pop(); got.fault != want.n {
					t.Fatalf("got item %+v, expected %+v", got, want)
				}
			},
			"": func(t *rapid.T) {
				if want := append(d, dumbEvent{due: never})[0].due; a.top() != want {
					t.Fatalf("first due %d, expected %d", a.top(), want)
				}
			},
		})
	})
}

func TestSelectorAgainstMinimum(t *testing.T) {
	s := &selector{}
	rapid.Check(t, func(t *rapid.T) {
		sources := rapid.OneOf(rapid.IntRange(1, 8), rapid.IntRange(1, 200)).Draw(t, "sources")
		s.reset(sources)
		candidates := make([]int64, sources)
		for i := range candidates {
			candidates[i] = never
		}
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				src := rapid.IntRange(0, sources-1).Draw(t, "source")
				at := rapid.OneOf(rapid.Int64Range(0, 9), rapid.Just(never), rapid.Just(maxTime), rapid.Just(maxTime+1)).Draw(t, "time")
				candidates[src] = eventKey(at, uint32(src))
				s.set(uint32(src), candidates[src])
			},
			"": func(t *rapid.T) {
				got, want := int64(0), slices.Min(candidates)
				if s.isFlat() {
					got = s.minFlat()
				} else {
					got = s.tree[1]
				}
				if got != want {
					t.Fatalf("least candidate %d, expected %d of %v", got, want, candidates)
				}
			},
		})
	})
}

func TestLaneAgainstSlice(t *testing.T) {
	l := &lane{}
	rapid.Check(t, func(t *rapid.T) {
		l.reset()
		var d []expiry
		n := int64(0)
		for range rapid.IntRange(1, 20).Draw(t, "batches") {
			for range rapid.IntRange(0, 900).Draw(t, "pushed") {
				n++
				d = append(d, expiry{due: n, handle: uint32(n)})
				l.push(d[len(d)-1])
			}
			for range rapid.IntRange(0, len(d)).Draw(t, "popped") {
				if got := l.pop(); got != d[0] {
					t.Fatalf("got %v, expected %v", got, d[0])
				}
				d = d[1:]
			}
		}
	})
}

// TestTimersAgainstSortedSlice runs near timers (the wheel) and far ones (the agenda) through the selector,
// as the event loop does. Far ones come first at equal times: they have the least source.
func TestTimersAgainstSortedSlice(t *testing.T) {
	s := NewSim()
	rapid.Check(t, func(t *rapid.T) {
		s.reset(&Program{turn: 1 << 12, end: never}, Key{})
		var d dumb
		n := uint32(0)
		t.Repeat(map[string]func(*rapid.T){
			"after": func(t *rapid.T) {
				n++
				delay := rapid.OneOf(delays(1<<11), rapid.Int64Range(0, 1<<14), rapid.SampledFrom([]int64{2048, 2049, 4096})).Draw(t, "delay")
				source := s.srcTimer
				if delay > 1<<11 {
					source = 0
				}
				s.after(delay, timerThink, n, 0)
				d.put(dumbEvent{due: s.now + delay, source: source, n: n})
			},
			"next": func(t *rapid.T) {
				if len(d) == 0 {
					return
				}
				k := s.sel.minFlat()
				want := d.pop()
				if k != eventKey(want.due, want.source) {
					t.Fatalf("next is source %d at %d, expected %d at %d", k&srcMask, k>>srcBits, want.source, want.due)
				}
				got := uint32(0)
				if want.source == 0 {
					got = s.agenda.pop().timer.handle
					s.sel.set(0, eventKey(s.agenda.top(), 0))
				} else {
					got = s.timers.pop().handle
					s.sel.set(s.srcTimer, eventKey(s.timers.top, s.srcTimer))
				}
				if s.now = want.due; got != want.n {
					t.Fatalf("got timer %d at %d, expected %d", got, want.due, want.n)
				}
			},
		})
	})
}

// TestSources: the order of equal times is that of the sources' numbers.
func TestSources(t *testing.T) {
	m := DefaultModel()
	for i, servers := range []int{1, rosterMax + 1, 2} {
		s := DefaultService()
		s.Name, s.Servers = fmt.Sprint("s", i), servers
		c := DefaultClient()
		c.Name, c.Call.To, c.Call.Timeout, c.Deadline = fmt.Sprint("c", i), s.Name, 1e6, 2e6
		m.Services, m.Clients = append(m.Services, s), append(m.Clients, c)
	}
	p, problems := Compile(&m)
	if problems != nil {
		t.Fatal(problems)
	}
	s := NewSim()
	s.reset(p, Key{})
	got := fmt.Sprint(s.stations[0].source, s.stations[1].source, s.stations[2].source, s.clients[0].source, s.clients[2].source, s.srcTimer, s.srcLane, len(s.lanes))
	if want := "1 0 2 3 5 6 7 2"; got != want {
		t.Errorf("sources %s, expected %s", got, want)
	}
}
