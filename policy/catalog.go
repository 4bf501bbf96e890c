package policy

// Entry is one kind of policy in the catalog.
type Entry struct {
	Kind    string // name in model files
	Summary string // one line for people
	Default Spec   // every field at its default; a model file changes what it names
}

// Catalog lists every kind of policy in a fixed order. A new policy is one file
// and one line here.
func Catalog() []Entry {
	return []Entry{
		{"none", "never retry", None{}},
		{"retry", "retry with backoff and jitter, up to max_retries", DefaultRetry()},
		{"budget", "a static retry budget: a ratio of calls over a rolling window", DefaultBudget()},
		{"envoy_budget", "Envoy's retry budget: a share of the attempts in flight", DefaultEnvoyBudget()},
		{"grpc_throttle", "gRPC's retry throttling: a token pool that failures drain", DefaultGRPCThrottle()},
		{"sre_throttle", "client-side adaptive throttling of the SRE book; gates fresh calls and retries", DefaultSREThrottle()},
		{"breaker", "a circuit breaker that stops fresh calls and retries", DefaultStopBreaker()},
		{"breaker_retries", "a circuit breaker that gates retries only", DefaultRetryBreaker()},
		{"breaker_authors", "the circuit breaker of the paper's own program; gates retries only", DefaultBreakerAuthors()},
		{"arb", "Adaptive Retry Budgeting, Algorithm 1 of the paper", DefaultARB()},
		{"arb_authors", "Adaptive Retry Budgeting as the paper's own program has it", DefaultARBAuthors()},
	}
}

// Find gives the catalog's entry of that kind.
func Find(kind string) (Entry, bool) {
	for _, e := range Catalog() {
		if e.Kind == kind {
			return e, true
		}
	}
	return Entry{}, false
}
