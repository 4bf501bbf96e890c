package policy

import "time"

// ARBAuthors is Adaptive Retry Budgeting as the paper's own program has it,
// which differs from Algorithm 1 (see [ARB]) in the start and cap of B (1, not
// 0.2), the failure rate (last 100 completions, not an EMA), the unit of B
// (tokens set anew each period, not spent from B) and the timer (evaluated when
// a retry is considered, at most once per period).
type ARBAuthors struct {
	// Retry is the limit and the backoff. Default 2 retries of failed attempts at 200 and 400 ms +-25%.
	Retry Retry `yaml:"retry"`
	// InitialBudget is B at the start, a fraction of BaseLoad. Default 1.
	InitialBudget float64 `yaml:"initial_budget"`
	// MaxBudget caps B when it grows. Default 1.
	MaxBudget float64 `yaml:"max_budget"`
	// BaseLoad gives the tokens of a period, BaseLoad x B. Default 500.
	BaseLoad float64 `yaml:"base_load"`
	// Window is the number of last completions the failure rate f_r is taken over. Default 100.
	Window int `yaml:"window"`
	// Period is the least time between two adjustments of B. Default 1s.
	Period time.Duration `yaml:"period"`
	// FailureHigh: B is cut when f_r is above it, or the downstream is overloaded. Default 0.3.
	FailureHigh float64 `yaml:"failure_high"`
	// FailureLow: B grows when f_r is below it. Default 0.05.
	FailureLow float64 `yaml:"failure_low"`
	// Cut is the share of B that a cut takes. Default 0.5.
	Cut float64 `yaml:"cut"`
	// Step is added to B when it grows. Default 0.1.
	Step float64 `yaml:"step"`
	// UrgentCut is the share of B that each failed attempt whose reply signals Urgent takes at once. Default 0.5.
	UrgentCut float64 `yaml:"urgent_cut"`
}

// DefaultARBAuthors has the program's numbers.
func DefaultARBAuthors() ARBAuthors {
	return ARBAuthors{
		Retry:         authorsRetry("proportional", 0.25),
		InitialBudget: 1, MaxBudget: 1, BaseLoad: 500, Window: 100, Period: time.Second,
		FailureHigh: 0.3, FailureLow: 0.05, Cut: 0.5, Step: 0.1, UrgentCut: 0.5,
	}
}

// Kind implements Spec.
func (ARBAuthors) Kind() string { return "arb_authors" }

// Problems implements Spec.
func (s ARBAuthors) Problems() []Problem {
	var p problems
	p.atLeast("initial_budget", s.InitialBudget, 0)
	p.atLeast("max_budget", s.MaxBudget, 0)
	p.atLeast("base_load", s.BaseLoad, 0)
	p.between("window", float64(s.Window), 1, maxCount)
	p.atLeastTime("period", s.Period, time.Microsecond)
	p.between("failure_high", s.FailureHigh, 0, 1)
	p.between("failure_low", s.FailureLow, 0, 1)
	p.between("cut", s.Cut, 0, 1)
	p.atLeast("step", s.Step, 0)
	p.between("urgent_cut", s.UrgentCut, 0, 1)
	return append(p, s.Retry.problems("retry.")...)
}

// New implements Spec.
func (s ARBAuthors) New() Policy {
	a := &arbAuthors{spec: s, recent: make([]bool, s.Window)}
	a.Reset(Env{})
	return a
}

type arbAuthors struct {
	Base
	spec        ARBAuthors
	budget      float64 // B
	tokens      float64 // may end a period below zero by less than one
	overloaded  bool    // the last signal heard with a failed attempt
	lastAdjust  int64   // ns
	recent      []bool  // ring of the last completions, true if failed
	next        int     // place of the next completion in recent
	completions int     // in recent
	failures    int     // in recent
	transitions int64
}

func (p *arbAuthors) Reset(Env) {
	clear(p.recent)
	*p = arbAuthors{spec: p.spec, recent: p.recent, budget: p.spec.InitialBudget}
	p.refill()
}

func (*arbAuthors) Watches() Events { return WatchEnd }

func (p *arbAuthors) AttemptEnd(_ int64, a *Attempt) {
	completed, failed := authorsCount(a.Outcome)
	if !completed {
		return
	}
	if p.completions < len(p.recent) {
		p.completions++
	} else if p.recent[p.next] {
		p.failures--
	}
	p.recent[p.next] = failed
	if failed {
		p.failures++
	}
	p.next++
	if p.next == len(p.recent) {
		p.next = 0
	}
}

func (p *arbAuthors) Retry(now int64, a *Attempt, u Draws) Decision {
	if !p.spec.Retry.RetryOn.Has(a.Outcome) {
		return Decision{Deny: NotRetried} // not even considered: neither signal nor timer is looked at
	}
	p.hear(a.Signal)
	p.adjust(now)
	switch {
	case a.Number > p.spec.Retry.MaxRetries:
		return Decision{Deny: LimitHit}
	case p.overloaded:
		return Decision{Deny: Backpressure}
	case p.budget <= 0 || p.tokens <= 0:
		return Decision{Deny: BudgetEmpty}
	case !(u.Coin < min(p.budget, 1-p.failureRate())):
		return Decision{Deny: CoinRefused}
	}
	p.tokens--
	return p.spec.Retry.decide(a, u)
}

// hear takes in the signal of a failed attempt. Urgent cuts B each time, not only when it first appears.
func (p *arbAuthors) hear(s Signal) {
	p.overloaded = s >= Overloaded
	if s == Urgent {
		p.setBudget(p.budget * (1 - p.spec.UrgentCut))
		p.refill()
	}
}

// adjust moves B and sets the tokens anew if a period has passed since it last did.
func (p *arbAuthors) adjust(now int64) {
	if now-p.lastAdjust < int64(p.spec.Period) {
		return
	}
	p.lastAdjust = now
	switch f := p.failureRate(); {
	case f > p.spec.FailureHigh || p.overloaded:
		p.setBudget(p.budget * (1 - p.spec.Cut))
	case f < p.spec.FailureLow:
		p.setBudget(min(p.spec.MaxBudget, p.budget+p.spec.Step))
	}
	p.refill()
}

func (p *arbAuthors) setBudget(b float64) {
	if b != p.budget {
		p.transitions++
	}
	p.budget = b
}

func (p *arbAuthors) refill() { p.tokens = p.spec.BaseLoad * p.budget }

func (p *arbAuthors) failureRate() float64 {
	if p.completions == 0 {
		return 0
	}
	return float64(p.failures) / float64(p.completions)
}

func (p *arbAuthors) State(int64) State {
	return State{Budget: p.budget, FailureRate: p.failureRate(), Transitions: p.transitions}
}
