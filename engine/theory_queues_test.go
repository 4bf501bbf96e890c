package engine_test

import (
	"fmt"
	"testing"
	"time"

	"retrylab/analysis/queueing"
	"retrylab/engine"
	"retrylab/engine/dist"
)

// Each queue runs 40 independent trials of 25 s after 5 s of warm-up, at about 1000 services per second.
const queueTrials = 40

func queue(rate float64, s engine.Service) *engine.Model {
	m := system(30*time.Second, poisson(rate, s.Name), s)
	m.Warmup = 5 * time.Second
	return m
}

// seconds is the time in which a trial is measured.
const measuredS = 25.0

// ofService is a measure of service i.
func ofService(i int, f func(*engine.ServiceTally) float64) func(*engine.Tally) float64 {
	return func(y *engine.Tally) float64 { return f(&y.Services[i]) }
}

func inSystem(n *engine.ServiceTally) float64   { return float64(n.InSystemNs) / 1e9 / measuredS }
func busy(n *engine.ServiceTally) float64       { return float64(n.BusyNs) / 1e9 / measuredS }
func throughput(n *engine.ServiceTally) float64 { return float64(n.Served) / measuredS }
func waitS(n *engine.ServiceTally) float64      { return float64(n.WaitNs) / 1e9 / float64(n.Served) }
func rejected(n *engine.ServiceTally) float64   { return float64(n.Rejected) / float64(n.Attempts) }

func sojournS(y *engine.Tally) float64 {
	return float64(y.Clients[0].LatencySum) / 1e9 / float64(y.Clients[0].Ended[0])
}

// likeTheory compares a service's numbers with the theory's.
func likeTheory(t *testing.T, m *engine.Model, servers int, want queueing.Steady) {
	t.Helper()
	v := measured(t, m, queueTrials, ofService(0, inSystem), ofService(0, busy), ofService(0, throughput),
		ofService(0, waitS), ofService(0, rejected), sojournS)
	agrees(t, "number in system", v[0], want.InSystem)
	agrees(t, "utilization", scaled(v[1], 1/float64(servers)), want.Utilization)
	agrees(t, "throughput", v[2], want.Throughput)
	agrees(t, "wait", v[3], want.Wait)
	agrees(t, "share rejected", v[4], want.Rejected)
	agrees(t, "sojourn", v[5], want.Sojourn)
}

func scaled(xs []float64, factor float64) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = x * factor
	}
	return out
}

func TestMM1(t *testing.T) {
	for _, rate := range []float64{300, 700} {
		t.Run(fmt.Sprint(rate), func(t *testing.T) {
			likeTheory(t, queue(rate, service("a", 1, dist.Exponential(ms))), 1, queueing.MM1(rate, 1000))
		})
	}
}

func TestMMc(t *testing.T) {
	for _, c := range []int{2, 5} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			law := dist.Exponential(time.Duration(c) * ms)
			likeTheory(t, queue(750, service("a", c, law)), c, queueing.MMc(750, 1000/float64(c), c))
		})
	}
}

func TestMMcK(t *testing.T) {
	for _, x := range []struct {
		servers, limit int
		rate           float64
		counts         string
	}{
		{1, 4, 900, "in_system"},
		{1, 10, 1500, "in_system"},
		{3, 3, 1200, "in_system"}, // Erlang's loss system
		{3, 8, 1100, "in_system"},
		{3, 5, 1100, "waiting"}, // K = 8
	} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			s := service("a", x.servers, dist.Exponential(time.Duration(x.servers)*ms))
			s.Limit = engine.Limit{Max: x.limit, Counts: x.counts}
			k := x.limit
			if x.counts == "waiting" {
				k += x.servers
			}
			likeTheory(t, queue(x.rate, s), x.servers, queueing.MMcK(x.rate, 1000/float64(x.servers), x.servers, k))
		})
	}
}

func TestMD1(t *testing.T) {
	likeTheory(t, queue(700, service("a", 1, dist.Constant(ms))), 1, queueing.MD1(700, 1e-3))
}

func TestMG1(t *testing.T) {
	lognormal, gamma := dist.Exponential(ms), dist.Exponential(ms)
	lognormal.Kind, lognormal.CV = "lognormal", 1.5
	gamma.Kind, gamma.CV = "gamma", 0.5
	bursty := gamma
	bursty.CV = 1.7
	uniform := dist.Uniform(ms/2, 3*ms/2)
	for _, x := range []struct {
		name string
		law  dist.Law
		scv  float64
	}{
		{"lognormal", lognormal, 2.25},
		{"gamma", gamma, 0.25},
		{"gamma of shape below 1", bursty, 2.89},
		{"uniform", uniform, 1.0 / 12},
	} {
		t.Run(x.name, func(t *testing.T) {
			likeTheory(t, queue(600, service("a", 1, x.law)), 1, queueing.MG1(600, 1e-3, x.scv))
		})
	}
}

