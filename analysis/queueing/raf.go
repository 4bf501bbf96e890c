package queueing

import "math"

// RAFSingle returns the retry amplification of one retrying edge in front of a
// service whose attempts fail with probability p:
//
//	RAF = sum over k = 0..maxRetries of p^k.
//
// Source: the paper, eq. 2. It is exact when nothing else fails and capacity is
// infinite.
func RAFSingle(p float64, maxRetries int) float64 {
	return Attempts{Failure: p, MaxRetries: maxRetries}.Mean()
}

// RAFChain returns the paper's aggregate for a chain of depth services that all
// fail with probability p and are all called with maxRetries retries:
//
//	((1 - p^(maxRetries+1)) / (1 - p))^depth.
//
// Source: the paper, eq. 3, where it is called a bound. It is neither a bound
// nor the value: with failures at the leaf alone it is far too large (see
// [RAFNestedLeaf]); with failures at several tiers the exact value exceeds it,
// because a caller also retries what failed below its callee (see [Graph]).
// That is for RAF as eq. 1 defines it, against the load without retries. Counted
// per request of the client instead, the same chains stay below eq. 3, because
// a tier that fails before its calls also sends less on.
func RAFChain(p float64, maxRetries, depth int) float64 {
	mustAtLeast("depth", depth, 0)
	return math.Pow(RAFSingle(p, maxRetries), float64(depth))
}

// RAFNestedLeaf returns the exact amplification at a failing leaf below a chain
// of edges that all make up to maxAttempts attempts, when only the leaf fails:
//
//	(1 - p^(a^k)) / (1 - p),  a = maxAttempts, k = edges.
//
// The nested retries act like one caller with a^k attempts: each stops at the
// first success, so only the last leaf attempt of a request can succeed. The
// value never exceeds 1/(1-p), whatever the depth, and reaches a^k only at p = 1.
// Derived here; it is the recursion of [Graph] in closed form.
func RAFNestedLeaf(p float64, maxAttempts, edges int) float64 {
	mustProbability("failure", p)
	mustAtLeast("max attempts", maxAttempts, 1)
	mustAtLeast("edges", edges, 0)
	return geometricSum(p, math.Pow(float64(maxAttempts), float64(edges)))
}
