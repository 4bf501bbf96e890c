package engine_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/engine/dist"
	"retrylab/policy"
)

// good is a model without mistakes for the table to spoil: client > a > b > c, a > c.
func good() *engine.Model {
	m := system(10*time.Second, poisson(100, "a"), takes("a", 1, ms, calls("b", none), calls("c", none)), takes("b", 1, ms, calls("c", none)), takes("c", 1, ms))
	m.Faults = []engine.Fault{failing(0.5, time.Second, 2*time.Second, "a")}
	return m
}

// mistakes are single changes and the path that must be named; text is part of what must be said.
var mistakes = []struct {
	path, text string
	spoil      func(*engine.Model)
}{
	{"duration", "between", func(m *engine.Model) { m.Duration = 0; m.Faults = nil }},
	{"duration", "with drain", func(m *engine.Model) { m.Duration, m.Drain = 100*time.Hour, 100*time.Hour }},
	{"drain", "got -1s", func(m *engine.Model) { m.Drain = -time.Second }},
	{"warmup", "shorter than duration", func(m *engine.Model) { m.Warmup = 10 * time.Second }},
	{"warmup", "whole number of windows", func(m *engine.Model) { m.Warmup, m.Window = 1500*ms, time.Second }},
	{"window", "-1ns", func(m *engine.Model) { m.Window = -1 }},
	{"window", "windows", func(m *engine.Model) { m.Window = 1 }},
	{"clients", "at least one", func(m *engine.Model) { m.Clients, m.Services, m.Faults = nil, m.Services[:0], nil }},
	{"services", "at least one", func(m *engine.Model) { m.Clients, m.Services, m.Faults = nil, m.Services[:0], nil }},
	{"clients[0].name", "empty", func(m *engine.Model) { m.Clients[0].Name = "" }},
	{"services[1].name", "already the name of services[0].name", func(m *engine.Model) { m.Services[1].Name = "a" }},
	{"services[2].name", "'>'", func(m *engine.Model) { m.Services[2].Name = "c>d" }},
	{"services[0].name", "already the name of clients[0].name", func(m *engine.Model) { m.Clients[0].Name = "a" }},
	{"clients[0].arrivals.kind", `unknown "bursts", expected one of poisson`, func(m *engine.Model) { m.Clients[0].Arrivals.Kind = "bursts" }},
	{"clients[0].arrivals.rate", "got -1", func(m *engine.Model) { m.Clients[0].Arrivals.Rate = -1 }},
	{"clients[0].arrivals.rate", "got 0", func(m *engine.Model) { m.Clients[0].Arrivals.Rate = 0 }},
	{"clients[0].arrivals.rate", "NaN", func(m *engine.Model) { m.Clients[0].Arrivals.Rate = math.NaN() }},
	{"clients[0].arrivals.users", "got 0", func(m *engine.Model) { m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.Users = "closed", 0 }},
	{"clients[0].arrivals.think", "1µs", func(m *engine.Model) {
		m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.Think = "closed", dist.Constant(0)
	}},
	{"clients[0].arrivals.think.kind", "triangular", func(m *engine.Model) {
		m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.Think.Kind = "closed", "triangular"
	}},
	{"clients[0].arrivals.off_rate", "got -3", func(m *engine.Model) { m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.OffRate = "on_off", -3 }},
	{"clients[0].arrivals.on", "got 0s", func(m *engine.Model) { m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.On = "on_off", 0 }},
	{"clients[0].arrivals.steps[1].at", "later than the step before", func(m *engine.Model) {
		m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.Steps = "piecewise", []engine.RateStep{{At: 2, Rate: 1}, {At: 2, Rate: 1}}
	}},
	{"clients[0].arrivals.steps[0].rate", "got -1", func(m *engine.Model) {
		m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.Steps = "piecewise", []engine.RateStep{{At: 2, Rate: -1}}
	}},
	{"clients[0].deadline", "-1s", func(m *engine.Model) { m.Clients[0].Deadline = -time.Second }},
	{"clients[0].call.to", `no service "z"`, func(m *engine.Model) { m.Clients[0].Call.To = "z" }},
	{"clients[0].call.probability", "must be 1", func(m *engine.Model) { m.Clients[0].Call.Probability = 0.5 }},
	{"clients[0].call.policy", "must be set", func(m *engine.Model) { m.Clients[0].Call.Policy = nil }},
	{"clients[0].call.policy.max_retries", "got -1", func(m *engine.Model) { m.Clients[0].Call.Policy = retries(-1, 0) }},
	{"clients[0].call.policy.backoff.jitter", "random", func(m *engine.Model) {
		r := policy.DefaultRetry()
		r.Backoff.Jitter = "random"
		m.Clients[0].Call.Policy = r
	}},
	{"clients[0].call.instances", "got 0", func(m *engine.Model) { m.Clients[0].Call.Instances = 0 }},
	{"clients[0].call.timeout", "-1s", func(m *engine.Model) { m.Clients[0].Call.Timeout = -time.Second }},
	{"clients[0].call.abandoned", "goes_on, cancelled", func(m *engine.Model) { m.Clients[0].Call.Abandoned = "forgotten" }},
	{"clients[0].call.latency", "-1s", func(m *engine.Model) { m.Clients[0].Call.Latency = -time.Second }},
	{"services[1].servers", "got -1", func(m *engine.Model) { m.Services[1].Servers = -1 }},
	{"services[1].time.mean", "got -1s", func(m *engine.Model) { m.Services[1].Time.Mean = -time.Second }},
	{"services[1].time.cv", "got 0", func(m *engine.Model) { m.Services[1].Time.Kind, m.Services[1].Time.CV = "gamma", 0 }},
	{"services[1].time.high", "low (2ms)", func(m *engine.Model) { m.Services[1].Time = dist.Uniform(2*ms, ms) }},
	{"services[1].time.alpha", "got 0", func(m *engine.Model) {
		m.Services[1].Time.Kind, m.Services[1].Time.Low, m.Services[1].Time.Alpha = "pareto", ms, 0
	}},
	{"services[1].limit.max", "got -1", func(m *engine.Model) { m.Services[1].Limit.Max = -1 }},
	{"services[1].limit.counts", "waiting, in_system", func(m *engine.Model) { m.Services[1].Limit.Counts = "" }},
	{"services[1].failure", "got 1.5", func(m *engine.Model) { m.Services[1].Failure = 1.5 }},
	{"services[1].failure_cost", "got -0.5", func(m *engine.Model) { m.Services[1].FailureCost = -0.5 }},
	{"services[1].hold.backoff", "needs hold.downstream", func(m *engine.Model) { m.Services[1].Hold.Backoff = true }},
	{"services[0].hold.backoff", "must be true", func(m *engine.Model) { m.Services[0].Hold.Downstream, m.Services[0].Parallel = true, true }},
	{"services[0].calls[1].to", "already called by calls[0]", func(m *engine.Model) { m.Services[0].Calls[1].To = "b" }},
	{"services[1].calls[0].to", "no service", func(m *engine.Model) { m.Services[1].Calls[0].To = "" }},
	{"services[1].calls[0].probability", "got 2", func(m *engine.Model) { m.Services[1].Calls[0].Probability = 2 }},
	{"services[1].signal.queue", "needs limit.max", func(m *engine.Model) { m.Services[1].Signal.Queue = 0.8 }},
	{"services[1].signal.counts", "waiting, in_system", func(m *engine.Model) { m.Services[1].Signal.Counts = "x" }},
	{"services[1].signal.cpu", "needs servers", func(m *engine.Model) { m.Services[1].Servers, m.Services[1].Signal.CPU = 0, 0.8 }},
	{"services[1].signal.cpu_window", "got 0s", func(m *engine.Model) { m.Services[1].Signal.CPUWindow = 0 }},
	{"services[1].signal.arrivals", "got -1", func(m *engine.Model) { m.Services[1].Signal.Arrivals = -1 }},
	{"services[1].signal.urgent", "got 0.5", func(m *engine.Model) { m.Services[1].Signal.Urgent = 0.5 }},
	{"services[1].signal.relay_hops", "got -1", func(m *engine.Model) { m.Services[1].Signal.RelayHops = -1 }},
	{"services[1].signal.expiry", "-1s", func(m *engine.Model) { m.Services[1].Signal.Expiry = -time.Second }},
	{"faults[0].kind", "failure, latency, capacity, crash", func(m *engine.Model) { m.Faults[0].Kind = "fire" }},
	{"faults[0].services", "at least one", func(m *engine.Model) { m.Faults[0].Services = nil }},
	{"faults[0].services[1]", `no service "z"`, func(m *engine.Model) { m.Faults[0].Services = []string{"a", "z"} }},
	{"faults[0].services[2]", `"a" is already services[0]`, func(m *engine.Model) { m.Faults[0].Services = []string{"a", "b", "a"} }},
	{"faults[0].edges[1]", `"a>b" is already edges[0]`, func(m *engine.Model) { m.Faults[0].Edges = []string{"a>b", "a>b"} }},
	{"faults[0].edges[0]", `no edge "a>a"`, func(m *engine.Model) { m.Faults[0].Edges = []string{"a>a"} }},
	{"faults[0].edges[0]", `no edge "a"`, func(m *engine.Model) { m.Faults[0].Edges = []string{"a"} }},
	{"faults[0].edges", "not crash", func(m *engine.Model) { m.Faults[0].Kind, m.Faults[0].Edges = "crash", []string{"a>b"} }},
	{"faults[0].from", "-1s", func(m *engine.Model) { m.Faults[0].From = -time.Second }},
	{"faults[0].from", "within the trial", func(m *engine.Model) { m.Faults[0].From, m.Faults[0].To = 11*time.Second, 0 }},
	{"faults[0].to", "later than from", func(m *engine.Model) { m.Faults[0].To = m.Faults[0].From }},
	{"faults[0].on", "below period", func(m *engine.Model) { m.Faults[0].Period, m.Faults[0].On = time.Second, time.Second }},
	{"faults[0].period", "got 0s", func(m *engine.Model) { m.Faults[0].On = time.Second }},
	{"faults[0].mean_off", "got 0s", func(m *engine.Model) { m.Faults[0].MeanOn = time.Second }},
	{"faults[0].mean_on", "period", func(m *engine.Model) {
		f := &m.Faults[0]
		f.Period, f.On, f.MeanOn, f.MeanOff = time.Second, ms, ms, ms
	}},
	{"faults[0].p", "got 1.01", func(m *engine.Model) { m.Faults[0].P = 1.01 }},
	{"faults[0].p_end", "got -0.5", func(m *engine.Model) { m.Faults[0].PEnd = -0.5 }},
	{"faults[0].rho", "got 7", func(m *engine.Model) { m.Faults[0].Rho = 7 }},
	{"faults[0].latency.kind", "expected one of", func(m *engine.Model) { m.Faults[0].Kind, m.Faults[0].Latency.Kind = "latency", "" }},
	{"faults[0].capacity", "got 2", func(m *engine.Model) { m.Faults[0].Kind, m.Faults[0].Capacity = "capacity", 2 }},
	{"services[2].calls[0].to", "makes a cycle: a>b>c>a", func(m *engine.Model) { m.Services[2].Calls = []engine.Call{calls("a", none)} }},
	{"services[1].calls[1].to", "makes a cycle: b>b", func(m *engine.Model) { m.Services[1].Calls = append(m.Services[1].Calls, calls("b", none)) }},
	{"services[3]", `"d" is called by nobody`, func(m *engine.Model) { m.Services = append(m.Services, takes("d", 1, ms)) }},
}

