package engine

import (
	"fmt"

	"retrylab/engine/rng"
	"retrylab/policy"
)

// reset prepares for a trial.
func (s *Sim) reset(p *Program, key Key) {
	fresh := s.p != p
	s.p = p
	s.trial = rng.Key(key.Seed, key.Environment, key.Trial)
	s.now, s.requests, s.windows = 0, 0, 0
	if len(s.frames) == 0 {
		s.frames, s.gone = make([]frame, 1, 1024), make([]int64, 1, 1024)
	}
	s.frames, s.gone, s.freed = s.frames[:1], s.gone[:1], 0
	s.timers.reset(p.turn)
	s.agenda.reset()
	s.srcTimer = uint32(1 + p.sourced + len(p.clients))
	s.srcLane = s.srcTimer + 1
	s.sel.reset(int(s.srcLane) + len(p.lanes))
	s.lanes = resize(s.lanes, len(p.lanes))
	for i, l := range p.lanes {
		s.lanes[i].reset()
		s.lanes[i].duration, s.lanes[i].deadline = l.duration, l.deadline
	}
	s.resetTally()
	s.resetStations()
	s.resetEdges(fresh)
	s.resetFaults()
	s.resetClients()
	if p.window > 0 && p.window <= p.end {
		s.agenda.put(item{due: p.window, class: agendaWindow})
	}
	if p.warmup > 0 {
		s.agenda.put(item{due: p.warmup, class: agendaWarmup})
	}
	s.sel.set(0, eventKey(s.agenda.top(), 0))
}

func (s *Sim) resetTally() {
	t := &s.tally
	t.Clients = resize(t.Clients, len(s.p.clients))
	clear(t.Clients)
	t.Latency.reset()
	t.Services = resize(t.Services, len(s.p.services))
	clear(t.Services)
	t.Edges = resize(t.Edges, len(s.p.edges))
	clear(t.Edges)
	t.Windows = t.Windows[:0]
	t.Events, t.End = 0, s.p.end
	s.marks = resize(s.marks, len(s.p.clients)+len(s.p.services))
	clear(s.marks)
}

func (s *Sim) resetStations() {
	s.stations = resize(s.stations, len(s.p.services))
	s.sourced = append(s.sourced[:0], 0)
	for i := range s.stations {
		plan := &s.p.services[i]
		acting, others := s.stations[i].chance.acting, s.stations[i].others
		st := &s.stations[i]
		*st = station{plan: plan, workers: plan.servers, limit: plan.limit, time: plan.time, firstEdge: plan.firstEdge, calls: uint16(plan.calls)}
		st.flags = flags{limitAll: plan.limitAll, hold: plan.hold, early: plan.failureCost < 1, parallel: plan.parallel}
		st.chance.acting, st.others = acting, others
		st.random = s.stream(forService, i)
		st.fast = s.stream(forFastFailure, i)
		st.slow = s.stream(forFaultLatency, i)
		st.coins = s.key(forFailure, i)
		st.next = st.time.Draw(&st.random)
		if plan.sourced {
			st.others.reset(plan.servers)
			st.source = uint32(len(s.sourced))
			s.sourced = append(s.sourced, uint32(i))
		}
	}
}

func (s *Sim) resetEdges(fresh bool) {
	s.edges = resize(s.edges, len(s.p.edges))
	for i := range s.edges {
		plan := &s.p.edges[i]
		e := &s.edges[i]
		policies, acting := e.policies, e.chance.acting
		*e = edge{plan: plan, policies: policies, callee: plan.callee, lane: int32(plan.lane)}
		e.always = plan.probability == 1
		e.signals = s.p.services[plan.callee].signals
		e.chance.acting = acting[:0]
		e.coin, e.jitter, e.fresh = s.stream(forCoin, i), s.stream(forJitter, i), s.stream(forFresh, i)
		e.branch, e.lag = s.stream(forBranch, i), s.stream(forFaultLatency, len(s.stations)+i)
		e.coins, e.split = s.key(forEdgeFailure, i), s.key(forInstance, i)
		if fresh {
			e.policies = nil
			for range plan.instances {
				e.policies = append(e.policies, plan.spec.New())
			}
		}
		for k, p := range e.policies {
			phase := rng.Float(rng.At(s.key(forPhase, i), uint64(k+1)))
			p.Reset(policy.Env{BaseRate: plan.baseRate, Phase: phase})
		}
		e.watches = e.policies[0].Watches()
		if len(e.policies) == 1 {
			e.only = e.policies[0]
		}
	}
}

