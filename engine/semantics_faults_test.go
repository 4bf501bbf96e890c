package engine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/engine/dist"
	"retrylab/policy"
)

// ended collects how the attempts on each edge ended, in the order of their requests.
type ended struct {
	at      int64
	request uint32
	outcome policy.Outcome
}

func attemptsOf(t *testing.T, m *engine.Model, trial uint64) [][]ended {
	p, s := compile(t, m), engine.NewSim()
	out := make([][]ended, len(p.Edges()))
	s.Trace(func(e engine.TraceEvent) {
		if e.Kind == engine.TraceEnded {
			out[e.Edge] = append(out[e.Edge], ended{e.Now, e.Request, e.Outcome})
		}
	})
	s.Run(p, engine.Key{Seed: 11, Trial: trial})
	return out
}

// TestFaultTimes: a fault acts from From on and no longer at To, and in the first On of every period.
func TestFaultTimes(t *testing.T) {
	m := system(40*ms, steady(ms, "a"), takes("a", 0, 0))
	f := failing(1, 10*ms, 25*ms, "a")
	count := func(want func(ms int64) bool) {
		t.Helper()
		m.Faults = []engine.Fault{f}
		for _, e := range attemptsOf(t, m, 0)[0] {
			if got := e.outcome == policy.Failed; got != want(e.at/1e6) {
				t.Errorf("%v at %d ms: failed is %v", f, e.at/1e6, got)
			}
		}
	}
	count(func(at int64) bool { return at >= 10 && at < 25 })
	f.To = 0
	count(func(at int64) bool { return at >= 10 })
	f.Period, f.On = 8*ms, 3*ms
	count(func(at int64) bool { return at >= 10 && (at-10)%8 < 3 })
	f.To = 27 * ms
	count(func(at int64) bool { return at >= 10 && at < 27 && (at-10)%8 < 3 })
	f.To = 28 * ms // cut within a period's on phase: 26-29
	count(func(at int64) bool { return at >= 10 && at < 28 && (at-10)%8 < 3 })
}

// TestFailureRamp: the probability goes linearly from P at From to PEnd at To, also down to 0.
func TestFailureRamp(t *testing.T) {
	for _, c := range []struct{ from, to float64 }{{0.1, 0.9}, {0.8, 0}} {
		m := system(8*time.Second, steady(ms, "a"), takes("a", 0, 0))
		m.Window = time.Second
		f := failing(c.from, 2*time.Second, 6*time.Second, "a")
		f.PEnd = c.to
		m.Faults = []engine.Fault{f}
		var measures []func(*engine.Tally) float64
		for second := range 8 {
			measures = append(measures, func(y *engine.Tally) float64 {
				w := y.Windows[2*second]
				return float64(w.Failed) / float64(w.First)
			})
		}
		for second, v := range measured(t, m, 40, measures...) {
			want := 0.0
			if second >= 2 && second < 6 {
				want = c.from + (c.to-c.from)*(float64(second)-1.5)/4
			}
			agrees(t, fmt.Sprintf("share failed in second %d, from %v to %v", second, c.from, c.to), v, want)
		}
	}
}

// TestFailuresAdd: a service's own failure and the acting faults are independent.
func TestFailuresAdd(t *testing.T) {
	m := system(4*time.Second, steady(ms, "a"), takes("a", 0, 0))
	m.Services[0].Failure = 0.1
	ramp := failing(0.3, 0, 0, "a")
	ramp.PEnd = 0.3
	before := failing(0.25, 0, 0, "a")
	before.Before = true
	for _, faults := range [][]engine.Fault{{failing(0.3, 0, 0, "a"), failing(0.5, 0, 0, "a")}, {ramp, failing(0.5, 0, 0, "a")}} {
		m.Faults = append(faults, before)
		v := measured(t, m, 40,
			ofService(0, func(n *engine.ServiceTally) float64 { return float64(n.Failed) / float64(n.Served) }),
			ofService(0, func(n *engine.ServiceTally) float64 { return float64(n.FastFailed) / float64(n.Attempts) }))
		agrees(t, "failed after service", v[0], 1-0.9*0.7*0.5)
		agrees(t, "failed before service", v[1], 0.25)
	}
}

// TestFailureBefore: fast failures cost no service.
func TestFailureBefore(t *testing.T) {
	m := system(2*ms, steady(ms, "a"), takes("a", 1, 10*ms))
	f := failing(1, 0, ms, "a")
	f.Before = true
	m.Faults, m.Drain = []engine.Fault{f}, time.Second
	y := outcomes(t, m, `
		0ms 1 failed
		11ms 2 success`)
	equal(t, "fast failures", y.Services[0].FastFailed, 1)
	equal(t, "admitted", y.Services[0].Admitted, 1)
	equal(t, "busy", y.Services[0].BusyNs, int64(10)*1e6)
}

