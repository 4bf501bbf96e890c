package policy

// RetryBreaker is a circuit breaker that gates retries only: fresh calls always
// pass, and their results count while it is closed. Half-open, only results of
// retries judge it, for they are the probes; a fresh call's failure is what makes
// a probe possible and must not use it up. (The program behind the paper lets any
// result judge: see [BreakerAuthors].)
type RetryBreaker struct {
	// Trip says when it opens and closes.
	Trip Trip `yaml:"trip"`
	// Retry is the retry that it gates. Default as policy retry.
	Retry Retry `yaml:"retry"`
}

// DefaultRetryBreaker has the defaults of its parts.
func DefaultRetryBreaker() RetryBreaker {
	return RetryBreaker{Trip: DefaultTrip(), Retry: DefaultRetry()}
}

// Kind implements Spec.
func (RetryBreaker) Kind() string { return "breaker_retries" }

// Problems implements Spec.
func (s RetryBreaker) Problems() []Problem {
	return append(s.Trip.problems("trip."), s.Retry.problems("retry.")...)
}

// New implements Spec.
func (s RetryBreaker) New() Policy { return &retryBreaker{retry: s.Retry, tripper: newTripper(s.Trip)} }

type retryBreaker struct {
	Base
	retry   Retry
	tripper tripper
}

func (b *retryBreaker) Reset(Env) { b.tripper.reset() }

func (*retryBreaker) Watches() Events { return WatchEnd }

func (b *retryBreaker) AttemptEnd(now int64, a *Attempt) { b.tripper.record(now, a, a.Number > 1) }

func (b *retryBreaker) Retry(now int64, a *Attempt, u Draws) Decision {
	return b.tripper.gate(now, b.retry.decideInTime(now, a, u))
}

func (b *retryBreaker) State(now int64) State { return b.tripper.shown(now) }
