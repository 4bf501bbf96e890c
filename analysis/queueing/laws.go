package queueing

// Utilization returns the busy share of each of a station's servers:
//
//	U = X S / c
//
// for X completions per second, S seconds of service (or of holding a server)
// each, and c servers. Source: the utilization law, Denning and Buzen, The
// Operational Analysis of Queueing Network Models, Computing Surveys 10 (1978).
// It holds for any distribution. A result above 1 says that the station cannot
// carry X.
func Utilization(throughput, serviceTime float64, servers int) float64 {
	mustRate("throughput", throughput)
	mustRate("service time", serviceTime)
	mustAtLeast("servers", servers, 1)
	return throughput * serviceTime / float64(servers)
}

// MaxThroughput returns the most that a station can complete per second,
//
//	X = c / S.
//
// With workers that are held while they wait downstream, S is the whole time a
// worker is held, not its own service time alone. Source: the utilization law
// at U = 1.
func MaxThroughput(serviceTime float64, servers int) float64 {
	mustPositive("service time", serviceTime)
	mustAtLeast("servers", servers, 1)
	return float64(servers) / serviceTime
}

// LittleNumber returns the mean number in a system, L = X W, for X completions
// per second that stay W seconds each. Source: Little, A Proof for the Queuing
// Formula L = lambda W, Operations Research 9 (1961).
func LittleNumber(throughput, timeInSystem float64) float64 {
	mustRate("throughput", throughput)
	mustRate("time in system", timeInSystem)
	return throughput * timeInSystem
}

// LittleTime returns the mean time in a system, W = L / X. Source: as
// [LittleNumber].
func LittleTime(number, throughput float64) float64 {
	mustRate("number", number)
	mustPositive("throughput", throughput)
	return number / throughput
}
