// Package results is the waist between running and analysing: the tables that a
// run writes, their columns, and their storage as Parquet.
//
// Rows hold counts and nanoseconds; ratios are computed in package analysis.
// Each table is one flat struct and each column one tag: name, unit, meaning.
package results

// Cell is a row of table cells: one point of a design.
type Cell struct {
	Experiment  string  `col:"experiment" doc:"name of the experiment"`
	Cell        string  `col:"cell" doc:"id of the cell, stable and independent of order"`
	Model       string  `col:"model" doc:"name of the model"`
	Strategy    string  `col:"strategy" doc:"name of the retry strategy, e.g. NR, SR, CB, ARB"`
	Scenario    string  `col:"scenario" doc:"name of the fault scenario, e.g. S1"`
	Factors     string  `col:"factors" doc:"the cell's factor values as name=value, separated by spaces, sorted by name"`
	ModelSHA256 string  `col:"model_sha256" doc:"hash of the composed model of the cell, in hexadecimal"`
	ModelYAML   string  `col:"model_yaml" doc:"the composed model of the cell as a model file that runs alone"`
	Trials      int64   `col:"trials" doc:"trials run"`
	DurationNs  int64   `col:"duration_ns" unit:"ns" doc:"time in which clients send requests"`
	WindowNs    int64   `col:"window_ns" unit:"ns" doc:"length of a window"`
	FaultFromNs int64   `col:"fault_from_ns" unit:"ns" doc:"start of the faults' span; -1 without faults"`
	FaultToNs   int64   `col:"fault_to_ns" unit:"ns" doc:"end of the faults' span; -1 without faults"`
	OfferedPerS float64 `col:"offered_per_s" unit:"1/s" doc:"mean rate of requests over the duration, all clients; 0 for closed-loop clients"`
}

// Trial is a row of table trials: one seeded replication of a cell. Requests and client attempts are
// summed over the model's clients.
type Trial struct {
	Experiment  string `col:"experiment" doc:"name of the experiment"`
	Cell        string `col:"cell" doc:"id of the cell"`
	Model       string `col:"model" doc:"name of the model"`
	Strategy    string `col:"strategy" doc:"name of the retry strategy"`
	Scenario    string `col:"scenario" doc:"name of the fault scenario"`
	Trial       int64  `col:"trial" doc:"number of the trial in its cell, from 0"`
	Seed        uint64 `col:"seed" doc:"root seed of the run"`
	Environment uint64 `col:"environment" doc:"key shared by cells that must face equal arrivals, service times and faults"`
	Events      int64  `col:"events" doc:"simulated events: arrivals, service completions, retries, timeouts, deliveries"`
	EndNs       int64  `col:"end_ns" unit:"ns" doc:"simulated time at the end"`

	Requests           int64 `col:"requests" doc:"requests that arrived after the warm-up"`
	RequestsSucceeded  int64 `col:"requests_succeeded" doc:"of them, succeeded within their deadline"`
	RequestsFailed     int64 `col:"requests_failed" doc:"of them, failed"`
	RequestsTimedOut   int64 `col:"requests_timed_out" doc:"of them, ended by a timeout or the deadline"`
	RequestsRejected   int64 `col:"requests_rejected" doc:"of them, ended by an admission limit"`
	RequestsBlocked    int64 `col:"requests_blocked" doc:"of them, ended by the client's own policy"`
	RequestsUnfinished int64 `col:"requests_unfinished" doc:"of them, still open at the end"`

	AttemptsSent        int64 `col:"client_attempts" doc:"attempts that the clients sent"`
	AttemptsRetry       int64 `col:"client_attempts_retry" doc:"of them, retries (number 2 or more)"`
	AttemptsEnded       int64 `col:"client_attempts_ended" doc:"client attempts that ended before the end of the trial"`
	AttemptsEndedFirst  int64 `col:"client_attempts_ended_first" doc:"of them, first attempts"`
	AttemptsSucceeded   int64 `col:"client_attempts_succeeded" doc:"of the ended, succeeded"`
	AttemptsFailed      int64 `col:"client_attempts_failed" doc:"of the ended, failed"`
	AttemptsTimedOut    int64 `col:"client_attempts_timed_out" doc:"of the ended, timed out"`
	AttemptsRejected    int64 `col:"client_attempts_rejected" doc:"of the ended, rejected"`
	AttemptsAllServices int64 `col:"attempts_all_services" doc:"attempts that arrived at any service"`

	LatencyNsSum int64 `col:"latency_ns_sum" unit:"ns" doc:"latency of successful requests, summed"`
	LatencyNsP50 int64 `col:"latency_ns_p50" unit:"ns" doc:"median latency of successful requests, relative error at most 0.4%; -1 without any"`
	LatencyNsP90 int64 `col:"latency_ns_p90" unit:"ns" doc:"90th percentile, as p50"`
	LatencyNsP99 int64 `col:"latency_ns_p99" unit:"ns" doc:"99th percentile, as p50"`
	WorkNs       int64 `col:"work_ns" unit:"ns" doc:"service time spent at all services"`
	WastedNs     int64 `col:"wasted_ns" unit:"ns" doc:"service time spent after a caller above had given up"`

	RequestsBefore  int64 `col:"requests_before" doc:"requests that arrived before the faults' span"`
	SucceededBefore int64 `col:"succeeded_before" doc:"of them, succeeded"`
	RequestsDuring  int64 `col:"requests_during" doc:"requests that arrived during the faults' span"`
	SucceededDuring int64 `col:"succeeded_during" doc:"of them, succeeded"`
	RequestsAfter   int64 `col:"requests_after" doc:"requests that arrived after the faults' span"`
	SucceededAfter  int64 `col:"succeeded_after" doc:"of them, succeeded"`
	UnfinishedAfter int64 `col:"unfinished_after" doc:"of those after, still open at the end"`

	// Recovery: see docs/adr on cascade and recovery. -1 where it does not apply.
	RecoveryNs int64 `col:"recovery_ns" unit:"ns" doc:"time from the end of the faults' span until goodput is back for good; -1 if not within the trial or without faults"`
	Recovered  bool  `col:"recovered" doc:"whether goodput came back within the trial"`
}

