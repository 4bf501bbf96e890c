package engine_test

import (
	"math"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/policy"
)

// TestJitter: the waits that a trial really makes have the range and the mean that the backoff names.
func TestJitter(t *testing.T) {
	const base = 100.0 // ms
	for _, x := range []struct {
		jitter    string
		low, high float64 // uniform between these, ms
	}{
		{"none", base, base},
		{"full", 0, base},
		{"equal", base / 2, base},
		{"proportional", 0.75 * base, 1.25 * base},
		{"one_sided", base, 1.25 * base},
		{"decorrelated", base, 3 * base}, // the first retry
	} {
		r := retries(1, base*ms)
		r.Backoff.Jitter, r.Backoff.JitterFraction = x.jitter, 0.25
		m := system(10*time.Second, poisson(1000, "a"), takes("a", 0, 0))
		m.Services[0].Failure, m.Clients[0].Call.Policy, m.Drain = 1, r, time.Second
		n, sum, low, high, begun := 0.0, 0.0, math.Inf(1), 0.0, map[uint32]int64{}
		s := engine.NewSim()
		s.Trace(func(e engine.TraceEvent) {
			switch {
			case e.Kind == engine.TraceEnded && e.Attempt == 1:
				begun[e.Request] = e.Now
			case e.Kind == engine.TraceRetry:
				wait := float64(e.Now-begun[e.Request]) / 1e6
				n, sum, low, high = n+1, sum+wait, min(low, wait), max(high, wait)
			}
		})
		s.Run(compile(t, m), engine.Key{Seed: 12})
		width := x.high - x.low
		if n < 9000 || low < x.low || high > x.high || low > x.low+0.01*width || high < x.high-0.01*width {
			t.Errorf("%s: %v waits from %v to %v ms, expected [%v, %v)", x.jitter, n, low, high, x.low, x.high)
		}
		if se := width / math.Sqrt(12*n); math.Abs(sum/n-(x.low+x.high)/2) > 4*se+1e-5 {
			t.Errorf("%s: mean wait %v ms, expected %v", x.jitter, sum/n, (x.low+x.high)/2)
		}
	}
}

// TestBackoffGrows: the waits before retries 1, 2, 3 and 4 of each kind of backoff.
func TestBackoffGrows(t *testing.T) {
	for kind, want := range map[string]string{
		"none":        "0ms 1 failed",
		"constant":    "40ms 1 failed",
		"linear":      "95ms 1 failed",  // 10, 20, 30, 35
		"exponential": "100ms 1 failed", // 10, 20, 35, 35
	} {
		m := system(ms, steady(ms, "a"), takes("a", 0, 0))
		m.Services[0].Failure, m.Drain = 1, time.Second
		m.Clients[0].Call.Policy = policy.Retry{MaxRetries: 4, RetryOn: policy.RetryOn{Failed: true},
			Backoff: policy.Backoff{Kind: kind, Base: 10 * ms, Multiplier: 2, Cap: 35 * ms, Jitter: "none"}}
		outcomes(t, m, want)
	}
}
