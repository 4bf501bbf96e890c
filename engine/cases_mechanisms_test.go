package engine_test

import (
	"fmt"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/policy"
)

// These are the published cases of production retry mechanisms.

// grpcTrace: requests that fail for certain; the fifth failure and all later ones find too few tokens.
func grpcTrace(t *testing.T, c *published) {
	spec := policy.GRPCThrottle{MaxTokens: c.setup("maxTokens"), TokenRatio: c.setup("tokenRatio"), Retry: retries(20, 0)}
	m := system(4*ms, steady(ms, "a"), takes("a", 0, 0))
	m.Clients[0].Call.Policy, m.Services[0].Failure = spec, 1
	var allowed []any
	p, s := compile(t, m), engine.NewSim()
	s.Trace(func(e engine.TraceEvent) {
		if e.Kind == engine.TraceRetry {
			allowed = append(allowed, true)
		} else if e.Kind == engine.TraceRequestEnded {
			allowed = append(allowed, false)
		}
	})
	s.Run(p, engine.Key{})
	equal(t, "retries allowed", fmt.Sprint(allowed), fmt.Sprint(c.Expected["retry_allowed"]))
}

// grpcBreakEven: on this side of the break-even failures all are retried, on the other side hardly any.
func grpcBreakEven(t *testing.T, c *published) {
	for _, off := range []float64{-0.005, 0.005} {
		m := system(300*time.Second, poisson(1000, "a"), takes("a", 0, 0))
		m.Clients[0].Call.Policy = policy.GRPCThrottle{MaxTokens: 100, TokenRatio: c.setup("tokenRatio"), Retry: retries(50, 0)}
		m.Services[0].Failure = c.want("break_even_f") + off
		e := once(t, m).Edges[0]
		share := float64(e.Retries) / float64(e.Ended[policy.Failed])
		if (off < 0 && share < 0.99) || (off > 0 && share > 0.1) {
			t.Errorf("%+v from the break-even %.3f of the failures are retried", off, share)
		}
	}
}

// istioDefault: the number in the configuration is of retries, not of attempts; 0 is none.
func istioDefault(t *testing.T, c *published) {
	for n, want := range map[int]float64{int(c.want("num_retries")): c.want("requests_seen"), 0: 1} {
		y := once(t, chain(1, n, c.setup("leaf_failure_prob")))
		equal(t, "attempts", y.Services[0].Attempts, int64(want)*y.Clients[0].Requests)
	}
}

func springOneAttempt(t *testing.T, c *published) {
	y := once(t, chain(1, int(c.setup("maxAttempts"))-1, 1))
	equal(t, "attempts", y.Edges[0].Attempts, int64(c.want("calls"))*y.Edges[0].Calls)
	equal(t, "retries", y.Edges[0].Retries, int64(c.want("retries")))
}

// herd: clients that fail together come back together, unless jitter spreads them.
func herd(t *testing.T, c *published) {
	for jitter, repetitions := range map[string]int{"none": 30, "full": 200} {
		m := system(1100*ms, poisson(1, "a"), takes("a", 0, 0))
		a := &m.Clients[0].Arrivals
		a.Kind, a.Users, a.Together, a.Think.Mean = "closed", int(c.setup("clients")), true, 100*time.Hour
		r := retries(1, time.Duration(c.setup("backoff_s")*1e9))
		r.Backoff.Jitter = jitter
		m.Clients[0].Call.Policy, m.Window = r, time.Duration(c.setup("bin_ms"))*ms
		m.Faults = []engine.Fault{failing(1, 0, 1, "a")} // at time 0 only
		peak := func(y *engine.Tally) (peak float64) {
			for _, w := range y.Windows {
				if w.Station == 1 { // retries alone: attempts that are no first ones
					peak = max(peak, float64(w.Attempts-w.First))
				}
			}
			return peak
		}
		v := measured(t, m, repetitions, peak, func(y *engine.Tally) float64 { return float64(y.Edges[0].Retries) / 100 })
		mean, se := meanSE(v[0])
		want := c.Expected["peak_per_bin"].(map[string]any)
		if jitter == "none" {
			equal(t, "peak of every trial", fmt.Sprint(mean, se), fmt.Sprint(want["none"], 0))
			continue
		}
		near(t, "mean peak", mean, want["full_mean"].(float64), 4*se+0.05)
		perBin, _ := meanSE(v[1])
		equal(t, "mean per bin", perBin, c.want("mean_per_bin_full"))
	}
}

// envoyBudget: so many attempts are in flight; then others fail at once, and their retries are outstanding.
func envoyBudget(t *testing.T, c *published) {
	allowed := func(percent float64, active int) float64 {
		const wait = 5 * time.Second
		begin := time.Duration(active) * ms
		m := system(begin+100*ms, steady(ms, "a"), takes("a", 0, 10*time.Second))
		m.Clients[0].Call.Policy = policy.EnvoyBudget{BudgetPercent: percent, MinRetryConcurrency: int(c.setup("min_retry_concurrency")), Retry: retries(1, wait)}
		f := failing(1, begin, 0, "a")
		f.Before = true
		m.Faults = []engine.Fault{f}
		return float64(once(t, m).Edges[0].BackoffNs) / float64(wait)
	}
	for i, active := range c.setups("active") {
		equal(t, fmt.Sprint("retries beside ", active), allowed(c.setup("budget_percent"), int(active)), c.wants("allowed")[i])
	}
	also := c.Setup["also"].(map[string]any)
	equal(t, "retries of another share", allowed(also["budget_percent"].(float64), int(also["active"].(float64))), c.want("also"))
}

// finagleBudget: retries per second once the window is full; at few requests the floor is nearly all.
func finagleBudget(t *testing.T, c *published) {
	for i, rps := range c.setups("rps") {
		m := system(110*time.Second, steady(time.Duration(1e9/rps), "a"), takes("a", 0, 0))
		m.Warmup, m.Services[0].Failure = 10*time.Second, c.setup("leaf_failure_prob")
		m.Clients[0].Call.Policy = policy.Budget{
			Ratio: c.setup("retryRatio"), MinPerSecond: c.setup("minRetriesPerSecond"), Window: time.Duration(c.setup("ttl_s")) * time.Second,
			Slots: 100, DepositOn: "call", Retry: retries(5, 0),
		}
		e := once(t, m).Edges[0]
		want := c.wants("max_retries_per_s")[i]
		near(t, fmt.Sprint("retries per second at ", rps), float64(e.Retries)/100, want, 0.02*want)
		raf := c.wants("raf_max")[i]
		near(t, fmt.Sprint("RAF at ", rps), float64(e.Attempts)/float64(e.Calls), raf, 0.02*raf)
	}
}
