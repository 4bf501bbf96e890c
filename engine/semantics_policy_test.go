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

var exponential = dist.Exponential(ms)

func ceil(x float64) float64 { return math.Ceil(x) }

// probe is a policy that writes down what it is told. It is a spec, too: one probe, one edge.
type probe struct {
	watch policy.Events
	deny  func(now int64) bool // AllowFresh, if set
	again policy.Spec          // decides about retries
	log   *[]string
	envs  *[]policy.Env
	ends  *[]policy.Attempt
}

func newProbe(watch policy.Events, again policy.Spec) *probe {
	return &probe{watch: watch, again: again, log: new([]string), envs: new([]policy.Env), ends: new([]policy.Attempt)}
}

func (p *probe) Kind() string               { return "probe" }
func (p *probe) Problems() []policy.Problem { return nil }
func (p *probe) New() policy.Policy         { return &probing{p, p.again.New()} }

type probing struct {
	*probe
	inner policy.Policy
}

func (p *probing) note(format string, args ...any) {
	*p.log = append(*p.log, fmt.Sprintf(format, args...))
}

func (p *probing) Reset(env policy.Env)   { *p.envs = append(*p.envs, env) }
func (p *probing) Watches() policy.Events { return p.watch }
func (p *probing) AllowFresh(now int64, _ float64) bool {
	p.note("%gms fresh", float64(now)/1e6)
	return p.deny == nil || !p.deny(now)
}
func (p *probing) AttemptStart(now int64, n int) { p.note("%gms start %d", float64(now)/1e6, n) }
func (p *probing) AttemptEnd(now int64, a *policy.Attempt) {
	*p.ends = append(*p.ends, *a)
	p.note("%gms end %d %s", float64(now)/1e6, a.Number, a.Outcome)
}
func (p *probing) CallEnd(now int64, o policy.Outcome, n int) {
	p.note("%gms call %s after %d", float64(now)/1e6, o, n)
}
func (p *probing) Retry(now int64, a *policy.Attempt, u policy.Draws) policy.Decision {
	return p.inner.Retry(now, a, u)
}
func (p *probing) State(int64) policy.State { return policy.State{} }

const watchAll = policy.WatchFresh | policy.WatchStart | policy.WatchEnd | policy.WatchCall

// TestPolicyIsTold: everything it watches, in order, and nothing else.
func TestPolicyIsTold(t *testing.T) {
	whole := []string{"0ms fresh", "0ms start 1", "2ms end 1 failed", "5ms start 2", "7ms end 2 success", "7ms call success after 2"}
	for watch := policy.Events(0); watch <= watchAll; watch++ {
		p := newProbe(watch, retries(3, 3*ms))
		m := system(ms, steady(ms, "a"), takes("a", 0, 2*ms))
		m.Clients[0].Call.Policy, m.Drain = p, time.Second
		m.Faults = []engine.Fault{failing(1, 0, 3*ms, "a")}
		once(t, m)
		var want []string
		for i, l := range whole {
			if watch>>[]int{0, 1, 2, 1, 2, 3}[i]&1 != 0 {
				want = append(want, l)
			}
		}
		equal(t, fmt.Sprintf("told, watching %b", watch), fmt.Sprint(*p.log), fmt.Sprint(want))
	}
}

// TestPolicyIsToldTheAttempt: round trip, wait before it, deadline.
func TestPolicyIsToldTheAttempt(t *testing.T) {
	p := newProbe(watchAll, retries(3, 3*ms))
	m := system(2*ms, steady(ms, "a"), takes("a", 0, 2*ms))
	m.Duration, m.Clients[0].Arrivals.FirstAtZero = 2*ms, false // one request, at 1 ms
	m.Clients[0].Call.Policy, m.Drain = p, time.Second
	m.Clients[0].Call.Latency, m.Clients[0].Deadline = ms, 100*ms
	m.Faults = []engine.Fault{failing(1, 0, 5*ms, "a")}
	once(t, m)
	want := []policy.Attempt{
		{Number: 1, Outcome: policy.Failed, RTT: 4e6, PrevDelay: 0, Deadline: 101e6, Pushback: -1},
		{Number: 2, Outcome: policy.Success, RTT: 4e6, PrevDelay: 3e6, Deadline: 101e6, Pushback: -1},
	}
	equal(t, "attempts", fmt.Sprintf("%+v", *p.ends), fmt.Sprintf("%+v", want))
}

// TestBlocked: a refused call is no attempt.
func TestBlocked(t *testing.T) {
	p := newProbe(watchAll, none)
	p.deny = func(now int64) bool { return now == 1e6 }
	m := system(3*ms, steady(ms, "a"), takes("a", 0, 0))
	m.Clients[0].Call.Policy = p
	y := outcomes(t, m, `
		0ms 1 success
		1ms 2 blocked
		2ms 3 success`)
	equal(t, "attempts", y.Edges[0].Attempts, 2)
	equal(t, "calls", y.Edges[0].Calls, 3)
	equal(t, "blocked", y.Edges[0].CallsEnded[policy.Blocked], 1)
	equal(t, "attempts at the service", y.Services[0].Attempts, 2)
	equal(t, "blocked requests", y.Clients[0].Ended[policy.Blocked], 1)
}