// TestFailureOnEdge never reaches the callee, and the caller knows at once.
func TestFailureOnEdge(t *testing.T) {
	m := system(2*ms, steady(ms, "a"), takes("a", 0, 5*ms, calls("b", none)), takes("b", 0, 5*ms))
	f := failing(1, 0, 6*ms)
	f.Edges = []string{"a>b"}
	m.Services[0].Calls[0].Latency = ms
	m.Faults, m.Drain = []engine.Fault{f}, time.Second
	y := outcomes(t, m, `
		5ms 1 failed
		13ms 2 success`)
	equal(t, "attempts at b", y.Services[1].Attempts, 1)
	equal(t, "attempts on the edge", y.Edges[1].Attempts, 2)
	equal(t, "failed below a", y.Services[0].FailedBelow, 1)
}

// TestSharedRegimes: all services of a fault fail in the same times, which take their share.
func TestSharedRegimes(t *testing.T) {
	m := system(20*time.Second, steady(ms, "a"), takes("a", 0, 0), takes("b", 0, 0))
	other := steady(ms, "b")
	other.Name = "other"
	m.Clients = append(m.Clients, other)
	f := failing(1, 0, 0, "a", "b")
	f.MeanOn, f.MeanOff = 50*ms, 150*ms
	m.Faults = []engine.Fault{f}
	var share, turns []float64
	for trial := range uint64(40) {
		both := attemptsOf(t, m, trial)
		bad, changes := 0.0, 0.0
		for i, e := range both[0] {
			if e.outcome != both[1][i].outcome {
				t.Fatalf("at %d ns one service fails and the other does not", e.at)
			}
			bad += float64(e.outcome)
			if i > 0 && e.outcome != both[0][i-1].outcome {
				changes++
			}
		}
		share, turns = append(share, bad/float64(len(both[0]))), append(turns, changes)
	}
	agrees(t, "share of time", share, 0.25)
	// Two turns every 200 ms; one is not seen if the regime after it is over before the next request.
	seen := 2 * 20000 / 200.0 * visible(50) * visible(150)
	agrees(t, "turns", turns, seen)
}

// visible is the chance that an exponential regime of the mean, in steps, holds a point of the
// grid: what is not seen joins its neighbours, so to first order turns shrink by both chances.
func visible(mean float64) float64 { return mean * (1 - math.Exp(-1/mean)) }

// TestCorrelatedFailures: rho is the correlation of the failures of one request at two services; each
// one's probability stays what it is.
func TestCorrelatedFailures(t *testing.T) {
	for _, rho := range []float64{0, 0.3, 1} {
		t.Run(fmt.Sprint(rho), func(t *testing.T) {
			m := system(4*time.Second, steady(ms, "a"), takes("a", 0, 0, calls("b", none), calls("c", none)), takes("b", 0, 0), takes("c", 0, 0))
			m.Services[0].Parallel = true
			f := failing(0.4, 0, 0, "b", "c")
			f.Rho = rho
			m.Faults = []engine.Fault{f}
			var p, correlation []float64
			for trial := range uint64(40) {
				e := attemptsOf(t, m, trial)
				var x, y, xy float64
				for i := range e[1] {
					a, b := float64(e[1][i].outcome), float64(e[2][i].outcome)
					x, y, xy = x+a, y+b, xy+a*b
				}
				n := float64(len(e[1]))
				x, y, xy = x/n, y/n, xy/n
				p = append(p, (x+y)/2)
				correlation = append(correlation, (xy-x*y)/math.Sqrt(x*(1-x)*y*(1-y)))
			}
			agrees(t, "probability", p, 0.4)
			if rho == 0 {
				if mean, se := meanSE(correlation); math.Abs(mean/se) >= 4 {
					t.Errorf("correlation %.4f +- %.4f, expected 0", mean, se)
				}
				return
			}
			agrees(t, "correlation", correlation, rho)
		})
	}
}

// TestCorrelatedRetries: with rho 1 a request's retries meet its one coin again.
func TestCorrelatedRetries(t *testing.T) {
	m := system(time.Second, steady(ms, "a"), takes("a", 0, 0))
	m.Clients[0].Call.Policy = retries(3, ms)
	f := failing(0.4, 0, 0, "a")
	f.Rho = 1
	m.Faults, m.Drain = []engine.Fault{f}, time.Second
	y := once(t, m)
	equal(t, "attempts failed, four for each request", y.Edges[0].Ended[policy.Failed], 4*y.Clients[0].Ended[policy.Failed])
}

// TestAddedLatency lengthens service times of a service, both ways of an edge.
func TestAddedLatency(t *testing.T) {
	m := system(3*ms, steady(ms, "a"), takes("a", 0, 5*ms))
	m.Drain = time.Second
	slow := fault("latency", ms, 2*ms, "a")
	slow.Latency = dist.Constant(20 * ms)
	m.Faults = []engine.Fault{slow}
	y := outcomes(t, m, `
		5ms 1 success
		7ms 3 success
		26ms 2 success`)
	equal(t, "work", y.Services[0].WorkNs, int64(5+25+5)*1e6)
	slow.Services, slow.Edges = nil, []string{"client>a"}
	slow.To = 10 * ms // the answers of 2 and 3 come after it, that of 1 meets it
	m.Faults = []engine.Fault{slow}
	outcomes(t, m, `
		25ms 1 success
		26ms 2 success
		27ms 3 success`)
}

