package policy

import (
	"math"
	"time"
)

// Budget is a static retry budget: over a rolling window, retries are at most a
// ratio of calls plus a floor per second, whatever the downstream's state. It is
// the mesh budget that the paper's Table V leaves without a number, with the
// arithmetic of the ratio exact where Linkerd's and Finagle's truncate it.
//
// A retry is charged when it is scheduled, and not if the deadline forbids it.
// Deposits and charges count for at least Window and at most one slot longer, so
// in any stretch of time as long as Window
//
//	retries <= Ratio x calls of the stretch and one slot before it + MinPerSecond x Window.
type Budget struct {
	// Ratio of retries to calls. Default 0.2.
	Ratio float64 `yaml:"ratio"`
	// MinPerSecond retries are allowed whatever the calls, as MinPerSecond x Window in the window, all at once
	// if need be: N client instances have N such floors. Default 10.
	MinPerSecond float64 `yaml:"min_per_second"`
	// Window is how long calls and retries count. Default 10s.
	Window time.Duration `yaml:"window"`
	// Slots is the number of equal time slots of the window. Default 10.
	Slots int `yaml:"slots"`
	// DepositOn is call (each fresh call sent pays in) or success (each call that succeeds does, so the
	// budget shrinks with the success ratio). Default call.
	DepositOn string `yaml:"deposit_on"`
	// Retry is the retry under the budget. Default as policy retry.
	Retry Retry `yaml:"retry"`
}

// DefaultBudget is 20% of calls and 10 per second over 10 s, Linkerd's and Finagle's defaults.
func DefaultBudget() Budget {
	return Budget{Ratio: 0.2, MinPerSecond: 10, Window: 10 * time.Second, Slots: 10, DepositOn: "call", Retry: DefaultRetry()}
}

// Kind implements Spec.
func (Budget) Kind() string { return "budget" }

// Problems implements Spec.
func (s Budget) Problems() []Problem {
	var p problems
	p.between("ratio", s.Ratio, 0, 1000)
	p.between("min_per_second", s.MinPerSecond, 0, 1e6)
	p.slots("", s.Window, s.Slots)
	p.oneOf("deposit_on", s.DepositOn, "call", "success")
	return append(p, s.Retry.problems("retry.")...)
}

// oneRetry is the price of a retry. A budget counts in millionths of a retry, so
// that a ratio like 0.3 allows exactly 3 retries for 10 calls.
const oneRetry = 1_000_000

// New implements Spec.
func (s Budget) New() Policy {
	return &budget{
		spec:    s,
		deposit: int64(math.Round(s.Ratio * oneRetry)),
		reserve: int64(math.Round(s.MinPerSecond * s.Window.Seconds() * oneRetry)),
		flow:    newWindow(int64(s.Window)/int64(s.Slots), s.Slots),
	}
}

type budget struct {
	Base
	spec    Budget
	deposit int64  // of one call, millionths of a retry
	reserve int64  // millionths of a retry
	flow    window // a calls, b retries
}

func (b *budget) Reset(Env) { b.flow.reset(0) }

func (b *budget) Watches() Events {
	if b.spec.DepositOn == "call" {
		return WatchStart
	}
	return WatchCall
}

func (b *budget) AttemptStart(now int64, n int) {
	if n == 1 && b.spec.DepositOn == "call" {
		b.flow.add(now, 1, 0)
	}
}

func (b *budget) CallEnd(now int64, o Outcome, _ int) {
	if o == Success && b.spec.DepositOn == "success" {
		b.flow.add(now, 1, 0)
	}
}

func (b *budget) Retry(now int64, a *Attempt, u Draws) Decision {
	d := b.spec.Retry.decideInTime(now, a, u)
	if d.Deny != Allowed {
		return d
	}
	if b.balance(now) < oneRetry {
		return Decision{Deny: BudgetEmpty}
	}
	b.flow.add(now, 0, 1)
	return d
}

// balance is what may still be spent, in millionths of a retry. It is below zero
// when calls have left the window before the retries they paid for.
func (b *budget) balance(now int64) int64 {
	calls, retries := b.flow.total(now)
	return b.reserve + calls*b.deposit - retries*oneRetry
}

// State shows the balance in retries.
func (b *budget) State(now int64) State {
	return State{Budget: float64(b.balance(now)) / oneRetry}
}