// TestTandem is Jackson's theorem on a chain whose workers do not wait for what is below them.
func TestTandem(t *testing.T) {
	stations := []queueing.Station{{ServiceRate: 1000, Servers: 1}, {ServiceRate: 400, Servers: 2}, {ServiceRate: 800, Servers: 1}}
	m := system(30*time.Second, poisson(600, "a"),
		service("a", 1, dist.Exponential(ms), calls("b", none)),
		service("b", 2, dist.Exponential(2500*time.Microsecond), calls("c", none)),
		service("c", 1, dist.Exponential(1250*time.Microsecond)))
	m.Warmup = 5 * time.Second
	measures := []func(*engine.Tally) float64{sojournS}
	for i := range stations {
		measures = append(measures, ofService(i, inSystem), ofService(i, busy), ofService(i, throughput), ofService(i, waitS))
	}
	v := measured(t, m, queueTrials, measures...)
	each, sojourn := queueing.Tandem(600, stations)
	agrees(t, "sojourn", v[0], sojourn)
	for i, want := range each {
		name := fmt.Sprintf("station %d: ", i)
		agrees(t, name+"number in system", v[1+4*i], want.InSystem)
		agrees(t, name+"utilization", scaled(v[2+4*i], 1/float64(stations[i].Servers)), want.Utilization)
		agrees(t, name+"throughput", v[3+4*i], want.Throughput)
		agrees(t, name+"wait", v[4+4*i], want.Wait)
	}
}

// TestLatencyQuantiles checks whole distributions: the sojourn time of M/M/1 is exponential, and
// the histogram tells any quantile of it.
func TestLatencyQuantiles(t *testing.T) {
	m := queue(700, service("a", 1, dist.Exponential(ms)))
	for _, q := range []float64{0.1, 0.5, 0.9, 0.99} {
		v := measured(t, m, queueTrials, func(y *engine.Tally) float64 { return float64(y.Latency.Quantile(q)) })
		agrees(t, fmt.Sprint("quantile ", q), v[0], queueing.MM1SojournQuantile(700, 1000, q)*1e9)
	}
}

// TestLittleExactly: when everything drains, the integral of the number in the system is the sum
// of the times in it, to the nanosecond.
func TestLittleExactly(t *testing.T) {
	m := system(5*time.Second, poisson(900, "a"),
		service("a", 1, dist.Exponential(ms), calls("b", retries(2, 3*ms))),
		service("b", 4, dist.Uniform(2*ms, 4*ms)))
	m.Services[1].Failure = 0.2
	m.Drain = 10 * time.Second
	for trial := range uint64(30) {
		y := engine.NewSim().Run(compile(t, m), engine.Key{Seed: 5, Trial: trial})
		sojourn := int64(0)
		for i := range y.Services {
			n := &y.Services[i]
			equal(t, "in system = waiting + work", n.InSystemNs, n.WaitNs+n.WorkNs)
			equal(t, "busy = work", n.BusyNs, n.WorkNs)
			equal(t, "open at the end", n.Open, 0)
			sojourn += n.InSystemNs
		}
		sojourn += y.Edges[1].BackoffNs
		if all := y.Clients[0]; all.Ended[0] == all.Requests {
			equal(t, "latencies = stays + backoffs", all.LatencySum, sojourn)
		}
	}
}

// TestClosedLoop is the machine repair model, M/M/1//N: users think and ask one server.
func TestClosedLoop(t *testing.T) {
	for _, users := range []int{1, 5, 40} {
		t.Run(fmt.Sprint(users), func(t *testing.T) {
			const thinkS, serviceS = 20e-3, 1e-3
			m := queue(1, service("a", 1, dist.Exponential(ms)))
			m.Clients[0].Arrivals.Kind = "closed"
			m.Clients[0].Arrivals.Users = users
			m.Clients[0].Arrivals.Think = dist.Exponential(20 * ms)
			v := measured(t, m, queueTrials, ofService(0, inSystem), ofService(0, throughput), sojournS)
			number, rate := machineRepair(users, thinkS, serviceS)
			agrees(t, "number at the server", v[0], number)
			agrees(t, "throughput", v[1], rate)
			agrees(t, "response", v[2], queueing.LittleTime(number, rate))
		})
	}
}

// machineRepair solves the birth-death chain of M/M/1//N.
func machineRepair(users int, thinkS, serviceS float64) (number, throughput float64) {
	weight, total, sum := 1.0, 1.0, 0.0
	for k := 1; k <= users; k++ {
		weight *= float64(users-k+1) * serviceS / thinkS
		total += weight
		sum += float64(k) * weight
	}
	return sum / total, (1 - 1/total) / serviceS
}
