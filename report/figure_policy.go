package report

import (
	"retrylab/analysis"
	"retrylab/report/figure"
	"retrylab/report/measure"
)

// policyRows are what the clients' policies believe and allow.
var policyRows = []struct {
	overTime
	strategy string
	mean     bool // of a state that is 0 or 1 in a trial a median shows nothing
}{
	{overTime{"budget", "", "ARB: budget B", 0.5, func(c *windowCell) (perTrial, float64) { return c.budget, 1 }}, "ARB", false},
	{overTime{"failure_rate", "", "ARB: failure rate f", 0.5, func(c *windowCell) (perTrial, float64) { return c.failureRate, 1 }}, "ARB", false},
	{overTime{"breaker_open", "", "CB: breaker not closed", 0.5, func(c *windowCell) (perTrial, float64) { return c.breaker, 1 }}, "CB", true},
}

// policyOverTime draws ARB's budget and failure rate and the breaker's state at the clients.
func policyOverTime(d *data) (*figure.Figure, error) {
	if !d.main.isReference() || d.windows == nil || len(d.windows.cells) == 0 {
		return nil, nil
	}
	e := d.main
	f := &figure.Figure{
		Title: "What the policies do over time: ARB's budget and failure rate, the breaker's state",
		Alt:   "Small multiples over time, one column a scenario. Rows: ARB's budget B, the failure rate that ARB measures, and the share of trials in which the circuit breaker is not closed.",
		Caption: "State of the clients' policies in each window, drawn in its middle. ARB: median over trials, band 5% to 95% of trials. CB: mean over trials of the share of breakers not closed, " +
			"95% t interval. " + d.windows.sample() + ", " + e.title() + ".",
		XName: "time_s", WidthInch: 1.2 + 2.3*float64(len(e.scenarios)), HeightInch: 5.6, TableRows: 11,
	}
	for r, row := range policyRows {
		panels := make([]figure.Panel, len(e.scenarios))
		for c, scenario := range e.scenarios {
			p := pair{row.strategy, scenario}
			panels[c] = figure.Panel{Quantity: row.quantity, Facet: scenario, Y: figure.Range{Min: 0, Max: 1.04}, Spans: e.span(p)}
			panels[c].YTicks = []figure.Tick{{At: 0, Label: "0"}, {At: 0.5, Label: "0.5"}, {At: 1, Label: "1"}}
			cell := d.windows.cells[p]
			if cell == nil {
				continue
			}
			values, _ := row.values(cell)
			end := float64(len(values)) * cell.windowS
			panels[c].X, panels[c].XTicks = figure.Range{Min: 0, Max: end}, timeTicks(end)
			panels[c].Series = []figure.Series{policySeries(row.label, values, cell, row.mean, r)}
			if r == 0 {
				panels[c].Title = scenario
			}
			if r == len(policyRows)-1 {
				panels[c].XLabel = "time, s"
			}
		}
		panels[0].YLabel = []string{"budget B", "failure rate f", "share of trials"}[r]
		f.Panels = append(f.Panels, panels)
	}
	if len(f.Data().Rows) == 0 {
		return nil, nil
	}
	return f, nil
}

func policySeries(label string, values perTrial, cell *windowCell, mean bool, row int) figure.Series {
	clients := float64(max(len(cell.clients), 1))
	s := medianSeries(label, values, cell.windowS, 0.5, 1/clients)
	s.Style = figure.StyleAt([]int{3, 4, 2}[row])
	s.MarkEvery, s.MarkFrom = max(1, len(s.X)/8), 1
	if mean {
		for i, trials := range values {
			m := analysis.Mean(trials, measure.Level).Scale(1 / clients)
			s.Values[i], s.Lo[i], s.Hi[i] = m.Estimate, max(0, m.Low), min(1, m.High)
		}
	}
	return s
}
