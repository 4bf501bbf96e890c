package engine_test

import (
	"fmt"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/policy"
)

// TestTimeout: abandoned work goes on for nothing, and occupies its worker to the end.
func TestTimeout(t *testing.T) {
	m := system(2*ms, steady(ms, "a"), takes("a", 1, 30*ms))
	m.Drain = time.Second
	m.Clients[0].Call.Timeout = 10 * ms
	y := outcomes(t, m, `
		10ms 1 timed_out
		11ms 2 timed_out`)
	n := y.Services[0]
	equal(t, "busy", n.BusyNs, int64(60)*1e6)
	equal(t, "work", n.WorkNs, int64(60)*1e6)
	equal(t, "wasted", n.WastedNs, int64(20+30)*1e6)
	equal(t, "abandoned", n.Abandoned, 2)
	equal(t, "served", n.Served, 2)
	equal(t, "succeeded for nobody", n.Succeeded, 2)
	equal(t, "timed out on the edge", y.Edges[0].Ended[policy.TimedOut], 2)
	equal(t, "events", y.Events, 2+2+2)
}

// TestTimeoutCancels: the worker is free at once, and who waits leaves the queue.
func TestTimeoutCancels(t *testing.T) {
	m := system(2*ms, steady(ms, "a"), takes("a", 1, 30*ms))
	m.Drain = time.Second
	m.Clients[0].Call.Timeout, m.Clients[0].Call.Abandoned = 10*ms, "cancelled"
	y := outcomes(t, m, `
		10ms 1 timed_out
		11ms 2 timed_out`)
	n := y.Services[0]
	equal(t, "busy", n.BusyNs, int64(11)*1e6) // 2 gets the worker at 10 and leaves it at 11
	equal(t, "work", n.WorkNs, int64(11)*1e6)
	equal(t, "wasted", n.WastedNs, 0)
	equal(t, "cancelled", n.Cancelled, 2)
	equal(t, "served", n.Served, 0)
}

// TestCancelledLeavesTheQueue: its place in the waiting room is free for others.
func TestCancelledLeavesTheQueue(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 1, 30*ms))
	m.Services[0].Limit = engine.Limit{Max: 1, Counts: "waiting"}
	m.Drain = time.Second
	hasty, late := steady(ms, "a"), steady(ms, "a")
	hasty.Name, hasty.Call.Timeout, hasty.Call.Abandoned = "hasty", 5*ms, "cancelled"
	late.Name, late.Call.Policy = "late", retries(1, 7*ms)
	m.Clients = append(m.Clients, hasty, late) // client is served, hasty waits, late is rejected and comes again
	y := outcomes(t, m, `
		5ms 2 timed_out
		30ms 1 success
		60ms 3 success`)
	equal(t, "rejected", y.Services[0].Rejected, 1)
	equal(t, "queue peak", y.Services[0].QueuePeak, 1)
}

// deep is a request that times out at the client while it is two services down.
func deep(client, inner string) *engine.Model {
	m := system(ms, steady(ms, "a"), takes("a", 1, 2*ms, calls("b", none)), takes("b", 1, 3*ms, calls("c", none)), takes("c", 1, 40*ms))
	for i := range m.Services {
		m.Services[i].Hold.Downstream = i < 2
	}
	m.Clients[0].Call.Timeout, m.Clients[0].Call.Abandoned = 15*ms, client
	m.Services[0].Calls[0].Abandoned, m.Services[1].Calls[0].Abandoned = inner, inner
	m.Drain = time.Second
	return m
}

// TestCancelledAllTheWayDown: what is below a cancelled attempt is cancelled, whatever the edges there say.
func TestCancelledAllTheWayDown(t *testing.T) {
	for _, inner := range []string{"goes_on", "cancelled"} {
		y := outcomes(t, deep("cancelled", inner), "15ms 1 timed_out")
		for i, want := range []int64{15, 13, 10} {
			equal(t, fmt.Sprint("busy ", i), y.Services[i].BusyNs, want*1e6)
			equal(t, fmt.Sprint("cancelled ", i), y.Services[i].Cancelled, 1)
			equal(t, fmt.Sprint("wasted ", i), y.Services[i].WastedNs, 0)
		}
		equal(t, "calls cancelled", y.Edges[1].CallsEnded[policy.Cancelled]+y.Edges[2].CallsEnded[policy.Cancelled], 2)
		equal(t, "attempts cancelled", y.Edges[1].Ended[policy.Cancelled]+y.Edges[2].Ended[policy.Cancelled], 2)
	}
}

