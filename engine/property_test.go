package engine_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab/engine"
	"retrylab/engine/dist"
	"retrylab/policy"
)

// Random small models with every feature on. The engine itself panics if anything is lost.

func durationOf(t *rapid.T, what string, choices ...time.Duration) time.Duration {
	return rapid.SampledFrom(choices).Draw(t, what)
}

func drawLaw(t *rapid.T, what string) dist.Law {
	l := dist.Default()
	l.Kind = rapid.SampledFrom([]string{"constant", "exponential", "uniform", "lognormal", "gamma", "pareto"}).Draw(t, what)
	l.Mean = durationOf(t, what+" mean", 0, ms, 5*ms, 20*ms)
	l.Low, l.High = ms, 3*ms
	if l.Kind == "lognormal" && l.Mean == 0 {
		l.Mean = ms
	}
	l.CV = rapid.SampledFrom([]float64{0.3, 1, 2}).Draw(t, what+" cv")
	return l
}

func drawPolicy(t *rapid.T) policy.Spec {
	entries := policy.Catalog()
	spec := rapid.SampledFrom(entries).Draw(t, "policy").Default
	if spec.Kind() != "retry" {
		return spec
	}
	r := policy.DefaultRetry()
	r.MaxRetries = rapid.IntRange(0, 3).Draw(t, "retries")
	r.Backoff.Kind = rapid.SampledFrom([]string{"none", "constant", "linear", "exponential"}).Draw(t, "backoff")
	r.Backoff.Base = durationOf(t, "base", 0, ms, 10*ms, 700*ms)
	r.Backoff.Jitter = rapid.SampledFrom([]string{"none", "full", "equal", "decorrelated", "proportional", "one_sided"}).Draw(t, "jitter")
	r.RetryOn.TimedOut = rapid.Bool().Draw(t, "on timed out")
	r.RetryOn.Rejected = rapid.Bool().Draw(t, "on rejected")
	return r
}

func drawCall(t *rapid.T, to string) engine.Call {
	c := calls(to, drawPolicy(t))
	c.Probability = rapid.SampledFrom([]float64{1, 0.7, 0}).Draw(t, "probability")
	c.Instances = rapid.SampledFrom([]int{1, 3}).Draw(t, "instances")
	c.Timeout = durationOf(t, "timeout", 0, 5*ms, 30*ms, 800*ms)
	c.Abandoned = rapid.SampledFrom([]string{"goes_on", "cancelled"}).Draw(t, "abandoned")
	c.Latency = durationOf(t, "latency", 0, 2*ms)
	return c
}

func drawService(t *rapid.T, i, n int) engine.Service {
	s := service(fmt.Sprint("s", i), rapid.SampledFrom([]int{1, 0, 2, 5}).Draw(t, "servers"), drawLaw(t, "time"))
	s.Limit.Max = rapid.SampledFrom([]int{0, 1, 10}).Draw(t, "limit")
	s.Limit.Counts = rapid.SampledFrom([]string{"waiting", "in_system"}).Draw(t, "counts")
	s.Hold.Downstream = rapid.Bool().Draw(t, "hold")
	s.Parallel = rapid.Bool().Draw(t, "parallel")
	s.Hold.Backoff = s.Hold.Downstream && (s.Parallel || rapid.Bool().Draw(t, "hold in backoff"))
	s.Failure = rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "failure")
	s.FailureCost = rapid.SampledFrom([]float64{1, 0.5, 0}).Draw(t, "cost")
	for j := i + 1; j < n; j++ {
		if j == i+1 || rapid.Bool().Draw(t, "edge") {
			s.Calls = append(s.Calls, drawCall(t, fmt.Sprint("s", j)))
		}
	}
	s.Signal.Arrivals = rapid.SampledFrom([]float64{0, 50}).Draw(t, "signal on arrivals")
	if s.Servers > 0 {
		s.Signal.CPU = rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "signal on cpu")
	}
	if s.Limit.Max > 0 {
		s.Signal.Queue = rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "signal on queue")
	}
	s.Signal.RelayHops = rapid.IntRange(0, 2).Draw(t, "hops")
	return s
}

func drawClient(t *rapid.T, i int) engine.Client {
	c := poisson(rapid.SampledFrom([]float64{20, 200, 600}).Draw(t, "rate"), "s0")
	c.Name = fmt.Sprint("c", i)
	c.Arrivals.Kind = rapid.SampledFrom([]string{"poisson", "constant", "on_off", "piecewise", "closed"}).Draw(t, "arrivals")
	c.Arrivals.On, c.Arrivals.Off = 100*ms, 200*ms
	c.Arrivals.Steps = []engine.RateStep{{At: 300 * ms, Rate: 0}, {At: 500 * ms, Rate: 300}}
	c.Arrivals.Users, c.Arrivals.Think = 30, dist.Exponential(40*ms)
	c.Arrivals.Together = rapid.Bool().Draw(t, "together")
	c.Arrivals.FirstAtZero = rapid.Bool().Draw(t, "first at zero")
	c.Deadline = durationOf(t, "deadline", 0, 20*ms, 300*ms)
	c.Call = drawCall(t, "s0")
	c.Call.Probability = 1
	return c
}