func (s *Sim) resetFaults() {
	s.faults = resize(s.faults, len(s.p.faults))
	for i := range s.faults {
		s.faults[i] = fault{plan: &s.p.faults[i], regime: s.stream(forRegime, i), shared: s.key(forShared, i)}
	}
	for i := range s.stations {
		s.setStationFaults(&s.stations[i])
	}
	for i := range s.edges {
		s.setEdgeFaults(uint32(i))
	}
	for i := range s.faults {
		s.firstTurn(i)
	}
}

func (s *Sim) resetClients() {
	s.clients = resize(s.clients, len(s.p.clients))
	for i := range s.clients {
		plan := &s.p.clients[i]
		c := &s.clients[i]
		users := c.users[:0]
		*c = client{plan: plan, source: uint32(1 + s.p.sourced + i), think: plan.think, count: &s.tally.Clients[i]}
		c.random = s.stream(forArrivals, i)
		c.steady, c.edge, c.lane = plan.arrivals.Kind == "poisson", plan.edge, int32(plan.lane)
		if plan.arrivals.Kind == "closed" {
			for u := range plan.arrivals.Users {
				users = append(users, rng.New(rng.Sub(s.key(forThink, i), uint64(u))))
			}
		} else {
			c.mean = 1e9 / plan.arrivals.Rate
		}
		c.users = users
		s.startClient(uint32(i))
	}
}

// close finishes the tally and checks that nothing was lost.
func (s *Sim) close() {
	for h := range s.frames {
		if f := &s.frames[h]; f.state != free && f.role == isRequest {
			if phase, counted := f.phase(); counted {
				s.clients[f.edge].count.Phases[phase].Unfinished++
			}
		}
	}
	for i := range s.stations {
		st := &s.stations[i]
		s.touch(st)
		st.QueuePeak = max(st.QueuePeak, st.peak)
		st.Admitted = st.Attempts - st.Rejected - st.FastFailed
		st.Open = st.inCare()
		s.tally.Services[i] = st.ServiceTally
	}
	s.countInFlight()
	for i := range s.edges {
		e := &s.edges[i]
		e.Ended[policy.Success] = e.CallsEnded[policy.Success] // a success ends its call
		e.Attempts = e.first() + e.Retries
		e.EndedFirst = e.firstCarried + e.Attempts - e.Retries - e.firstInFlight
		s.tally.Edges[i] = e.EdgeTally
	}
	s.check()
}

// inCare is the number of attempts that a service admitted and has not answered.
func (st *station) inCare() int64 {
	return st.carried + st.Attempts - st.Rejected - st.FastFailed -
		st.Succeeded - st.Failed - st.FailedBelow - st.Crashed - st.Cancelled
}

// countInFlight counts the open attempts of every edge, and those of them with number 1.
func (s *Sim) countInFlight() {
	for i := range s.edges {
		s.edges[i].inFlight, s.edges[i].firstInFlight = 0, 0
	}
	for h := range s.frames {
		if f := &s.frames[h]; f.state != free && f.child != 0 {
			s.edges[f.edge].inFlight++
			if f.n == 1 {
				s.edges[f.edge].firstInFlight++
			}
		}
	}
}

// check panics if what was counted does not agree with what is left: a mistake in this package.
func (s *Sim) check() {
	s.care = resize(s.care, len(s.stations))
	care := s.care
	clear(care)
	for h := range s.frames {
		if f := &s.frames[h]; f.inCare() {
			care[f.svc]++
		}
	}
	for i := range s.stations {
		if n := &s.tally.Services[i]; n.Open != care[i] {
			panic(fmt.Sprintf("engine: %d attempts in the care of %s, but by its counts %d: %+v", care[i], s.p.services[i].name, n.Open, *n))
		}
	}
	for i := range s.edges {
		e := &s.edges[i]
		if e.carried+e.Attempts != sum(e.Ended[:])+e.inFlight {
			panic(fmt.Sprintf("engine: attempts lost on %s, %d in flight: %+v", e.plan.name, e.inFlight, e.EdgeTally))
		}
	}
	for i := range s.clients {
		c := &s.clients[i]
		unfinished := c.count.Phases[0].Unfinished + c.count.Phases[1].Unfinished + c.count.Phases[2].Unfinished
		if c.open != unfinished || c.count.Requests != sum(c.count.Ended[:])+c.open {
			panic(fmt.Sprintf("engine: requests of %s lost: %d arrived, %v ended, %d open", c.plan.name, c.count.Requests, c.count.Ended, unfinished))
		}
	}
}
