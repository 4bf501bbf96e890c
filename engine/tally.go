package engine

import "retrylab/policy"

// Outcomes is the number of policy.Outcome values, for tallies indexed by one.
const Outcomes = 7

// Tally is what one trial counted. Counts are integers and times are ns; ratios
// are for analysis. Slices are indexed as in the Program. A Tally is reused by
// the next trial of its Sim.
type Tally struct {
	Events   int64 // arrivals, service completions, retries, timeouts and deliveries; cancelled timers do not count
	End      int64 // time at the end, ns
	Clients  []ClientTally
	Latency  Histogram // of successful requests of all clients
	Services []ServiceTally
	Edges    []EdgeTally
	Windows  []Window
}

// ClientTally counts one client's requests that arrived after the warm-up.
type ClientTally struct {
	Requests   int64           // arrived
	Ended      [Outcomes]int64 // by outcome; what is missing to Requests was unfinished at the end
	LatencySum int64           // ns, of successful requests
	Phases     [3]PhaseTally   // by the request's arrival: before, during and after the faults' span
}

// PhaseTally counts the requests that arrived in one phase of a trial. The faults' span
// reaches from the earliest From to the latest To; without faults all is before.
type PhaseTally struct {
	Requests   int64 // arrived in the phase
	Succeeded  int64 // of them, whenever they succeeded
	Unfinished int64 // of them, still open at the end
	LatencySum int64 // ns, of those that succeeded
}

// ServiceTally counts what happened at one service. What is counted most often comes first.
type ServiceTally struct {
	Attempts    int64 // arrived
	Served      int64 // service times completed
	WorkNs      int64 // service time spent; less than BusyNs where workers are held
	BusyNs      int64 // integral of occupied workers
	InSystemNs  int64 // integral of attempts waiting or occupying a worker
	WaitNs      int64 // waiting time for a worker, summed over attempts that got one
	Succeeded   int64 //
	Failed      int64 // own failures after service
	FailedBelow int64 // failed because a call failed
	Rejected    int64 // over the admission limit
	Admitted    int64 // not refused at the door
	FastFailed  int64 // failed on arrival by a fault or a crash
	Crashed     int64 // lost in a crash, in the service's care
	Cancelled   int64 // cancelled before they ended
	Abandoned   int64 // whose caller gave up before they ended
	WastedNs    int64 // service time spent after the caller, or any caller above it, had given up
	QueuePeak   int64 // largest number waiting
	Open        int64 // attempts still in the service's care at the end: waiting, served, or waiting below
	SignalNs    int64 // time in which the service itself signalled overload, as its replies told
}

// EdgeTally counts what one edge's callers did and saw.
type EdgeTally struct {
	Calls       int64                 // calls begun, refused ones included
	Retries     int64                 // attempts sent with number 2 or more
	CallsEnded  [Outcomes]int64       // by outcome
	BackoffNs   int64                 // backoff decided, summed
	Ended       [Outcomes]int64       // attempts ended, as the caller saw it
	EndedFirst  int64                 // of them, attempts with number 1
	Attempts    int64                 // sent
	Denied      [policy.Reasons]int64 // attempts that did not succeed and were not retried, by reason
	SignalledOn int64                 // replies that carried an overload signal
}

// Window is one station's row of the window series. A station is a client or a service.
type Window struct {
	Index       int32   // from 0
	Station     int32   // clients first, then services
	Attempts    int64   // client: attempts sent; service: attempts arrived
	First       int64   // client: requests arrived; service: first attempts sent to it
	Succeeded   int64   // client: requests; service: attempts
	Failed      int64   // client: requests ended otherwise; service: attempts ended otherwise, rejections included
	Rejected    int64   // attempts rejected
	QueueEnd    int64   // client: open requests; service: waiting, at the end of the window
	QueuePeak   int64   // service: largest number waiting in the window
	BusyNs      int64   // service: occupied worker time
	WorkNs      int64   // service: service time completed
	WastedNs    int64   // service
	LatencySum  int64   // client: ns, of requests that succeeded in the window
	Budget      float64 // mean of State.Budget over the station's outgoing policies
	FailureRate float64 // mean of State.FailureRate
	BreakerOpen float64 // share of the station's outgoing policies whose breaker is not closed
	Transitions int64   // sum of State.Transitions so far
}
