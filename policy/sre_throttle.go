package policy

import "time"

// SREThrottle is client-side adaptive throttling as in the SRE book, chapter 21:
// over a window the client counts what it wanted to send and what the callee
// accepted, and refuses the next with probability
//
//	max(0, (requests - K accepts) / (requests + 1)).
//
// What it refuses itself counts as wanted, so it grows stricter while the callee
// refuses. It gates fresh calls and retries alike.
type SREThrottle struct {
	// K: up to K times what is accepted is sent. Default 2.
	K float64 `yaml:"k"`
	// Window of the counts. Default 2m.
	Window time.Duration `yaml:"window"`
	// Slots is the number of equal time slots of the window. Default 120.
	Slots int `yaml:"slots"`
	// Refusals are the outcomes that mean "not accepted". Default rejected, shed and timed_out: a
	// callee that answers with a failure of its own has accepted the work.
	Refusals RetryOn `yaml:"refusals"`
	// Retry is the retry under the throttle. Default as policy retry, but 2 retries (the book's 3 attempts).
	Retry Retry `yaml:"retry"`
}

// DefaultSREThrottle has the book's numbers.
func DefaultSREThrottle() SREThrottle {
	r := DefaultRetry()
	r.MaxRetries = 2
	return SREThrottle{
		K: 2, Window: 2 * time.Minute, Slots: 120,
		Refusals: RetryOn{Rejected: true, Shed: true, TimedOut: true}, Retry: r,
	}
}

// Kind implements Spec.
func (SREThrottle) Kind() string { return "sre_throttle" }

// Problems implements Spec.
func (s SREThrottle) Problems() []Problem {
	var p problems
	p.between("k", s.K, 1, 1000)
	p.slots("", s.Window, s.Slots)
	return append(p, s.Retry.problems("retry.")...)
}

// New implements Spec.
func (s SREThrottle) New() Policy {
	return &sreThrottle{spec: s, counts: newWindow(int64(s.Window)/int64(s.Slots), s.Slots)}
}

type sreThrottle struct {
	Base
	spec   SREThrottle
	counts window // a requests, b accepts
}

func (s *sreThrottle) Reset(Env) { s.counts.reset(0) }

func (*sreThrottle) Watches() Events { return WatchFresh | WatchEnd }

func (s *sreThrottle) AllowFresh(now int64, u float64) bool { return s.pass(now, u) }

// pass decides about one request and counts it, whatever the answer.
func (s *sreThrottle) pass(now int64, u float64) bool {
	refused := u < s.refusal(now)
	s.counts.add(now, 1, 0)
	return !refused
}

func (s *sreThrottle) refusal(now int64) float64 {
	requests, accepts := s.counts.total(now)
	return max(0, (float64(requests)-s.spec.K*float64(accepts))/float64(requests+1))
}

func (s *sreThrottle) AttemptEnd(now int64, a *Attempt) {
	if a.Outcome != Cancelled && !s.spec.Refusals.Has(a.Outcome) {
		s.counts.add(now, 0, 1)
	}
}

func (s *sreThrottle) Retry(now int64, a *Attempt, u Draws) Decision {
	d := s.spec.Retry.decideInTime(now, a, u)
	if d.Deny == Allowed && !s.pass(now, u.Coin) {
		return Decision{Deny: CoinRefused}
	}
	return d
}

// State shows the probability to pass as the budget and to be refused as the failure rate.
func (s *sreThrottle) State(now int64) State {
	p := s.refusal(now)
	return State{Budget: 1 - p, FailureRate: p}
}
