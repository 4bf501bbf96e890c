package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"retrylab/policy"
)

func TestARBVectors(t *testing.T) {
	runVectors(t, "arb.json", map[string]func(*testing.T, *vector){
		"arb-01": arbDecisions, "arb-02": arb02, "arb-03": arbTicks,
		"arb-04": arbDecisions, "arb-05": arbDecisions, "arb-06": arb06,
		"arb-07": arb07, "arb-08": arb08, "arb-09": arb09,
	})
}

// arbAt makes Algorithm 1 with lambda 500 and adjustments at whole seconds.
func arbAt(t testing.TB, change func(*policy.ARB)) policy.Policy {
	t.Helper()
	s := policy.DefaultARB()
	s.Phase = "common"
	s.Load.Source = "constant"
	if change != nil {
		change(&s)
	}
	return mustNew(t, s)
}

// exactRate lets a test set f: it is the share of failures among the completions of the last instant.
func exactRate(s *policy.ARB) {
	s.FailureRate.Per = "time"
	s.FailureRate.HalfLife = time.Microsecond
}

// setRate makes f = f at time now, exactly (in thousandths).
func setRate(p policy.Policy, now time.Duration, f float64) {
	bad := int(math.Round(f * 1000))
	ends(p, now, bad, policy.Failed)
	ends(p, now, 1000-bad, policy.Success)
}

func budgetOf(p policy.Policy, now time.Duration) float64 { return p.State(int64(now)).Budget }

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

var decisionNames = map[policy.Reason]string{
	policy.Allowed: "RETRY", policy.CoinRefused: "FAIL_DRAW", policy.BudgetEmpty: "FAIL_BUDGET", policy.Backpressure: "FAIL_BACKPRESSURE",
}

// arbDecisions runs steps that are failures with a draw, or adjustments.
func arbDecisions(t *testing.T, v *vector) {
	p := arbAt(t, func(s *policy.ARB) {
		s.Load.Constant = v.param("lambda")
		if v.ID == "arb-04" {
			exactRate(s)
		}
	})
	now := time.Duration(0)
	for _, s := range v.Steps {
		signal := policy.Calm
		if s.has("S_d") {
			signal = policy.Overloaded
		}
		if s.has("tick") {
			now += 900 * time.Millisecond
			setOrSignal(p, now, s, signal, v.ID)
			now += 100 * time.Millisecond
			near(t, "B", budgetOf(p, now), s.want("B").(float64), 1e-12)
			continue
		}
		if v.ID == "arb-04" {
			setRate(p, now, 0)
		}
		a := policy.Attempt{Number: 1, Outcome: policy.Failed, Signal: signal}
		p.AttemptEnd(int64(now), &a)
		d := p.Retry(int64(now), &a, policy.Draws{Coin: s.in("u")})
		check(t, "decision", decisionNames[d.Deny], s.want("decision").(string))
		if b, ok := s.want("B").(float64); ok {
			near(t, "B", budgetOf(p, now), b, 1e-12)
		}
		if f, ok := s.want("f_r").(float64); ok {
			near(t, "f_r", p.State(int64(now)).FailureRate, f, 1e-12)
		}
	}
}

// setOrSignal brings about what a tick is to find: a failure rate or a signal.
func setOrSignal(p policy.Policy, now time.Duration, s step, signal policy.Signal, id string) {
	if id == "arb-04" {
		setRate(p, now, s.in("f_r"))
		return
	}
	// f is 0.1 after the one failure of arb-05, as its step says; the reply only renews the signal.
	p.AttemptEnd(int64(now), &policy.Attempt{Number: 1, Outcome: policy.Cancelled, Signal: signal})
}

func arb02(t *testing.T, v *vector) {
	for _, s := range v.Steps {
		if s.has("half_life_completions") {
			near(t, "half-life", math.Log(0.5)/math.Log(1-v.param("weight")), s.Expect.(float64), 1e-6)
			continue
		}
		p := arbAt(t, func(a *policy.ARB) { a.FailureRate.Weight = v.param("weight") })
		ends(p, 0, int(s.in("consecutive_failures")), policy.Failed)
		near(t, "f_r", p.State(0).FailureRate, s.want("f_r").(float64), v.Tolerance)
	}
}

func arbTicks(t *testing.T, v *vector) {
	p := arbAt(t, exactRate)
	for i, s := range v.Steps {
		tick := time.Duration(i+1) * time.Second
		setRate(p, tick-time.Millisecond, s.in("f_r"))
		near(t, "B", budgetOf(p, tick), s.want("B").(float64), v.Tolerance)
	}
}

