package report

import (
	"slices"

	"retrylab/report/claims"
	"retrylab/report/measure"
	"retrylab/report/table"
)

// loads are the two loads at which the authors' program is taken apart.
var loads = []struct {
	model   string
	workers int64
	load    string
}{
	{"reference", 10, "125%"},
	{"reference-25", 25, "50%"},
}

// causesTable takes the paper's headline apart: what is divided by, and how loaded the entry is.
func causesTable(d *data) (*table.Table, error) {
	if d.evidence == nil || !d.evidence.Has(modelKey("reference", "SR", "S1"), modelKey("reference-25", "SR", "S1")) {
		return nil, nil
	}
	t := &table.Table{
		Label: "Table of causes",
		Title: "Two causes of \"retries lower success\", apart: the denominator and the load of the entry",
		Caption: "Difference to no retries (NR) in percentage points, paired by trial on the same arrivals, service times and faults. Per attempt: client attempts that succeeded / that ended, as the paper counts. " +
			"Per request: client attempts that succeeded / first attempts that ended. Per arrival: requests that succeeded / that arrived. 10 workers a service are the authors' program, whose entry is offered 125% of what it can finish; " +
			"with 25 workers it is the 50% that the text states.",
		Method: "Mean of paired differences over trials with 95% Student t interval; n as listed; experiments reference and reference-25; " + allSeeds(d) + ".",
		Fields: []string{"workers", "entry_load", "strategy", "scenario", "trials",
			"attempt_pp", "attempt_lo_pp", "attempt_hi_pp", "request_pp", "request_lo_pp", "request_hi_pp", "arrival_pp", "arrival_lo_pp", "arrival_hi_pp"},
		Columns: []table.Column{
			{Head: "Workers", Field: "workers"},
			{Head: "Entry load", Field: "entry_load"},
			{Head: "Difference", Field: "strategy"},
			{Head: "Scenario", Field: "scenario"},
			{Head: "Trials", Field: "trials"},
			{Head: "Per attempt, pp [95% CI]", Field: "attempt_pp", Lo: "attempt_lo_pp", Hi: "attempt_hi_pp", Digits: 2, Signed: true},
			{Head: "Per request, pp [95% CI]", Field: "request_pp", Lo: "request_lo_pp", Hi: "request_hi_pp", Digits: 2, Signed: true},
			{Head: "Per arrival, pp [95% CI]", Field: "arrival_pp", Lo: "arrival_lo_pp", Hi: "arrival_hi_pp", Digits: 2, Signed: true},
		},
	}
	for _, l := range loads {
		for _, strategy := range paperStrategies[1:] {
			for _, scenario := range paperScenarios {
				k, nr := modelKey(l.model, strategy, scenario), modelKey(l.model, "NR", scenario)
				attempt := d.evidence.Difference(measure.SuccessPerAttempt, k, nr, 100)
				t.Add(slices.Concat(
					[]table.Value{table.Int(l.workers), table.Text(l.load), table.Text(strategy + " − NR"), table.Text(scenario), table.Int(int64(attempt.N))},
					interval(attempt.Interval),
					interval(d.evidence.Difference(measure.SuccessPerRequest, k, nr, 100).Interval),
					interval(d.evidence.GainPerArrival(k).Interval))...)
				warn(t, "attempt_pp", attempt.Interval)
			}
		}
	}
	return t, nil
}

// modelKey is the cell of a model for one of the paper's strategies.
func modelKey(name, strategy, scenario string) claims.Key {
	for _, m := range claims.Models {
		if m.Name == name {
			return m.Key(strategy, scenario)
		}
	}
	return claims.Key{Experiment: name, Scenario: scenario, Strategy: strategy}
}
