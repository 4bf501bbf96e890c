package queueing

// MD1 returns the steady state of one server with Poisson arrivals and a
// constant service time in seconds:
//
//	Wq = rho S / (2 (1 - rho)),
//
// half the wait of M/M/1. Source: Kleinrock, section 5.6 ([MG1] without
// variation).
func MD1(arrivalRate, serviceTime float64) Steady {
	return MG1(arrivalRate, serviceTime, 0)
}