func arb06(t *testing.T, v *vector) {
	s := v.Steps[0]
	p := arbAt(t, exactRate)
	setRate(p, 0, 0.5)
	check(t, "B after two cuts", budgetOf(p, 2*time.Second), s.in("B"))
	setRate(p, 2*time.Second, s.in("f_r"))
	last := time.Duration(2+s.in("ticks")) * time.Second
	check(t, "B", budgetOf(p, last), s.want("B").(float64))
	check(t, "transitions", p.State(int64(last)).Transitions, 2)
}

func arb07(t *testing.T, v *vector) {
	for _, s := range v.Steps {
		prob := s.want("prob").(float64)
		if prob > 0 {
			p := arbAt(t, exactRate)
			setRate(p, 0, s.in("f_r"))
			check(t, "just below", ask(p, 0, policy.Draws{Coin: prob - v.Tolerance}).Deny, policy.Allowed)
		}
		p := arbAt(t, exactRate)
		setRate(p, 0, s.in("f_r"))
		check(t, "just above", ask(p, 0, policy.Draws{Coin: prob + v.Tolerance}).Deny, policy.CoinRefused)
	}
	// Strict: a draw that equals the probability is refused.
	p := arbAt(t, nil)
	check(t, "equal", ask(p, 0, policy.Draws{Coin: 0.2}).Deny, policy.CoinRefused)
}

// drain asks for retries with draw 0 until the budget is empty and says how many were
// granted; a budget that never empties is given up after a million.
func drain(p policy.Policy, now time.Duration) int {
	n := 0
	for n < 1e6 && ask(p, now, policy.Draws{}).Deny == policy.Allowed {
		n++
	}
	return n
}

func arb08(t *testing.T, v *vector) {
	p := arbAt(t, nil)
	check(t, "tokens at start", float64(drain(p, 0)), v.Steps[0].want("B0_times_lambda").(float64))
	for i := 1; i < 20; i++ {
		now := time.Duration(i) * time.Second
		check(t, "retries in a second", float64(drain(p, now)), v.Steps[1].want("alpha_times_lambda_over_T").(float64))
	}

	p = arbAt(t, exactRate)
	setRate(p, 0, 1)
	ticks := 0
	for ; budgetOf(p, time.Duration(ticks)*time.Second) >= 0.001; ticks++ {
	}
	check(t, "ticks to below 0.001", float64(ticks), v.Steps[2].Expect.(float64))

	p = arbAt(t, nil)
	drain(p, 0)
	check(t, "empty", budgetOf(p, 0), 0)
	ticks = 0
	for ; budgetOf(p, time.Duration(ticks)*time.Second) < 0.2; ticks++ {
	}
	check(t, "ticks back to B0", float64(ticks), v.Steps[3].Expect.(float64))

	s := v.Steps[4]
	p = arbAt(t, exactRate)
	setRate(p, 0, s.in("f_r"))
	retries := 0
	failures := int(s.in("failures_per_s"))
	for i := range failures {
		if ask(p, 0, policy.Draws{Coin: (float64(i) + 0.5) / float64(failures)}).Deny == policy.Allowed {
			retries++
		}
	}
	check(t, "retries at B0", float64(retries), s.want("retries_per_s_at_B0").(float64))
}

// arb09 holds the policy's own f against the stationary deviation of its EMA. With
// 400,000 completions (21,000 independent ones) the estimate's own error is 0.5%.
func arb09(t *testing.T, v *vector) {
	for i, s := range v.Steps {
		prob := s.in("p")
		sd := math.Sqrt(prob * (1 - prob) * 0.1 / 1.9)
		near(t, "formula", sd, s.want("sd").(float64), v.Tolerance)

		p := arbAt(t, nil)
		rnd := rand.New(rand.NewPCG(9, uint64(i)))
		var sum, squares float64
		const n = 400_000
		for range n {
			o := policy.Success
			if rnd.Float64() < prob {
				o = policy.Failed
			}
			end(p, 0, o)
			d := p.State(0).FailureRate - prob
			sum += d
			squares += d * d
		}
		got := math.Sqrt(squares/n - sum/n*sum/n)
		near(t, "measured over formula", got/sd, 1, 0.03)
	}
}

// B0 is worth B0 x lambda retries whatever lambda is: no remainder of rounding buys another.
func TestARBBudgetIsWhole(t *testing.T) {
	for lambda := 5; lambda <= 1000; lambda += 5 {
		p := arbAt(t, func(s *policy.ARB) { s.Load.Constant = float64(lambda) })
		check(t, "retries", drain(p, 0), lambda/5)
	}
}
