package engine_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/policy"
)

// referenceModel is the workload of the C reference: five tiers in a row, of which the third fails half of its
// attempts, and three retries on every edge between them.
func referenceModel(timeout time.Duration) *engine.Model {
	m := system(time.Minute, poisson(500, "t1"))
	for i, name := range []string{"t1", "t2", "t3", "t4", "t5"} {
		s := service(name, 1, exponential)
		s.Limit = engine.Limit{Max: 100, Counts: "waiting"}
		if i == 2 {
			s.Failure = 0.5
		}
		if i < 4 {
			s.Calls = []engine.Call{calls([]string{"t2", "t3", "t4", "t5"}[i], policy.DefaultRetry())}
			s.Calls[0].Timeout = timeout
		}
		m.Services = append(m.Services, s)
	}
	return m
}

// reference is a count of 200 trials of the C reference.
type reference struct {
	Configuration string
	Count         string
	Mean, SE      float64
}

// TestReferenceCounts: the general engine counts what the C reference counts, within both standard errors.
func TestReferenceCounts(t *testing.T) {
	data, err := os.ReadFile("testdata/reference_counts.json")
	if err != nil {
		t.Fatal(err)
	}
	var want []reference
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	edges := func(y *engine.Tally, f func(*engine.EdgeTally) int64) (sum float64) {
		for i := range y.Edges {
			sum += float64(f(&y.Edges[i]))
		}
		return sum
	}
	measures := map[string]func(*engine.Tally) float64{
		"events":   func(y *engine.Tally) float64 { return float64(y.Events) },
		"arrivals": func(y *engine.Tally) float64 { return float64(y.Clients[0].Requests) },
		"success":  func(y *engine.Tally) float64 { return float64(y.Clients[0].Ended[policy.Success]) },
		"fail": func(y *engine.Tally) float64 {
			return float64(y.Clients[0].Ended[policy.Failed] + y.Clients[0].Ended[policy.Rejected])
		},
		"attempts": func(y *engine.Tally) float64 {
			return edges(y, func(e *engine.EdgeTally) int64 { return e.Attempts })
		},
		"rejects": func(y *engine.Tally) float64 {
			return edges(y, func(e *engine.EdgeTally) int64 { return e.Ended[policy.Rejected] })
		},
		"retries": func(y *engine.Tally) float64 { return edges(y, func(e *engine.EdgeTally) int64 { return e.Retries }) },
		"timeouts fired": func(y *engine.Tally) float64 {
			return edges(y, func(e *engine.EdgeTally) int64 { return e.Ended[policy.TimedOut] })
		},
		"latency of successes": func(y *engine.Tally) float64 {
			return float64(y.Clients[0].LatencySum) / float64(y.Clients[0].Ended[policy.Success]) / 1e6
		},
	}
	for name, timeout := range map[string]time.Duration{"default": 0, "T1": time.Second} {
		var list []func(*engine.Tally) float64
		var rows []reference
		for _, r := range want {
			if r.Configuration == name {
				list, rows = append(list, measures[r.Count]), append(rows, r)
			}
		}
		for i, v := range measured(t, referenceModel(timeout), 60, list...) {
			mean, se := meanSE(v)
			if z := (mean - rows[i].Mean) / math.Hypot(se, rows[i].SE); math.Abs(z) >= 4 {
				t.Errorf("%s, %s: %.1f +- %.1f, the reference has %.1f +- %.1f, z = %.1f", name, rows[i].Count, mean, se, rows[i].Mean, rows[i].SE, z)
			}
		}
	}
}

// TestNoAllocations: after the first trials a simulator allocates nothing, whatever the features.
func TestNoAllocations(t *testing.T) {
	short := func(m *engine.Model) *engine.Model { m.Duration = 5 * time.Second; return m }
	windows := short(referenceModel(time.Second))
	windows.Window = time.Second
	crash := wide()
	crash.Faults = append(crash.Faults, fault("crash", time.Second, 2*time.Second, "a", "b"))
	for name, m := range map[string]*engine.Model{
		"reference":               short(referenceModel(0)),
		"reference with timeouts": windows,
		"all features":            crash,
		"random graph":            modelOf(randomGraph(newRand(2)), 300),
	} {
		p, s, trial := compile(t, m), engine.NewSim(), uint64(0)
		run := func() { s.Run(p, engine.Key{Trial: trial % 3}); trial++ }
		for range 3 {
			run()
		}
		if n := testing.AllocsPerRun(6, run); n != 0 {
			t.Errorf("%s: %v allocations per trial", name, n)
		}
	}
}
