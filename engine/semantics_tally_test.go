package engine_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/policy"
)

// TestWarmup: what happens in the warm-up is not counted, requests that arrive in it never are, and
// what is in service when it ends counts from then on.
func TestWarmup(t *testing.T) {
	m := system(5*ms, steady(ms, "a"), takes("a", 1, 10*ms))
	m.Warmup, m.Drain = 3*ms, time.Second
	y := once(t, m)
	n := y.Services[0]
	equal(t, "requests", y.Clients[0].Requests, 2)
	equal(t, "succeeded", y.Clients[0].Ended[policy.Success], 2)
	equal(t, "latencies", y.Clients[0].LatencySum, int64(37+46)*1e6)
	equal(t, "latencies counted", y.Latency.Count(), 2)
	equal(t, "attempts", n.Attempts, 2)
	equal(t, "served", n.Served, 5)
	equal(t, "busy", n.BusyNs, int64(47)*1e6)
	equal(t, "in system", n.InSystemNs, int64(7+17+27+37+46)*1e6)
	equal(t, "attempts on the edge", y.Edges[0].Attempts, 2)
	equal(t, "attempts ended on the edge", y.Edges[0].Ended[policy.Success], 5)
	equal(t, "queue peak", n.QueuePeak, 4)
}

// TestEnd: without drain, what is open at the end is unfinished, and nothing else is lost.
func TestEnd(t *testing.T) {
	m := system(5*ms, steady(ms, "a"), takes("a", 1, 2*ms))
	y := once(t, m)
	equal(t, "end", y.End, int64(5e6))
	equal(t, "requests", y.Clients[0].Requests, 5)
	equal(t, "succeeded", y.Clients[0].Ended[policy.Success], 2)
	equal(t, "unfinished", y.Clients[0].Phases[0].Unfinished, 3)
	equal(t, "open at the service", y.Services[0].Open, 3)
	equal(t, "busy", y.Services[0].BusyNs, int64(5e6))
	m.Drain = ms // what ends at the very end counts
	y = once(t, m)
	equal(t, "end with drain", y.End, int64(6e6))
	equal(t, "succeeded with drain", y.Clients[0].Ended[policy.Success], 3)
	equal(t, "requests with drain", y.Clients[0].Requests, 5)
}

// TestPhases: requests belong to the phase of their arrival, before, during or after the faults.
func TestPhases(t *testing.T) {
	m := system(10*ms, steady(ms, "a"), takes("a", 0, 2*ms))
	m.Faults = []engine.Fault{failing(1, 3*ms, 5*ms, "a"), failing(0, 6*ms, 8*ms, "a")}
	y := once(t, m)
	got := fmt.Sprint(y.Clients[0].Phases)
	// An attempt fails if it ends at 3 or 4: those that arrived at 1 and 2. The one of 9 is open at the end.
	equal(t, "phases", got, "[{3 1 0 2000000} {5 5 0 10000000} {2 1 1 2000000}]")
}

// windowModel has everything that a window may show.
func windowModel() *engine.Model {
	m := system(10*time.Second, poisson(300, "a"),
		takes("a", 1, 2*ms, calls("b", retries(2, 30*ms))), takes("b", 2, 5*ms))
	m.Services[1].Failure, m.Services[1].Limit.Max = 0.2, 5
	m.Clients[0].Call.Timeout = 40 * ms
	m.Clients[0].Call.Policy = retries(1, 10*ms)
	second := poisson(100, "b")
	second.Name = "second"
	m.Clients = append(m.Clients, second)
	m.Faults = []engine.Fault{failing(0.3, 4*time.Second, 6*time.Second, "a"), fault("crash", 7*time.Second, 7100*ms, "b")}
	m.Window = 500 * ms
	return m
}

// TestWindowsAddUp: the windows' columns add up to the tallies, with and without warm-up and drain.
func TestWindowsAddUp(t *testing.T) {
	for _, warmup := range []time.Duration{0, 3 * time.Second} {
		m := windowModel()
		m.Warmup, m.Drain = warmup, 2*time.Second
		y := once(t, m)
		equal(t, "rows", len(y.Windows), 24*4)
		first := int32(warmup / m.Window)
		for i := range m.Services {
			sum, peak := windows(y, int32(len(m.Clients)+i), first)
			n := y.Services[i]
			equal(t, "attempts", sum.Attempts, n.Attempts)
			equal(t, "succeeded", sum.Succeeded, n.Succeeded)
			equal(t, "failed", sum.Failed, n.Failed+n.FailedBelow+n.FastFailed+n.Crashed+n.Cancelled+n.Rejected)
			equal(t, "rejected", sum.Rejected, n.Rejected)
			equal(t, "busy", sum.BusyNs, n.BusyNs)
			equal(t, "work", sum.WorkNs, n.WorkNs)
			equal(t, "wasted", sum.WastedNs, n.WastedNs)
			equal(t, "queue peak", peak, n.QueuePeak)
			if n.Rejected+n.WastedNs == 0 {
				t.Errorf("service %d neither rejects nor wastes: the model shows nothing", i)
			}
		}
		for i := range m.Clients {
			sum, _ := windows(y, int32(i), first)
			equal(t, "attempts sent", sum.Attempts, y.Edges[i].Attempts)
			equal(t, "requests", sum.First, y.Clients[i].Requests)
			equal(t, "attempts rejected", sum.Rejected, y.Edges[i].Ended[policy.Rejected])
			if warmup == 0 {
				equal(t, "requests succeeded", sum.Succeeded, y.Clients[i].Ended[policy.Success])
				equal(t, "latencies", sum.LatencySum, y.Clients[i].LatencySum)
			}
		}
	}
}

