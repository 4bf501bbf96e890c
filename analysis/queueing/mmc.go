package queueing

// MMc returns the steady state of c servers with Poisson arrivals and
// exponential service at rate mu each, one queue without limit:
//
//	Wq = C(c, lambda/mu) / (c mu - lambda),  W = Wq + 1/mu.
//
// Source: Gross, section 2.3.
func MMc(arrivalRate, serviceRate float64, servers int) Steady {
	mustRate("arrival rate", arrivalRate)
	mustPositive("service rate", serviceRate)
	mustAtLeast("servers", servers, 1)
	load := arrivalRate / (serviceRate * float64(servers))
	if load >= 1 {
		return overloaded(load, 1/serviceRate, servers)
	}
	waits := ErlangC(arrivalRate/serviceRate, servers)
	wait := waits / (float64(servers)*serviceRate - arrivalRate)
	return fromWait(arrivalRate, 1/serviceRate, wait, waits, servers)
}
