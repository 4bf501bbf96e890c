package engine

import (
	"retrylab/engine/rng"
	"retrylab/policy"
)

// fault is a planned fault while it runs.
type fault struct {
	plan   *faultPlan
	on     bool
	began  int64      // periodic: start of the current period
	regime rng.Stream // lengths of random regimes
	shared uint64     // key of the coins that a request takes with it
}

// chance is how failures of one station or edge are decided now.
type chance struct {
	any    bool     // a failure is possible (station: after service)
	before bool     // station: a failure before service is possible
	simple bool     // one probability is all there is to know:
	at     uint64   // it fails if the top 53 bits of its coin are below at
	acting []uint32 // failure faults that act on it
}

// firstTurn plans a fault's start.
func (s *Sim) firstTurn(i int) {
	f := &s.faults[i]
	at := f.plan.from
	if f.plan.MeanOn > 0 {
		at += f.regimeLength(float64(f.plan.MeanOff))
	}
	s.planTurn(uint32(i), at)
}

func (f *fault) regimeLength(mean float64) int64 { return 1 + int64(f.regime.Exp()*mean) }

func (s *Sim) planTurn(i uint32, at int64) {
	if at < s.faults[i].plan.to || s.faults[i].on {
		s.agenda.put(item{due: min(at, s.faults[i].plan.to), class: agendaFault, fault: i})
	}
}

// turnFault turns a fault on or off and plans its next turn.
func (s *Sim) turnFault(i uint32) {
	f := &s.faults[i]
	p := f.plan
	f.on = !f.on
	switch {
	case p.MeanOn > 0 && f.on:
		s.planTurn(i, s.now+f.regimeLength(float64(p.MeanOn)))
	case p.MeanOn > 0:
		s.planTurn(i, s.now+f.regimeLength(float64(p.MeanOff)))
	case p.Period > 0 && f.on:
		f.began = s.now
		s.planTurn(i, s.now+int64(p.On))
	case p.Period > 0:
		s.planTurn(i, f.began+int64(p.Period))
	case f.on:
		s.planTurn(i, p.to)
	}
	for _, e := range p.edges {
		s.setEdgeFaults(e)
	}
	for _, st := range p.on {
		s.setStationFaults(&s.stations[st])
	}
	if p.kind == faultCrash && f.on {
		for _, st := range p.on {
			s.crash(uint32(st))
		}
	}
	if p.kind == faultCapacity {
		for _, st := range p.on {
			s.touch(&s.stations[st])
			s.startWaiting(&s.stations[st])
		}
	}
}

// setStationFaults works out how the acting faults change a station.
func (s *Sim) setStationFaults(st *station) {
	c := &st.chance
	c.acting = c.acting[:0]
	st.down, st.slowed, st.workers = false, false, st.plan.servers
	c.any, c.before, c.simple = st.plan.failure > 0, false, true
	survive := 1 - st.plan.failure
	for _, i := range st.plan.faults {
		f := &s.faults[i]
		if !f.on {
			continue
		}
		switch f.plan.kind {
		case faultCrash:
			st.down = true
		case faultLatency:
			st.slowed = true
		case faultCapacity:
			st.workers = int64(float64(st.workers) * f.plan.Capacity)
		case faultFailure:
			c.acting = append(c.acting, i)
			c.any = c.any || !f.plan.Before
			c.before = c.before || f.plan.Before
			c.simple = c.simple && f.plan.constant()
			if !f.plan.Before {
				survive *= 1 - f.plan.P
			}
		}
	}
	c.at = threshold(1 - survive)
	st.failing = c.any
	st.odd = c.before || st.down || st.plan.signals
	st.plain = st.plan.servers == 1 && st.source != 0 && st.workers == 1 && !st.hold && !st.early && !st.slowed && !s.p.cancels
}

func (s *Sim) setEdgeFaults(i uint32) {
	e := &s.edges[i]
	c := &e.chance
	c.acting = c.acting[:0]
	e.slowed, c.any, c.simple = false, false, true
	survive := 1.0
	for _, i := range e.plan.faults {
		f := &s.faults[i]
		switch {
		case !f.on:
		case f.plan.kind == faultLatency:
			e.slowed = true
		default:
			c.acting = append(c.acting, i)
			c.any = true
			c.simple = c.simple && f.plan.constant()
			survive *= 1 - f.plan.P
		}
	}
	c.at = threshold(1 - survive)
	e.failing = c.any
	e.lagged = e.slowed || e.plan.latency > 0
	e.odd = e.lagged || e.failing || e.signals || e.lane >= 0 || s.p.abandons || s.trace != nil || e.watches&policy.WatchStart != 0
}

