package engine_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/engine/dist"
	"retrylab/policy"
)

// seen is what one trial shows of its draws.
type seen struct {
	arrivals []int64                   // of requests
	service  map[int][]int64           // by edge: time of each attempt, in the order of sending; the callees never queue
	outcome  map[int][]bool            // by edge: did the n-th to end fail
	sent     map[[3]uint32]int64       // by request, edge, attempt
	ends     map[uint32]policy.Outcome // of requests
	latency  map[uint32]int64
}

func look(t *testing.T, m *engine.Model, key engine.Key) *seen {
	t.Helper()
	v := &seen{service: map[int][]int64{}, outcome: map[int][]bool{}, sent: map[[3]uint32]int64{}, ends: map[uint32]policy.Outcome{}, latency: map[uint32]int64{}}
	place, started := map[[3]uint32]int{}, map[uint32]int64{}
	s := engine.NewSim()
	s.Trace(func(e engine.TraceEvent) {
		id := [3]uint32{e.Request, uint32(e.Edge), uint32(e.Attempt)}
		switch e.Kind {
		case engine.TraceRequest:
			v.arrivals = append(v.arrivals, e.Now)
			started[e.Request] = e.Now
		case engine.TraceSent:
			v.sent[id] = e.Now
			place[id] = len(v.service[e.Edge])
			v.service[e.Edge] = append(v.service[e.Edge], 0)
		case engine.TraceEnded:
			v.service[e.Edge][place[id]] = e.Now - v.sent[id]
			v.outcome[e.Edge] = append(v.outcome[e.Edge], e.Outcome != policy.Success)
		case engine.TraceRequestEnded:
			v.ends[e.Request] = e.Outcome
			v.latency[e.Request] = e.Now - started[e.Request]
		}
	})
	s.Run(compile(t, m), key)
	return v
}

// leaf is one service without queue, with failures of its own and a fault.
func leaf(p policy.Spec) *engine.Model {
	gamma := dist.Exponential(2 * ms)
	gamma.Kind, gamma.CV = "gamma", 0.7
	m := system(2*time.Second, poisson(500, "a"), service("a", 0, gamma))
	m.Services[0].Failure = 0.3
	m.Clients[0].Call.Policy = p
	f := failing(0.5, 500*ms, 1500*ms, "a")
	f.MeanOn, f.MeanOff = 100*ms, 100*ms
	m.Faults, m.Drain = []engine.Fault{f}, 10*time.Second
	return m
}

// TestCommonRandomNumbers: another policy meets the same arrivals, the same n-th service time at a service and the
// same n-th coin of its own failure.
func TestCommonRandomNumbers(t *testing.T) {
	key := engine.Key{Seed: 4}
	base := look(t, leaf(none), key)
	fine := func(m *engine.Model) *engine.Model { m.Faults = nil; return m }
	coins := look(t, fine(leaf(none)), key)
	for _, p := range []policy.Spec{retries(3, 0), policy.DefaultRetry(), policy.DefaultBudget(), policy.DefaultARB(), policy.DefaultStopBreaker(), policy.DefaultSREThrottle()} {
		v := look(t, leaf(p), key)
		if !slices.Equal(v.arrivals, base.arrivals) {
			t.Errorf("%s: other arrivals", p.Kind())
		}
		n := min(len(v.service[0]), len(base.service[0]))
		if n < 500 || !slices.Equal(v.service[0][:n], base.service[0][:n]) {
			t.Errorf("%s: of %d service times some differ", p.Kind(), n)
		}
		w := look(t, fine(leaf(p)), key)
		if n = min(len(w.outcome[0]), len(coins.outcome[0])); n < 500 || !slices.Equal(w.outcome[0][:n], coins.outcome[0][:n]) {
			t.Errorf("%s: of %d failure coins some differ", p.Kind(), n)
		}
	}
}

// TestFaultsAreCommon: random regimes turn at the same times whatever the policy, and correlated coins are
// the request's, whenever it comes.
func TestFaultsAreCommon(t *testing.T) {
	fails := func(p policy.Spec, rho float64) map[uint32]bool {
		m := leaf(p)
		m.Services[0].Failure, m.Services[0].Time = 0, dist.Constant(0)
		m.Faults[0].P, m.Faults[0].Rho = 1, 0
		if rho > 0 {
			m.Faults[0].P, m.Faults[0].Rho, m.Faults[0].MeanOn, m.Faults[0].MeanOff = 0.4, rho, 0, 0
		}
		first := map[uint32]bool{}
		s := engine.NewSim()
		s.Trace(func(e engine.TraceEvent) {
			if e.Kind == engine.TraceEnded && e.Attempt == 1 {
				first[e.Request] = e.Outcome != policy.Success
			}
		})
		s.Run(compile(t, m), engine.Key{Seed: 9})
		return first
	}
	for _, rho := range []float64{0, 1} {
		a, b := fails(none, rho), fails(retries(3, 7*ms), rho)
		if !reflect.DeepEqual(a, b) || len(a) < 800 {
			t.Errorf("rho %v: first attempts of the same requests fail differently", rho)
		}
	}
}

