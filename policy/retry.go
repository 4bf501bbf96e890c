package policy

// Retry is the standard retry: up to MaxRetries retries, with backoff.
type Retry struct {
	// MaxRetries is the number of retries after the first attempt (max attempts = MaxRetries + 1). Default 3.
	MaxRetries int `yaml:"max_retries"`
	// Backoff is the wait before each retry.
	Backoff Backoff `yaml:"backoff"`
	// RetryOn says which outcomes are retried. Default failed, rejected, shed and timed_out.
	RetryOn RetryOn `yaml:"retry_on"`
}

// RetryOn is the set of outcomes that are retried.
type RetryOn struct {
	Failed   bool `yaml:"failed"`
	Rejected bool `yaml:"rejected"`
	Shed     bool `yaml:"shed"`
	TimedOut bool `yaml:"timed_out"`
}

// Has tells whether an outcome is retried.
func (r RetryOn) Has(o Outcome) bool {
	switch o {
	case Failed:
		return r.Failed
	case Rejected:
		return r.Rejected
	case Shed:
		return r.Shed
	case TimedOut:
		return r.TimedOut
	}
	return false
}

// DefaultRetry is three retries at 100, 200 and 400 ms +-25% of every outcome that a callee can cause.
func DefaultRetry() Retry {
	return Retry{MaxRetries: 3, Backoff: DefaultBackoff(), RetryOn: everyFailure()}
}

// everyFailure is every outcome that a callee can cause, success apart.
func everyFailure() RetryOn { return RetryOn{Failed: true, Rejected: true, Shed: true, TimedOut: true} }

// Kind implements Spec.
func (Retry) Kind() string { return "retry" }

// Problems implements Spec.
func (r Retry) Problems() []Problem { return r.problems("") }

func (r *Retry) problems(prefix string) []Problem {
	var p problems
	p.between(prefix+"max_retries", float64(r.MaxRetries), 0, 1<<15)
	return append(p, r.Backoff.Problems(prefix+"backoff.")...)
}

// New implements Spec.
func (r Retry) New() Policy {
	p := &retry{spec: r}
	p.low, p.span, p.linear = r.Backoff.spread()
	for k := range p.levels {
		p.levels[k] = r.Backoff.level(k)
	}
	return p
}

// retry has the waits of the first retries worked out, because the simulator asks often.
type retry struct {
	Base
	spec      Retry
	levels    [8]float64 // wait before retry k, jitter aside
	low, span float64    // jitter: what it multiplies the wait by is low + span u,
	linear    bool       // if it is of that form
}

func (*retry) Reset(Env) {}

func (r *retry) Retry(_ int64, a *Attempt, u Draws) Decision {
	if !r.linear || a.Number >= len(r.levels) {
		return r.spec.decide(a, u)
	}
	if deny := r.spec.denied(a); deny != Allowed {
		return Decision{Deny: deny}
	}
	return Decision{Delay: clampNs(r.levels[a.Number] * (r.low + r.span*u.Jitter))}
}

// decide is the stateless part that every other policy builds on: what is retried, how often, after what wait.
func (r *Retry) decide(a *Attempt, u Draws) Decision {
	if deny := r.denied(a); deny != Allowed {
		return Decision{Deny: deny}
	}
	return Decision{Delay: r.Backoff.Delay(a.Number, a.PrevDelay, u.Jitter)}
}

// decideInTime is decide for policies that hand out something scarce: it also
// refuses a retry that would start at or after the deadline, before the scarce
// thing is taken for nothing.
func (r *Retry) decideInTime(now int64, a *Attempt, u Draws) Decision {
	d := r.decide(a, u)
	if d.Deny == Allowed && a.Deadline > 0 && now+d.Delay >= a.Deadline {
		return Decision{Deny: DeadlineHit}
	}
	return d
}

// denied says why an attempt may not be retried whatever the state, or Allowed.
func (r *Retry) denied(a *Attempt) Reason {
	if !r.RetryOn.Has(a.Outcome) {
		return NotRetried
	}
	if a.Number > r.MaxRetries {
		return LimitHit
	}
	return Allowed
}
