package report

import (
	"slices"

	"retrylab/analysis"
	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/report/table"
	"retrylab/results"
)

// successTable is Table III: success per attempt, as the paper counts, beside success per request.
func successTable(d *data) (*table.Table, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	t := paperTable(d, "Table III", "Success by strategy and scenario, per attempt and per request",
		"Per attempt: client attempts that succeeded / client attempts that ended before the end of the trial (the paper's count: rejected attempts included, open ones not). "+
			"Per request: client attempts that succeeded / first attempts that ended; in each trial it is success per attempt × RAF. "+
			"Per arrival: requests that succeeded / requests that arrived, those still open at the end counted as not succeeded. "+
			"Difference: ours − authors' run, in percentage points. Paper: as printed (±0.1 pp).")
	t.Fields = append(t.Fields, "success_attempt_pct", "lo_pct", "hi_pct", "paper_pct", "authors_pct", "difference_pp",
		"success_request_pct", "success_request_lo_pct", "success_request_hi_pct", "arrival", "arrival_lo", "arrival_hi")
	t.PrintOnly = 3
	t.Columns = append(t.Columns,
		table.Column{Head: "Per attempt, % [95% CI]", Field: "success_attempt_pct", Lo: "lo_pct", Hi: "hi_pct", Digits: 2},
		table.Column{Head: "Paper, %", Field: "paper_pct", Digits: 1},
		table.Column{Head: "Authors, %", Field: "authors_pct", Digits: 2},
		table.Column{Head: "Difference, pp", Field: "difference_pp", Digits: 2, Signed: true},
		table.Column{Head: "Per request, % [95% CI]", Field: "success_request_pct", Lo: "success_request_lo_pct", Hi: "success_request_hi_pct", Digits: 2},
		table.Column{Head: "Per arrival, % [95% CI]", Field: "arrival", Lo: "arrival_lo", Hi: "arrival_hi", Digits: 2})
	d.main.eachPaperCell(func(p pair, trials []results.Trial) {
		attempt, request, arrival := measure.SuccessPerAttempt.Over(trials, 100), measure.SuccessPerRequest.Over(trials, 100), measure.SuccessPerArrival.Over(trials, 100)
		printed, _ := facts.Paper().TableIII.Cell(p.strategy, p.scenario)
		authors, _ := facts.Authors(p.strategy, p.scenario)
		t.Add(slices.Concat(
			[]table.Value{table.Text(p.strategy), table.Text(p.scenario)},
			interval(attempt),
			[]table.Value{table.Number(printed), table.Number(authors.SuccessPct), difference(attempt, authors.SuccessPct)},
			interval(request), interval(arrival))...)
		warn(t, "success_attempt_pct", attempt)
		warn(t, "success_request_pct", request)
		warn(t, "arrival", arrival)
	})
	return t, nil
}

// paperTable is the head of a table of the reference model by strategy and scenario that is set against the paper's numbers
// and the authors'.
func paperTable(d *data, label, title, caption string) *table.Table {
	return &table.Table{
		Label: label, Title: title, Caption: caption + " Authors: their own 100-trial run, to more digits.",
		Method:  "Mean of the trials' ratios with 95% Student t interval; " + d.main.sample() + "; " + d.main.title() + ".",
		Fields:  []string{"strategy", "scenario"},
		Columns: []table.Column{{Head: "Strategy", Field: "strategy"}, {Head: "Scenario", Field: "scenario"}},
	}
}

// eachPaperCell visits the cells of Tables III and IV in the paper's order; a missing cell has no trials.
func (e *experiment) eachPaperCell(do func(pair, []results.Trial)) {
	for _, strategy := range paperStrategies {
		for _, scenario := range paperScenarios {
			p := pair{strategy, scenario}
			do(p, e.trials[p])
		}
	}
}

// difference is ours - theirs; missing if there are no trials.
func difference(ours analysis.Interval, theirs float64) table.Value {
	return table.Number(ours.Estimate - theirs)
}