// TestWasteAllTheWayDown: all that is done below an abandoned attempt from then on is wasted.
func TestWasteAllTheWayDown(t *testing.T) {
	y := outcomes(t, deep("goes_on", "goes_on"), "15ms 1 timed_out")
	for i, want := range []int64{45, 43, 40} {
		equal(t, fmt.Sprint("busy ", i), y.Services[i].BusyNs, want*1e6)
	}
	equal(t, "wasted at a", y.Services[0].WastedNs, 0)
	equal(t, "wasted at b", y.Services[1].WastedNs, 0)
	equal(t, "wasted at c", y.Services[2].WastedNs, int64(30)*1e6)
	equal(t, "abandoned at a", y.Services[0].Abandoned, 1)
	equal(t, "abandoned at c", y.Services[2].Abandoned, 0)
}

// TestWasteOfLaterAttempts: what an abandoned attempt still sends is wasted too.
func TestWasteOfLaterAttempts(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 1, 2*ms, calls("b", retries(2, 10*ms))), takes("b", 0, 3*ms))
	m.Clients[0].Call.Timeout = 4 * ms
	m.Services[1].Failure = 1
	m.Drain = time.Second
	y := outcomes(t, m, "4ms 1 timed_out")
	equal(t, "work at b", y.Services[1].WorkNs, int64(9)*1e6)
	equal(t, "wasted at b", y.Services[1].WastedNs, int64(1+3+3)*1e6)
}

// TestTimeoutOfACallInside: a service that gives up on its callee retries, and its caller sees the result.
func TestTimeoutOfACallInside(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 1, 2*ms, calls("b", retries(1, 3*ms))), takes("b", 1, 10*ms))
	m.Services[0].Calls[0].Timeout = 6 * ms
	m.Drain = time.Second
	y := happens(t, m, `
		0ms 1 arrives
		0ms 1 client>a #1 sent
		2ms 1 a>b #1 sent
		8ms 1 a>b #1 timed_out
		11ms 1 a>b #1 waited
		11ms 1 a>b #2 sent
		17ms 1 a>b #2 timed_out
		17ms 1 client>a #1 failed
		17ms 1 failed`)
	equal(t, "busy at b", y.Services[1].BusyNs, int64(20)*1e6)
	equal(t, "wasted at b", y.Services[1].WastedNs, int64(4+5)*1e6) // 2-12 useful to 8, 12-22 useful to 17
}

func TestTimeoutOfACallInsideWastesExactly(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 1, 2*ms, calls("b", retries(1, 3*ms))), takes("b", 1, 10*ms))
	m.Services[0].Calls[0].Timeout, m.Services[0].Calls[0].Abandoned = 6*ms, "cancelled"
	m.Drain = time.Second
	y := once(t, m)
	equal(t, "busy at b, cancelled", y.Services[1].BusyNs, int64(12)*1e6)
	equal(t, "failed below a", y.Services[0].FailedBelow, 1)
}

// TestReplyWinsTie: an answer at the very nanosecond of the timeout or the deadline counts.
func TestReplyWinsTie(t *testing.T) {
	for _, servers := range []int{1, 2, 0} {
		for _, far := range []time.Duration{10 * ms, 3 * time.Second} {
			m := system(ms, steady(ms, "a"), takes("a", servers, far))
			m.Drain = time.Minute
			m.Clients[0].Call.Timeout = far
			equal(t, "in time", once(t, m).Clients[0].Ended[policy.Success], 1)
			m.Clients[0].Call.Timeout = far - 1
			equal(t, "1 ns late", once(t, m).Clients[0].Ended[policy.TimedOut], 1)
			m.Clients[0].Call.Timeout, m.Clients[0].Deadline = 0, far
			equal(t, "within the deadline", once(t, m).Clients[0].Ended[policy.Success], 1)
			m.Clients[0].Deadline = far - 1
			equal(t, "1 ns after the deadline", once(t, m).Clients[0].Ended[policy.TimedOut], 1)
		}
	}
}

// TestReplyWinsTieAfterLatency: the same where the answer travels, or comes up a chain.
func TestReplyWinsTieAfterLatency(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 1, 0, calls("b", none)), takes("b", 1, 4*ms))
	m.Services[0].Calls[0].Latency = 3 * ms
	m.Drain = time.Second
	m.Clients[0].Call.Timeout = 10 * ms
	outcomes(t, m, "10ms 1 success")
	m.Clients[0].Call.Timeout--
	outcomes(t, m, "9.999999ms 1 timed_out")
}