// TestTimeoutIsOnlyACut: with a timeout a request takes the time that it would take anyway, or the
// timeout. Two timeouts at once, most of them cancelled, of a law with a long tail.
func TestTimeoutIsOnlyACut(t *testing.T) {
	law := dist.Exponential(20 * ms)
	law.Kind, law.CV = "lognormal", 2
	m := system(3*time.Second, poisson(400, "a"), service("a", 0, law))
	second := poisson(300, "a")
	second.Name = "second"
	m.Clients = append(m.Clients, second)
	m.Drain = time.Minute
	free := look(t, m, engine.Key{Seed: 2})
	limits := []time.Duration{15 * ms, 40 * ms}
	m.Clients[0].Call.Timeout, m.Clients[1].Deadline = limits[0], limits[1]
	client := map[uint32]int{}
	for id := range free.sent {
		client[id[0]] = int(id[1])
	}
	cut := look(t, m, engine.Key{Seed: 2})
	if len(cut.latency) != len(free.latency) || len(free.latency) < 1500 {
		t.Fatalf("%d and %d requests", len(cut.latency), len(free.latency))
	}
	late := 0
	for id, l := range free.latency {
		limit := int64(limits[client[id]])
		if l > limit {
			late++
		}
		if got := cut.latency[id]; got != min(l, limit) || (cut.ends[id] == policy.TimedOut) != (l > limit) {
			t.Fatalf("request %d takes %d ns and %v, expected %d of %d", id, got, cut.ends[id], min(l, limit), l)
		}
	}
	if late < 200 || late > len(free.latency)-200 {
		t.Errorf("%d of %d requests are late", late, len(free.latency))
	}
}

// TestAddingAClientLeavesOthersAlone: entities have streams of their own.
func TestAddingAClientLeavesOthersAlone(t *testing.T) {
	alone := look(t, leaf(none), engine.Key{Seed: 6})
	m := leaf(none)
	m.Services = append(m.Services, takes("b", 0, ms))
	other := poisson(200, "b")
	other.Name = "other"
	m.Clients = append(m.Clients, other)
	both := look(t, m, engine.Key{Seed: 6})
	if !slices.Equal(alone.service[0], both.service[0]) || !slices.Equal(alone.outcome[0], both.outcome[0]) {
		t.Error("another client and service change the draws of the first")
	}
}

// TestKeysMatter: seed, environment and trial each give other draws, and swapping them does too.
func TestKeysMatter(t *testing.T) {
	keys := []engine.Key{{}, {Seed: 1}, {Environment: 1}, {Trial: 1}, {Seed: 1, Trial: 1}, {Seed: 1, Environment: 1}, {Environment: 1, Trial: 1}, {Seed: 2}, {Seed: 1 << 63}}
	first := map[int64]engine.Key{}
	for _, k := range keys {
		at := look(t, leaf(none), k).arrivals[0]
		if other, twice := first[at]; twice {
			t.Errorf("keys %v and %v have the same first arrival", k, other)
		}
		first[at] = k
	}
}

// wide is a model of many features.
func wide() *engine.Model {
	m := windowModel()
	m.Clients[1].Arrivals.Kind, m.Clients[1].Arrivals.Users = "closed", 20
	m.Clients[1].Call.Policy = policy.DefaultARB()
	f := failing(0.2, time.Second, 0, "a", "b")
	f.Rho, f.MeanOn, f.MeanOff = 0.5, time.Second, time.Second
	m.Faults = append(m.Faults, f)
	m.Services[0].Hold.Downstream = true
	m.Services[1].Signal.Queue = 0.5
	return m
}

