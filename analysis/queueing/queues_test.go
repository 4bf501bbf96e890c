package queueing_test

import (
	"fmt"
	"math"
	"testing"

	"retrylab/analysis/queueing"
)

// rho = 3/4, mu = 4: L = 3, W = 1, Wq = 3/4, Lq = 9/4, all by hand.
func TestMM1ByHand(t *testing.T) {
	q := queueing.MM1(3, 4)
	near(t, "L", q.InSystem, 3, 1e-12)
	near(t, "W", q.Sojourn, 1, 1e-12)
	near(t, "Wq", q.Wait, 0.75, 1e-12)
	near(t, "Lq", q.Waiting, 2.25, 1e-12)
	near(t, "P(wait)", q.WaitProbability, 0.75, 1e-12)
	near(t, "P(2)", queueing.MM1InSystem(3, 4, 2), 0.25*0.5625, 1e-15)
	near(t, "median sojourn", queueing.MM1SojournQuantile(3, 4, 0.5), math.Ln2, 1e-15)
}

// The metastable example of the literature: 280/s against 300/s is stable, and
// 560/s (each request tried twice) is not.
func TestOverloadIsWithoutBound(t *testing.T) {
	near(t, "280 against 300", queueing.MM1(280, 300).Sojourn, 1.0/20, 1e-15)
	for name, q := range map[string]queueing.Steady{
		"MM1": queueing.MM1(560, 300), "MMc": queueing.MMc(500, 40, 10), "MD1": queueing.MD1(300, 1.0/300),
	} {
		if !math.IsInf(q.Wait, 1) || !math.IsInf(q.InSystem, 1) || q.Utilization != 1 {
			t.Errorf("%s: an overloaded queue must grow without bound, got %+v", name, q)
		}
	}
	near(t, "what 10 workers of 25 ms finish", queueing.MMc(500, 40, 10).Throughput, 400, 1e-9)
	near(t, "quantile", queueing.MM1SojournQuantile(560, 300, 0.5), math.Inf(1), 0)
}

// Erlang's tables. a = 1, c = 2: B = (1/2)/(1+1+1/2) = 1/5.
func TestErlangTables(t *testing.T) {
	for _, row := range []struct {
		offered float64
		servers int
		b, c    float64
	}{
		{1, 2, 0.2, 1.0 / 3},
		{2, 3, 4.0 / 19, 4.0 / 9},
		{1.5, 2, 9.0 / 29, 9.0 / 14},
		{10, 15, 0.0365, 0.1020},
		{0, 4, 0, 0},
	} {
		tolerance := 1e-12
		if row.servers > 3 {
			tolerance = 5e-5 // printed to four digits
		}
		name := fmt.Sprintf("%v erlangs, %d servers", row.offered, row.servers)
		near(t, name+": B", queueing.ErlangB(row.offered, row.servers), row.b, tolerance)
		near(t, name+": C", queueing.ErlangC(row.offered, row.servers), row.c, tolerance)
	}
	// Against the sums of the definition, which 30 servers do not overflow.
	term, sum := 1.0, 0.0
	for k := 1; k <= 30; k++ {
		sum += term
		term *= 20.0 / float64(k)
	}
	near(t, "B from factorials", queueing.ErlangB(20, 30), term/(sum+term), 1e-14)
	near(t, "C from factorials", queueing.ErlangC(20, 30), 3*term/(sum+3*term), 1e-14)
	near(t, "overloaded", queueing.ErlangC(5, 4), 1, 0)
	if b := queueing.ErlangB(9000, 10000); !(b > 0 && b < 1e-6) {
		t.Errorf("10000 servers: B = %v", b)
	}
}

// c = 2, lambda = 3/2, mu = 1: C = 9/14, Lq = C rho/(1-rho) = 27/14.
func TestMMcByHand(t *testing.T) {
	q := queueing.MMc(1.5, 1, 2)
	near(t, "Lq", q.Waiting, 27.0/14, 1e-12)
	near(t, "Wq", q.Wait, 9.0/7, 1e-12)
	near(t, "utilization", q.Utilization, 0.75, 1e-15)
	one, same := queueing.MMc(3, 4, 1), queueing.MM1(3, 4)
	near(t, "one server is M/M/1", one.Sojourn, same.Sojourn, 1e-12)
}

// lambda = mu = 1, c = 2, room for 4: weights 1, 1, 1/2, 1/4, 1/8, sum 23/8.
func TestMMcKByHand(t *testing.T) {
	q := queueing.MMcK(1, 1, 2, 4)
	near(t, "rejected", q.Rejected, 1.0/23, 1e-15)
	near(t, "throughput", q.Throughput, 22.0/23, 1e-15)
	near(t, "Lq", q.Waiting, 4.0/23, 1e-15)
	near(t, "L", q.InSystem, 26.0/23, 1e-15)
	near(t, "Wq", q.Wait, 4.0/22, 1e-15)
	near(t, "W", q.Sojourn, 26.0/22, 1e-15)
	near(t, "P(wait | accepted)", q.WaitProbability, 6.0/22, 1e-15)
	near(t, "utilization", q.Utilization, 11.0/23, 1e-15)
}