// Service is a row of table services: one service in one trial.
type Service struct {
	Experiment  string `col:"experiment" doc:"name of the experiment"`
	Cell        string `col:"cell" doc:"id of the cell"`
	Strategy    string `col:"strategy" doc:"name of the retry strategy"`
	Scenario    string `col:"scenario" doc:"name of the fault scenario"`
	Trial       int64  `col:"trial" doc:"number of the trial"`
	Service     string `col:"service" doc:"name of the service"`
	Position    int64  `col:"position" doc:"position in the model, from 0"`
	Servers     int64  `col:"servers" doc:"workers; 0 is without limit"`
	Attempts    int64  `col:"attempts" doc:"attempts that arrived"`
	Admitted    int64  `col:"admitted" doc:"of them, not refused at the door"`
	Rejected    int64  `col:"rejected" doc:"of them, over the admission limit"`
	FastFailed  int64  `col:"fast_failed" doc:"of them, failed on arrival by a fault or a crash"`
	Served      int64  `col:"served" doc:"service times completed"`
	Failed      int64  `col:"failed" doc:"own failures after service"`
	FailedBelow int64  `col:"failed_below" doc:"attempts failed because a downstream call failed"`
	Crashed     int64  `col:"crashed" doc:"attempts lost in a crash"`
	Cancelled   int64  `col:"cancelled" doc:"attempts cancelled before they ended"`
	Succeeded   int64  `col:"succeeded" doc:"attempts that succeeded"`
	TimedOut    int64  `col:"timed_out" doc:"attempts whose caller gave up before they ended"`
	BusyNs      int64  `col:"busy_ns" unit:"ns" doc:"integral of occupied workers over time"`
	WorkNs      int64  `col:"work_ns" unit:"ns" doc:"service time spent"`
	WastedNs    int64  `col:"wasted_ns" unit:"ns" doc:"service time spent after a caller above had given up"`
	InSystemNs  int64  `col:"in_system_ns" unit:"ns" doc:"integral of attempts waiting or occupying a worker"`
	WaitNs      int64  `col:"wait_ns" unit:"ns" doc:"waiting time for a worker, summed"`
	QueuePeak   int64  `col:"queue_peak" doc:"largest number waiting"`
}