// TestDeterminism: equal keys give equal tallies, whatever the Sim ran before, and whatever the order of trials.
func TestDeterminism(t *testing.T) {
	programs := []*engine.Program{compile(t, wide()), compile(t, leaf(policy.DefaultRetry())), compile(t, modelOf(randomGraph(newRand(1)), 200))}
	used := engine.NewSim()
	for _, step := range []struct{ program, trial int }{{0, 0}, {1, 0}, {0, 0}, {0, 3}, {2, 1}, {0, 1}, {1, 2}, {0, 3}, {0, 0}, {2, 0}, {2, 1}} {
		key := engine.Key{Seed: 8, Environment: uint64(step.program), Trial: uint64(step.trial)}
		got, want := used.Run(programs[step.program], key), engine.NewSim().Run(programs[step.program], key)
		if !same(got, want) {
			t.Fatalf("program %d, trial %d: another tally than a fresh simulator's", step.program, step.trial)
		}
	}
	a := engine.NewSim().Run(programs[0], engine.Key{Trial: 1})
	b := engine.NewSim().Run(programs[0], engine.Key{Trial: 2})
	if same(a, b) {
		t.Error("two trials are the same")
	}
}

// same compares two tallies; rows of windows may be missing in two ways.
func same(a, b *engine.Tally) bool {
	x, y := *a, *b
	x.Windows, y.Windows = append([]engine.Window(nil), a.Windows...), append([]engine.Window(nil), b.Windows...)
	return reflect.DeepEqual(x, y)
}

// TestTraceObservesOnly: tracing changes no count.
func TestTraceObservesOnly(t *testing.T) {
	for _, m := range []*engine.Model{wide(), leaf(policy.DefaultRetry())} {
		p, events := compile(t, m), 0
		traced := engine.NewSim()
		traced.Trace(func(engine.TraceEvent) { events++ })
		if !same(traced.Run(p, engine.Key{Seed: 1}), engine.NewSim().Run(p, engine.Key{Seed: 1})) {
			t.Errorf("%s: the tally depends on tracing", fmt.Sprint(p.Services()))
		}
		if events == 0 {
			t.Error("nothing is traced")
		}
	}
}

// TestNothingHappensWithoutNeed: mechanisms that never act change nothing.
func TestNothingHappensWithoutNeed(t *testing.T) {
	change := map[string]func(*engine.Model){
		"a timeout never reached":  func(m *engine.Model) { m.Clients[0].Call.Timeout = time.Hour },
		"a deadline never reached": func(m *engine.Model) { m.Clients[0].Deadline = time.Hour },
		"a limit never reached":    func(m *engine.Model) { m.Services[0].Limit.Max = 1 << 20 },
		"a fault of probability 0": func(m *engine.Model) { m.Faults = append(m.Faults, failing(0, 0, 0, "b")) },
		"all capacity left": func(m *engine.Model) {
			f := fault("capacity", 0, 0, "a", "b")
			f.Capacity = 1
			m.Faults = append(m.Faults, f)
		},
		"a ramp from p to p":        func(m *engine.Model) { m.Faults[0].PEnd = m.Faults[0].P },
		"signals that nobody heeds": func(m *engine.Model) { m.Services[1].Signal.Arrivals = 1e9 },
		"a call of probability 0": func(m *engine.Model) {
			m.Services[0].Calls = append(m.Services[0].Calls, never("b2"))
			m.Services = append(m.Services, takes("b2", 1, ms))
		},
		"a crash after the end": func(m *engine.Model) { m.Faults = append(m.Faults, fault("crash", m.Duration+m.Drain, 0, "a")) },
		"added latency of 0": func(m *engine.Model) {
			f := fault("latency", 0, 0, "a")
			f.Latency = dist.Constant(0)
			m.Faults = append(m.Faults, f)
		},
		"failures cost all of it":    func(m *engine.Model) { m.Services[0].FailureCost = 1 },
		"users' own retries of none": func(m *engine.Model) { m.Clients[0].Call.Policy = retries(0, ms) },
	}
	build := func() *engine.Model {
		m := system(4*time.Second, poisson(450, "a"), service("a", 1, exponential, calls("b", policy.DefaultRetry())), service("b", 2, dist.Exponential(2*ms)))
		m.Services[1].Failure, m.Drain = 0.1, 2*time.Second
		m.Faults = []engine.Fault{failing(0.4, time.Second, 2*time.Second, "b")}
		return m
	}
	want := once(t, build())
	for name, f := range change {
		m := build()
		f(m)
		got := once(t, m)
		for i := range want.Services {
			a, b := got.Services[i], want.Services[i]
			a.SignalNs, b.SignalNs = 0, 0
			equal(t, fmt.Sprint(name, ": service ", i), a, b)
		}
		for i := range want.Edges {
			equal(t, fmt.Sprint(name, ": edge ", i), got.Edges[i], want.Edges[i])
		}
		equal(t, name+": latencies", got.Clients[0].LatencySum, want.Clients[0].LatencySum)
	}
}

func never(to string) engine.Call {
	c := calls(to, none)
	c.Probability = 0
	return c
}
