// Package policy holds retry strategies as pure decisions.
//
// A policy decides for one client instance towards one downstream: whether a
// fresh call may be sent, and whether and when a failed attempt is retried. It
// sees the time and uniform draws as arguments and has no clock, no goroutine,
// no input or output and no random source of its own, so the simulator and a
// live client run the same code.
//
// A [Spec] is the comparable description of a policy (what a model file holds),
// [Spec.New] makes its state. [Catalog] lists every kind.
package policy

// Outcome is how one attempt, or one call, ended.
type Outcome uint8

// The outcomes. Blocked never reaches the wire: the caller's own policy refused.
const (
	Success   Outcome = iota
	Failed            // the callee answered with a failure, its own or one from below it
	TimedOut          // the caller's timeout or deadline fired first
	Rejected          // the callee's admission limit was reached
	Shed              // the callee's own policy refused the work
	Blocked           // the caller's policy refused to send
	Cancelled         // nobody waits for the answer any more
)

// String gives the word used in model files and result columns.
func (o Outcome) String() string { return outcomeNames[o] }

var outcomeNames = [...]string{"success", "failed", "timed_out", "rejected", "shed", "blocked", "cancelled"}

// Signal is the overload state that a reply carries (paper, eq. 4).
type Signal uint8

// The signal levels. Urgent is the authors' second threshold, 0.9 instead of 0.8.
const (
	Calm Signal = iota
	Overloaded
	Urgent
)

// Attempt is what a policy is told about an attempt that has ended.
type Attempt struct {
	Number    int     // from 1; retries are 2 and up
	Outcome   Outcome //
	Signal    Signal  // overload state of the callee as its reply told it; Calm if there was no reply
	RTT       int64   // ns from sending to the end
	PrevDelay int64   // ns waited before this attempt; 0 for the first
	Deadline  int64   // ns, absolute; 0 if the call has none
	Pushback  int64   // ns the server asks to wait; negative if it did not ask
}

// Draws are the uniform draws in [0,1) of one retry decision, one per use, so that
// a policy that needs no coin leaves the jitter draw untouched.
type Draws struct {
	Coin   float64
	Jitter float64
}

// Reason says why a retry was not made.
type Reason uint8

// The reasons. Allowed is the zero value.
const (
	Allowed      Reason = iota
	NotRetried          // the policy does not retry this outcome
	LimitHit            // max attempts reached
	BudgetEmpty         // a retry budget refused
	CoinRefused         // a probabilistic policy's draw refused
	BreakerOpen         // a circuit breaker refused
	Backpressure        // the downstream signals overload
	DeadlineHit         // the retry would start at or after the deadline
)

// Reasons is the number of reasons, for tallies indexed by one.
const Reasons = 8

// String gives the word used in result columns.
func (r Reason) String() string { return reasonNames[r] }

var reasonNames = [Reasons]string{"allowed", "not_retried", "limit", "budget", "coin", "breaker", "backpressure", "deadline"}

// Decision answers Retry: wait Delay ns and retry if Deny is Allowed.
type Decision struct {
	Delay int64
	Deny  Reason
}

// Events names the calls a policy wants; the simulator skips the others.
type Events uint8

// The events a policy may watch. Retry is always asked.
const (
	WatchFresh Events = 1 << iota // AllowFresh
	WatchStart                    // AttemptStart
	WatchEnd                      // AttemptEnd
	WatchCall                     // CallEnd
)

// State is what a policy shows of itself in the window series.
type State struct {
	Budget      float64 // retry budget in the policy's own unit (ARB: B); 0 if it has none
	FailureRate float64 // the failure rate it believes in (ARB: f_r); 0 if it keeps none
	Breaker     Breaker //
	Transitions int64   // breaker state changes, or ARB tightenings and relaxations, so far
}

// Breaker is the state of a circuit breaker.
type Breaker uint8

// The breaker states; a policy without one is Closed.
const (
	Closed Breaker = iota
	HalfOpen
	Open
)

// Policy is the state of one policy in one client instance towards one downstream.
// Times are int64 nanoseconds from any fixed origin and never go backwards.
// Periodic work is caught up lazily: a policy needs no timer.
type Policy interface {
	// Reset returns the policy to its first state, at time zero.
	Reset(env Env)
	// Watches tells which of the four On-methods below do anything.
	Watches() Events
	// AllowFresh says whether attempt 1 of a call may be sent; u is in [0,1).
	AllowFresh(now int64, u float64) bool
	// AttemptStart tells that attempt number n is sent.
	AttemptStart(now int64, n int)
	// AttemptEnd tells how an attempt ended, before Retry is asked about it.
	AttemptEnd(now int64, a *Attempt)
	// CallEnd tells that a call ended after that many attempts.
	CallEnd(now int64, o Outcome, attempts int)
	// Retry decides about an attempt that did not succeed.
	Retry(now int64, a *Attempt, u Draws) Decision
	// State shows the policy's state at time now.
	State(now int64) State
}

// Env is what a policy may know of its surroundings when a trial starts.
type Env struct {
	BaseRate float64 // base load of the edge, fresh calls per second of one client instance; 0 if unknown
	Phase    float64 // in [0,1): where in its period a periodic policy starts
}

// Spec describes a policy. Implementations are comparable structs, so two specs
// are equal when == says so. Fields carry yaml tags; durations are time.Duration.
type Spec interface {
	// Kind is the policy's name in the catalog and in model files.
	Kind() string
	// New makes the policy's state, already Reset with a zero Env.
	New() Policy
	// Problems lists everything wrong with the spec.
	Problems() []Problem
}

// Problem is one mistake in a spec.
type Problem struct {
	Field string // path of the field inside the spec, as in a model file, e.g. "backoff.base"
	Text  string // what is wrong and what is expected: "must be at least 0, got -1"
}

// Base is embedded by policies that do not watch everything.
type Base struct{}

// Watches implements Policy: nothing.
func (Base) Watches() Events { return 0 }

// AllowFresh implements Policy: always.
func (Base) AllowFresh(int64, float64) bool { return true }

// AttemptStart implements Policy.
func (Base) AttemptStart(int64, int) {}

// AttemptEnd implements Policy.
func (Base) AttemptEnd(int64, *Attempt) {}

// CallEnd implements Policy.
func (Base) CallEnd(int64, Outcome, int) {}

// State implements Policy: nothing to show.
func (Base) State(int64) State { return State{} }
