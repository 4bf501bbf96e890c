package experiments

import (
	"retrylab/engine"
	"retrylab/policy"
	"retrylab/results"
)

// Rows are the rows of one trial. They belong to the Runner; a sink may use them until it returns.
type Rows struct {
	Cell     *Cell
	Trial    results.Trial
	Services []results.Service
	Edges    []results.Edge
	Windows  []results.Window // empty if the trial's windows are not recorded
}

// recorder turns tallies into rows. This file is the one place that knows both.
type recorder struct {
	seed    uint64
	tables  details
	goodput []int64
}

// details are the tables, beside that of trials, that get rows of a trial.
type details struct{ services, edges, windows bool }

// allDetails are those of a run; a sweep chooses, since its trials are many.
var allDetails = details{services: true, edges: true, windows: true}

// record fills r with what a trial of a cell counted.
func (rec *recorder) record(r *Rows, c *Cell, trial int, t *engine.Tally, d details) {
	r.Cell = c
	r.Services, r.Edges, r.Windows = r.Services[:0], r.Edges[:0], r.Windows[:0]
	rec.trial(r, trial, t)
	if d.services {
		names := c.Program.Services()
		for i := range t.Services {
			r.Services = append(r.Services, serviceRow(c, &r.Trial, i, names[i], &t.Services[i]))
		}
	}
	if d.edges {
		names := c.Program.Edges()
		for i := range t.Edges {
			r.Edges = append(r.Edges, edgeRow(c, &r.Trial, i, names[i], &t.Edges[i]))
		}
	}
	if !d.windows {
		return
	}
	names := c.Program.Stations()
	for i := range t.Windows {
		w := &t.Windows[i]
		r.Windows = append(r.Windows, windowRow(c, &r.Trial, names[w.Station], int(w.Station)-len(t.Clients), w))
	}
}

func (rec *recorder) trial(r *Rows, trial int, t *engine.Tally) {
	c, row := r.Cell, &r.Trial
	*row = results.Trial{
		Experiment: c.Experiment, Cell: c.ID(), Model: c.Model, Strategy: c.Strategy, Scenario: c.Scenario,
		Trial: int64(trial), Seed: rec.seed, Environment: c.Environment, Events: t.Events, EndNs: t.End,
	}
	for i := range t.Clients {
		addClient(row, &t.Clients[i])
	}
	latency := &t.Latency
	row.LatencyNsP50, row.LatencyNsP90, row.LatencyNsP99 = latency.Quantile(0.5), latency.Quantile(0.9), latency.Quantile(0.99)
	for i := range t.Edges {
		if c.Program.ClientEdge(i) {
			addClientEdge(row, &t.Edges[i])
		}
	}
	for i := range t.Services {
		s := &t.Services[i]
		row.AttemptsAllServices += s.Attempts
		row.WorkNs += s.WorkNs
		row.WastedNs += s.WastedNs
	}
	row.RecoveryNs = -1
	if from, to, ok := c.Program.FaultSpan(); ok {
		rec.goodput = goodput(rec.goodput, t)
		row.RecoveryNs, row.Recovered = recovery(rec.goodput, c.Program.Window(), int64(c.Spec.Warmup), from, to, c.Program.Duration())
	}
}

func addClient(row *results.Trial, t *engine.ClientTally) {
	row.Requests += t.Requests
	row.RequestsSucceeded += t.Ended[policy.Success]
	row.RequestsFailed += t.Ended[policy.Failed] + t.Ended[policy.Cancelled]
	row.RequestsTimedOut += t.Ended[policy.TimedOut]
	row.RequestsRejected += t.Ended[policy.Rejected] + t.Ended[policy.Shed]
	row.RequestsBlocked += t.Ended[policy.Blocked]
	row.RequestsUnfinished += t.Requests - sum(t.Ended[:])
	row.LatencyNsSum += t.LatencySum
	row.RequestsBefore += t.Phases[0].Requests
	row.SucceededBefore += t.Phases[0].Succeeded
	row.RequestsDuring += t.Phases[1].Requests
	row.SucceededDuring += t.Phases[1].Succeeded
	row.RequestsAfter += t.Phases[2].Requests
	row.SucceededAfter += t.Phases[2].Succeeded
	row.UnfinishedAfter += t.Phases[2].Unfinished
}

func addClientEdge(row *results.Trial, t *engine.EdgeTally) {
	row.AttemptsSent += t.Attempts
	row.AttemptsRetry += t.Retries
	row.AttemptsEnded += sum(t.Ended[:])
	row.AttemptsEndedFirst += t.EndedFirst
	row.AttemptsSucceeded += t.Ended[policy.Success]
	row.AttemptsFailed += t.Ended[policy.Failed]
	row.AttemptsTimedOut += t.Ended[policy.TimedOut]
	row.AttemptsRejected += t.Ended[policy.Rejected] + t.Ended[policy.Shed]
}

