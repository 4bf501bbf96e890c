package policy_test

import (
	"testing"
	"time"

	"retrylab/policy"
)

// The cases of Linkerd (tower) and Finagle whose ratio their integers do not
// truncate, and of the SRE book. Slots here are aligned to time zero; upstream
// they move with the traffic, which shifts an expiry by up to one slot.
func TestBudgetVectors(t *testing.T) {
	runVectors(t, "budget.json", map[string]func(*testing.T, *vector){
		"linkerd-01": linkerdSteps, "linkerd-03": linkerdSteps, "linkerd-04": linkerd04, "linkerd-06": linkerd06,
		"finagle-01": finagle01, "finagle-02": finagle02, "finagle-03": finagle03, "finagle-04": finagle04,
		"sre-budget-01": sreBudget01,
	})
}

func budgetOver(t *testing.T, ttl time.Duration, minPerSecond, ratio float64) policy.Policy {
	t.Helper()
	s := policy.DefaultBudget()
	s.Window, s.MinPerSecond, s.Ratio = ttl, minPerSecond, ratio
	return mustNew(t, s)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func (v *vector) budget(t *testing.T, ratio string) policy.Policy {
	return budgetOver(t, seconds(v.param("ttl_s")), v.param("min_per_sec"), v.param(ratio))
}

func deposit(p policy.Policy, now time.Duration, n int) {
	for range n {
		p.AttemptStart(int64(now), 1)
	}
}

// withdraw takes n retries and says whether all were granted.
func withdraw(p policy.Policy, now time.Duration, n int) bool {
	for range n {
		if ask(p, now, policy.Draws{}).Deny != policy.Allowed {
			return false
		}
	}
	return true
}

func linkerdSteps(t *testing.T, v *vector) {
	p := v.budget(t, "ratio")
	now := time.Duration(0)
	for _, s := range v.Steps {
		switch s.In {
		case "deposit":
			deposit(p, now, 1)
		case "withdraw":
			check(t, "withdraw", withdraw(p, now, 1), s.Expect.(bool))
		default:
			now += time.Duration(s.in("advance_ms")) * time.Millisecond
		}
	}
}

func linkerd04(t *testing.T, v *vector) {
	p := v.budget(t, "ratio")
	check(t, "granted at first", float64(drain(p, 0)), v.Steps[0].want("granted").(float64))
	deposit(p, 0, 4)
	check(t, "after 4 deposits", withdraw(p, 0, 1), v.Steps[1].want("withdraw").(bool))
	deposit(p, 0, 1)
	check(t, "after the 5th", withdraw(p, 0, 1), v.Steps[2].want("withdraw").(bool))
}

// linkerd06 pays in when a call ends well, as Linkerd does.
func linkerd06(t *testing.T, v *vector) {
	s := policy.DefaultBudget()
	s.Window, s.MinPerSecond, s.Ratio = seconds(v.param("ttl_s")), v.param("min_per_sec"), v.param("ratio")
	s.DepositOn = "success"
	p := mustNew(t, s)
	check(t, "call 1 is retried", withdraw(p, 0, 1), true)
	p.CallEnd(0, policy.Success, 2)
	near(t, "deposit", budgetOf(p, 0), 0.1, 1e-12)
	check(t, "call 2 is refused", withdraw(p, 0, 1), false)
	p.CallEnd(0, policy.Failed, 1)
	near(t, "no deposit", budgetOf(p, 0), 0.1, 1e-12)
}

func finagle01(t *testing.T, v *vector) {
	for _, s := range v.Steps {
		p := budgetOver(t, seconds(s.in("ttl_s")), s.in("min_per_sec"), s.in("percent"))
		retries := 0.0
		for range int(s.in("n_requests")) {
			deposit(p, 0, 1)
			if withdraw(p, 0, 1) {
				retries++
			}
		}
		// Upstream is within one retry; millionths are exact.
		check(t, "retries", retries, s.want("retries").(float64))
	}
}

func finagle02(t *testing.T, v *vector) {
	p := v.budget(t, "percent")
	deposit(p, 0, 10000)
	check(t, "balance", budgetOf(p, 0), v.Steps[0].want("balance").(float64))
}

func finagle03(t *testing.T, v *vector) {
	p := v.budget(t, "percent")
	check(t, "balance", budgetOf(p, 0), v.Steps[0].want("balance").(float64))
	check(t, "100 withdrawals", withdraw(p, 0, 100), true)
	check(t, "101st", withdraw(p, 0, 1), false)
	deposit(p, 0, 5)
	check(t, "balance after 5 deposits", budgetOf(p, 0), v.Steps[2].want("balance").(float64))
	none := policy.DefaultBudget()
	none.Window = 0
	if len(none.Problems()) == 0 {
		t.Error("a window of 0 is no mistake")
	}
	p = budgetOver(t, seconds(v.param("ttl_s")), 0, 0)
	deposit(p, 0, 1000)
	check(t, "never", withdraw(p, 0, 1), false)
}

func finagle04(t *testing.T, v *vector) {
	ttl := time.Duration(v.param("ttl_ms")) * time.Millisecond
	p := budgetOver(t, ttl, v.param("reserve")/ttl.Seconds(), 1)
	now := time.Duration(0)
	for i, s := range v.Steps {
		switch {
		case s.has("tryGet"):
			n := int(s.in("tryGet"))
			// All or nothing upstream; a refusal here comes at the first of them.
			check(t, "tryGet", withdraw(p, now, n), s.Expect.(bool))
		case s.has("put"):
			deposit(p, now, int(s.in("put")))
		default:
			now += time.Duration(s.in("advance_ms")) * time.Millisecond
			if i == len(v.Steps)-3 {
				now += ttl / 10 // what was taken in mid-slot stays until its slot is old enough
			}
		}
	}
}

func sreBudget01(t *testing.T, v *vector) {
	s := policy.DefaultBudget()
	s.Ratio, s.MinPerSecond = v.param("client_retry_ratio"), 0
	s.Retry.MaxRetries = int(v.param("max_attempts")) - 1
	p := mustNew(t, s)
	deposit(p, 0, 1000)
	d := p.Retry(0, &policy.Attempt{Number: 3, Outcome: policy.Shed}, policy.Draws{})
	check(t, "third attempt", d.Deny, policy.LimitHit)
	check(t, "99 retries", withdraw(p, 0, 99), true)
	check(t, "the 100th", withdraw(p, 0, 1), true)
	check(t, "the 101st", ask(p, 0, policy.Draws{}).Deny, policy.BudgetEmpty)
	// Worst growth: every attempt fails, every retry asked for.
	p.Reset(policy.Env{})
	attempts := 0
	const calls = 10_000
	for range calls {
		deposit(p, 0, 1)
		attempts++
		for n := 1; p.Retry(0, &policy.Attempt{Number: n, Outcome: policy.Failed}, policy.Draws{}).Deny == policy.Allowed; n++ {
			attempts++
		}
	}
	near(t, "growth", float64(attempts)/calls, v.Steps[4].Expect.(float64), 1e-9)
}

// The reserve is spent once per window, not once per slot.
func TestBudgetFloorOverTime(t *testing.T) {
	p := budgetOver(t, 10*time.Second, 10, 0)
	granted := 0
	for now := time.Duration(0); now < 110*time.Second; now += 100 * time.Millisecond {
		granted += drain(p, now)
	}
	// 100 at 0 s, then 100 each time they have left the window: every 11 s.
	check(t, "granted", granted, 1000)
}
