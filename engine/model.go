// Package engine is a discrete-event simulator of services that call each other
// and retry.
//
// A [Model] is data: services, the calls between them with a retry policy each,
// clients that send requests, and faults on a schedule. [Compile] checks it and
// makes a [Program]; a [Sim] runs trials of a program, one after the other,
// reusing its memory. Time is int64 nanoseconds. Equal keys give equal tallies.
package engine

import (
	"time"

	"retrylab/engine/dist"
	"retrylab/policy"
)

// Model is a system of services under load and faults.
type Model struct {
	// Name identifies the model in results.
	Name string `yaml:"name"`
	// Duration is how long clients send requests. Default 60s.
	Duration time.Duration `yaml:"duration"`
	// Drain is how long the simulation goes on after Duration to let open requests end; at the end
	// what is still open is counted as unfinished. Default 0s.
	Drain time.Duration `yaml:"drain"`
	// Warmup is how long nothing is tallied; requests that arrive in it are never counted. Default 0s.
	Warmup time.Duration `yaml:"warmup"`
	// Window is the length of one row of the window series. Default 1s.
	Window time.Duration `yaml:"window"`
	// Clients send requests. At least one.
	Clients []Client `yaml:"clients"`
	// Services answer them. The calls between services must form no cycle.
	Services []Service `yaml:"services"`
	// Faults act on services or edges while they last.
	Faults []Fault `yaml:"faults"`
}

// Client is a stream of requests that enters at one service.
type Client struct {
	// Name identifies the client; an edge from it is called "name>service". Default "client".
	Name string `yaml:"name"`
	// Arrivals is the law of the requests.
	Arrivals Arrivals `yaml:"arrivals"`
	// Deadline limits a whole request, all attempts included; 0s is none. Default 0s.
	Deadline time.Duration `yaml:"deadline"`
	// Call is the entry service and the client's own policy towards it. Its probability is always 1.
	Call Call `yaml:"call"`
}

// Arrivals is the law by which a client sends requests.
type Arrivals struct {
	// Kind is poisson, constant, on_off, piecewise (both Poisson with a changing rate) or closed. Default poisson.
	Kind string `yaml:"kind"`
	// Rate is requests per second (of on_off: while on; of piecewise: before the first step). Default 500.
	Rate float64 `yaml:"rate"`
	// OffRate is the rate while off. Default 0.
	OffRate float64 `yaml:"off_rate"`
	// On and Off are the lengths of the phases of on_off, on first. Default 1s each.
	On  time.Duration `yaml:"on"`
	Off time.Duration `yaml:"off"`
	// Steps change the rate of piecewise; times must rise.
	Steps []RateStep `yaml:"steps"`
	// FirstAtZero puts the first request at time 0 instead of after the first gap. Default false.
	FirstAtZero bool `yaml:"first_at_zero"`
	// Users is the number of users of closed; each sends its next request a think time after
	// its last one ended. Default 1.
	Users int `yaml:"users"`
	// Think is the think time of closed. Default exponential with mean 1s.
	Think dist.Law `yaml:"think"`
	// Together makes all users of closed send their first request at time 0; otherwise each
	// first thinks once. Default false.
	Together bool `yaml:"together"`
}

// RateStep sets the rate from a time on.
type RateStep struct {
	At   time.Duration `yaml:"at"`
	Rate float64       `yaml:"rate"`
}

// Service is one tier: some workers before a queue.
type Service struct {
	// Name identifies the service.
	Name string `yaml:"name"`
	// Servers is the number of workers; 0 means without limit (nothing ever waits). Default 1.
	Servers int `yaml:"servers"`
	// Time is the law of the service time of one attempt, downstream calls not included.
	// Default exponential with mean 1ms.
	Time dist.Law `yaml:"time"`
	// Limit is the admission limit; an attempt that arrives over it is rejected at once.
	Limit Limit `yaml:"limit"`
	// Hold says whether a worker stays occupied while its attempt waits.
	Hold Hold `yaml:"hold"`
	// Failure is the probability, at all times, that an attempt fails after its service time. Default 0.
	Failure float64 `yaml:"failure"`
	// FailureCost is the share of the service time that a failed attempt costs, in [0,1]. At 1 the coin is
	// tossed when the service ends; below 1 when it starts, because it decides the length. Default 1.
	FailureCost float64 `yaml:"failure_cost"`
	// Calls are made after the service time, in this order or, if Parallel, all at once.
	// A failed call fails the attempt: in order at once, in parallel when all have ended.
	Calls []Call `yaml:"calls"`
	// Parallel makes the calls at the same time. Default false.
	Parallel bool `yaml:"parallel"`
	// Signal says when the service tells its callers that it is overloaded.
	Signal Overload `yaml:"signal"`
}

