package sweeps

import (
	"fmt"

	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

// work is all attempts at services per request.
var work = share{func(t *results.Trial) int64 { return t.AttemptsAllServices }, func(t *results.Trial) int64 { return t.Requests }}

// topology makes the report of the sweep topology.
func topology(d *data, r *parts) error {
	t := &table.Table{
		Name: "topology", Label: "Topology", Title: "Hop-level retries against none, by shape of the system",
		Caption: "Work: attempts at all services per request. Work ratio: with retries over without.",
		Method:  "Ratio of sums over trials, Student's t; differences paired by common random numbers; 95%.",
		Fields:  []string{"shape", "p", "success_nr", "success_sr", "difference", "difference_lo", "difference_hi", "work_nr", "work_sr", "work_ratio", "variance_ratio"},
		Columns: []table.Column{{Head: "Shape", Field: "shape"}, {Head: "p", Field: "p", Digits: 3}, {Head: "Success without, %", Field: "success_nr", Digits: 1},
			{Head: "Success with, %", Field: "success_sr", Digits: 1}, {Head: "Difference, pp [95% CI]", Field: "difference", Lo: "difference_lo", Hi: "difference_hi", Digits: 1, Signed: true},
			{Head: "Work without", Field: "work_nr", Digits: 2}, {Head: "Work with", Field: "work_sr", Digits: 2}, {Head: "Work ratio", Field: "work_ratio", Digits: 2}},
	}
	shapes := textLevels(d, "shape")
	f := &figure.Figure{
		Name: "topology", XName: "shape", Title: "Success per request by shape of the system, with and without retries at every hop",
		Alt:       "Dots of success per request for ten shapes at several failure probabilities, without and with retries. Without retries success falls with the number of services; with retries it stays near one.",
		Caption:   "The same failure probability p at every service; 50 requests/s; d: tiers. Bars: 95% intervals over trials, where wider than the dot.",
		WidthInch: 9, HeightInch: 3.8,
	}
	var panels []figure.Panel
	for _, p := range levelsOf(d, "p") {
		panel := figure.Panel{Quantity: "success", Facet: fmt.Sprintf("p = %g", p), Title: fmt.Sprintf("p = %g", p), XLabel: "success per request",
			X: figure.Range{Min: -0.02, Max: 1.02}, Y: figure.Range{Min: -0.6, Max: float64(len(shapes)) - 0.4}, Sideways: true,
			XTicks: []figure.Tick{{At: 0, Label: "0"}, {At: 0.5, Label: "0.5"}, {At: 1, Label: "1"}}}
		for i, shape := range shapes {
			label := ""
			if len(panels) == 0 {
				label = shape
			}
			panel.YTicks = append(panel.YTicks, figure.Tick{At: float64(len(shapes) - 1 - i), Label: label})
		}
		for k, strategy := range d.strategies {
			s := figure.Series{Name: strategy, Style: figure.StrategyStyle(strategy, k), Dots: true}
			for i, shape := range shapes {
				for _, c := range d.cells {
					if c.Strategy == strategy && c.text("shape") == shape && c.number("p") == p {
						s = addPoint(s, float64(len(shapes)-1-i), successAll.over(c.trials))
						s.Category = append(s.Category, shape)
					}
				}
			}
			panel.Series = append(panel.Series, s)
		}
		panels = append(panels, panel)
	}
	f.Panels = [][]figure.Panel{panels}
	low, high := 0.0, 0.0
	for _, g := range d.byPoint() {
		nr, sr := g[0], g[1]
		diff := successAll.minus(sr, nr)
		a, b := work.over(nr.trials).Estimate, work.over(sr.trials).Estimate
		if ratio := b / a; nr.number("p") == 0.01 {
			if low == 0 || ratio < low {
				low = ratio
			}
			high = max(high, ratio)
		}
		i := diff.Interval.Scale(100)
		t.Add(table.Text(nr.text("shape")), table.Number(nr.number("p")), table.Number(100*successAll.over(nr.trials).Estimate), table.Number(100*successAll.over(sr.trials).Estimate),
			table.Number(i.Estimate), table.Number(i.Low), table.Number(i.High), table.Number(a), table.Number(b), table.Number(b/a), table.Number(diff.VarianceRatio))
	}
	r.tables = append(r.tables, t)
	r.figures = append(r.figures, f)
	r.findings = append(r.findings,
		fmt.Sprintf("At a failure probability of 1%% per service, retries at every hop cost between %.2f and %.2f times the work of no retries, depending on the shape.", low, high),
		"Without retries what counts is how many services a request needs, not the shape in which they stand; most of the extra work with retries is work that a failure would have cut short.")
	return nil
}
