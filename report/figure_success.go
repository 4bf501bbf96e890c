package report

import (
	"fmt"
	"math"

	"retrylab/report/facts"
	"retrylab/report/figure"
	"retrylab/report/measure"
)

var (
	authorsSuccess = exactly(func(p pair) (float64, float64, bool) {
		cell, ok := facts.Authors(p.strategy, p.scenario)
		return cell.SuccessPct, cell.SuccessHalf, ok
	})
	paperSuccess = exactly(func(p pair) (float64, float64, bool) {
		value, ok := facts.Paper().TableIII.Cell(p.strategy, p.scenario)
		return value, facts.Paper().TableIII.Half, ok
	})
)

// successDots is Table III as dots: values above, differences from the authors' run below.
func successDots(d *data) (*figure.Figure, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	values := []dotRow{
		{"ours, per attempt", 0, 0.24, measured(measure.SuccessPerAttempt, 100)},
		{"authors' run, per attempt", 1, 0.08, authorsSuccess},
		{"paper, per attempt", 2, -0.08, paperSuccess},
		{"ours, per request", 4, -0.26, measured(measure.SuccessPerRequest, 100)},
	}
	differences := []dotRow{
		{"ours, per attempt", 0, 0.12, minus(measured(measure.SuccessPerAttempt, 100), authorsSuccess)},
		{"authors' run, per attempt", 1, -0.12, minus(authorsSuccess, authorsSuccess)},
	}
	top, bottom := make([]figure.Panel, len(paperScenarios)), make([]figure.Panel, len(paperScenarios))
	for i, scenario := range paperScenarios {
		top[i] = d.main.dotPanel(scenario, values)
		top[i].Quantity, top[i].Unit, top[i].Title, top[i].XLabel = "success", "%", scenario, "success, %"
		top[i].X = figure.Range{Min: 38, Max: 76}
		bottom[i] = d.main.dotPanel(scenario, differences)
		bottom[i].Quantity, bottom[i].Unit, bottom[i].XLabel = "success_difference", "pp", "ours − authors, pp"
		bottom[i].X = spread(bottom[i], 0.4)
		bottom[i].Levels = []float64{0}
	}
	worst := worstDifference(bottom)
	return &figure.Figure{
		Title: "Success by strategy and scenario: ours, the authors' run, the paper (Table III)",
		Alt: fmt.Sprintf("Dot plot. Per attempt, standard retry (SR) is lowest in each scenario and ours lie within %.2f percentage points of the authors' run. "+
			"Per request, the four strategies of a scenario lie close together.", roundUp(worst, 100)),
		Caption: "Above: success per attempt (ours, the authors' run, the paper's printed values) and success per request (ours). " +
			"Below: ours − authors' run, zoomed in. Bars: 95% intervals, " + d.main.sample() + ".",
		XName: "strategy", Panels: [][]figure.Panel{top, bottom}, WidthInch: 7.6, HeightInch: 4.6,
	}, nil
}

// spread is a range around 0 that holds all values, and at least reaches half.
func spread(p figure.Panel, half float64) figure.Range {
	for _, s := range p.Series {
		for i := range s.Values {
			half = math.Max(half, math.Abs(s.Values[i])*1.1)
			if s.Lo != nil {
				half = math.Max(half, math.Max(math.Abs(s.Lo[i]), math.Abs(s.Hi[i]))*1.1)
			}
		}
	}
	return figure.Range{Min: -half, Max: half}
}

// worstDifference is the largest distance from 0 of the first series of the panels.
func worstDifference(panels []figure.Panel) float64 {
	worst := 0.0
	for _, p := range panels {
		if len(p.Series) == 0 {
			continue
		}
		for _, v := range p.Series[0].Values {
			worst = math.Max(worst, math.Abs(v))
		}
	}
	return worst
}
