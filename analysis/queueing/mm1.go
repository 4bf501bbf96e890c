package queueing

import "math"

// MM1 returns the steady state of one server with Poisson arrivals and
// exponential service, no limit:
//
//	rho = lambda/mu,  L = rho/(1-rho),  W = 1/(mu-lambda),  Wq = rho/(mu-lambda).
//
// Source: Kleinrock, section 3.2.
func MM1(arrivalRate, serviceRate float64) Steady {
	mustRate("arrival rate", arrivalRate)
	mustPositive("service rate", serviceRate)
	load := arrivalRate / serviceRate
	if load >= 1 {
		return overloaded(load, 1/serviceRate, 1)
	}
	return fromWait(arrivalRate, 1/serviceRate, load/(serviceRate-arrivalRate), load, 1)
}

// MM1InSystem returns P(n in system) = (1-rho) rho^n, which is 0 for every n
// when rho >= 1. Source: Kleinrock, section 3.2.
func MM1InSystem(arrivalRate, serviceRate float64, n int) float64 {
	mustRate("arrival rate", arrivalRate)
	mustPositive("service rate", serviceRate)
	load := arrivalRate / serviceRate
	if load >= 1 || n < 0 {
		return 0
	}
	return (1 - load) * math.Pow(load, float64(n))
}

// MM1SojournQuantile returns the time within which a share q of requests is
// done: the sojourn time is exponential with rate mu-lambda, so it is
// -ln(1-q)/(mu-lambda), and +Inf when overloaded. Source: Gross, section 2.2.
func MM1SojournQuantile(arrivalRate, serviceRate, q float64) float64 {
	mustRate("arrival rate", arrivalRate)
	mustPositive("service rate", serviceRate)
	mustProbability("quantile", q)
	if arrivalRate >= serviceRate {
		return math.Inf(1)
	}
	return -math.Log1p(-q) / (serviceRate - arrivalRate)
}
