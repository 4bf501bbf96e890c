package engine_test

import (
	"fmt"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/engine/dist"
)

// The models of these tests have constant times, so that every number can be worked out by hand.

func TestFirstComeFirstServed(t *testing.T) {
	m := system(3*ms, steady(ms, "a"), takes("a", 1, 10*ms))
	m.Drain = time.Second
	y := happens(t, m, `
		0ms 1 arrives
		0ms 1 client>a #1 sent
		1ms 2 arrives
		1ms 2 client>a #1 sent
		2ms 3 arrives
		2ms 3 client>a #1 sent
		10ms 1 client>a #1 success
		10ms 1 success
		20ms 2 client>a #1 success
		20ms 2 success
		30ms 3 client>a #1 success
		30ms 3 success`)
	n := y.Services[0]
	equal(t, "waited", n.WaitNs, int64(9+18)*1e6)
	equal(t, "busy", n.BusyNs, int64(30)*1e6)
	equal(t, "in system", n.InSystemNs, int64(9+18+30)*1e6)
	equal(t, "queue peak", n.QueuePeak, 2)
	equal(t, "latencies", y.Clients[0].LatencySum, int64(10+19+28)*1e6)
	equal(t, "events", y.Events, 6)
}

func TestSeveralWorkers(t *testing.T) {
	m := system(5*ms, steady(ms, "a"), takes("a", 3, 10*ms))
	m.Drain = time.Second
	outcomes(t, m, `
		10ms 1 success
		11ms 2 success
		12ms 3 success
		20ms 4 success
		21ms 5 success`)
}

// TestLimit: five requests within the first one's service, at most two of them admitted or waiting.
func TestLimit(t *testing.T) {
	m := system(5*ms, steady(ms, "a"), takes("a", 1, 10*ms))
	m.Drain = time.Second
	m.Services[0].Limit = engine.Limit{Max: 2, Counts: "waiting"}
	y := outcomes(t, m, `
		3ms 4 rejected
		4ms 5 rejected
		10ms 1 success
		20ms 2 success
		30ms 3 success`)
	equal(t, "admitted", y.Services[0].Admitted, 3)
	equal(t, "rejected", y.Services[0].Rejected, 2)
	m.Services[0].Limit.Counts = "in_system"
	y = outcomes(t, m, `
		2ms 3 rejected
		3ms 4 rejected
		4ms 5 rejected
		10ms 1 success
		20ms 2 success`)
	equal(t, "admitted", y.Services[0].Admitted, 2)
	equal(t, "queue peak", y.Services[0].QueuePeak, 1)
}

// TestHeldWorker: a worker that waits for what is below it serves nobody else.
func TestHeldWorker(t *testing.T) {
	m := system(2*ms, steady(ms, "a"), takes("a", 1, 10*ms, calls("b", none)), takes("b", 0, 30*ms))
	m.Drain = time.Second
	y := outcomes(t, m, `
		40ms 1 success
		50ms 2 success`)
	equal(t, "busy, released", y.Services[0].BusyNs, int64(20)*1e6)
	m.Services[0].Hold.Downstream = true
	y = outcomes(t, m, `
		40ms 1 success
		80ms 2 success`)
	equal(t, "busy, held", y.Services[0].BusyNs, int64(80)*1e6)
	equal(t, "work, held", y.Services[0].WorkNs, int64(20)*1e6)
	equal(t, "waited, held", y.Services[0].WaitNs, int64(39)*1e6)
}

// TestHoldCountsAgainstLimit: held workers count for in_system, attempts whose worker is released do not.
func TestHoldCountsAgainstLimit(t *testing.T) {
	m := system(3*ms, steady(ms, "a"), takes("a", 2, ms/2, calls("b", none)), takes("b", 0, 30*ms))
	m.Drain = time.Second
	m.Services[0].Limit.Max = 2
	equal(t, "rejected, released", once(t, m).Services[0].Rejected, 0)
	m.Services[0].Hold.Downstream = true
	equal(t, "rejected, held", once(t, m).Services[0].Rejected, 1)
}

// TestWorkerInBackoff: while an attempt sleeps before a retry its worker serves another, and when it
// wakes it comes before all that wait for service.
func TestWorkerInBackoff(t *testing.T) {
	m := system(3*ms, steady(ms, "a"), takes("a", 1, 10*ms, calls("b", retries(1, 5*ms))), takes("b", 0, 2*ms))
	m.Drain = time.Second
	m.Services[0].Hold.Downstream = true
	m.Faults = []engine.Fault{failing(1, 0, 13*ms, "b")}
	// 1 is served 0-10, fails at b at 12, sleeps to 17. 2 is served 12-22, at b 22-24. 1 takes the worker at 24,
	// before 3, and is at b 24-26. 3 is served 26-36.
	y := outcomes(t, m, `
		24ms 2 success
		26ms 1 success
		38ms 3 success`)
	equal(t, "busy", y.Services[0].BusyNs, int64(12+12+2+12)*1e6)
	equal(t, "work", y.Services[0].WorkNs, int64(30)*1e6)
	equal(t, "waited", y.Services[0].WaitNs, int64(11+24)*1e6)
	m.Services[0].Hold.Backoff = true
	// 1 keeps the worker until 19; 2 then has it 19-31, 3 31-43.
	y = outcomes(t, m, `
		19ms 1 success
		31ms 2 success
		43ms 3 success`)
	equal(t, "busy, held in backoff", y.Services[0].BusyNs, int64(43)*1e6)
}

