package policy

import "time"

// authorsRetry is the backoff and limit of the paper's own program: two retries
// of failed attempts, 200 ms doubling. The program numbers a delay by the attempt
// about to be made (0.1 s x 2^(n-1) for attempt n), so its first wait is 200 ms;
// it allows n <= 3, which is two retries; a rejected attempt is final.
func authorsRetry(jitter string, fraction float64) Retry {
	return Retry{
		MaxRetries: 2,
		Backoff:    Backoff{Kind: "exponential", Base: 200 * time.Millisecond, Multiplier: 2, Jitter: jitter, JitterFraction: fraction},
		RetryOn:    RetryOn{Failed: true},
	}
}

// authorsCount tells whether the program counts an outcome as a completion. A
// refusal (rejected, shed, blocked) leaves no trace in its policies; timeouts do
// not occur in it and count as failures here.
func authorsCount(o Outcome) (completed, failed bool) {
	switch o {
	case Success:
		return true, false
	case Failed, TimedOut:
		return true, true
	}
	return false, false
}