// windows adds up a station's rows from one window on.
func windows(y *engine.Tally, station, first int32) (sum engine.Window, peak int64) {
	for _, w := range y.Windows {
		if w.Station != station || w.Index < first {
			continue
		}
		sum.Attempts += w.Attempts
		sum.First += w.First
		sum.Succeeded += w.Succeeded
		sum.Failed += w.Failed
		sum.Rejected += w.Rejected
		sum.BusyNs += w.BusyNs
		sum.WorkNs += w.WorkNs
		sum.WastedNs += w.WastedNs
		sum.LatencySum += w.LatencySum
		peak = max(peak, w.QueuePeak)
	}
	return sum, peak
}

// TestWindowsObserveOnly: looking does not change what is seen.
func TestWindowsObserveOnly(t *testing.T) {
	m := windowModel()
	with := once(t, m)
	m.Window = 0
	without := once(t, m)
	equal(t, "services", fmt.Sprint(with.Services), fmt.Sprint(without.Services))
	equal(t, "edges", fmt.Sprint(with.Edges), fmt.Sprint(without.Edges))
	equal(t, "events", with.Events, without.Events)
}

// TestWindowRow: one window's numbers by hand; what happens at its end belongs to the next.
func TestWindowRow(t *testing.T) {
	m := system(10*ms, steady(2*ms, "a"), takes("a", 1, 3*ms))
	m.Window, m.Drain = 5*ms, 5*ms
	y := once(t, m)
	var rows []string
	for _, w := range y.Windows {
		rows = append(rows, fmt.Sprint(w.Index, w.Station, w.Attempts, w.Succeeded, w.QueueEnd, w.QueuePeak, w.BusyNs/1e6, w.WorkNs/1e6, w.LatencySum/1e6))
	}
	// Served 0-3, 3-6, 6-9, 9-12, 12-15; arrivals at 0, 2, 4, 6, 8. One waits from the second window into the third.
	want := []string{"0 0 3 1 2 0 0 0 3", "0 1 3 1 1 1 5 3 0", "1 0 2 2 2 0 0 0 9", "1 1 2 2 1 2 5 6 0", "2 0 0 1 1 0 0 0 6", "2 1 0 1 0 1 5 3 0"}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %q, expected %q", rows, want)
	}
}

// TestHistogramError: a quantile is within 0.4% of what it stands for, whatever its size.
func TestHistogramError(t *testing.T) {
	for d := time.Duration(1); d < 24*time.Hour; d += 1 + d/3 {
		for _, x := range []time.Duration{d - 1, d, d | d>>1} {
			m := system(1, steady(ms, "a"), takes("a", 0, x))
			m.Drain = 48 * time.Hour
			h := once(t, m).Latency
			got := h.Quantile(0.5)
			if off := float64(got) - float64(x); off > 0.004*float64(x) || -off > 0.004*float64(x) {
				t.Errorf("latency of %d ns is told as %d", x, got)
			}
		}
	}
}

// TestHistogramQuantiles: nearest rank, against the sorted latencies.
func TestHistogramQuantiles(t *testing.T) {
	m := system(10*time.Second, poisson(700, "a"), service("a", 1, exponential))
	m.Drain = time.Minute
	started, latencies := map[uint32]int64{}, []int64(nil)
	s := engine.NewSim()
	s.Trace(func(e engine.TraceEvent) {
		switch e.Kind {
		case engine.TraceRequest:
			started[e.Request] = e.Now
		case engine.TraceRequestEnded:
			latencies = append(latencies, e.Now-started[e.Request])
		}
	})
	h := s.Run(compile(t, m), engine.Key{Seed: 1}).Latency
	slices.Sort(latencies)
	equal(t, "count", h.Count(), int64(len(latencies)))
	for _, q := range []float64{0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.9999, 1} {
		rank := max(int(ceil(q*float64(len(latencies)))), 1)
		want := float64(latencies[rank-1])
		if got := float64(h.Quantile(q)); got < 0.996*want || got > 1.004*want {
			t.Errorf("quantile %v is %v, expected %v within 0.4%%", q, got, want)
		}
	}
	var none engine.Histogram
	equal(t, "quantile of nothing", none.Quantile(0.5), -1)
}

// TestWarmupObservesOnly: a warm-up changes what is counted, not what happens.
func TestWarmupObservesOnly(t *testing.T) {
	m := windowModel()
	m.Services[1].Signal.CPU = 0.5
	e := failing(0.2, 0, 0)
	e.Edges = []string{"a>b"}
	m.Faults = append(m.Faults, e)
	cold := once(t, m)
	m.Warmup = 3 * time.Second
	warm := once(t, m)
	equal(t, "events", warm.Events, cold.Events)
	equal(t, "rows", len(warm.Windows), len(cold.Windows))
	for i := range warm.Windows {
		equal(t, fmt.Sprint("row ", i), warm.Windows[i], cold.Windows[i])
	}
}
