package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"retrylab/analysis/queueing"
	"retrylab/engine"
	"retrylab/policy"
)

// TestOneRetryingEdge: attempts of a call are truncated geometric (paper, eq. 2). Requests are
// independent here, so the truth's own variance gives the z-score.
func TestOneRetryingEdge(t *testing.T) {
	for _, p := range []float64{0, 0.01, 0.3, 0.5, 0.9, 1} {
		for _, n := range []int{0, 1, 3, 10} {
			t.Run(fmt.Sprint(p, n), func(t *testing.T) {
				m := system(10*time.Second, poisson(300, "a"), takes("a", 0, ms))
				m.Services[0].Failure = p
				m.Clients[0].Call.Policy = retries(n, ms)
				m.Drain = time.Second
				v := measured(t, m, 40,
					func(y *engine.Tally) float64 { return float64(y.Edges[0].Attempts) / float64(y.Edges[0].Calls) },
					func(y *engine.Tally) float64 { return float64(y.Services[0].Attempts) / float64(y.Clients[0].Requests) },
					func(y *engine.Tally) float64 {
						return float64(y.Clients[0].Ended[policy.Failed]) / float64(y.Clients[0].Requests)
					})
				law := queueing.Attempts{Failure: p, MaxRetries: n}
				agrees(t, "attempts per call", v[0], law.Mean())
				agrees(t, "RAF", v[1], queueing.RAFSingle(p, n))
				if failed := 1 - law.Success(); failed > 0.001 || failed == 0 {
					agrees(t, "failed requests", v[2], failed)
				}
			})
		}
	}
}

// TestAttemptsLaw compares the number of attempts of each request with the law, by chi-square.
func TestAttemptsLaw(t *testing.T) {
	m := system(40*time.Second, poisson(1000, "a"), takes("a", 0, ms))
	m.Services[0].Failure = 0.6
	m.Clients[0].Call.Policy = retries(4, ms)
	m.Drain = time.Second
	s, count, calls := engine.NewSim(), [6]float64{}, 0.0
	s.Trace(func(e engine.TraceEvent) {
		if e.Kind == engine.TraceRequestEnded {
			count[e.Attempt]++
			calls++
		}
	})
	s.Run(compile(t, m), engine.Key{Seed: 3})
	law, chi := queueing.Attempts{Failure: 0.6, MaxRetries: 4}, 0.0
	for n := 1; n <= 5; n++ {
		want := calls * law.Probability(n)
		chi += (count[n] - want) * (count[n] - want) / want
	}
	if chi > 23.5 { // 4 degrees of freedom, p = 1e-4
		t.Errorf("attempts %v of %v calls: chi-square %.1f", count[1:], calls, chi)
	}
}

// modelOf makes the model of a graph: no service has a queue, so load has no influence.
func modelOf(g queueing.Graph, rate float64) *engine.Model {
	m := system(10*time.Second, engine.Client{})
	m.Drain, m.Clients = 5*time.Second, nil
	name := func(i int) string { return fmt.Sprint("s", i) }
	for i, e := range g.Entries {
		c := poisson(rate*e.Share, name(e.Service))
		c.Name, c.Call.Policy = fmt.Sprint("client", i), retries(e.MaxRetries, ms)
		m.Clients = append(m.Clients, c)
	}
	for i, s := range g.Services {
		out := takes(name(i), 0, 100*time.Microsecond)
		out.Failure, out.Parallel = s.Failure, s.Mode == queueing.Parallel
		for _, c := range s.Calls {
			k := calls(name(c.Callee), retries(c.MaxRetries, ms))
			k.Probability = c.Probability
			out.Calls = append(out.Calls, k)
		}
		m.Services = append(m.Services, out)
	}
	return m
}

