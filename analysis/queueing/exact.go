package queueing

import "math"

// Amplification is the exact solution of a [Graph].
type Amplification struct {
	// Services holds one entry for each service, in the graph's order.
	Services []ServiceAmplification
	// Success is the chance that a request succeeds, retries included.
	Success float64
	// SuccessNoRetry is the same when nobody retries.
	SuccessNoRetry float64
	// ClientAttempts is the client's attempts per request (raf_client).
	ClientAttempts float64
}

// ServiceAmplification is what one service sees.
type ServiceAmplification struct {
	// Attempts is the expected attempts that arrive per request of the clients.
	Attempts float64
	// AttemptsNoRetry is the same when nobody retries. It is below 1 behind a
	// service that fails: an attempt that fails there calls nobody.
	AttemptsNoRetry float64
	// RAF is Attempts / AttemptsNoRetry (the paper, eq. 1); NaN for a service
	// that is never reached.
	RAF float64
	// AttemptFailure is the chance that one attempt fails, by itself or through
	// what it calls, retries below included. It is what a caller sees.
	AttemptFailure float64
}

// Solve returns the exact expectations, or the error of [Graph.Validate].
//
// Upward: an attempt at v fails unless its own coin and every call succeed, and
// a call fails when all its attempts do,
//
//	F(v) = 1 - (1 - p(v)) x product over calls (1 - q F(w)^(n+1)).
//
// Downward: attempts at w from one attempt at v are P(the call is made) times
// the truncated geometric mean of F(w); a sequential call is made only when all
// before it succeeded. Attempts draw their coins independently, and whether a
// further attempt is made depends only on earlier ones, so the expectations
// multiply along each path (Wald's equation) and add over paths. Derived here;
// checked against an enumeration of all outcomes.
func (g Graph) Solve() (Amplification, error) {
	if err := g.Validate(); err != nil {
		return Amplification{}, err
	}
	with, without := g.solve(true), g.solve(false)
	result := Amplification{
		Services:       make([]ServiceAmplification, len(g.Services)),
		Success:        with.success,
		SuccessNoRetry: without.success,
		ClientAttempts: with.client,
	}
	for v := range g.Services {
		result.Services[v] = ServiceAmplification{
			Attempts:        with.attempts[v],
			AttemptsNoRetry: without.attempts[v],
			RAF:             with.attempts[v] / without.attempts[v],
			AttemptFailure:  with.failure[v],
		}
	}
	return result, nil
}

// solution is one pass of the recursion over a valid graph.
type solution struct {
	attempts, failure []float64
	success, client   float64
}

// solve runs the recursion with every retry count as given, or as 0.
func (g Graph) solve(retry bool) solution {
	order, err := g.calleesFirst()
	if err != nil {
		panic("queueing: solve of a graph that was not validated: " + err.Error())
	}
	maxAttempts := func(maxRetries int) float64 {
		if retry {
			return float64(maxRetries) + 1
		}
		return 1
	}
	s := solution{attempts: make([]float64, len(order)), failure: make([]float64, len(order))}
	for _, v := range order {
		succeeds := 1 - g.Services[v].Failure
		for _, c := range g.Services[v].Calls {
			succeeds *= 1 - c.Probability*math.Pow(s.failure[c.Callee], maxAttempts(c.MaxRetries))
		}
		s.failure[v] = 1 - succeeds
	}
	for _, e := range g.Entries {
		n := maxAttempts(e.MaxRetries)
		mean := geometricSum(s.failure[e.Service], n)
		s.attempts[e.Service] += e.Share * mean
		s.client += e.Share * mean
		s.success += e.Share * (1 - math.Pow(s.failure[e.Service], n))
	}
	for i := len(order) - 1; i >= 0; i-- { // callers first: all attempts at v are known
		v := order[i]
		reached := s.attempts[v] * (1 - g.Services[v].Failure)
		for _, c := range g.Services[v].Calls {
			n := maxAttempts(c.MaxRetries)
			f := s.failure[c.Callee]
			s.attempts[c.Callee] += reached * c.Probability * geometricSum(f, n)
			if g.Services[v].Mode == Sequential {
				reached *= 1 - c.Probability*math.Pow(f, n)
			}
		}
	}
	return s
}
