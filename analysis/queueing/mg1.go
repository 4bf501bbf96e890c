package queueing

// MG1 returns the steady state of one server with Poisson arrivals and any
// service time of the given mean (seconds) and squared coefficient of variation
// (variance / mean^2: 0 constant, 1 exponential):
//
//	Wq = rho S (1 + scv) / (2 (1 - rho)).
//
// Source: the Pollaczek-Khinchine mean value formula, Kleinrock, section 5.6.
func MG1(arrivalRate, meanService, scv float64) Steady {
	mustRate("arrival rate", arrivalRate)
	mustPositive("mean service time", meanService)
	mustRate("squared coefficient of variation", scv)
	load := arrivalRate * meanService
	if load >= 1 {
		return overloaded(load, meanService, 1)
	}
	wait := load * meanService * (1 + scv) / (2 * (1 - load))
	return fromWait(arrivalRate, meanService, wait, load, 1)
}