// likeGraph compares the simulator with the exact recursion, service by service.
func likeGraph(t *testing.T, g queueing.Graph, rate float64) {
	t.Helper()
	want, err := g.Solve()
	if err != nil {
		t.Fatal(err)
	}
	requests := func(y *engine.Tally) (n float64) {
		for i := range y.Clients {
			n += float64(y.Clients[i].Requests)
		}
		return n
	}
	measures := []func(*engine.Tally) float64{func(y *engine.Tally) (x float64) {
		for i := range y.Clients {
			x += float64(y.Clients[i].Ended[policy.Success]) / requests(y)
		}
		return x
	}, func(y *engine.Tally) (x float64) {
		for i := range y.Clients {
			x += float64(y.Edges[i].Attempts) / requests(y)
		}
		return x
	}}
	for i := range g.Services {
		measures = append(measures, func(y *engine.Tally) float64 { return float64(y.Services[i].Attempts) / requests(y) },
			func(y *engine.Tally) float64 {
				n := &y.Services[i]
				return float64(n.Failed+n.FailedBelow) / float64(n.Attempts)
			})
	}
	v := measured(t, modelOf(g, rate), 40, measures...)
	agrees(t, "success per request", v[0], want.Success)
	agrees(t, "client attempts per request", v[1], want.ClientAttempts)
	for i, s := range want.Services {
		agrees(t, fmt.Sprintf("attempts at s%d per request", i), v[2+2*i], s.Attempts)
		if s.AttemptFailure > 0.005 {
			agrees(t, fmt.Sprintf("failures at s%d per attempt", i), v[3+2*i], s.AttemptFailure)
		}
	}
}

func TestExactRecursion(t *testing.T) {
	seq, par := queueing.Sequential, queueing.Parallel
	call := func(to, n int, p float64) queueing.Call {
		return queueing.Call{Callee: to, MaxRetries: n, Probability: p}
	}
	one := []queueing.Entry{{Service: 0, MaxRetries: 1, Share: 1}}
	diamond := func(mode queueing.Mode) queueing.Graph {
		return queueing.Graph{Entries: one, Services: []queueing.Service{
			{Failure: 0.05, Mode: mode, Calls: []queueing.Call{call(1, 2, 1), call(2, 1, 0.7)}},
			{Failure: 0.2, Calls: []queueing.Call{call(3, 2, 1)}},
			{Failure: 0.1, Calls: []queueing.Call{call(3, 0, 1)}},
			{Failure: 0.3},
		}}
	}
	for name, g := range map[string]queueing.Graph{
		"paper's S1":       queueing.Chain([]float64{0, 0, 0.5, 0, 0}, []int{3, 3, 3, 3}, 0),
		"failing all over": queueing.Chain([]float64{0.1, 0.2, 0.3, 0.4}, []int{1, 2, 3}, 2),
		"diamond":          diamond(seq),
		"parallel diamond": diamond(par),
		"fan-out": {Entries: one, Services: []queueing.Service{
			{Mode: par, Calls: []queueing.Call{call(1, 0, 1), call(2, 1, 1), call(3, 2, 0.5), call(4, 3, 1)}},
			{Failure: 0.1}, {Failure: 0.4}, {Failure: 0.5}, {Failure: 0.6},
		}},
		"two entries": {Entries: []queueing.Entry{{Service: 0, Share: 0.25}, {Service: 1, MaxRetries: 2, Share: 0.75}},
			Services: []queueing.Service{{Failure: 0.1, Calls: []queueing.Call{call(1, 1, 1)}}, {Failure: 0.3}}},
	} {
		t.Run(name, func(t *testing.T) { likeGraph(t, g, 1000) })
	}
}

func TestExactRecursionOnRandomGraphs(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { likeGraph(t, randomGraph(newRand(seed)), 500) })
	}
}

// randomGraph has 5 services; each calls the next, and some of the others behind it.
func randomGraph(r *rand.Rand) queueing.Graph {
	g := queueing.Graph{Entries: []queueing.Entry{{Service: 0, MaxRetries: r.IntN(3), Share: 1}}}
	const n = 5
	for i := range n {
		s := queueing.Service{Failure: 0.5 * r.Float64(), Mode: queueing.Mode(r.IntN(2))}
		for j := i + 1; j < n; j++ {
			if j == i+1 || r.IntN(2) == 0 {
				s.Calls = append(s.Calls, queueing.Call{Callee: j, MaxRetries: r.IntN(3), Probability: 0.5 + 0.5*r.Float64()})
			}
		}
		g.Services = append(g.Services, s)
	}
	return g
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
