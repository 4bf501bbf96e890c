package report

import (
	"slices"
	"strings"

	"retrylab/analysis"
	"retrylab/report/claims"
	"retrylab/report/measure"
	"retrylab/report/table"
)

// lensModels are the models in which ARB is looked at closely.
var lensModels = []string{"reference", "text-released"}

// lensTable looks at what ARB does, against the breaker and static budgets.
func lensTable(d *data) (*table.Table, error) {
	if d.evidence == nil || !d.evidence.Has(claims.BudgetKey("reference", 10, "S1")) {
		return nil, nil
	}
	t := &table.Table{
		Label: "ARB under the lens",
		Title: "What ARB, a breaker and static budgets do with the failures that they see",
		Caption: "Success per arrival: requests that succeeded / that arrived. Of the attempts that failed on the edges on which the strategy decides: retried, or not because of the draw, an empty budget, an open breaker, an OVERLOADED signal; the rest was rejected or had no attempts left. " +
			"Detailed: of the trials, those of which edges are recorded; these shares and that of the replies are means over them. " +
			"Signal: replies that carried OVERLOADED. Transitions: changes of state of all policies in a trial (ARB: cuts and rises of B). Retry rate: retries that arrive at any service, per second, in the fault: its mean, and its standard deviation over the " +
			"seconds of a trial. Budget and dead zone: B at the caller of the first failing tier in the fault, and the share of its seconds in which f is between the thresholds 0.05 and 0.3, where B is only spent. " +
			"ARB in reference is the authors' program, in text-released Algorithm 1.",
		Method: "Means over trials with 95% Student t interval; n as listed; transitions, rates, budget and dead zone over the trials with recorded windows; " + allSeeds(d) + ".",
		Fields: []string{"model", "scenario", "strategy", "trials", "detailed_trials", "window_trials", "success_pct", "success_lo_pct", "success_hi_pct", "raf_client",
			"retried_pct", "retried_lo_pct", "retried_hi_pct", "draw_pct", "empty_pct", "breaker_pct", "signal_pct", "signalled_pct",
			"transitions", "transitions_lo", "transitions_hi", "retries_per_s", "retries_per_s_lo", "retries_per_s_hi", "swing_per_s", "swing_per_s_lo", "swing_per_s_hi", "budget", "dead_zone_pct"},
		Columns: []table.Column{
			{Head: "Model", Field: "model"}, {Head: "Scenario", Field: "scenario"}, {Head: "Strategy", Field: "strategy"}, {Head: "Trials", Field: "trials"},
			{Head: "Detailed", Field: "detailed_trials"}, {Head: "With windows", Field: "window_trials"},
			{Head: "Success per arrival, %", Field: "success_pct", Digits: 2},
			{Head: "RAF, client", Field: "raf_client", Digits: 3},
			{Head: "Retried, % of failures [95% CI]", Field: "retried_pct", Lo: "retried_lo_pct", Hi: "retried_hi_pct", Digits: 2},
			{Head: "Draw, %", Field: "draw_pct", Digits: 1}, {Head: "Budget empty, %", Field: "empty_pct", Digits: 1},
			{Head: "Breaker, %", Field: "breaker_pct", Digits: 1}, {Head: "Signal, %", Field: "signal_pct", Digits: 1},
			{Head: "Replies with signal, %", Field: "signalled_pct", Digits: 1},
			{Head: "Transitions", Field: "transitions", Digits: 1},
			{Head: "Retries/s", Field: "retries_per_s", Digits: 1}, {Head: "Their swing", Field: "swing_per_s", Digits: 1},
			{Head: "Budget B", Field: "budget", Digits: 3}, {Head: "Dead zone, %", Field: "dead_zone_pct", Digits: 1},
		},
	}
	for _, name := range lensModels {
		for _, scenario := range paperScenarios {
			for _, strategy := range paperStrategies[1:] {
				addLensRow(t, d, name, modelKey(name, strategy, scenario), strategy)
			}
			relayed := modelKey(name, "ARB", scenario)
			relayed.Factors = "services[*].signal.relay_hops=4"
			addLensRow(t, d, name, relayed, "ARB, signal by all hops")
			addLensRow(t, d, name, claims.BudgetKey(name, 10, scenario), "static budget 10%")
			addLensRow(t, d, name, claims.BudgetKey(name, 20, scenario), "static budget 20%")
		}
	}
	return t, nil
}

func addLensRow(t *table.Table, d *data, model string, k claims.Key, label string) {
	e := d.evidence
	if !e.Has(k) {
		return
	}
	denied := func(count func(*claims.Edges) int64) table.Value {
		return table.Number(e.OnEdges(k, count, (*claims.Edges).Failed, 100).Estimate)
	}
	budget, dead := table.None, table.None
	if strings.HasPrefix(label, "ARB") {
		m := claims.Model{Name: model, Hops: model != "reference"}
		station := claims.Caller(m, k.Scenario)
		budget, dead = table.Number(e.BudgetInFault(k, station).Estimate), table.Number(e.DeadZone(k, station).Estimate)
	}
	transitions := analysis.Mean(nil, measure.Level)
	if e.HasSeries(k) {
		transitions = e.Transitions(k)
	}
	t.Add(slices.Concat(
		[]table.Value{table.Text(model), table.Text(k.Scenario), table.Text(label),
			table.Int(int64(len(e.Trials(k)))), table.Int(int64(e.Detailed(k))), table.Int(int64(transitions.N))},
		interval(e.Over(measure.SuccessPerArrival, k, 100)),
		[]table.Value{table.Number(e.Over(measure.RAF, k, 1).Estimate)},
		interval(e.Retried(k)),
		[]table.Value{denied(func(x *claims.Edges) int64 { return x.Coin }), denied(func(x *claims.Edges) int64 { return x.Budget }),
			denied(func(x *claims.Edges) int64 { return x.Breaker }), denied(func(x *claims.Edges) int64 { return x.Signal }),
			table.Number(e.OnEdges(k, func(x *claims.Edges) int64 { return x.Signalled }, func(x *claims.Edges) int64 { return x.Ended }, 100).Estimate)},
		interval(transitions), interval(e.RetriesPerS(k)), interval(e.RetryDeviation(k)),
		[]table.Value{budget, dead})...)
}
