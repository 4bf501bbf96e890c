package finding

// Shape describes one construct that repeats, in words that hold in every
// language. A front end fills it from the syntax tree (comments and strings do
// not count as words) and asks Judge.
type Shape struct {
	// Form is one of the Form constants.
	Form string
	// Operation is true when the repeated part calls something that can fail
	// and is not a pure helper (log, sleep, append, formatting).
	Operation bool
	// FailureRepeats: a failure of the operation (handler of an exception,
	// test of an error, of a failed status, of a false "ok") leads back to the
	// same operation on at least one path.
	FailureRepeats bool
	// FailureWaits: a wait or a growth of the delay lies inside the failure
	// branch itself, so that only a failure pays it.
	FailureWaits bool
	// SuccessWaits: a wait lies on the path that success alone takes, so that
	// the construct has a pace of its own.
	SuccessWaits bool
	// FailureCounts: a counter is moved or compared inside the failure branch.
	FailureCounts bool
	// SuccessLeaves: when the operation succeeds the construct is left
	// (return, break, flag that ends the loop).
	SuccessLeaves bool
	// ValueRepeats: a *normal* answer that is not the wanted one leads back
	// (status not ready, count not reached): the mark of polling.
	ValueRepeats bool
	// Cursor: an argument of the operation is taken from its previous answer
	// (page token, offset, marker).
	Cursor bool
	// EachItem: the construct walks over a collection and the item is the
	// operation's argument, so that the next pass is different work.
	EachItem bool
	// Counted: a pass counter with a limit that has nothing to do with a collection.
	Counted bool
	// Waits: a wait lies anywhere between two passes.
	Waits bool
	// RetryWord: an identifier in the construct or the enclosing function's
	// name contains a word of RetryWord.
	RetryWord bool
	// PollWord: likewise for PollWord, in the operation's or the function's name.
	PollWord bool
	// Periodic: the construct is a service loop (consumes messages, ticks,
	// serves connections) that goes round after success too.
	Periodic bool
}

// Verdict is Judge's answer.
type Verdict struct {
	// Retry is the decision.
	Retry bool
	// Confidence is High, Medium or Low when Retry is true.
	Confidence string
	// Why names the deciding fact in a few words, for debugging and reports.
	Why string
}

// Judge decides whether a construct is a retry.
func Judge(s Shape) Verdict {
	switch {
	case !s.Operation:
		return Verdict{Why: "no operation that can fail"}
	case !s.FailureRepeats:
		return Verdict{Why: "no failure leads back"}
	case s.Cursor && !s.FailureWaits && !s.FailureCounts:
		return Verdict{Why: "pagination"}
	case s.EachItem && !(s.SuccessLeaves && s.RetryWord && (s.Counted || s.Waits || s.FailureWaits || s.FailureCounts)):
		return Verdict{Why: "next pass is other work"}
	case !s.SuccessLeaves && !s.FailureWaits && !s.FailureCounts && !(s.RetryWord && s.Counted):
		return Verdict{Why: "goes round after success too"}
	case s.Periodic && !s.FailureWaits && !(s.RetryWord && s.FailureCounts):
		return Verdict{Why: "service loop"}
	case s.Periodic && s.SuccessWaits && !s.FailureCounts:
		return Verdict{Why: "periodic work with a shorter pause after failure"}
	case s.ValueRepeats && s.PollWord && !(s.FailureWaits || s.FailureCounts):
		return Verdict{Why: "polling"}
	}
	points := 0
	for _, yes := range []bool{s.SuccessLeaves, s.Waits || s.FailureWaits, s.Counted || s.FailureCounts, s.RetryWord} {
		if yes {
			points++
		}
	}
	if s.FailureWaits && !s.SuccessWaits { // only a failure pays the wait: it is made for trying again
		points++
	}
	if s.ValueRepeats {
		points--
	}
	if s.PollWord && !s.RetryWord {
		points--
	}
	switch {
	case points >= 3:
		return Verdict{true, High, "failure repeats the operation"}
	case points == 2:
		return Verdict{true, Medium, "failure repeats the operation"}
	case points == 1 && s.RetryWord:
		return Verdict{true, Low, "weak evidence"}
	}
	return Verdict{Why: "too little evidence"}
}
