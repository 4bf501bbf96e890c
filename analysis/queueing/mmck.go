package queueing

// MMcK returns the steady state of c exponential servers with Poisson arrivals
// and room for limit requests, waiting and in service together; an arrival that
// finds limit is rejected. With
//
//	p(n+1) = p(n) lambda / (min(n+1, c) mu),
//
// the rejected share is p(limit) (Poisson arrivals see time averages). It has a
// steady state at any load; limit = servers is Erlang's loss system. Source:
// Gross, section 2.5.
func MMcK(arrivalRate, serviceRate float64, servers, limit int) Steady {
	states := MMcKStates(arrivalRate, serviceRate, servers, limit)
	var waiting, inSystem, waits float64
	for n, p := range states {
		inSystem += float64(n) * p
		if n > servers {
			waiting += float64(n-servers) * p
		}
		if n >= servers && n < limit {
			waits += p
		}
	}
	full := states[limit]
	accepted := arrivalRate * (1 - full)
	result := Steady{
		OfferedLoad: arrivalRate / (serviceRate * float64(servers)),
		Utilization: Utilization(accepted, 1/serviceRate, servers),
		Throughput:  accepted,
		Waiting:     waiting,
		InSystem:    inSystem,
		Sojourn:     1 / serviceRate,
		Rejected:    full,
	}
	if accepted > 0 {
		result.Wait = LittleTime(waiting, accepted)
		result.Sojourn += result.Wait
		result.WaitProbability = waits / (1 - full)
	}
	return result
}

// MMcKStates returns the probabilities of 0 .. limit requests in the system of
// [MMcK]. They are built up from the empty system and rescaled as they grow, so
// that neither a heavy load nor a limit of thousands overflows.
func MMcKStates(arrivalRate, serviceRate float64, servers, limit int) []float64 {
	mustRate("arrival rate", arrivalRate)
	mustPositive("service rate", serviceRate)
	mustAtLeast("servers", servers, 1)
	mustAtLeast("limit", limit, servers)
	const tooLarge = 1e200
	states := make([]float64, limit+1)
	states[0] = 1
	for n := 1; n <= limit; n++ {
		states[n] = states[n-1] * arrivalRate / (float64(min(n, servers)) * serviceRate)
		if states[n] > tooLarge {
			scale(states[:n+1], 1/states[n])
		}
	}
	var sum float64
	for _, p := range states {
		sum += p
	}
	scale(states, 1/sum)
	return states
}

func scale(xs []float64, factor float64) {
	for i := range xs {
		xs[i] *= factor
	}
}