func TestMistakes(t *testing.T) {
	if _, problems := engine.Compile(good()); problems != nil {
		t.Fatalf("a good model has problems: %v", problems)
	}
	for _, x := range mistakes {
		m := good()
		x.spoil(m)
		p, problems := engine.Compile(m)
		found := slices.ContainsFunc(problems, func(p engine.Problem) bool { return p.Path == x.path && strings.Contains(p.Text, x.text) })
		if !found || p != nil {
			t.Errorf("expected %q with %q, got %v", x.path, x.text, problems)
		}
	}
}

// TestAllMistakesAtOnce: independent mistakes are all reported, once each, in the order of the model's fields.
func TestAllMistakesAtOnce(t *testing.T) {
	m := good()
	m.Window = -1
	m.Clients[0].Arrivals.Rate = -5
	m.Clients[0].Call.Policy = retries(-1, -time.Second)
	m.Services[1].Servers, m.Services[1].Failure = -2, 3
	m.Services[2].Calls = []engine.Call{calls("b", none)}
	m.Services = append(m.Services, takes("alone", 1, ms))
	m.Faults[0].P, m.Faults[0].Rho = 2, -1
	_, problems := engine.Compile(m)
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
	}
	want := "[window clients[0].arrivals.rate clients[0].call.policy.max_retries clients[0].call.policy.backoff.base " +
		"services[1].servers services[1].failure faults[0].p faults[0].rho services[2].calls[0].to services[3]]"
	equal(t, "paths", fmt.Sprint(paths), want)
	equal(t, "text", problems[4].String(), "services[1].servers: must be between 0 and 1e+09, got -2")
}

// TestProgramTells: names and numbers come out in the order of the tallies.
func TestProgramTells(t *testing.T) {
	m := good()
	m.Name, m.Window, m.Services[2].Servers = "small", time.Second, 0
	p := compile(t, m)
	from, to, ok := p.FaultSpan()
	equal(t, "program", fmt.Sprint(p.Name(), p.Clients(), p.Services(), p.Edges(), p.Stations(), p.Servers(0), p.Servers(2), from, to, ok, p.Duration(), p.Window(), p.ClientEdge(0), p.ClientEdge(1), p.Policy(1)),
		"small[client] [a b c] [client>a a>b a>c b>c] [client a b c] 1 0 1000000000 2000000000 true 10000000000 1000000000 true false {}")
	m.Faults = nil
	if _, _, ok := compile(t, m).FaultSpan(); ok {
		t.Error("a model without faults has a span of faults")
	}
}