// TestCancelledCallIsTold: a policy hears that its attempt, or its call in backoff, was cancelled.
func TestCancelledCallIsTold(t *testing.T) {
	for _, x := range []struct {
		timeout time.Duration
		want    string
	}{
		{4 * ms, "[2ms fresh 2ms start 1 4ms end 1 cancelled 4ms call cancelled after 1]"},
		{8 * ms, "[2ms fresh 2ms start 1 5ms end 1 failed 8ms call cancelled after 1]"},
	} {
		p := newProbe(watchAll, retries(3, 10*ms))
		m := system(ms, steady(ms, "a"), takes("a", 0, 2*ms, calls("b", p)), takes("b", 0, 3*ms))
		m.Services[1].Failure, m.Drain = 1, time.Second
		m.Clients[0].Call.Timeout, m.Clients[0].Call.Abandoned = x.timeout, "cancelled"
		once(t, m)
		equal(t, "told", fmt.Sprint(*p.log), x.want)
	}
}

// TestSeveralClients: each has its own requests, edge and latencies, at one service or several.
func TestSeveralClients(t *testing.T) {
	m := system(4*ms, steady(2*ms, "a"), takes("a", 1, ms), takes("b", 0, 5*ms))
	second, third := steady(ms, "a"), steady(4*ms, "b")
	second.Name, third.Name = "second", "third"
	m.Clients = append(m.Clients, second, third)
	m.Drain = time.Second
	y := once(t, m)
	for i, want := range []engine.ClientTally{{Requests: 2, LatencySum: 1e6 + 2e6}, {Requests: 4, LatencySum: (2 + 2 + 3 + 3) * 1e6}, {Requests: 1, LatencySum: 5e6}} {
		equal(t, fmt.Sprint("requests ", i), y.Clients[i].Requests, want.Requests)
		equal(t, fmt.Sprint("latencies ", i), y.Clients[i].LatencySum, want.LatencySum)
		equal(t, fmt.Sprint("calls ", i), y.Edges[i].Calls, want.Requests)
	}
	equal(t, "attempts at a", y.Services[0].Attempts, 6)
}

// TestInstances: each has a budget of its own, and they share the requests evenly.
func TestInstances(t *testing.T) {
	for _, n := range []int{1, 4, 50} {
		m := system(5*time.Second, poisson(1000, "a"), takes("a", 0, 0))
		m.Services[0].Failure = 1
		b := policy.DefaultBudget()
		b.Ratio, b.MinPerSecond, b.Retry = 0, 1, retries(1, 0)
		m.Clients[0].Call.Policy, m.Clients[0].Call.Instances = b, n
		y := once(t, m)
		equal(t, fmt.Sprint("retries of ", n, " instances"), y.Edges[0].Retries, int64(10*n))
	}
}

// TestInstancesShareEvenly counts the requests that each of eight instances lets pass.
func TestInstancesShareEvenly(t *testing.T) {
	const n = 8
	m := system(20*time.Second, poisson(1000, "a"), takes("a", 0, 0))
	spec := &counting{}
	m.Clients[0].Call.Policy, m.Clients[0].Call.Instances = spec, n
	requests := float64(once(t, m).Clients[0].Requests)
	equal(t, "instances", len(spec.made), n)
	chi := 0.0
	for _, p := range spec.made {
		d := float64(p.fresh) - requests/n
		chi += d * d / (requests / n)
	}
	if chi > 31.5 { // 7 degrees of freedom, p = 5e-5
		t.Errorf("shares of %v requests: chi-square %.1f", requests, chi)
	}
}

// counting makes policies that count their calls.
type counting struct{ made []*counter }

type counter struct {
	policy.Base
	fresh int
}

func (*counting) Kind() string               { return "counting" }
func (*counting) Problems() []policy.Problem { return nil }
func (s *counting) New() policy.Policy {
	s.made = append(s.made, &counter{})
	return s.made[len(s.made)-1]
}
func (*counter) Reset(policy.Env)       {}
func (*counter) Watches() policy.Events { return policy.WatchFresh }
func (c *counter) AllowFresh(int64, float64) bool {
	c.fresh++
	return true
}
func (*counter) Retry(int64, *policy.Attempt, policy.Draws) policy.Decision {
	return policy.Decision{Deny: policy.LimitHit}
}

// TestBaseRate: the fresh calls per second of one instance, over branches and joins; phases differ.
func TestBaseRate(t *testing.T) {
	probes := make([]*probe, 5)
	for i := range probes {
		probes[i] = newProbe(0, none)
	}
	m := system(10*time.Second, poisson(400, "a"),
		takes("a", 0, 0, calls("b", probes[2]), calls("c", probes[3])), takes("b", 0, 0, calls("c", probes[4])), takes("c", 0, 0))
	on := poisson(0, "b")
	on.Name, on.Arrivals.Kind, on.Arrivals.OffRate, on.Arrivals.On, on.Arrivals.Off = "on", "on_off", 20, time.Second, time.Second
	on.Arrivals.Rate = 100
	m.Clients = append(m.Clients, on)
	m.Clients[0].Call.Policy, m.Clients[0].Call.Instances = probes[0], 8
	m.Clients[1].Call.Policy = probes[1]
	m.Services[0].Calls[1].Probability = 0.25
	p := compile(t, m)
	engine.NewSim().Run(p, engine.Key{Seed: 1})
	phases := map[float64]bool{}
	for i, want := range []float64{50, 60, 400, 100, 460} {
		for _, env := range *probes[i].envs {
			equal(t, fmt.Sprint("base rate of ", p.Edges()[i]), env.BaseRate, want)
			if env.Phase < 0 || env.Phase >= 1 || phases[env.Phase] {
				t.Errorf("phase %v of %s is not in [0,1), or not its own", env.Phase, p.Edges()[i])
			}
			phases[env.Phase] = true
		}
	}
	equal(t, "instances", len(*probes[0].envs), 8)
	equal(t, "base rate of all instances", p.BaseRate(0), 400)
}