// Edge is a row of table edges: one caller-callee pair in one trial.
type Edge struct {
	Experiment         string `col:"experiment" doc:"name of the experiment"`
	Cell               string `col:"cell" doc:"id of the cell"`
	Strategy           string `col:"strategy" doc:"name of the retry strategy"`
	Scenario           string `col:"scenario" doc:"name of the fault scenario"`
	Trial              int64  `col:"trial" doc:"number of the trial"`
	Edge               string `col:"edge" doc:"caller>callee"`
	Policy             string `col:"policy" doc:"kind of the edge's policy"`
	Calls              int64  `col:"calls" doc:"calls begun, refused ones included"`
	CallsSucceeded     int64  `col:"calls_succeeded" doc:"of them, succeeded"`
	CallsBlocked       int64  `col:"calls_blocked" doc:"of them, refused by the caller's policy before or after attempts"`
	Attempts           int64  `col:"attempts" doc:"attempts sent"`
	AttemptsRetry      int64  `col:"attempts_retry" doc:"of them, retries"`
	AttemptsEnded      int64  `col:"attempts_ended" doc:"attempts that ended, as the caller saw it"`
	AttemptsEndedFirst int64  `col:"attempts_ended_first" doc:"of them, first attempts"`
	Succeeded          int64  `col:"succeeded" doc:"attempts that succeeded"`
	Failed             int64  `col:"failed" doc:"attempts that failed"`
	TimedOut           int64  `col:"timed_out" doc:"attempts that timed out"`
	Rejected           int64  `col:"rejected" doc:"attempts rejected"`
	DeniedLimit        int64  `col:"denied_limit" doc:"failed attempts not retried: max attempts reached"`
	DeniedBudget       int64  `col:"denied_budget" doc:"not retried: budget empty"`
	DeniedCoin         int64  `col:"denied_coin" doc:"not retried: a probabilistic policy's draw"`
	DeniedBreaker      int64  `col:"denied_breaker" doc:"not retried: breaker open"`
	DeniedSignal       int64  `col:"denied_signal" doc:"not retried: downstream signalled overload"`
	DeniedDeadline     int64  `col:"denied_deadline" doc:"not retried: too late for the deadline"`
	DeniedOutcome      int64  `col:"denied_outcome" doc:"not retried: the policy does not retry this outcome"`
	BackoffNs          int64  `col:"backoff_ns" unit:"ns" doc:"backoff decided, summed"`
	Signalled          int64  `col:"signalled" doc:"replies that carried an overload signal"`
}

// Window is a row of table windows: one station (client or service) in one window of one trial.
type Window struct {
	Experiment  string  `col:"experiment" doc:"name of the experiment"`
	Cell        string  `col:"cell" doc:"id of the cell"`
	Strategy    string  `col:"strategy" doc:"name of the retry strategy"`
	Scenario    string  `col:"scenario" doc:"name of the fault scenario"`
	Trial       int64   `col:"trial" doc:"number of the trial"`
	Window      int64   `col:"window" doc:"number of the window, from 0; it starts at window x window_ns"`
	Station     string  `col:"station" doc:"name of a client or a service"`
	IsClient    bool    `col:"is_client" doc:"whether the station is a client"`
	Servers     int64   `col:"servers" doc:"workers of a service; 0 for clients and services without limit"`
	Attempts    int64   `col:"attempts" doc:"client: attempts sent; service: attempts arrived"`
	First       int64   `col:"first_attempts" doc:"client: requests arrived; service: arrived attempts with number 1"`
	Succeeded   int64   `col:"succeeded" doc:"client: requests that succeeded (goodput); service: attempts"`
	Failed      int64   `col:"failed" doc:"requests, or attempts, that ended otherwise"`
	Rejected    int64   `col:"rejected" doc:"attempts rejected"`
	QueueEnd    int64   `col:"queue_end" doc:"at the end of the window, client: open requests; service: attempts waiting"`
	QueuePeak   int64   `col:"queue_peak" doc:"service: largest number waiting in the window"`
	BusyNs      int64   `col:"busy_ns" unit:"ns" doc:"service: occupied worker time"`
	WorkNs      int64   `col:"work_ns" unit:"ns" doc:"service: service time completed"`
	WastedNs    int64   `col:"wasted_ns" unit:"ns" doc:"service: service time spent after a caller above had given up"`
	LatencySum  int64   `col:"latency_ns_sum" unit:"ns" doc:"client: latency of the requests that succeeded in the window, summed"`
	Budget      float64 `col:"budget" doc:"mean retry budget of the station's outgoing policies, in the policy's own unit (ARB: B)"`
	FailureRate float64 `col:"failure_rate" doc:"mean failure rate that the station's outgoing policies believe in (ARB: f_r)"`
	BreakerOpen float64 `col:"breaker_open" doc:"share of the station's outgoing policies whose breaker is not closed"`
	Transitions int64   `col:"transitions" doc:"state changes of the station's outgoing policies so far"`
}