func TestMMcKLimits(t *testing.T) {
	// Room for as many as servers: Erlang's loss system.
	near(t, "Erlang B", queueing.MMcK(12, 1, 10, 10).Rejected, queueing.ErlangB(12, 10), 1e-14)
	// Much room: the queue without limit.
	wide, unlimited := queueing.MMcK(9, 1, 10, 2000), queueing.MMc(9, 1, 10)
	near(t, "Wq", wide.Wait, unlimited.Wait, 1e-9)
	near(t, "P(wait)", wide.WaitProbability, unlimited.WaitProbability, 1e-9)
	near(t, "L", wide.InSystem, unlimited.InSystem, 1e-9)
	// Heavy overload of a long queue must not overflow: 10 servers of 25 ms
	// against 500/s reject a fifth.
	near(t, "reject a fifth", queueing.MMcK(500, 40, 10, 1000).Rejected, 0.2, 1e-9)
	near(t, "a thousand times overloaded", queueing.MMcK(1e6, 1, 10, 5000).Throughput, 10, 1e-9)
	idle := queueing.MMcK(0, 2, 1, 1)
	near(t, "no arrivals: wait", idle.Wait, 0, 0)
	near(t, "no arrivals: sojourn", idle.Sojourn, 0.5, 0)
	// rho = 4/5, room for 5, by the formula of M/M/1/K.
	near(t, "M/M/1/5", queueing.MMcK(4, 5, 1, 5).Rejected, 0.2*math.Pow(0.8, 5)/(1-math.Pow(0.8, 6)), 1e-15)
}

// rho = 1/2, S = 1: M/D/1 waits 1/2, M/M/1 waits 1. Uniform 4-6 ms has
// scv = (1/3)/25 = 1/75; at rho = 1/2 it waits 2.5 ms x 76/75.
func TestMG1ByHand(t *testing.T) {
	near(t, "M/D/1", queueing.MD1(0.5, 1).Wait, 0.5, 1e-15)
	near(t, "M/M/1 through M/G/1", queueing.MG1(0.5, 1, 1).Wait, queueing.MM1(0.5, 1).Wait, 1e-15)
	near(t, "uniform", queueing.MG1(100, 0.005, 1.0/75).Wait, 0.0025*76/75, 1e-15)
	near(t, "L of M/D/1", queueing.MD1(0.5, 1).InSystem, 0.75, 1e-15)
}

func TestTandem(t *testing.T) {
	each, total := queueing.Tandem(3, []queueing.Station{{ServiceRate: 4, Servers: 1}, {ServiceRate: 2, Servers: 2}})
	near(t, "first", each[0].Sojourn, 1, 1e-12)
	near(t, "second", each[1].Sojourn, 0.5+9.0/14, 1e-12) // C(2, 3/2) / (4-3) + 1/2
	near(t, "total", total, 1.5+9.0/14, 1e-12)
	_, total = queueing.Tandem(3, []queueing.Station{{ServiceRate: 4, Servers: 1}, {ServiceRate: 2, Servers: 1}})
	near(t, "overloaded", total, math.Inf(1), 0)
}

// The entry of the paper's program: 10 workers held for 5 tiers x 5 ms finish
// 400/s; 500/s offered is 125%; 25 workers make it 50%.
func TestLaws(t *testing.T) {
	near(t, "held workers", queueing.MaxThroughput(0.025, 10), 400, 1e-12)
	near(t, "125%", queueing.Utilization(500, 0.025, 10), 1.25, 1e-12)
	near(t, "50%", queueing.Utilization(500, 0.025, 25), 0.5, 1e-12)
	near(t, "L", queueing.LittleNumber(500, 0.025), 12.5, 1e-12)
	near(t, "W", queueing.LittleTime(12.5, 500), 0.025, 1e-15)
	for _, q := range []queueing.Steady{queueing.MM1(3, 4), queueing.MMc(9, 1, 10), queueing.MMcK(12, 1, 10, 30), queueing.MG1(1, 0.5, 3)} {
		near(t, "Little, system", q.InSystem, queueing.LittleNumber(q.Throughput, q.Sojourn), 1e-9)
		near(t, "Little, queue", q.Waiting, queueing.LittleNumber(q.Throughput, q.Wait), 1e-9)
	}
}

func TestQueuesRejectNonsense(t *testing.T) {
	mustPanic(t, "negative arrivals", func() { queueing.MM1(-1, 1) })
	mustPanic(t, "no service", func() { queueing.MMc(1, 0, 1) })
	mustPanic(t, "no servers", func() { queueing.MMc(1, 1, 0) })
	mustPanic(t, "room below servers", func() { queueing.MMcK(1, 1, 3, 2) })
	mustPanic(t, "infinite rate", func() { queueing.MG1(math.Inf(1), 1, 1) })
	mustPanic(t, "negative variation", func() { queueing.MG1(1, 0.5, -1) })
	mustPanic(t, "no throughput", func() { queueing.LittleTime(1, 0) })
}
