package engine

import (
	"cmp"
	"math"
	"time"
)

// Compile checks a model and makes it ready to run. With problems there is no program;
// all problems are returned at once, in the order of the model's fields.
func Compile(m *Model) (*Program, []Problem) {
	c := checker{m: m, services: map[string]int{}}
	c.check()
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	p := &Program{
		name: m.Name, duration: int64(m.Duration), end: int64(m.Duration + m.Drain),
		warmup: int64(m.Warmup), window: int64(m.Window), span: [2]int64{never, never},
	}
	p.compileEdges(m, c.services)
	p.compileServices(m)
	p.compileFaults(m, c.services)
	p.baseRates(m)
	p.chooseSources()
	p.cancels = p.crashes()
	for i := range p.edges {
		p.cancels = p.cancels || p.edges[i].cancel
	}
	p.abandons = len(p.lanes) > 0 || p.cancels
	return p, nil
}

// compileEdges numbers the edges: the clients' first, then each service's calls in a row.
func (p *Program) compileEdges(m *Model, services map[string]int) {
	add := func(from string, caller int32, k *Call) {
		p.edges = append(p.edges, edgePlan{
			name: from + ">" + k.To, callee: uint32(services[k.To]), caller: caller,
			probability: k.Probability, spec: k.Policy, instances: uint32(k.Instances),
			timeout: int64(k.Timeout), lane: p.laneFor(k.Timeout, false),
			cancel: k.Abandoned == "cancelled", latency: int64(k.Latency),
		})
	}
	for i := range m.Clients {
		cl := &m.Clients[i]
		p.clients = append(p.clients, clientPlan{
			name: cl.Name, arrivals: cl.Arrivals, edge: uint32(i),
			deadline: int64(cl.Deadline), lane: p.laneFor(cl.Deadline, true),
		})
		if cl.Arrivals.Kind == "closed" {
			p.clients[i].think = cl.Arrivals.Think.Sampler()
		}
		add(cl.Name, int32(-1-i), &cl.Call)
	}
	for i := range m.Services {
		p.services = append(p.services, servicePlan{firstEdge: uint32(len(p.edges)), calls: uint32(len(m.Services[i].Calls))})
		for k := range m.Services[i].Calls {
			add(m.Services[i].Name, int32(i), &m.Services[i].Calls[k])
		}
	}
}

// laneFor finds or makes the lane of a timeout; -1 for none.
func (p *Program) laneFor(d time.Duration, deadline bool) int {
	if d == 0 {
		return -1
	}
	l := lanePlan{int64(d), deadline}
	for i := range p.lanes {
		if p.lanes[i] == l {
			return i
		}
	}
	p.lanes = append(p.lanes, l)
	return len(p.lanes) - 1
}

func (p *Program) compileServices(m *Model) {
	longestMean := 0.0
	for i := range m.Services {
		s, plan := &m.Services[i], &p.services[i]
		plan.name, plan.time, plan.parallel = s.Name, s.Time.Sampler(), s.Parallel
		plan.servers = cmp.Or(int64(s.Servers), unlimited)
		plan.limit = cmp.Or(int64(s.Limit.Max), unlimited)
		plan.limitAll = s.Limit.Counts == "in_system"
		plan.hold, plan.holdBackoff = s.Hold.Downstream, s.Hold.Backoff
		plan.failure, plan.failureCost = s.Failure, s.FailureCost
		plan.signal = s.Signal
		plan.signals = s.Signal.Queue > 0 || s.Signal.CPU > 0 || s.Signal.Arrivals > 0
		if mean := s.Time.MeanNs(); !math.IsInf(mean, 1) {
			longestMean = max(longestMean, mean)
		}
	}
	p.relays()
	// Half a turn of the timer wheel must hold nearly all service times and the usual backoffs;
	// what is longer goes to the agenda.
	p.turn = 1 << 30
	for float64(p.turn) < 16*min(longestMean, 1e12) {
		p.turn *= 2
	}
}

