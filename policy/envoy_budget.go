package policy

// EnvoyBudget is Envoy's retry budget on concurrency: a retry is allowed while
// the retries outstanding are fewer than a share of the attempts in flight, or
// than a floor. A retry is outstanding from its scheduling to its end, but in
// flight only once it is sent, so those that wait out their backoff press on the
// limit without raising it; and the attempt that just failed is no longer in
// flight. There is no connection pool here, hence no pending requests.
// (Envoy's resource manager and retry state; defaults of its API of 2026.)
type EnvoyBudget struct {
	// BudgetPercent of the attempts in flight may be retries, truncated to a whole number. Default 20.
	BudgetPercent float64 `yaml:"budget_percent"`
	// MinRetryConcurrency is the floor of the limit. Default 3.
	MinRetryConcurrency int `yaml:"min_retry_concurrency"`
	// Retry is the retry under the budget. Default as policy retry (Envoy's own: 1 retry, full jitter below 25 ms).
	Retry Retry `yaml:"retry"`
}

// DefaultEnvoyBudget is 20% and 3.
func DefaultEnvoyBudget() EnvoyBudget {
	return EnvoyBudget{BudgetPercent: 20, MinRetryConcurrency: 3, Retry: DefaultRetry()}
}

// Kind implements Spec.
func (EnvoyBudget) Kind() string { return "envoy_budget" }

// Problems implements Spec.
func (s EnvoyBudget) Problems() []Problem {
	var p problems
	p.between("budget_percent", s.BudgetPercent, 0, 100)
	p.between("min_retry_concurrency", float64(s.MinRetryConcurrency), 0, maxCount)
	return append(p, s.Retry.problems("retry.")...)
}

// New implements Spec.
func (s EnvoyBudget) New() Policy { return &envoyBudget{spec: s} }

type envoyBudget struct {
	Base
	spec      EnvoyBudget
	active    int  // attempts in flight
	retries   int  // outstanding, in flight or in backoff
	cancelled bool // an attempt in flight was just cancelled; its call's end follows
}

func (b *envoyBudget) Reset(Env) { *b = envoyBudget{spec: b.spec} }

func (*envoyBudget) Watches() Events { return WatchStart | WatchEnd | WatchCall }

func (b *envoyBudget) AttemptStart(int64, int) { b.active++ }

func (b *envoyBudget) AttemptEnd(_ int64, a *Attempt) {
	b.active = max(b.active-1, 0)
	if a.Number > 1 {
		b.giveBack() // a call's own slot is free again before its next decision
	}
	b.cancelled = a.Outcome == Cancelled
}

// CallEnd frees the slot of a call that was cancelled in its backoff; that of one
// cancelled in flight is free already.
func (b *envoyBudget) CallEnd(_ int64, o Outcome, _ int) {
	if o == Cancelled && !b.cancelled {
		b.giveBack()
	}
	b.cancelled = false
}

func (b *envoyBudget) giveBack() { b.retries = max(b.retries-1, 0) }

func (b *envoyBudget) Retry(now int64, a *Attempt, u Draws) Decision {
	d := b.spec.Retry.decideInTime(now, a, u)
	if d.Deny != Allowed {
		return d
	}
	if b.retries >= b.limit() {
		return Decision{Deny: BudgetEmpty}
	}
	b.retries++
	return d
}

func (b *envoyBudget) limit() int {
	return max(int(b.spec.BudgetPercent/100*float64(b.active)), b.spec.MinRetryConcurrency)
}

// State shows how many more retries may be outstanding.
func (b *envoyBudget) State(int64) State { return State{Budget: float64(b.limit() - b.retries)} }
