package report

import (
	"fmt"
	"slices"

	"retrylab/report/claims"
	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/report/table"
	"retrylab/results"
)

// measuredAs are the strategies that stand for the rows of Table V; a row without one is not measured.
var measuredAs = map[string]string{
	"Standard Retry":  "SR",
	"Circuit Breaker": "CB",
	"ARB (this work)": "ARB",
}

// approachesTable is Table V: the paper's comparison with our measured values.
func approachesTable(d *data) (*table.Table, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	t := &table.Table{
		Label: "Table V",
		Title: "Approaches to retry control compared",
		Caption: "Adapts, cross-tier and control are the paper's judgement. RAF and success as in Tables III and IV, scenario S3. " +
			"Success per request is set beside the RAF because a low RAF alone says nothing about what requests get.",
		Method: "Mean of the trials' ratios with 95% Student t interval; " + d.main.sample() + "; " + d.main.title() + ", scenario S3.",
		Fields: []string{"approach", "adapts", "cross_tier", "control", "paper_s3_raf", "s3_raf", "lo", "hi",
			"s3_success_request_pct", "s3_success_request_lo_pct", "s3_success_request_hi_pct"},
		Columns: []table.Column{
			{Head: "Approach", Field: "approach"},
			{Head: "Adapts", Field: "adapts"},
			{Head: "Cross-tier", Field: "cross_tier"},
			{Head: "Control", Field: "control"},
			{Head: "Paper, S3 RAF", Field: "paper_s3_raf", Digits: 2},
			{Head: "Ours, S3 RAF [95% CI]", Field: "s3_raf", Lo: "lo", Hi: "hi", Digits: 4},
			{Head: "Success per request, % [95% CI]", Field: "s3_success_request_pct", Lo: "s3_success_request_lo_pct", Hi: "s3_success_request_hi_pct", Digits: 2},
		},
	}
	for _, row := range facts.Paper().TableV {
		paper := table.None
		if row.S3RAF != nil {
			paper = table.Number(*row.S3RAF)
		}
		values := []table.Value{table.Text(row.Approach), table.Text(row.Adapts), table.Text(row.CrossTier), table.Text(row.Control), paper}
		if strategy, ok := measuredAs[row.Approach]; ok {
			addApproach(t, values, d.main.trials[pair{strategy, "S3"}])
			continue
		}
		addBudgets(t, d, values)
	}
	return t, nil
}

// addApproach adds a row that was measured.
func addApproach(t *table.Table, values []table.Value, trials []results.Trial) {
	raf, success := measure.RAF.Over(trials, 1), measure.SuccessPerRequest.Over(trials, 100)
	t.Add(slices.Concat(values, interval(raf), interval(success))...)
	warn(t, "s3_raf", raf)
	warn(t, "s3_success_request_pct", success)
}

// addBudgets fills the row that the paper leaves blank with static budgets of 10% and 20% of calls, if they were run.
func addBudgets(t *table.Table, d *data, values []table.Value) {
	if d.evidence == nil || !d.evidence.Has(claims.BudgetKey("reference", 10, "S3")) {
		t.Add(slices.Concat(values, make([]table.Value, 6))...)
		t.Note("s3_raf", "Not measured by the paper, and not part of its reference model.")
		return
	}
	for _, percent := range []int{10, 20} {
		row := slices.Clone(values)
		row[0] = table.Text(fmt.Sprintf("Mesh budget, %d%% of calls", percent))
		addApproach(t, row, d.evidence.Trials(claims.BudgetKey("reference", percent, "S3")))
		t.Note("s3_raf", "Not measured by the paper: the authors' standard retry in the reference model, retries limited to that share of the calls of the last 10 s, without a floor; "+d.sampleOf(claims.BudgetKey("reference", percent, "S3"))+".")
	}
}
