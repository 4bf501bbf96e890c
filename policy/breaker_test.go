package policy_test

import (
	"testing"
	"time"

	"retrylab/policy"
)

// The production breakers differ in numbers and in whether the open time ends at
// or after its length; in whole nanoseconds "at" is "after one less".
func TestBreakerVectors(t *testing.T) {
	runVectors(t, "breaker.json", map[string]func(*testing.T, *vector){
		"hystrix-01":      hystrix01,
		"resilience4j-01": resilience4j01,
		"resilience4j-02": resilience4j02,
		"polly-01":        polly01,
		"polly-02":        polly02,
	})
}

// trip makes a breaker that stops traffic.
func trip(t *testing.T, change func(*policy.Trip)) policy.Policy {
	s := policy.DefaultStopBreaker()
	s.Trip.ProbeWait = 0
	change(&s.Trip)
	return mustNew(t, s)
}

func ends(p policy.Policy, now time.Duration, n int, o policy.Outcome) {
	for range n {
		end(p, now, o)
	}
}

func fresh(p policy.Policy, now time.Duration) bool { return p.AllowFresh(int64(now), 0) }

func breakerState(p policy.Policy, now time.Duration) policy.Breaker {
	return p.State(int64(now)).Breaker
}

func hystrix01(t *testing.T, v *vector) {
	sleep := time.Duration(v.param("sleep_ms")) * time.Millisecond
	build := func() policy.Policy {
		return trip(t, func(tr *policy.Trip) {
			tr.Window = time.Duration(v.param("window_s")) * time.Second
			tr.Slots = int(v.param("buckets"))
			tr.MinimumCalls = int(v.param("request_volume"))
			tr.FailureRatio = v.param("error_percent") / 100
			tr.Open = sleep
		})
	}
	p := build()
	ends(p, time.Second, 19, policy.Failed)
	check(t, "19 failures", breakerState(p, time.Second), policy.Closed)
	p = build()
	ends(p, time.Second, 10, policy.Success)
	ends(p, time.Second, 10, policy.Failed)
	check(t, "10 of 20", breakerState(p, time.Second), policy.Open)
	p = build()
	ends(p, time.Second, 11, policy.Success)
	ends(p, time.Second, 9, policy.Failed)
	check(t, "9 of 20", breakerState(p, time.Second), policy.Closed)

	p = build()
	ends(p, 0, 20, policy.Failed)
	check(t, "at the sleep time", fresh(p, sleep), false)
	check(t, "1 ms later", fresh(p, sleep+time.Millisecond), true)
	check(t, "second caller during the probe", fresh(p, sleep+time.Millisecond), false)
	end(p, sleep+2*time.Millisecond, policy.Failed)
	check(t, "probe failed", breakerState(p, sleep), policy.Open)
	check(t, "sleep restarts", fresh(p, 2*sleep+2*time.Millisecond), false)
	check(t, "and ends", fresh(p, 2*sleep+3*time.Millisecond), true)
	end(p, 2*sleep+4*time.Millisecond, policy.Success)
	check(t, "probe ok", breakerState(p, 2*sleep), policy.Closed)
	ends(p, 2*sleep+5*time.Millisecond, 19, policy.Failed)
	check(t, "counts began anew", breakerState(p, 2*sleep), policy.Closed)
}

func resilience4j01(t *testing.T, v *vector) {
	p := trip(t, func(tr *policy.Trip) {
		tr.Window, tr.Slots = 20*time.Second, 20
		tr.MinimumCalls = int(v.param("minimum_calls"))
		tr.FailureRatio = v.param("failure_rate_threshold") / 100
		tr.Probes = int(v.param("half_open_calls"))
		tr.Open = time.Duration(v.param("wait_open_s")) * time.Second
	})
	outcomes := map[string]policy.Outcome{"F": policy.Failed, "S": policy.Success}
	for i, s := range v.Steps {
		in := s.In.(string)
		if in == "call" {
			check(t, "a call once open", fresh(p, 0), false)
			continue
		}
		end(p, 0, outcomes[in])
		if want, ok := s.want("state").(string); ok {
			check(t, in, breakerState(p, 0), map[string]policy.Breaker{"closed": policy.Closed, "open": policy.Open}[want])
		}
		// The vector gives -1 until the minimum is reached: too few to say, hence closed.
		check(t, "closed below the minimum", i < 4, breakerState(p, 0) == policy.Closed)
	}
}

