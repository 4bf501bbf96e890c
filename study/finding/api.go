package finding

import "time"

// API is one row of a detector's table: a library entry point with the
// defaults that hold when the code says nothing.
type API struct {
	// Name is Finding.API.
	Name string
	// Mechanism and Rule are as in Finding.
	Mechanism, Rule string
	// Count says how the API's number is read.
	Count CountRule
	// DefaultCount is the raw default count (in the API's own counting).
	DefaultCount int64
	// DefaultUnlimited means the default is "for ever"; it wins over DefaultCount.
	DefaultUnlimited bool
	// DefaultUnknown means that there is no default that could be known from
	// the call alone (the count is set elsewhere).
	DefaultUnknown bool
	// DefaultBound is the bound when DefaultUnlimited ("" = BoundNone).
	DefaultBound string
	// Backoff, Base, Cap and Jitter are the defaults of the wait.
	Backoff   string
	Base, Cap time.Duration
	Jitter    string
	// Local marks APIs whose resource is not a dependency (file system, port).
	Local bool
}

// New returns a finding at a line with the API's defaults filled in and marked
// as defaults.
func (a *API) New(line, spanEnd int) Finding {
	f := Finding{
		Line: line, SpanEnd: spanEnd, API: a.Name, Mechanism: a.Mechanism, Rule: a.Rule,
		Backoff: a.Backoff, Base: a.Base, Cap: a.Cap,
		Jitter: a.Jitter, JitterSource: SourceDefault,
		Scope: ScopeRemote, Confidence: High,
	}
	if a.Local {
		f.Scope = ScopeLocal
	}
	switch {
	case a.DefaultUnknown:
		f.SetRuntime()
	case a.DefaultUnlimited:
		bound := a.DefaultBound
		if bound == "" {
			bound = BoundNone
		}
		f.SetUnlimited(bound, SourceDefault)
	default:
		a.Count.Apply(&f, a.DefaultCount, SourceDefault)
	}
	return f
}
