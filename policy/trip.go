package policy

import "time"

// Trip says when a circuit breaker opens and how it closes again. The paper names
// only 50% and 30 s; the rest is this project's choice after the production
// breakers (docs/arb.md, item 22).
//
// Closed: every counted result is judged, successes too. Open: nothing passes and
// results count for nothing. Strictly later than the open time the first to ask
// finds the breaker half-open: Probes attempts pass, and once as many results are
// in, their failure ratio opens or closes it. A result counts only if its attempt
// was sent at or after the last change of state, so what was under way before a
// change never judges the state after it.
type Trip struct {
	// Window is the time over which results are counted. Default 10s.
	Window time.Duration `yaml:"window"`
	// Slots is the number of equal time slots of the window, the unfinished one included. Default 10.
	Slots int `yaml:"slots"`
	// MinimumCalls is the number of results in the window below which the breaker stays closed. Default 20.
	MinimumCalls int `yaml:"minimum_calls"`
	// FailureRatio opens it: failures/results at or above this, in (0,1]. Default 0.5.
	FailureRatio float64 `yaml:"failure_ratio"`
	// Open is how long it stays open. Default 30s.
	Open time.Duration `yaml:"open"`
	// Probes is the number of attempts that pass half-open. Default 1.
	Probes int `yaml:"probes"`
	// ProbeWait: if all probes are out and none was let through for longer than this, those without
	// a result are taken as lost and replaced; 0 waits for ever, so a lost probe blocks. Default 30s.
	ProbeWait time.Duration `yaml:"probe_wait"`
	// Failures are the outcomes that count as failures. An outcome that is neither in it nor a
	// success is not counted at all. Default failed, rejected, shed and timed_out.
	Failures RetryOn `yaml:"failures"`
}

// DefaultTrip is 50% of at least 20 calls in 10 s, open for 30 s, one probe.
func DefaultTrip() Trip {
	return Trip{
		Window: 10 * time.Second, Slots: 10, MinimumCalls: 20, FailureRatio: 0.5,
		Open: 30 * time.Second, Probes: 1, ProbeWait: 30 * time.Second, Failures: everyFailure(),
	}
}

func (t *Trip) problems(prefix string) []Problem {
	var p problems
	p.slots(prefix, t.Window, t.Slots)
	p.between(prefix+"minimum_calls", float64(t.MinimumCalls), 1, maxCount)
	p.ratio(prefix+"failure_ratio", t.FailureRatio)
	p.atLeastTime(prefix+"open", t.Open, 0)
	p.between(prefix+"probes", float64(t.Probes), 1, maxCount)
	p.atLeastTime(prefix+"probe_wait", t.ProbeWait, 0)
	return p
}

// tripper is the state of a breaker; who asks it and for what is its owner's choice.
type tripper struct {
	rule        Trip
	calls       window // a results, b failures
	state       Breaker
	since       int64 // ns, the last change of state
	permits     int   // probes let through since half-open began
	lastPermit  int64 // ns
	results     int   // of probes
	bad         int   // failures among results
	transitions int64
}

func newTripper(rule Trip) tripper {
	return tripper{rule: rule, calls: newWindow(int64(rule.Window)/int64(rule.Slots), rule.Slots-1)}
}

func (t *tripper) reset() {
	t.calls.reset(0)
	*t = tripper{rule: t.rule, calls: t.calls}
}

// permit says whether an attempt may pass now; half-open it takes a probe's place.
func (t *tripper) permit(now int64) bool {
	if t.state == Open && now-t.since > int64(t.rule.Open) {
		t.enter(HalfOpen, now)
		t.permits, t.results, t.bad = 0, 0, 0
	}
	switch t.state {
	case Closed:
		return true
	case Open:
		return false
	}
	if wait := int64(t.rule.ProbeWait); wait > 0 && t.permits >= t.rule.Probes && now-t.lastPermit > wait {
		t.permits = t.results
	}
	if t.permits >= t.rule.Probes {
		return false
	}
	t.permits++
	t.lastPermit = now
	return true
}

// record takes in how an attempt ended. probe says whether a result may judge the half-open breaker.
func (t *tripper) record(now int64, a *Attempt, probe bool) {
	if now-a.RTT < t.since {
		return // sent before the last change of state
	}
	failed := t.rule.Failures.Has(a.Outcome)
	counted := failed || a.Outcome == Success
	switch {
	case t.state == Closed && counted:
		t.calls.add(now, 1, b2i(failed))
		if n, bad := t.calls.total(now); n >= int64(t.rule.MinimumCalls) && t.tooMany(bad, n) {
			t.enter(Open, now)
		}
	case t.state == HalfOpen && probe && counted:
		t.results++
		t.bad += int(b2i(failed))
		t.conclude(now)
	case t.state == HalfOpen && probe:
		t.permits = max(t.permits-1, t.results) // an uncounted end gives its place back
	}
}

// conclude opens or closes the half-open breaker once all probes have answered.
func (t *tripper) conclude(now int64) {
	if t.results < t.rule.Probes {
		return
	}
	if t.tooMany(int64(t.bad), int64(t.results)) {
		t.enter(Open, now)
		return
	}
	t.enter(Closed, now)
}

func (t *tripper) tooMany(bad, n int64) bool {
	return float64(bad)/float64(n) >= t.rule.FailureRatio
}

// enter changes the state; every state begins with an empty window.
func (t *tripper) enter(s Breaker, now int64) {
	t.state, t.since = s, now
	t.calls.reset(now)
	t.transitions++
}

func (t *tripper) shown(now int64) State {
	s := State{Breaker: t.state, Transitions: t.transitions}
	if n, bad := t.calls.total(now); n > 0 {
		s.FailureRate = float64(bad) / float64(n)
	}
	return s
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