func resilience4j02(t *testing.T, v *vector) {
	open := time.Duration(v.param("wait_open_s")) * time.Second
	build := func() policy.Policy {
		return trip(t, func(tr *policy.Trip) {
			tr.MinimumCalls = int(v.param("minimum_calls"))
			tr.FailureRatio = v.param("failure_rate_threshold") / 100
			tr.Probes = int(v.param("half_open_calls"))
			tr.Open = open
		})
	}
	toHalfOpen := func() (policy.Policy, time.Duration) {
		p := build()
		ends(p, 0, 99, policy.Failed)
		check(t, "99 failures", breakerState(p, 0), policy.Closed)
		end(p, 0, policy.Failed)
		check(t, "100th", breakerState(p, 0), policy.Open)
		check(t, "59.9 s", fresh(p, open-100*time.Millisecond), false)
		check(t, "60 s", fresh(p, open), false)
		now := open + time.Millisecond
		for range 10 {
			check(t, "probe", fresh(p, now), true)
		}
		check(t, "11th", fresh(p, now), false)
		return p, now
	}
	p, now := toHalfOpen()
	ends(p, now, 5, policy.Success)
	ends(p, now, 4, policy.Failed)
	check(t, "9 results", breakerState(p, now), policy.HalfOpen)
	end(p, now, policy.Failed)
	check(t, "5 of 10", breakerState(p, now), policy.Open)
	p, now = toHalfOpen()
	ends(p, now, 4, policy.Failed)
	ends(p, now, 6, policy.Success)
	check(t, "4 of 10", breakerState(p, now), policy.Closed)
	p, now = toHalfOpen()
	check(t, "results never come", fresh(p, now+1e6*time.Second), false)
}

func polly01(t *testing.T, v *vector) {
	for _, s := range v.Steps {
		p := trip(t, func(tr *policy.Trip) {
			tr.FailureRatio = v.param("failure_ratio")
			tr.MinimumCalls = int(v.param("minimum_throughput"))
		})
		n := int(s.in("throughput"))
		bad := int(float64(n) * s.in("failure_rate"))
		if s.in("failure_rate") > 0 && bad == 0 {
			bad = 1
		}
		ends(p, 0, n-bad, policy.Success)
		ends(p, 0, bad, policy.Failed)
		check(t, "break", breakerState(p, 0) == policy.Open, s.want("break").(bool))
	}
}

func polly02(t *testing.T, v *vector) {
	open := time.Duration(v.param("break_s")) * time.Second
	build := func() policy.Policy {
		p := trip(t, func(tr *policy.Trip) {
			tr.Window = time.Duration(v.param("sampling_s")) * time.Second
			tr.Slots = int(v.param("windows"))
			tr.FailureRatio = v.param("failure_ratio")
			tr.MinimumCalls = int(v.param("minimum_throughput"))
			tr.Open = open - 1 // at equality
		})
		ends(p, 0, 99, policy.Failed)
		check(t, "99", breakerState(p, 0), policy.Closed)
		end(p, 0, policy.Failed)
		check(t, "100th", breakerState(p, 0), policy.Open)
		check(t, "4.999 s", fresh(p, open-time.Millisecond), false)
		check(t, "5 s", fresh(p, open), true)
		check(t, "second call during the probe", fresh(p, open), false)
		return p
	}
	p := build()
	end(p, open, policy.Failed)
	check(t, "probe fails", fresh(p, 2*open-1), false)
	check(t, "full break", fresh(p, 2*open), true)
	p = build()
	end(p, open, policy.Success)
	ends(p, open, 99, policy.Failed)
	check(t, "probe ok, metrics reset", breakerState(p, open), policy.Closed)
	p = build()
	check(t, "probe never returns", fresh(p, 1000*open), false)
}

// A breaker that gates retries never stops a fresh call.
func TestRetryBreakerPassesFreshCalls(t *testing.T) {
	p := mustNew(t, policy.DefaultRetryBreaker())
	if p.Watches()&policy.WatchFresh != 0 {
		t.Fatal("asks to be asked about fresh calls")
	}
	ends(p, 0, 100, policy.Failed)
	check(t, "open", breakerState(p, 0), policy.Open)
	check(t, "fresh", fresh(p, 0), true)
	check(t, "retry", ask(p, 0, policy.Draws{}).Deny, policy.BreakerOpen)
}