// Limit is an admission limit.
type Limit struct {
	// Max is the largest number admitted; 0 means no limit. Default 0.
	Max int `yaml:"max"`
	// Counts is what Max counts: waiting (attempts without a worker) or in_system (waiting and occupying
	// a worker). Default in_system.
	Counts string `yaml:"counts"`
}

// Hold says when a worker stays occupied after the service time.
type Hold struct {
	// Downstream: while the attempt waits for its calls. Default false.
	Downstream bool `yaml:"downstream"`
	// Backoff: while the attempt sleeps before a retry; needs Downstream. Otherwise the worker is given
	// back, and the attempt takes the head of the queue for a worker before it retries. Default false.
	Backoff bool `yaml:"backoff"`
}

// Overload says when a service signals overload in its replies (paper, eq. 4). A threshold of 0 is not tested.
type Overload struct {
	// Queue signals when the queue is longer than this share of Limit.Max. Default 0.
	Queue float64 `yaml:"queue"`
	// Counts is what the queue is: waiting or in_system. Default waiting.
	Counts string `yaml:"counts"`
	// CPU signals when busy workers over all workers, averaged over the last CPUWindow, exceeds this. Default 0.
	CPU float64 `yaml:"cpu"`
	// CPUWindow is the time over which CPU is averaged, exponentially. Default 1s.
	CPUWindow time.Duration `yaml:"cpu_window"`
	// Arrivals signals when the attempts of the last second exceed this number. Default 0.
	Arrivals float64 `yaml:"arrivals"`
	// Urgent multiplies the thresholds for the second level, policy.Urgent; 0 is no second level. Default 0.
	Urgent float64 `yaml:"urgent"`
	// RelayHops is how many further services hand the signal on to their own callers. Default 0.
	RelayHops int `yaml:"relay_hops"`
	// Expiry is how long a caller relays a signal it received. Default 2s.
	Expiry time.Duration `yaml:"expiry"`
}

// Call is an edge: who is called, and how failures are met.
type Call struct {
	// To is the name of the called service.
	To string `yaml:"to"`
	// Probability that an attempt makes this call at all. Default 1.
	Probability float64 `yaml:"probability"`
	// Policy decides about retries. Default none.
	Policy policy.Spec `yaml:"policy"`
	// Instances is the number of client instances that share the edge evenly, each with its own policy
	// state. Default 1.
	Instances int `yaml:"instances"`
	// Timeout limits one attempt; 0s is none. Default 0s.
	Timeout time.Duration `yaml:"timeout"`
	// Abandoned says what becomes of work whose caller has given up: goes_on or cancelled (waiting
	// attempts leave the queue, workers are freed at once, all the way down). Default goes_on.
	Abandoned string `yaml:"abandoned"`
	// Latency is the one-way network delay, paid by the attempt and again by its reply. Default 0s.
	Latency time.Duration `yaml:"latency"`
}

// Fault acts on services or edges from From to To.
type Fault struct {
	// Kind is failure, latency, capacity or crash.
	Kind string `yaml:"kind"`
	// Services it acts on, by name.
	Services []string `yaml:"services"`
	// Edges it acts on, as "caller>callee"; only failure and latency. A failure on an edge never reaches the callee.
	Edges []string `yaml:"edges"`
	// From and To bound it; To 0s means to the end. Default 0s.
	From time.Duration `yaml:"from"`
	To   time.Duration `yaml:"to"`
	// Period and On make it periodic: it acts during the first On of every Period after From. Default 0s: always.
	Period time.Duration `yaml:"period"`
	On     time.Duration `yaml:"on"`
	// MeanOn and MeanOff, if set, make it act in random regimes that all its services and edges share:
	// exponential lengths, off first. Default 0s.
	MeanOn  time.Duration `yaml:"mean_on"`
	MeanOff time.Duration `yaml:"mean_off"`
	// P is the failure probability while it acts, in [0,1]. Default 0. PEnd in [0,1] makes the probability go linearly from P at
	// From to PEnd at To. Default NoRamp, which keeps it at P.
	P    float64 `yaml:"p"`
	PEnd float64 `yaml:"p_end"`
	// Rho is the correlation of failures of one request: with probability Rho the request uses one coin for all
	// its attempts at all services of the fault, otherwise each attempt has its own. Default 0.
	Rho float64 `yaml:"rho"`
	// Before makes attempts fail on arrival, before any service (fast failure). Default false.
	Before bool `yaml:"before"`
	// Latency is what latency adds: to each service time of a service, to each way of an edge.
	Latency dist.Law `yaml:"latency"`
	// Capacity is the share of workers left while capacity acts, in [0,1], rounded down. Default 0.
	Capacity float64 `yaml:"capacity"`
}
