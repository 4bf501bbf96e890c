package finding

// Delay is what a front end saw of the wait between two attempts; Kind turns it
// into a backoff kind, the same way for every language.
type Delay struct {
	// Waits is true when some wait lies on the path from a failure to the next attempt.
	Waits bool
	// Unresolved is true when the wait's length comes from somewhere not read.
	Unresolved bool
	// Power: the wait contains base**attempt, 1<<attempt, pow(x, attempt), or
	// a variable that is multiplied by a factor other than one on each pass.
	Power bool
	// Polynomial: attempt*attempt or attempt**constant.
	Polynomial bool
	// Step: the wait contains attempt*constant, or a variable that a constant
	// is added to on each pass.
	Step bool
	// Server: the wait's length is taken from the answer (Retry-After).
	Server bool
	// Random: a random value flows into the wait.
	Random bool
}

// Kind returns the backoff kind and sub-kind.
func (d Delay) Kind() (kind, sub string) {
	switch {
	case !d.Waits:
		return BackoffNone, ""
	case d.Power:
		return BackoffExponential, ""
	case d.Polynomial:
		return BackoffExponential, "polynomial"
	case d.Step:
		return BackoffLinear, ""
	case d.Server:
		return BackoffServer, ""
	case d.Unresolved:
		return BackoffUnknown, ""
	}
	return BackoffConstant, ""
}

// Apply records the wait in f.
func (d Delay) Apply(f *Finding) {
	f.Backoff, f.BackoffSub = d.Kind()
	f.Jitter, f.JitterSource = No, SourceFlow
	if d.Random {
		f.Jitter = Yes
	} else if d.Unresolved {
		f.JitterSource = SourceUnknown
	}
}