// TestCapacity: no service starts without a worker; what has begun is finished; the queue goes on afterwards.
func TestCapacity(t *testing.T) {
	m := system(6*ms, steady(2*ms, "a"), takes("a", 2, 10*ms))
	m.Drain = time.Second
	m.Faults = []engine.Fault{fault("capacity", 3*ms, 50*ms, "a")}
	y := outcomes(t, m, `
		10ms 1 success
		12ms 2 success
		60ms 3 success`)
	equal(t, "waited", y.Services[0].WaitNs, int64(46)*1e6)
	m.Faults[0].Capacity = 0.9 // one of two workers
	outcomes(t, m, `
		10ms 1 success
		12ms 2 success
		22ms 3 success`)
	m.Faults = append(m.Faults, fault("capacity", 22*ms, 23*ms, "a"))
	m.Duration, m.Clients[0].Arrivals.Rate = 8*ms, 500
	outcomes(t, m, `
		10ms 1 success
		12ms 2 success
		22ms 3 success
		33ms 4 success`)
}

// TestCapacityReturnsOfItself needs no arrival: a full queue and one worker.
func TestCapacityReturnsOfItself(t *testing.T) {
	m := system(2*ms, steady(ms, "a"), takes("a", 1, 10*ms))
	m.Drain = time.Second
	m.Faults = []engine.Fault{fault("capacity", 0, 100*ms, "a")}
	outcomes(t, m, `
		110ms 1 success
		120ms 2 success`)
}

// TestCrash: who waits, is served or waits below is lost at once; who comes while the service is down fails
// at once; what was called below goes on for nobody.
func TestCrash(t *testing.T) {
	m := system(4*ms, steady(ms, "a"), takes("a", 1, 2*ms, calls("b", none)), takes("b", 0, 30*ms))
	m.Drain = time.Second
	m.Faults = []engine.Fault{fault("crash", 2500*time.Microsecond, 3500*time.Microsecond, "a")}
	// 1 is at b since 2, 2 served since 2, 3 waits; 4 arrives at 3, in the crash.
	y := outcomes(t, m, `
		2.5ms 1 failed
		2.5ms 2 failed
		2.5ms 3 failed
		3ms 4 failed`)
	a, b := y.Services[0], y.Services[1]
	equal(t, "crashed", a.Crashed, 3)
	equal(t, "failed fast", a.FastFailed, 1)
	equal(t, "work", a.WorkNs, int64(2.5e6))
	equal(t, "busy", a.BusyNs, int64(2.5e6))
	equal(t, "calls cancelled", y.Edges[1].CallsEnded[policy.Cancelled], 1)
	equal(t, "abandoned below", b.Abandoned, 1)
	equal(t, "work below", b.WorkNs, int64(30e6))
	equal(t, "wasted below", b.WastedNs, int64(29.5e6))
	m.Services[0].Calls[0].Abandoned = "cancelled"
	y = once(t, m)
	equal(t, "work below, cancelled", y.Services[1].WorkNs, int64(0.5e6))
}

// TestCrashRecovers: the service is empty afterwards and serves on.
func TestCrashRecovers(t *testing.T) {
	m := system(3*ms, steady(ms, "a"), takes("a", 1, 10*ms))
	m.Clients[0].Call.Policy = retries(1, 3*ms)
	m.Drain = time.Second
	m.Faults = []engine.Fault{fault("crash", 2500*time.Microsecond, 4*ms, "a")}
	y := outcomes(t, m, `
		15.5ms 1 success
		25.5ms 2 success
		35.5ms 3 success`)
	equal(t, "retries", y.Edges[0].Retries, 3)
	equal(t, "in system", y.Services[0].InSystemNs, int64((2.5+1.5+.5+10+20+30)*1e6))
}

// TestCrashOfParallelCaller: all its calls lose their caller.
func TestCrashOfParallelCaller(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 0, ms, calls("b", none), calls("c", retries(3, 100*ms))), takes("b", 0, 20*ms), takes("c", 0, ms))
	m.Services[0].Parallel, m.Services[2].Failure = true, 1
	m.Drain = time.Second
	m.Faults = []engine.Fault{fault("crash", 5*ms, 6*ms, "a")}
	y := outcomes(t, m, "5ms 1 failed")
	equal(t, "wasted at b", y.Services[1].WastedNs, int64(16e6))
	equal(t, "attempts at c", y.Services[2].Attempts, 1)
	equal(t, "calls of c cancelled", y.Edges[2].CallsEnded[policy.Cancelled], 1)
}

// TestCrashOfAbandonedWork: of what an attempt has done, only the part after its caller gave up is wasted.
func TestCrashOfAbandonedWork(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 1, 30*ms))
	m.Clients[0].Call.Timeout, m.Drain = 10*ms, time.Second
	m.Faults = []engine.Fault{fault("crash", 24*ms, 25*ms, "a")}
	y := outcomes(t, m, "10ms 1 timed_out")
	equal(t, "crashed", y.Services[0].Crashed, 1)
	equal(t, "work", y.Services[0].WorkNs, int64(24e6))
	equal(t, "wasted", y.Services[0].WastedNs, int64(14e6))
}
