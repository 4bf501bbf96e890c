package policy_test

import (
	"testing"
	"time"

	"retrylab/policy"
)

func TestThrottleVectors(t *testing.T) {
	runVectors(t, "throttles.json", map[string]func(*testing.T, *vector){
		"envoy-budget-01": envoyBudget01, "envoy-budget-02": envoyBudget02,
		"grpc-throttle-01": grpcThrottle01, "grpc-throttle-02": grpcThrottle02,
		"sre-throttle-01": sreThrottle01,
	})
}

// envoyIn brings a budget to a number of attempts in flight and of retries in backoff.
func envoyIn(t *testing.T, percent float64, minimum, active, retries int) policy.Policy {
	t.Helper()
	p := mustNew(t, policy.EnvoyBudget{BudgetPercent: percent, MinRetryConcurrency: minimum, Retry: policy.DefaultRetry()})
	crowd := active + 200*retries // enough in flight for so many retries at 1% and up
	deposit(p, 0, crowd)
	for range retries {
		end(p, 0, policy.Failed)
		if !withdraw(p, 0, 1) {
			t.Fatalf("%d retries cannot be outstanding", retries)
		}
	}
	ends(p, 0, crowd-retries-active, policy.Success)
	return p
}

func envoyBudget01(t *testing.T, v *vector) {
	for _, s := range v.Steps {
		active, retries := int(s.in("active")+s.in("pending")), int(s.in("retries_outstanding"))
		p := envoyIn(t, s.in("budget_percent"), int(s.in("min_retry_concurrency")), active, retries)
		check(t, "limit", budgetOf(p, 0)+float64(retries), s.want("limit").(float64))
		check(t, "allow", withdraw(p, 0, 1), s.want("allow").(bool))
	}
}

// envoyBudget02 asks for a call whose own retry just failed: its slot is free again.
func envoyBudget02(t *testing.T, v *vector) {
	for _, s := range v.Steps {
		percent := v.param("budget_percent")
		if s.has("budget_percent") {
			percent = s.in("budget_percent")
		}
		others := int(s.in("others_outstanding"))
		for own := range 2 {
			p := envoyIn(t, percent, int(v.param("min_retry_concurrency")), int(s.in("active"))+own, others+own)
			a := policy.Attempt{Number: 1 + own, Outcome: policy.Failed}
			if own == 1 {
				p.AttemptEnd(0, &a)
			}
			d := p.Retry(0, &a, policy.Draws{})
			check(t, "retried", d.Deny == policy.Allowed, s.Expect == "retry")
		}
	}
}

// A call that is cancelled gives its slot back once, in flight or in backoff.
func TestEnvoyBudgetCancelled(t *testing.T) {
	p := envoyIn(t, 0, 2, 0, 2)
	check(t, "full", withdraw(p, 0, 1), false)
	p.CallEnd(0, policy.Cancelled, 1)
	check(t, "cancelled in backoff", budgetOf(p, 0), 1)
	p.AttemptStart(0, 2)
	p.AttemptEnd(0, &policy.Attempt{Number: 2, Outcome: policy.Cancelled})
	p.CallEnd(0, policy.Cancelled, 2)
	check(t, "cancelled in flight", budgetOf(p, 0), 2)
	check(t, "one", withdraw(p, 0, 1), true)
	p.AttemptStart(0, 1)
	p.AttemptEnd(0, &policy.Attempt{Number: 1, Outcome: policy.Cancelled})
	p.CallEnd(0, policy.Cancelled, 1)
	check(t, "another's first attempt cancelled", budgetOf(p, 0), 1)
}

func grpcThrottle01(t *testing.T, v *vector) {
	s := policy.DefaultGRPCThrottle()
	s.MaxTokens, s.TokenRatio = v.param("maxTokens"), v.param("tokenRatio")
	s.Retry.MaxRetries = int(v.param("maxAttempts")) - 1
	p := mustNew(t, s)
	ok := map[int]bool{}
	for _, i := range v.Params["server_ok_on_attempt_indexes"].([]any) {
		ok[int(i.(float64))] = true
	}
	index := -1 // of the last attempt the server saw
	for _, st := range v.Steps {
		code := "UNAVAILABLE"
		for n := 1; ; n++ {
			index++
			a := policy.Attempt{Number: n, Outcome: policy.Failed}
			if ok[index] {
				code, a.Outcome = "OK", policy.Success
			}
			p.AttemptEnd(0, &a)
			if ok[index] || p.Retry(0, &a, policy.Draws{}).Deny != policy.Allowed {
				break
			}
		}
		check(t, "code", code, st.want("code").(string))
		check(t, "last attempt", float64(index), st.want("last_server_attempt_index").(float64))
		check(t, "tokens", budgetOf(p, 0), st.want("tokens_after").(float64))
	}
}

func grpcThrottle02(t *testing.T, v *vector) {
	s := policy.DefaultGRPCThrottle()
	s.Retry.RetryOn.Rejected = false // stands for a status that is not retryable
	for _, st := range v.Steps {
		if st.Expect == "invalid config" {
			bad := s
			if st.has("tokenRatio") || st.In.(map[string]any)["tokenRatio"] != nil {
				bad.TokenRatio = st.in("tokenRatio")
			} else {
				bad.MaxTokens = st.in("maxTokens")
			}
			if len(bad.Problems()) == 0 {
				t.Errorf("%v is no mistake", st.In)
			}
			continue
		}
		p := mustNew(t, s)
		ends(p, 0, int(s.MaxTokens-st.in("tokens")), policy.Failed)
		event := st.In.(map[string]any)["event"].(string)
		end(p, 0, map[string]policy.Outcome{
			"retryable failure": policy.Failed, "success x 1": policy.Success, "INVALID_ARGUMENT": policy.Rejected,
		}[event])
		check(t, event+": tokens", budgetOf(p, 0), st.want("tokens").(float64))
		if retry, ok := st.want("retry").(bool); ok {
			check(t, event+": retry", withdraw(p, 0, 1), retry)
		}
	}
}

func sreThrottle01(t *testing.T, v *vector) {
	for _, st := range v.Steps {
		build := func() policy.Policy {
			s := policy.DefaultSREThrottle()
			s.K = v.param("K")
			if st.has("K") {
				s.K = st.in("K")
			}
			p := mustNew(t, s)
			for range int(st.in("requests")) {
				p.AllowFresh(0, 1) // a draw of 1 is never refused, but counted
			}
			ends(p, 0, int(st.in("accepts")), policy.Success)
			ends(p, 0, int(st.in("requests")-st.in("accepts")), policy.Rejected)
			return p
		}
		want := st.want("p_reject").(float64)
		near(t, "p", build().State(0).FailureRate, want, v.Tolerance)
		check(t, "just below", build().AllowFresh(0, max(0, want-2*v.Tolerance)), want == 0)
		check(t, "just above", build().AllowFresh(0, want+2*v.Tolerance), true)
		d := build().Retry(0, &policy.Attempt{Number: 1, Outcome: policy.Rejected}, policy.Draws{Coin: max(0, want-2*v.Tolerance)})
		check(t, "a retry just below", d.Deny == policy.Allowed, want == 0)
	}
	// What was refused counts: 2 minutes later it is forgotten.
	p := mustNew(t, policy.DefaultSREThrottle())
	for range 9 {
		fresh(p, time.Second)
	}
	near(t, "refusals count", p.State(int64(time.Second)).FailureRate, 0.9, 1e-12)
	check(t, "and are forgotten", p.State(int64(123*time.Second)).FailureRate, 0)
}
