package engine

import (
	"math"

	"retrylab/policy"
)

// relay is an overload signal that a caller received, until it expires.
type relay struct {
	level policy.Signal
	hops  uint8 // further services that hand it on
	until int64
}

// relayed is what a station keeps to know whether it signals.
type relayed struct {
	cpu      float64 // exponential average of the share of occupied workers
	cpuAt    int64
	cpuBusy  int64 // BusyNs at cpuAt
	arrivals [10]int64
	tenth    int64 // number of the current tenth of a second
	signalAt int64
	signals  bool // at signalAt
}

// countArrival counts an attempt for the arrivals of the last second, to a tenth of a second.
func (r *relayed) countArrival(now int64) {
	r.turnTenths(now)
	r.arrivals[r.tenth%10]++
}

func (r *relayed) turnTenths(now int64) {
	for t := now / 1e8; r.tenth < t; {
		r.tenth = max(r.tenth+1, t-9)
		r.arrivals[r.tenth%10] = 0
	}
}

// hear computes what a reply from st tells about overload, and what the caller at edge e will relay.
func (s *Sim) hear(e *edge, st *station) policy.Signal {
	level, hops := s.level(st), uint8(st.plan.signal.RelayHops)
	st.SignalNs += boolNs(st.signals) * (s.now - st.signalAt)
	st.signalAt, st.signals = s.now, level != policy.Calm
	for i := uint32(0); i < st.plan.calls; i++ {
		h := &s.edges[st.plan.firstEdge+i].heard
		if h.hops > 0 && h.until > s.now && h.level > level {
			level, hops = h.level, h.hops-1
		}
	}
	e.heard = relay{level, hops, s.now + int64(st.plan.signal.Expiry)}
	if level != policy.Calm {
		e.SignalledOn++
	}
	return level
}

func boolNs(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// level is the station's own overload (paper, eq. 4).
func (s *Sim) level(st *station) policy.Signal {
	o := &st.plan.signal
	s.touch(st)
	load := 0.0 // largest measure over its threshold
	if o.Queue > 0 {
		q := st.waiting
		if o.Counts == "in_system" {
			q += st.busy
		}
		load = max(load, float64(q)/(o.Queue*float64(st.plan.limit)))
	}
	if o.CPU > 0 {
		load = max(load, st.averageCPU(s.now)/o.CPU)
	}
	if o.Arrivals > 0 {
		st.turnTenths(s.now)
		n := int64(0)
		for _, k := range st.arrivals {
			n += k
		}
		load = max(load, float64(n)/o.Arrivals)
	}
	switch {
	case o.Urgent > 0 && load > o.Urgent:
		return policy.Urgent
	case load > 1:
		return policy.Overloaded
	}
	return policy.Calm
}

// averageCPU is the share of occupied workers, averaged with time constant CPUWindow. BusyNs is up to date.
func (st *station) averageCPU(now int64) float64 {
	if dt := float64(now - st.cpuAt); dt > 0 {
		used := float64(st.BusyNs-st.cpuBusy) / (dt * float64(st.plan.servers))
		st.cpu += (used - st.cpu) * -math.Expm1(-dt/float64(st.plan.signal.CPUWindow))
		st.cpuAt, st.cpuBusy = now, st.BusyNs
	}
	return st.cpu
}