// TestDeadline ends a request in whatever it is doing, and no retry starts at or after it.
func TestDeadline(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 1, 10*ms))
	m.Services[0].Failure = 1
	m.Clients[0].Call.Policy = retries(5, 10*ms)
	m.Drain = time.Second
	m.Clients[0].Deadline = 25 * ms // the second attempt is served 20-30
	y := outcomes(t, m, "25ms 1 timed_out")
	equal(t, "wasted", y.Services[0].WastedNs, int64(5)*1e6)
	equal(t, "attempts", y.Edges[0].Attempts, 2)
	equal(t, "attempts timed out", y.Edges[0].Ended[policy.TimedOut], 1)
	m.Clients[0].Deadline = 20 * ms // the second would start at it: refused when the first has failed
	y = outcomes(t, m, "10ms 1 failed")
	equal(t, "denied", y.Edges[0].Denied[policy.DeadlineHit], 1)
	m.Clients[0].Deadline = 20*ms + 1
	y = outcomes(t, m, "20.000001ms 1 timed_out")
	equal(t, "attempts", y.Edges[0].Attempts, 2)
	m.Clients[0].Call.Abandoned, m.Clients[0].Deadline = "cancelled", 25*ms
	y = outcomes(t, m, "25ms 1 timed_out")
	equal(t, "busy, cancelled", y.Services[0].BusyNs, int64(15)*1e6)
}

// TestRetryOn: exactly the named outcomes are retried.
func TestRetryOn(t *testing.T) {
	causes := map[policy.Outcome]func(*engine.Model){
		policy.Failed:   func(m *engine.Model) { m.Services[0].Failure = 1 },
		policy.TimedOut: func(m *engine.Model) { m.Clients[0].Call.Timeout = 5 * ms },
		policy.Rejected: func(m *engine.Model) {
			m.Services[0].Limit.Max = 1
			blocker := steady(ms, "a")
			blocker.Name = "blocker"
			m.Clients = append([]engine.Client{blocker}, m.Clients...)
			m.Services[0].Time = takes("", 1, 500*ms).Time
		},
	}
	for outcome, cause := range causes {
		for set := range 8 {
			r := retries(2, 10*ms)
			r.RetryOn = policy.RetryOn{Failed: set&1 != 0, TimedOut: set&2 != 0, Rejected: set&4 != 0}
			m := system(ms, steady(ms, "a"), takes("a", 1, 6*ms))
			m.Drain = 100 * ms
			m.Clients[0].Call.Policy = r
			cause(m)
			y := once(t, m)
			e := y.Edges[len(m.Clients)-1]
			want, reason := int64(0), policy.NotRetried
			if r.RetryOn.Has(outcome) {
				want, reason = 2, policy.LimitHit
			}
			equal(t, fmt.Sprint("retries after ", outcome, " under ", r.RetryOn), e.Retries, want)
			equal(t, fmt.Sprint("end after ", outcome, " under ", r.RetryOn), e.CallsEnded[outcome], 1)
			equal(t, fmt.Sprint("reason after ", outcome), e.Denied[reason], 1)
		}
	}
}

// TestEdgeLatency is paid by the attempt and by its answer, whatever the answer is.
func TestEdgeLatency(t *testing.T) {
	m := system(ms, steady(ms, "a"), takes("a", 1, 10*ms))
	m.Clients[0].Call.Latency = 4 * ms
	m.Drain = time.Second
	y := happens(t, m, `
		0ms 1 arrives
		0ms 1 client>a #1 sent
		18ms 1 client>a #1 success
		18ms 1 success`)
	equal(t, "events", y.Events, 4) // arrival, two deliveries, service
	m.Services[0].Failure = 1
	m.Clients[0].Call.Policy = retries(1, 2*ms)
	outcomes(t, m, "38ms 1 failed")
	m.Services[0].Failure = 0
	m.Clients[0].Call.Timeout = 13 * ms // fires while served 4-14, again while on the way
	y = outcomes(t, m, "28ms 1 timed_out")
	equal(t, "wasted", y.Services[0].WastedNs, int64(1+1)*1e6)
	m.Clients[0].Call.Timeout, m.Clients[0].Call.Abandoned = 3*ms, "cancelled"
	y = outcomes(t, m, "8ms 1 timed_out")
	equal(t, "attempts that arrived", y.Services[0].Attempts, 0)
	equal(t, "attempts sent", y.Edges[0].Attempts, 2)
}