func drawFault(t *rapid.T, services int) engine.Fault {
	name := fmt.Sprint("s", rapid.IntRange(0, services-1).Draw(t, "faulty"))
	f := fault(rapid.SampledFrom([]string{"failure", "latency", "capacity", "crash"}).Draw(t, "fault"), durationOf(t, "from", 0, 200*ms), durationOf(t, "to", 0, 700*ms), name)
	if f.Kind == "failure" || f.Kind == "latency" {
		f.Edges = []string{"c0>s0"}
	}
	f.Latency = drawLaw(t, "added")
	f.P, f.PEnd = 0.4, rapid.SampledFrom([]float64{engine.NoRamp, 0, 0.9}).Draw(t, "ramp")
	f.Rho = rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "rho")
	f.Before = rapid.Bool().Draw(t, "before")
	f.Capacity = rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "capacity")
	switch rapid.IntRange(0, 2).Draw(t, "schedule") {
	case 1:
		f.Period, f.On = 90*ms, 30*ms
	case 2:
		f.MeanOn, f.MeanOff = 30*ms, 60*ms
	}
	return f
}

func drawModel(t *rapid.T) *engine.Model {
	m := system(time.Second, engine.Client{})
	m.Clients = nil
	m.Drain = durationOf(t, "drain", 0, 500*ms)
	m.Window = durationOf(t, "window", 0, 100*ms)
	m.Warmup = durationOf(t, "warm-up", 0, 300*ms)
	for i := range rapid.IntRange(1, 2).Draw(t, "clients") {
		m.Clients = append(m.Clients, drawClient(t, i))
	}
	n := rapid.IntRange(1, 4).Draw(t, "services")
	for i := range n {
		m.Services = append(m.Services, drawService(t, i, n))
	}
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		m.Faults = append(m.Faults, drawFault(t, n))
	}
	return m
}

// TestRandomModels: whatever is combined, nothing is lost, the trial ends, is the same again, and its
// numbers stand in the relations that hold for every model.
func TestRandomModels(t *testing.T) {
	used := engine.NewSim()
	rapid.Check(t, func(t *rapid.T) {
		m := drawModel(t)
		p, problems := engine.Compile(m)
		if problems != nil {
			t.Fatalf("does not compile: %v", problems)
		}
		key := engine.Key{Seed: rapid.Uint64().Draw(t, "seed")}
		y := used.Run(p, key)
		if again := engine.NewSim().Run(p, key); !same(y, again) {
			t.Fatalf("another tally than a fresh simulator's:\n%+v\n%+v", y.Services, again.Services)
		}
		if y.Events > 1_000_000 {
			t.Fatalf("%d events in a second", y.Events)
		}
		relations(t, m, y)
	})
}

// relations are what must hold between the numbers of any trial.
func relations(t *rapid.T, m *engine.Model, y *engine.Tally) {
	atMost := func(what string, a, b int64) {
		if a > b || a < 0 {
			t.Fatalf("%s: %d, at most %d", what, a, b)
		}
	}
	measured := y.End - int64(m.Warmup)
	for i, n := range y.Services {
		name := m.Services[i].Name
		atMost(name+" busy within in-system", n.BusyNs, n.InSystemNs)
		atMost(name+" wasted within work", n.WastedNs, n.WorkNs+int64(m.Warmup))
		atMost(name+" open", n.Open, n.Open)
		if c := int64(m.Services[i].Servers); c > 0 {
			atMost(name+" busy", n.BusyNs, c*measured)
			if m.Warmup == 0 {
				atMost(name+" work", n.WorkNs, n.BusyNs)
			}
		}
		if l := m.Services[i].Limit; l.Max > 0 && !m.Services[i].Hold.Downstream {
			atMost(name+" queue", n.QueuePeak, int64(l.Max))
		}
		if n.Attempts != n.Admitted+n.Rejected+n.FastFailed {
			t.Fatalf("%s: %d attempts, %d admitted, %d rejected, %d failed fast", name, n.Attempts, n.Admitted, n.Rejected, n.FastFailed)
		}
	}
	for i, e := range y.Edges {
		atMost(fmt.Sprint("edge ", i, " retries"), e.Retries, e.Attempts)
		if m.Warmup == 0 {
			atMost(fmt.Sprint("edge ", i, " first"), e.EndedFirst, e.Calls)
		}
	}
	succeeded := int64(0)
	for _, c := range y.Clients {
		succeeded += c.Ended[policy.Success]
	}
	if n := y.Latency.Count(); n != succeeded {
		t.Fatalf("%d latencies of %d successes", n, succeeded)
	}
}
