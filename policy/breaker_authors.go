package policy

import "time"

// BreakerAuthors is the circuit breaker of the paper's own program. It gates
// retries only, whatever the text of section VII-A says of tripping: fresh calls
// always pass.
//
// Counters of completions and failures are halved when the first passes
// CountLimit. The closed breaker is judged only when a retry is considered.
// Every failure restarts the open time, also one of a fresh call, and a retry is
// considered only right after a failure: so in use the open time never runs out,
// and the breaker, once open, stays open. Half-open is reached only by a client
// that asks about a retry later than the failure it reports. This is the
// program's behaviour, kept.
type BreakerAuthors struct {
	// Retry is the retry inside the breaker. Default 2 retries of failed attempts at 200 and 400 ms, one-sided jitter 0.5.
	Retry Retry `yaml:"retry"`
	// FailureRatio opens the closed breaker: failures/completions at or above it, in (0,1]. Default 0.5.
	FailureRatio float64 `yaml:"failure_ratio"`
	// MinimumCalls is the number of counted completions below which the breaker stays closed. Default 10.
	MinimumCalls int `yaml:"minimum_calls"`
	// CountLimit halves both counters (integer division) once the completions exceed it. Default 100.
	CountLimit int `yaml:"count_limit"`
	// Open is the time from the last failure to half-open. Default 30s.
	Open time.Duration `yaml:"open"`
	// HalfOpenRetries is the number of retries that pass half-open. Default 3.
	HalfOpenRetries int `yaml:"half_open_retries"`
}

// DefaultBreakerAuthors has the program's numbers.
func DefaultBreakerAuthors() BreakerAuthors {
	return BreakerAuthors{
		Retry:        authorsRetry("one_sided", 0.5),
		FailureRatio: 0.5, MinimumCalls: 10, CountLimit: 100, Open: 30 * time.Second, HalfOpenRetries: 3,
	}
}

// Kind implements Spec.
func (BreakerAuthors) Kind() string { return "breaker_authors" }

// Problems implements Spec.
func (s BreakerAuthors) Problems() []Problem {
	var p problems
	p.ratio("failure_ratio", s.FailureRatio)
	p.between("minimum_calls", float64(s.MinimumCalls), 1, maxCount)
	p.between("count_limit", float64(s.CountLimit), 1, maxCount)
	p.atLeastTime("open", s.Open, 0)
	p.between("half_open_retries", float64(s.HalfOpenRetries), 1, maxCount)
	return append(p, s.Retry.problems("retry.")...)
}

// New implements Spec.
func (s BreakerAuthors) New() Policy { return &breakerAuthors{spec: s} }

type breakerAuthors struct {
	Base
	spec        BreakerAuthors
	state       Breaker
	requests    int
	failures    int
	passed      int   // retries let through since half-open began
	lastFailure int64 // ns; the open time runs from here
	transitions int64
}

func (b *breakerAuthors) Reset(Env) { *b = breakerAuthors{spec: b.spec} }

func (*breakerAuthors) Watches() Events { return WatchEnd }

func (b *breakerAuthors) AttemptEnd(now int64, a *Attempt) {
	completed, failed := authorsCount(a.Outcome)
	if !completed {
		return
	}
	b.requests++
	if failed {
		b.failures++
		b.lastFailure = now
	}
	if b.requests > b.spec.CountLimit {
		b.requests /= 2
		b.failures /= 2
	}
	if b.state != HalfOpen {
		return
	}
	if failed {
		b.enter(Open)
		return
	}
	b.enter(Closed)
	b.requests, b.failures = 0, 0
}

func (b *breakerAuthors) Retry(now int64, a *Attempt, u Draws) Decision {
	if !b.spec.Retry.RetryOn.Has(a.Outcome) {
		return Decision{Deny: NotRetried} // not even considered: the breaker is not judged
	}
	b.judge(now)
	// The gate comes before the limit, so an attempt that has no retry left may
	// still open the breaker and use up a half-open pass.
	switch b.state {
	case Open:
		return Decision{Deny: BreakerOpen}
	case HalfOpen:
		if b.passed >= b.spec.HalfOpenRetries {
			return Decision{Deny: BreakerOpen}
		}
		b.passed++
	}
	return b.spec.Retry.decide(a, u)
}

// judge makes the transitions that depend on time and counters.
func (b *breakerAuthors) judge(now int64) {
	switch b.state {
	case Open:
		if now-b.lastFailure >= int64(b.spec.Open) {
			b.enter(HalfOpen)
			b.passed = 0
		}
	case Closed:
		if b.requests >= b.spec.MinimumCalls && b.failureRate() >= b.spec.FailureRatio {
			b.enter(Open)
			b.lastFailure = now
		}
	}
}

func (b *breakerAuthors) enter(s Breaker) {
	b.state = s
	b.transitions++
}

func (b *breakerAuthors) failureRate() float64 {
	if b.requests == 0 {
		return 0
	}
	return float64(b.failures) / float64(b.requests)
}

func (b *breakerAuthors) State(int64) State {
	return State{FailureRate: b.failureRate(), Breaker: b.state, Transitions: b.transitions}
}
