package report

import (
	"fmt"

	"retrylab/report/facts"
	"retrylab/report/figure"
	"retrylab/report/measure"
)

var (
	authorsRAF = exactly(func(p pair) (float64, float64, bool) {
		cell, ok := facts.Authors(p.strategy, p.scenario)
		return cell.RAF, cell.RAFHalf, ok
	})
	paperRAF = exactly(func(p pair) (float64, float64, bool) {
		value, ok := facts.Paper().TableIV.Cell(p.strategy, p.scenario)
		return value, facts.Paper().TableIV.Half, ok
	})
)

// rafDots is Table IV as dots.
func rafDots(d *data) (*figure.Figure, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	values := []dotRow{
		{"ours", 0, 0.2, measured(measure.RAF, 1)},
		{"authors' run", 1, 0, authorsRAF},
		{"paper", 2, -0.2, paperRAF},
	}
	differences := []dotRow{
		{"ours", 0, 0.12, minus(measured(measure.RAF, 1), authorsRAF)},
		{"authors' run", 1, -0.12, minus(authorsRAF, authorsRAF)},
	}
	top, bottom := make([]figure.Panel, len(paperScenarios)), make([]figure.Panel, len(paperScenarios))
	for i, scenario := range paperScenarios {
		top[i] = d.main.dotPanel(scenario, values)
		top[i].Quantity, top[i].Title, top[i].XLabel = "raf", scenario, "RAF"
		top[i].X = figure.Range{Min: 0.98, Max: 1.38}
		top[i].Levels = []float64{1}
		bottom[i] = d.main.dotPanel(scenario, differences)
		bottom[i].Quantity, bottom[i].XLabel = "raf_difference", "ours − authors"
		bottom[i].X = spread(bottom[i], 0.004)
		bottom[i].XTicks = []figure.Tick{{At: -0.003, Label: "−0.003"}, {At: 0, Label: "0"}, {At: 0.003, Label: "0.003"}}
		bottom[i].Levels = []float64{0}
	}
	return &figure.Figure{
		Title: "Retry amplification by strategy and scenario: ours, the authors' run, the paper (Table IV)",
		Alt: fmt.Sprintf("Dot plot. Standard retry (SR) amplifies by about 1.18 to 1.34, the others stay near 1; ours lie within %.4f of the authors' run.",
			roundUp(worstDifference(bottom), 10000)),
		Caption: "Above: client attempts per first attempt, both ended. Below: ours − authors' run, zoomed in. Bars: 95% intervals, " + d.main.sample() + ".",
		XName:   "strategy", Panels: [][]figure.Panel{top, bottom}, WidthInch: 7.6, HeightInch: 4.4,
	}, nil
}
