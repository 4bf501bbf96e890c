package engine

import (
	"retrylab/engine/dist"
	"retrylab/policy"
)

// Program is a checked model in the form the simulator runs. It is read-only and may be
// shared by many Sims.
type Program struct {
	name     string
	clients  []clientPlan
	services []servicePlan
	edges    []edgePlan
	faults   []faultPlan
	lanes    []lanePlan
	duration int64 // arrivals stop
	end      int64 // simulation stops
	warmup   int64
	window   int64 // 0: no series
	turn     int64 // of the timer wheel
	sourced  int   // services with few workers, which have a source each
	span     [2]int64
	// abandons: some caller may give up before its answer comes, so wasted work must be followed.
	abandons bool
	cancels  bool // attempts may leave a queue before they are served
}

type clientPlan struct {
	name     string
	arrivals Arrivals
	think    dist.Sampler
	edge     uint32
	deadline int64 // 0: none
	lane     int   // of the deadline; -1: none
}

type servicePlan struct {
	name        string
	time        dist.Sampler
	servers     int64 // unlimited: a number that is never reached
	limit       int64
	limitAll    bool // limit counts those in service too
	hold        bool // worker occupied while waiting downstream
	holdBackoff bool
	failure     float64
	failureCost float64
	firstEdge   uint32 // its calls are edges firstEdge..firstEdge+calls-1
	calls       uint32
	parallel    bool
	sourced     bool // has a source of its own
	signal      Overload
	signals     bool // looks at overload when it replies, its own or relayed
	relaysFar   bool // its signal may go beyond its callers
	faults      []uint32
}

type edgePlan struct {
	name        string
	callee      uint32
	caller      int32 // service; -1-i for client i
	probability float64
	spec        policy.Spec
	instances   uint32
	timeout     int64
	lane        int // of the timeout; -1: none
	cancel      bool
	latency     int64
	baseRate    float64 // fresh calls per second of one instance without failures
	faults      []uint32
}

type faultPlan struct {
	Fault
	kind    faultKind
	from    int64
	to      int64
	latency dist.Sampler
	on      []int32 // services
	edges   []uint32
}

type lanePlan struct {
	duration int64
	deadline bool
}

type faultKind uint8

const (
	faultFailure faultKind = iota
	faultLatency
	faultCapacity
	faultCrash
)

// unlimited stands for no limit.
const unlimited = int64(1) << 40

// Name is the model's name.
func (p *Program) Name() string { return p.name }

// Clients gives the clients' names in the order of Tally.Clients.
func (p *Program) Clients() []string {
	var names []string
	for i := range p.clients {
		names = append(names, p.clients[i].name)
	}
	return names
}

// Services gives the services' names in the order of Tally.Services.
func (p *Program) Services() []string {
	var names []string
	for i := range p.services {
		names = append(names, p.services[i].name)
	}
	return names
}

// Servers gives the workers of service i; 0 is without limit.
func (p *Program) Servers(i int) int64 {
	if n := p.services[i].servers; n < unlimited {
		return n
	}
	return 0
}

// Edges gives the edges' names, "caller>callee", in the order of Tally.Edges.
func (p *Program) Edges() []string {
	var names []string
	for i := range p.edges {
		names = append(names, p.edges[i].name)
	}
	return names
}

// Policy gives the spec of edge i.
func (p *Program) Policy(i int) policy.Spec { return p.edges[i].spec }

// BaseRate gives the fresh calls per second that edge i carries, all instances together, if nothing
// fails; 0 behind closed-loop clients.
func (p *Program) BaseRate(i int) float64 {
	return p.edges[i].baseRate * float64(p.edges[i].instances)
}

// ClientEdge tells whether edge i belongs to a client.
func (p *Program) ClientEdge(i int) bool { return p.edges[i].caller < 0 }

// Stations gives the names by Window.Station: the clients, then the services.
func (p *Program) Stations() []string { return append(p.Clients(), p.Services()...) }

// FaultSpan is the time from the first fault's start to the last one's end, in ns; ok is
// false without faults.
func (p *Program) FaultSpan() (from, to int64, ok bool) {
	return p.span[0], p.span[1], len(p.faults) > 0
}

// Duration is the time in ns in which clients send requests.
func (p *Program) Duration() int64 { return p.duration }

// Window is the length of a window in ns.
func (p *Program) Window() int64 { return p.window }
