package engine

import (
	"retrylab/engine/dist"
	"retrylab/engine/rng"
	"retrylab/policy"
)

// client is a stream of requests while it runs.
type client struct {
	plan    *clientPlan
	source  uint32
	random  rng.Stream
	mean    float64 // ns between requests; of a constant rate
	steady  bool    // Poisson with a constant rate
	edge    uint32
	lane    int32 // of the deadline; -1: none
	n       int64 // requests so far
	think   dist.Sampler
	users   []rng.Stream // think times of each user
	count   *ClientTally
	open    int64 // measured requests that have not ended
	current int64 // requests, measured or not, that have not ended
	total   windowMark
}

// start plans a client's first request.
func (s *Sim) startClient(i uint32) {
	c := &s.clients[i]
	a := &c.plan.arrivals
	if a.Kind == "closed" {
		for u := range c.users {
			delay := int64(0)
			if !a.Together {
				delay = c.think.Draw(&c.users[u])
			}
			s.think(i, uint32(u), delay)
		}
		return
	}
	if a.FirstAtZero {
		s.sel.set(c.source, eventKey(0, c.source))
		return
	}
	s.planArrival(c)
}

// planArrival plans the next request of an open stream.
func (s *Sim) planArrival(c *client) {
	at := c.next(s.now, s.p.duration)
	if at >= s.p.duration {
		at = never
	}
	s.sel.set(c.source, eventKey(at, c.source))
}

// next draws when the request after now arrives.
func (c *client) next(now, end int64) int64 {
	if c.steady {
		return now + int64(c.random.Exp()*c.mean)
	}
	a := &c.plan.arrivals
	if a.Kind == "constant" {
		n := c.n
		if !a.FirstAtZero {
			n++
		}
		return int64(float64(n) * c.mean)
	}
	// A Poisson process of changing rate: an exponential amount of expected requests passes.
	amount := c.random.Exp()
	for now < end {
		rate, until := a.rateAt(now)
		until = min(until, end)
		if room := rate * float64(until-now) / 1e9; amount < room {
			return now + int64(amount/rate*1e9)
		} else {
			amount -= room
		}
		now = until
	}
	return never
}

// rateAt is the rate at a time and when it changes next.
func (a *Arrivals) rateAt(t int64) (perS float64, until int64) {
	if a.Kind == "on_off" {
		period := int64(a.On + a.Off)
		start := t / period * period
		if t-start < int64(a.On) {
			return a.Rate, start + int64(a.On)
		}
		return a.OffRate, start + period
	}
	rate := a.Rate
	for _, s := range a.Steps {
		if t < int64(s.At) {
			return rate, int64(s.At)
		}
		rate = s.Rate
	}
	return rate, never
}

// arrive lets a client's next request arrive.
func (s *Sim) arrive(i uint32) {
	c := &s.clients[i]
	c.n++
	s.planArrival(c)
	s.request(i, 0)
}

func (s *Sim) think(client, user uint32, delay int64) {
	// The timer names the user; its generation says whose user it is.
	s.after(delay, timerThink, user, client)
}

// userArrives lets a user of a closed loop send a request.
func (s *Sim) userArrives(user, client uint32) {
	if s.now < s.p.duration {
		s.request(client, user)
	}
}

// request begins a request.
func (s *Sim) request(i, user uint32) {
	c := &s.clients[i]
	s.requests++
	h := s.newFrame()
	r := &s.frames[h]
	r.since, r.caller, r.fork, r.edge = s.now, 0, user, c.edge
	r.request, r.state, r.role = s.requests, below, isRequest
	phase, counted := s.phase(s.now), s.now >= s.p.warmup
	r.arrived(phase, counted)
	c.total.first++
	c.current++
	if counted {
		c.open++
		c.count.Requests++
		c.count.Phases[phase].Requests++
	}
	if c.lane >= 0 {
		s.arm(uint32(c.lane), h, r.gen)
	}
	if s.trace != nil {
		s.report(TraceRequest, h, policy.Success)
	}
	s.begin(&s.edges[c.edge], r, h)
}

// phase is 0 before, 1 during and 2 after the faults' span.
func (s *Sim) phase(t int64) int {
	switch {
	case t < s.p.span[0]:
		return 0
	case t < s.p.span[1]:
		return 1
	}
	return 2
}

// requestEnded counts how a request ended.
func (s *Sim) requestEnded(h uint32, o policy.Outcome) {
	r := &s.frames[h]
	i, user := r.edge, r.fork
	c := &s.clients[i]
	latency := s.now - r.since
	if s.trace != nil {
		s.report(TraceRequestEnded, h, o)
	}
	c.current--
	if o == policy.Success {
		c.total.succeeded++
		c.total.latency += latency
	} else {
		c.total.failed++
	}
	if phase, counted := r.phase(); counted {
		c.open--
		c.count.Ended[o]++
		if o == policy.Success {
			c.count.LatencySum += latency
			s.tally.Latency.add(latency)
			c.count.Phases[phase].Succeeded++
			c.count.Phases[phase].LatencySum += latency
		}
	}
	s.freeFrame(h)
	if len(c.users) > 0 {
		s.think(i, user, c.think.Draw(&c.users[user]))
	}
}
