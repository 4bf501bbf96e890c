package queueing

import "math"

// Steady is a queue in steady state. Means are over accepted arrivals; the
// waits of an overloaded queue without limit are +Inf.
type Steady struct {
	// OfferedLoad is arrival rate x mean service time / servers, which may
	// exceed 1.
	OfferedLoad float64
	// Utilization is the busy share of each server, 0 to 1.
	Utilization float64
	// Throughput is completions per second.
	Throughput float64
	// Waiting is the mean number in the queue, those in service not counted (Lq).
	Waiting float64
	// InSystem is the mean number waiting or in service (L).
	InSystem float64
	// Wait is the mean seconds before service starts (Wq).
	Wait float64
	// Sojourn is the mean seconds from arrival to completion (W).
	Sojourn float64
	// WaitProbability is the chance that an accepted arrival has to wait.
	WaitProbability float64
	// Rejected is the chance that an arrival finds the system full; 0 when
	// there is no limit.
	Rejected float64
}

// overloaded is the steady state of a queue without limit whose offered load is
// at least 1: servers always busy, everything else without bound.
func overloaded(load, serviceTime float64, servers int) Steady {
	inf := math.Inf(1)
	return Steady{
		OfferedLoad: load, Utilization: 1, Throughput: MaxThroughput(serviceTime, servers),
		Waiting: inf, InSystem: inf, Wait: inf, Sojourn: inf, WaitProbability: 1,
	}
}

// fromWait completes the steady state of a queue without limit from its mean
// wait, by Little's law.
func fromWait(arrivalRate, serviceTime, wait, waitProbability float64, servers int) Steady {
	load := Utilization(arrivalRate, serviceTime, servers)
	return Steady{
		OfferedLoad: load, Utilization: load, Throughput: arrivalRate,
		Waiting: arrivalRate * wait, InSystem: arrivalRate * (wait + serviceTime),
		Wait: wait, Sojourn: wait + serviceTime, WaitProbability: waitProbability,
	}
}
