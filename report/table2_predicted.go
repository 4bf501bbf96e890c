package report

import (
	"math"
	"slices"

	"retrylab/analysis"
	"retrylab/report/claims"
	"retrylab/report/measure"
	"retrylab/report/table"
)

// failureTexts describe the scenarios of Table II.
var failureTexts = map[string]string{"S1": "50% at tier 3", "S2": "10% → 70% at tiers 4–5", "S3": "60% at tiers 3–5"}

// predictedTable is Table II: what eq. 2 and 3 give, the exact values of the same chain, and what it does when it is simulated,
// without limits and with the text's.
func predictedTable(d *data) (*table.Table, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	t := &table.Table{
		Label: "Table II",
		Title: "Retry amplification by scenario: predicted, exact, simulated",
		Caption: "Five tiers in a chain, 3 retries (4 attempts) per call. Eq. 2 and 3: the paper's formulas over the failing tiers alone. " +
			"Exact: expected attempts at the last failing tier over the same without retries (eq. 1), when each of the five services but the last retries its downstream call up to 3 times, " +
			"the client does not retry, failures are independent and capacity is without limit. Per request: the same attempts per request of the client, which eq. 3 does bound. Simulated without limits: model text-free, all requests followed to their end. " +
			"Simulated with limits: model text-released for 20 s, 10 workers and room for 100 waiting at each tier. A range is from the lowest to the highest failure probability of the scenario.",
		Method: "Formulas and exact values: closed forms, no intervals. Simulated: mean of the trials' ratios to the same trial without retries, 95% Student t interval; failures all the time; " + predictedSample(d) + "; " + allSeeds(d) + ".",
		Fields: []string{"scenario", "failure_rate", "paper_raf_low", "paper_raf_high", "equation_raf_low", "equation_raf_high", "exact_raf_low", "exact_raf_high",
			"exact_per_request_low", "exact_per_request_high",
			"free_raf_low", "free_raf_low_lo", "free_raf_low_hi", "free_raf_high", "free_raf_high_lo", "free_raf_high_hi",
			"limited_raf_low", "limited_raf_low_lo", "limited_raf_low_hi", "limited_raf_high", "limited_raf_high_lo", "limited_raf_high_hi"},
		Columns: []table.Column{
			{Head: "Scenario", Field: "scenario"},
			{Head: "Failure rate", Field: "failure_rate"},
			{Head: "Paper, low", Field: "paper_raf_low", Digits: 2},
			{Head: "Paper, high", Field: "paper_raf_high", Digits: 2},
			{Head: "Eq. 2 and 3, low", Field: "equation_raf_low", Digits: 3},
			{Head: "Eq. 2 and 3, high", Field: "equation_raf_high", Digits: 3},
			{Head: "Exact, low", Field: "exact_raf_low", Digits: 3},
			{Head: "Exact, high", Field: "exact_raf_high", Digits: 3},
			{Head: "Per request, high", Field: "exact_per_request_high", Digits: 3},
			{Head: "Simulated without limits, low", Field: "free_raf_low", Lo: "free_raf_low_lo", Hi: "free_raf_low_hi", Digits: 3},
			{Head: "Without limits, high", Field: "free_raf_high", Lo: "free_raf_high_lo", Hi: "free_raf_high_hi", Digits: 2},
			{Head: "Simulated with limits, low", Field: "limited_raf_low", Lo: "limited_raf_low_lo", Hi: "limited_raf_low_hi", Digits: 3},
			{Head: "With limits, high", Field: "limited_raf_high", Lo: "limited_raf_high_lo", Hi: "limited_raf_high_hi", Digits: 2},
		},
	}
	for _, scenario := range paperScenarios {
		var ends []claims.Prediction
		for _, p := range claims.Predictions() {
			if p.Scenario == scenario {
				ends = append(ends, p)
			}
		}
		addPrediction(t, d.evidence, ends[0], ends[len(ends)-1])
	}
	return t, nil
}

// predictedSample says how many trials each simulated value rests on.
func predictedSample(d *data) string {
	var counts []int
	for _, p := range claims.Predictions() {
		for _, k := range []claims.Key{p.Free(), p.Limited()} {
			if d.evidence != nil && d.evidence.Has(k) {
				counts = append(counts, len(d.evidence.Trials(k)))
			}
		}
	}
	return SampleText(counts)
}

// addPrediction adds a scenario's row, from its lowest to its highest failure probability.
func addPrediction(t *table.Table, e *claims.Evidence, low, high claims.Prediction) {
	exactLow, requestLow := low.Exact()
	exactHigh, requestHigh := high.Exact()
	t.Add(slices.Concat(
		[]table.Value{table.Text(low.Scenario), table.Text(failureTexts[low.Scenario]), table.Number(low.Printed), table.Number(high.Printed),
			table.Number(low.Equation()), table.Number(high.Equation()), table.Number(exactLow), table.Number(exactHigh),
			table.Number(requestLow), table.Number(requestHigh)},
		interval(simulated(e, low, low.Free())), interval(simulated(e, high, high.Free())),
		interval(simulated(e, low, low.Limited())), interval(simulated(e, high, high.Limited())))...)
	if math.Abs(low.Equation()-low.Printed) > 0.0051 {
		t.Note("paper_raf_low", "Eq. 2 and 3 round to another value than the paper prints.")
	}
	if exactHigh > high.Equation() {
		t.Note("exact_raf_high", "Above eq. 3, which the paper calls a bound.")
	}
}

// simulated is the amplification in a cell, missing if it was not run.
func simulated(e *claims.Evidence, p claims.Prediction, k claims.Key) analysis.Interval {
	if e == nil || !e.Has(k) {
		return analysis.Mean(nil, measure.Level)
	}
	return e.Simulated(p, k)
}