// relays marks the services that must look at signals because one below them relays its own.
func (p *Program) relays() {
	for range p.services { // at most as many rounds as the graph is deep
		for i := range p.services {
			s := &p.services[i]
			s.relaysFar = s.relaysFar || s.signals && s.signal.RelayHops > 0
			for e := s.firstEdge; e < s.firstEdge+s.calls; e++ {
				if p.services[p.edges[e].callee].relaysFar {
					s.signals, s.relaysFar = true, true
				}
			}
		}
	}
}

func (p *Program) compileFaults(m *Model, services map[string]int) {
	for i := range m.Faults {
		f := &m.Faults[i]
		plan := faultPlan{Fault: *f, from: int64(f.From), to: cmp.Or(int64(f.To), never)}
		switch f.Kind {
		case "latency":
			plan.kind, plan.latency = faultLatency, f.Latency.Sampler()
		case "capacity":
			plan.kind = faultCapacity
		case "crash":
			plan.kind = faultCrash
		}
		for _, name := range f.Services {
			j := services[name]
			plan.on = append(plan.on, int32(j))
			p.services[j].faults = append(p.services[j].faults, uint32(i))
		}
		for _, name := range f.Edges {
			for j := range p.edges {
				if p.edges[j].name == name {
					plan.edges = append(plan.edges, uint32(j))
					p.edges[j].faults = append(p.edges[j].faults, uint32(i))
				}
			}
		}
		if f.PEnd != NoRamp && f.To == 0 {
			plan.to = p.end
		}
		p.faults = append(p.faults, plan)
		if i == 0 {
			p.span = [2]int64{plan.from, plan.to}
		}
		p.span = [2]int64{min(p.span[0], plan.from), max(p.span[1], plan.to)}
	}
	p.span[1] = min(p.span[1], p.end)
	if len(p.faults) == 0 {
		p.span[1] = never
	}
}

// baseRates works out the fresh calls per second of each edge if nothing fails.
func (p *Program) baseRates(m *Model) {
	rate := make([]float64, len(p.services))
	for i := range p.clients {
		r := m.Clients[i].Arrivals.meanRate(p.duration)
		p.edges[i].baseRate = r
		rate[p.edges[i].callee] += r
	}
	for _, i := range p.topological() {
		s := &p.services[i]
		for e := s.firstEdge; e < s.firstEdge+s.calls; e++ {
			p.edges[e].baseRate = rate[i] * p.edges[e].probability
			rate[p.edges[e].callee] += p.edges[e].baseRate
		}
	}
	for e := range p.edges {
		p.edges[e].baseRate /= float64(p.edges[e].instances)
	}
}

// topological orders the services so that callers come before callees.
func (p *Program) topological() []int {
	var order []int
	done := make([]bool, len(p.services))
	var visit func(i int)
	visit = func(i int) {
		if done[i] {
			return
		}
		done[i] = true
		s := &p.services[i]
		for e := s.firstEdge; e < s.firstEdge+s.calls; e++ {
			visit(int(p.edges[e].callee))
		}
		order = append(order, i)
	}
	for i := range p.services {
		visit(i)
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// meanRate is the expected number of requests per second over the duration; 0 for closed.
func (a *Arrivals) meanRate(duration int64) float64 {
	if a.Kind == "closed" {
		return 0
	}
	if a.Kind == "poisson" || a.Kind == "constant" {
		return a.Rate
	}
	sum := 0.0
	for t := int64(0); t < duration; {
		rate, until := a.rateAt(t)
		until = min(until, duration)
		sum += rate * float64(until-t)
		t = until
	}
	return sum / float64(duration)
}

// chooseSources gives services with few workers a source each, if there is room for all.
func (p *Program) chooseSources() {
	few := func(s *servicePlan) bool { return s.servers <= rosterMax }
	for i := range p.services {
		if few(&p.services[i]) {
			p.sourced++
		}
	}
	if p.sourced > maxSources-2-len(p.clients)-len(p.lanes) {
		p.sourced = 0
		return
	}
	for i := range p.services {
		p.services[i].sourced = few(&p.services[i])
	}
}

// crashes tells whether a fault may end attempts whose calls go on.
func (p *Program) crashes() bool {
	for i := range p.faults {
		if p.faults[i].kind == faultCrash {
			return true
		}
	}
	return false
}
