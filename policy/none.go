package policy

// None never retries.
type None struct{}

// Kind implements Spec.
func (None) Kind() string { return "none" }

// Problems implements Spec.
func (None) Problems() []Problem { return nil }

// New implements Spec.
func (None) New() Policy { return none{} }

type none struct{ Base }

func (none) Reset(Env) {}

func (none) Retry(int64, *Attempt, Draws) Decision { return Decision{Deny: LimitHit} }
