package finding

import "time"

// Finding is one retry construct in one file: facts only, no code text.
// Strings with a closed set of values use the constants of enums.go.
type Finding struct {
	// Repo is owner/name, or the folder's name for a local tree. Set by the scanner.
	Repo string
	// Commit is the full hash, empty for a tree that is not under git. Set by the scanner.
	Commit string
	// Path is slash separated and relative to the repository's root. Set by the scanner.
	Path string
	// Line is the first line of the construct, from 1: the decorator's, the
	// call's, the loop statement's, or the guard's or timer's when there is no loop.
	Line int
	// SpanEnd is the last line of the construct, at least Line.
	SpanEnd int
	// Language is one of the Lang constants.
	Language string
	// Mechanism is one of the Mech constants.
	Mechanism string
	// API names the library and the function or key, "tenacity.retry", "go-retryablehttp",
	// "envoy.retry_policy"; empty for hand-rolled code.
	API string
	// Rule is the rule that fired, one of the Rule constants.
	Rule string
	// Form is how hand-rolled code repeats, one of the Form constants; empty for libraries.
	Form string

	// Bound is what ends the retrying, one of the Bound constants.
	Bound string
	// TotalAttempts counts the first attempt too; 0 = not known from the source.
	TotalAttempts int64
	// Unlimited means no count, time or deadline limit was found or the API says "for ever".
	Unlimited bool
	// CountSource says where the count comes from, one of the Source constants.
	CountSource string

	// Backoff is the wait's shape between attempts, one of the Backoff constants.
	Backoff string
	// BackoffSub refines it: "polynomial", "fibonacci", "doubling", "random"; empty otherwise.
	BackoffSub string
	// Base is the first wait; 0 = none or not known.
	Base time.Duration
	// Cap is the longest wait; 0 = none or not known.
	Cap time.Duration
	// Jitter is Yes, No or Unknown: does a random value flow into the wait.
	Jitter string
	// JitterSource says how Jitter is known, one of the Source constants.
	JitterSource string

	// Failures lists the failures that are retried as the code names them
	// ("ConnectionError, Timeout", "503"); empty = all or not known.
	Failures string
	// Production is false under test, sample, documentation and similar path segments.
	Production bool
	// Scope is ScopeRemote or ScopeLocal: what kind of resource is tried again.
	Scope string
	// Confidence is High, Medium or Low.
	Confidence string
	// Disabled marks a configuration that switches retrying off (a count of zero).
	Disabled bool
	// Note is a short plain remark of the detector, never code.
	Note string

	// Function is the simple name of the enclosing function, for the advice on
	// nested retries; never published.
	Function string
	// Operation is the simple name of the repeated callee, likewise never published.
	Operation string
}

// Retries is the number of attempts after the first; known is false when the
// total is unknown or unlimited.
func (f *Finding) Retries() (n int64, known bool) {
	if f.TotalAttempts <= 0 || f.Unlimited {
		return 0, false
	}
	return f.TotalAttempts - 1, true
}

// SetUnlimited records that nothing limits the number of attempts. bound is
// BoundNone, or BoundElapsed or BoundDeadline when time alone ends it. What an
// earlier count switched off is on again.
func (f *Finding) SetUnlimited(bound, source string) {
	f.TotalAttempts, f.Unlimited, f.Disabled = 0, true, false
	f.Bound, f.CountSource = bound, source
}

// SetTotal records a count of total attempts, the first included. A count of
// one or less is a disabled configuration.
func (f *Finding) SetTotal(total int64, source string) {
	f.TotalAttempts, f.Unlimited = max(total, 1), false
	f.Bound, f.CountSource = BoundCount, source
	f.Disabled = total <= 1
}

// SetRuntime records a count bound whose number is only known at run time. What
// an earlier count switched off is on again.
func (f *Finding) SetRuntime() {
	f.TotalAttempts, f.Unlimited, f.Disabled = 0, false, false
	f.Bound, f.CountSource = BoundCount, SourceRuntime
}

// Finish fills the fields a detector may leave empty. The scanner calls it once
// for every finding.
func (f *Finding) Finish(file *File) {
	f.Repo, f.Commit, f.Path = file.Repo, file.Commit, file.Path
	f.Production = Production(file.Path)
	f.SpanEnd = max(f.SpanEnd, f.Line)
	for _, d := range []struct {
		field *string
		value string
	}{
		{&f.Language, LanguageOf(file.Path)},
		{&f.Bound, BoundUnknown},
		{&f.CountSource, SourceUnknown},
		{&f.Backoff, BackoffUnknown},
		{&f.Jitter, Unknown},
		{&f.JitterSource, SourceUnknown},
		{&f.Scope, ScopeRemote},
		{&f.Confidence, Medium},
	} {
		if *d.field == "" {
			*d.field = d.value
		}
	}
}
