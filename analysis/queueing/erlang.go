package queueing

// ErlangB returns the share of arrivals lost by c servers without a waiting
// room when offered a erlangs (arrival rate x service time), by the recursion
//
//	B(0) = 1,  B(k) = a B(k-1) / (k + a B(k-1)),
//
// which cannot overflow as the factorials of the closed form do. It depends on
// the service time only through its mean. Source: Gross, section 2.5.
func ErlangB(offered float64, servers int) float64 {
	mustRate("offered erlangs", offered)
	mustAtLeast("servers", servers, 0)
	blocked := 1.0
	for k := 1; k <= servers; k++ {
		blocked = offered * blocked / (float64(k) + offered*blocked)
	}
	return blocked
}

// ErlangC returns the share of arrivals that wait at c servers with an
// unlimited queue when offered a erlangs:
//
//	C = B / (1 - rho (1 - B)),  rho = a/c,
//
// and 1 when a >= c. Source: Gross, section 2.3 and 2.5.
func ErlangC(offered float64, servers int) float64 {
	mustAtLeast("servers", servers, 1)
	load := offered / float64(servers)
	if load >= 1 {
		return 1
	}
	blocked := ErlangB(offered, servers)
	return blocked / (1 - load*(1-blocked))
}