// threshold is the number of 53-bit coins that fail with probability p.
func threshold(p float64) uint64 { return uint64(p * (1 << 53)) }

// constant tells whether a failure fault is one probability for every attempt.
func (p *faultPlan) constant() bool { return p.PEnd == NoRamp && p.Rho == 0 }

// probability of a failure fault at a time.
func (p *faultPlan) probability(now int64) float64 {
	if p.PEnd == NoRamp {
		return p.P
	}
	return p.P + (p.PEnd-p.P)*float64(now-p.from)/float64(p.to-p.from)
}

// failure tosses an attempt's coin after service (or at its start, see FailureCost).
func (s *Sim) failure(st *station, f *frame) bool {
	coin := rng.At(st.coins, st.tossed+uint64(st.Served))
	if st.chance.simple {
		return coin>>11 < st.chance.at
	}
	return s.fails(&st.chance, f.request, coin, 1-st.plan.failure, false)
}

// failsFast looks at an arrival closely: the service may be down, or fail it before service.
func (s *Sim) failsFast(st *station, f *frame) bool {
	if st.plan.signals {
		st.countArrival(s.now)
	}
	return st.down || st.chance.before && s.fails(&st.chance, f.request, st.fast.Uint64(), 1, true)
}

func (s *Sim) edgeFailure(e *edge, f *frame) bool {
	coin := rng.At(e.coins, e.tossed+uint64(e.Calls+e.Retries))
	if e.chance.simple {
		return coin>>11 < e.chance.at
	}
	return s.fails(&e.chance, f.request, coin, 1, false)
}

// fails decides by every acting fault: correlated ones by the request's own coins where those
// apply, all others by one independent coin.
func (s *Sim) fails(c *chance, request uint32, coin uint64, survive float64, before bool) bool {
	for _, i := range c.acting {
		f := &s.faults[i]
		if f.plan.Before != before && len(f.plan.edges) == 0 {
			continue
		}
		p := f.plan.probability(s.now)
		if f.plan.Rho > 0 && rng.Float(rng.At(f.shared, 2*uint64(request))) < f.plan.Rho {
			if rng.Float(rng.At(f.shared, 2*uint64(request)+1)) < p {
				return true
			}
			continue
		}
		survive *= 1 - p
	}
	return rng.Float(coin) < 1-survive
}

// addedLatency draws what the acting faults add to a service time.
func (s *Sim) addedLatency(st *station) int64 {
	sum := int64(0)
	for _, i := range st.plan.faults {
		if f := &s.faults[i]; f.on && f.plan.kind == faultLatency {
			sum += f.plan.latency.Draw(&st.slow)
		}
	}
	return sum
}

// addedLag draws what the acting faults add to one way over an edge.
func (s *Sim) addedLag(e *edge) int64 {
	sum := int64(0)
	for _, i := range e.plan.faults {
		if f := &s.faults[i]; f.on && f.plan.kind == faultLatency {
			sum += f.plan.latency.Draw(&e.lag)
		}
	}
	return sum
}

// caught is an attempt that a crash meets.
type caught struct{ handle, gen uint32 }

// crash fails every attempt in a service's care: waiting, in service or waiting for calls.
// The work below them goes on for nobody, or is cancelled where the edge says so.
func (s *Sim) crash(svc uint32) {
	st := &s.stations[svc]
	s.caught = s.caught[:0]
	for h := range s.frames {
		if f := &s.frames[h]; f.inCare() && f.svc == svc {
			s.caught = append(s.caught, caught{uint32(h), f.gen})
		}
	}
	for _, c := range s.caught {
		f := &s.frames[c.handle]
		if f.gen != c.gen {
			continue // ended with one before
		}
		caller := f.caller
		f.caller = 0
		st.Crashed++
		s.stop(st, c.handle, false)
		if caller != 0 {
			s.ended(caller, policy.Failed)
		}
	}
}