// TestReleasedAttemptRetriesAtOnce: without hold an attempt needs no worker to retry.
func TestReleasedAttemptRetriesAtOnce(t *testing.T) {
	m := system(3*ms, steady(ms, "a"), takes("a", 1, 10*ms, calls("b", retries(1, 5*ms))), takes("b", 0, 2*ms))
	m.Drain = time.Second
	m.Faults = []engine.Fault{failing(1, 0, 13*ms, "b")}
	outcomes(t, m, `
		19ms 1 success
		22ms 2 success
		32ms 3 success`)
}

// TestCallsInOrder: calls follow each other, and one that fails ends the attempt.
func TestCallsInOrder(t *testing.T) {
	m := system(1*ms, steady(ms, "a"),
		takes("a", 1, ms, calls("b", none), calls("c", none), calls("d", none)), takes("b", 1, 2*ms), takes("c", 1, 3*ms), takes("d", 1, 4*ms))
	m.Drain = time.Second
	outcomes(t, m, "10ms 1 success")
	m.Services[2].Failure = 1
	y := outcomes(t, m, "6ms 1 failed")
	equal(t, "attempts at d", y.Services[3].Attempts, 0)
	equal(t, "failed below a", y.Services[0].FailedBelow, 1)
	m.Services[0].Parallel = true
	y = outcomes(t, m, "5ms 1 failed")
	equal(t, "attempts at d, in parallel", y.Services[3].Attempts, 1)
	m.Services[2].Failure = 0
	outcomes(t, m, "5ms 1 success")
}

// TestParallelCallsRetryAlone: each parallel call has its own attempts.
func TestParallelCallsRetryAlone(t *testing.T) {
	m := system(1*ms, steady(ms, "a"),
		takes("a", 1, ms, calls("b", retries(3, 10*ms)), calls("c", retries(1, 4*ms))), takes("b", 1, 2*ms), takes("c", 1, 3*ms))
	m.Services[0].Parallel = true
	m.Drain = time.Second
	m.Faults = []engine.Fault{failing(1, 0, 20*ms, "b")}
	y := happens(t, m, `
		0ms 1 arrives
		0ms 1 client>a #1 sent
		1ms 1 a>b #1 sent
		1ms 1 a>c #1 sent
		3ms 1 a>b #1 failed
		4ms 1 a>c #1 success
		13ms 1 a>b #1 waited
		13ms 1 a>b #2 sent
		15ms 1 a>b #2 failed
		25ms 1 a>b #2 waited
		25ms 1 a>b #3 sent
		27ms 1 a>b #3 success
		27ms 1 client>a #1 success
		27ms 1 success`)
	equal(t, "backoff", y.Edges[1].BackoffNs, int64(20)*1e6)
}

// TestServiceWithoutCallsToMake: calls of probability 0 are never made.
func TestServiceWithoutCallsToMake(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		m := system(1*ms, steady(ms, "a"), takes("a", 1, ms, calls("b", none)), takes("b", 1, 2*ms))
		m.Services[0].Parallel, m.Services[0].Calls[0].Probability = parallel, 0
		m.Drain = time.Second
		outcomes(t, m, "1ms 1 success")
	}
}

// TestFailureCost: a failed attempt costs its share of the service time.
func TestFailureCost(t *testing.T) {
	for _, x := range []struct{ cost, ms float64 }{{1, 40}, {0.25, 10}, {0, 0}} {
		m := system(1*ms, steady(ms, "a"), takes("a", 1, 40*ms))
		m.Services[0].Failure, m.Services[0].FailureCost = 1, x.cost
		m.Drain = time.Second
		y := outcomes(t, m, fmt.Sprintf("%gms 1 failed", x.ms))
		equal(t, "work", y.Services[0].WorkNs, int64(x.ms*1e6))
		equal(t, "failed", y.Services[0].Failed, 1)
	}
}

// TestFailureCostKeepsTheRate: however long a failure takes, the same share fails.
func TestFailureCostKeepsTheRate(t *testing.T) {
	for _, cost := range []float64{0.5, 1} {
		m := system(10*time.Second, poisson(400, "a"), service("a", 1, dist.Exponential(ms)))
		m.Services[0].Failure, m.Services[0].FailureCost = 0.3, cost
		v := measured(t, m, 40,
			ofService(0, func(n *engine.ServiceTally) float64 { return float64(n.Failed) / float64(n.Served) }),
			ofService(0, func(n *engine.ServiceTally) float64 { return float64(n.WorkNs) / float64(n.Served) }))
		agrees(t, "share failed", v[0], 0.3)
		agrees(t, "work per attempt", v[1], 1e6*(1-0.3*(1-cost)))
	}
}
