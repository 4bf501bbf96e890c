package policy

// StopBreaker is a circuit breaker that stops traffic: open, it blocks fresh
// calls and retries alike. It sits inside the retry, so it sees every attempt,
// and it is asked about a retry when the retry is scheduled, before the backoff:
// a retry scheduled before the breaker opened is still sent.
type StopBreaker struct {
	// Trip says when it opens and closes.
	Trip Trip `yaml:"trip"`
	// Retry is the retry around it. Default as policy retry.
	Retry Retry `yaml:"retry"`
}

// DefaultStopBreaker has the defaults of its parts.
func DefaultStopBreaker() StopBreaker {
	return StopBreaker{Trip: DefaultTrip(), Retry: DefaultRetry()}
}

// Kind implements Spec.
func (StopBreaker) Kind() string { return "breaker" }

// Problems implements Spec.
func (s StopBreaker) Problems() []Problem {
	return append(s.Trip.problems("trip."), s.Retry.problems("retry.")...)
}

// New implements Spec.
func (s StopBreaker) New() Policy { return &stopBreaker{retry: s.Retry, tripper: newTripper(s.Trip)} }

type stopBreaker struct {
	Base
	retry   Retry
	tripper tripper
}

func (b *stopBreaker) Reset(Env) { b.tripper.reset() }

func (*stopBreaker) Watches() Events { return WatchFresh | WatchEnd }

func (b *stopBreaker) AllowFresh(now int64, _ float64) bool { return b.tripper.permit(now) }

func (b *stopBreaker) AttemptEnd(now int64, a *Attempt) { b.tripper.record(now, a, true) }

func (b *stopBreaker) Retry(now int64, a *Attempt, u Draws) Decision {
	return b.tripper.gate(now, b.retry.decideInTime(now, a, u))
}

func (b *stopBreaker) State(now int64) State { return b.tripper.shown(now) }

// gate lets a decision to retry pass or refuses it. It is asked last, so that only
// retries that will be made take the place of a probe.
func (t *tripper) gate(now int64, d Decision) Decision {
	if d.Deny == Allowed && !t.permit(now) {
		return Decision{Deny: BreakerOpen}
	}
	return d
}