func serviceRow(c *Cell, trial *results.Trial, i int, name string, t *engine.ServiceTally) results.Service {
	return results.Service{
		Experiment: trial.Experiment, Cell: trial.Cell, Strategy: c.Strategy, Scenario: c.Scenario, Trial: trial.Trial,
		Service: name, Position: int64(i), Servers: c.Program.Servers(i),
		Attempts: t.Attempts, Admitted: t.Admitted, Rejected: t.Rejected, FastFailed: t.FastFailed, Served: t.Served,
		Failed: t.Failed, FailedBelow: t.FailedBelow, Crashed: t.Crashed, Cancelled: t.Cancelled, Succeeded: t.Succeeded,
		TimedOut: t.Abandoned, BusyNs: t.BusyNs, WorkNs: t.WorkNs, WastedNs: t.WastedNs, InSystemNs: t.InSystemNs,
		WaitNs: t.WaitNs, QueuePeak: t.QueuePeak,
	}
}

func edgeRow(c *Cell, trial *results.Trial, i int, name string, t *engine.EdgeTally) results.Edge {
	return results.Edge{
		Experiment: trial.Experiment, Cell: trial.Cell, Strategy: c.Strategy, Scenario: c.Scenario, Trial: trial.Trial,
		Edge: name, Policy: c.Program.Policy(i).Kind(),
		Calls: t.Calls, CallsSucceeded: t.CallsEnded[policy.Success], CallsBlocked: t.CallsEnded[policy.Blocked],
		Attempts: t.Attempts, AttemptsRetry: t.Retries, AttemptsEnded: sum(t.Ended[:]), AttemptsEndedFirst: t.EndedFirst,
		Succeeded: t.Ended[policy.Success], Failed: t.Ended[policy.Failed], TimedOut: t.Ended[policy.TimedOut],
		Rejected:    t.Ended[policy.Rejected] + t.Ended[policy.Shed],
		DeniedLimit: t.Denied[policy.LimitHit], DeniedBudget: t.Denied[policy.BudgetEmpty], DeniedCoin: t.Denied[policy.CoinRefused],
		DeniedBreaker: t.Denied[policy.BreakerOpen], DeniedSignal: t.Denied[policy.Backpressure],
		DeniedDeadline: t.Denied[policy.DeadlineHit], DeniedOutcome: t.Denied[policy.NotRetried],
		BackoffNs: t.BackoffNs, Signalled: t.SignalledOn,
	}
}

// windowRow is a window's row; service is the position of its service, negative for a client.
func windowRow(c *Cell, trial *results.Trial, name string, service int, w *engine.Window) results.Window {
	row := results.Window{
		Experiment: trial.Experiment, Cell: trial.Cell, Strategy: c.Strategy, Scenario: c.Scenario, Trial: trial.Trial,
		Window: int64(w.Index), Station: name, IsClient: service < 0,
		Attempts: w.Attempts, First: w.First, Succeeded: w.Succeeded, Failed: w.Failed, Rejected: w.Rejected,
		QueueEnd: w.QueueEnd, QueuePeak: w.QueuePeak, BusyNs: w.BusyNs, WorkNs: w.WorkNs, WastedNs: w.WastedNs,
		LatencySum: w.LatencySum, Budget: w.Budget, FailureRate: w.FailureRate, BreakerOpen: w.BreakerOpen, Transitions: w.Transitions,
	}
	if service >= 0 {
		row.Servers = c.Program.Servers(service)
	}
	return row
}

// cellRow is the row of a cell in a run of that many trials.
func cellRow(c *Cell, trials int) results.Cell {
	row := results.Cell{
		Experiment: c.Experiment, Cell: c.ID(), Model: c.Model, Strategy: c.Strategy, Scenario: c.Scenario,
		Factors: c.factors(" "), ModelSHA256: c.SHA256, ModelYAML: string(c.YAML()), Trials: int64(c.trials(trials)),
		DurationNs: c.Program.Duration(), WindowNs: c.Program.Window(), FaultFromNs: -1, FaultToNs: -1,
		OfferedPerS: offered(&c.Spec),
	}
	if from, to, ok := c.Program.FaultSpan(); ok {
		row.FaultFromNs, row.FaultToNs = from, to
	}
	return row
}

func sum(counts []int64) int64 {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	return total
}
