package report

import (
	"math"

	"retrylab/analysis/queueing"
	"retrylab/report/facts"
	"retrylab/report/table"
)

// prediction is a scenario of Table II: p at each tier from first to last, tiers counted from 1.
type prediction struct {
	scenario, failure string
	first, last       int
	p                 []float64 // one value, or the lowest and the highest
}

var predictions = []prediction{
	{"S1", "50% at tier 3", 3, 3, []float64{0.5}},
	{"S2", "10% → 70% at tiers 4–5", 4, 5, []float64{0.1, 0.7}},
	{"S3", "60% at tiers 3–5", 3, 5, []float64{0.6}},
}

// predictedTable is Table II: what eq. 2 and 3 give, and the exact values of the same chain.
func predictedTable(d *data) (*table.Table, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	setup := facts.Paper().Setup
	t := &table.Table{
		Label: "Table II",
		Title: "Predicted retry amplification by scenario",
		Caption: "Five tiers in a chain, 3 retries (4 attempts) per call. Eq. 2 and 3: the paper's formulas over the failing tiers alone. " +
			"Exact: expected attempts at the last failing tier over the same without retries (eq. 1), when each of the five services but the last retries its downstream call up to 3 times, " +
			"the client does not retry, failures are independent and capacity is without limit. A range is from the lowest to the highest failure probability of the scenario.",
		Method: "Closed forms; no trials and no seed, hence no intervals.",
		Fields: []string{"scenario", "failure_rate", "paper_raf_low", "paper_raf_high", "equation_raf_low", "equation_raf_high", "exact_raf_low", "exact_raf_high"},
		Columns: []table.Column{
			{Head: "Scenario", Field: "scenario"},
			{Head: "Failure rate", Field: "failure_rate"},
			{Head: "Paper, low", Field: "paper_raf_low", Digits: 2},
			{Head: "Paper, high", Field: "paper_raf_high", Digits: 2},
			{Head: "Eq. 2 and 3, low", Field: "equation_raf_low", Digits: 3},
			{Head: "Eq. 2 and 3, high", Field: "equation_raf_high", Digits: 3},
			{Head: "Exact, low", Field: "exact_raf_low", Digits: 3},
			{Head: "Exact, high", Field: "exact_raf_high", Digits: 3},
		},
	}
	for _, row := range predictions {
		paper := facts.Paper().TableII[row.scenario]
		low, high := paper.RAFLow, paper.RAFHigh
		if paper.RAF != 0 {
			low, high = paper.RAF, paper.RAF
		}
		from, to := row.p[0], row.p[len(row.p)-1]
		exactLow, err := row.exact(from, len(setup.Tiers), setup.Retries)
		if err != nil {
			return nil, err
		}
		exactHigh, err := row.exact(to, len(setup.Tiers), setup.Retries)
		if err != nil {
			return nil, err
		}
		t.Add(table.Text(row.scenario), table.Text(row.failure), table.Number(low), table.Number(high),
			table.Number(row.equation(from, setup.Retries)), table.Number(row.equation(to, setup.Retries)),
			table.Number(exactLow), table.Number(exactHigh))
		if got := row.equation(from, setup.Retries); math.Abs(got-low) > 0.0051 {
			t.Note("paper_raf_low", "Eq. 2 and 3 round to another value than the paper prints.")
		}
		if exactHigh > row.equation(to, setup.Retries) {
			t.Note("exact_raf_high", "Above eq. 3, which the paper calls a bound.")
		}
	}
	return t, nil
}

// equation is eq. 3 over the failing tiers; for one tier it is eq. 2.
func (r prediction) equation(p float64, retries int) float64 {
	return queueing.RAFChain(p, retries, r.last-r.first+1)
}

// exact is the amplification at the last failing tier by the recursion of package queueing.
func (r prediction) exact(p float64, tiers, retries int) (float64, error) {
	graph := queueing.Graph{Entries: []queueing.Entry{{Service: 0, Share: 1}}}
	for tier := 1; tier <= tiers; tier++ {
		service := queueing.Service{}
		if tier >= r.first && tier <= r.last {
			service.Failure = p
		}
		if tier < tiers {
			service.Calls = []queueing.Call{{Callee: tier, MaxRetries: retries, Probability: 1}}
		}
		graph.Services = append(graph.Services, service)
	}
	solution, err := graph.Solve()
	if err != nil {
		return 0, err
	}
	return solution.Services[r.last-1].RAF, nil
}
