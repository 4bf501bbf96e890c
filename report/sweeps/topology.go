package sweeps

import (
	"fmt"
	"math"

	"retrylab/report/figure"
	"retrylab/report/table"
)

// topology makes the report of the sweep topology.
func topology(d *data, r *parts) error {
	t := &table.Table{
		Name: "topology", Label: "Topology", Title: "Hop-level retries against none, by shape of the system",
		Caption: "Success: requests that succeeded / that arrived. Work: attempts at all services per request. Work ratio: with retries over without.",
		Method:  "Ratio of sums over trials, Student's t; differences paired by common random numbers; 95%.",
		Fields:  []string{"shape", "p", "success_nr", "success_sr", "difference", "difference_lo", "difference_hi", "work_nr", "work_sr", "work_ratio", "variance_ratio"},
		Columns: []table.Column{{Head: "Shape", Field: "shape"}, {Head: "p", Field: "p", Digits: 3}, {Head: "Success without, %", Field: "success_nr", Digits: 1},
			{Head: "Success with, %", Field: "success_sr", Digits: 1}, {Head: "Difference, pp [95% CI]", Field: "difference", Lo: "difference_lo", Hi: "difference_hi", Digits: 1, Signed: true},
			{Head: "Work without", Field: "work_nr", Digits: 2}, {Head: "Work with", Field: "work_sr", Digits: 2}, {Head: "Work ratio", Field: "work_ratio", Digits: 2}},
	}
	shapes := textLevels(d, "shape")
	f := &figure.Figure{
		Name: "topology", XName: "shape", Title: "Success per arrival by shape of the system, with and without retries at every hop",
		Alt:       "Dots of success per arrival for ten shapes at several failure probabilities, without and with retries. Without retries success falls with the number of services; with retries it stays near one.",
		Caption:   "Success per arrival: requests that succeeded / that arrived. The same failure probability p at every service; 50 requests/s; d: tiers. Bars: 95% intervals over trials, where wider than the dot.",
		WidthInch: 9, HeightInch: 3.8,
	}
	var panels []figure.Panel
	for _, p := range levelsOf(d, "p") {
		panel := figure.Panel{Quantity: "success", Facet: fmt.Sprintf("p = %g", p), Title: fmt.Sprintf("p = %g", p), XLabel: "success per arrival",
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
			s := figure.Series{Name: strategy, Style: figure.StrategyStyles(d.strategies)[k], Dots: true}
			for i, shape := range shapes {
				for _, c := range d.cells {
					if c.Strategy == strategy && c.text("shape") == shape && c.number("p") == p {
						s = addPoint(s, float64(len(shapes)-1-i), asShare(c.over(successAll)))
						s.Category = append(s.Category, shape)
					}
				}
			}
			panel.Series = append(panel.Series, s)
		}
		panels = append(panels, panel)
	}
	f.Panels = [][]figure.Panel{panels}
	for _, g := range d.byPoint() {
		nr, sr := g[0], g[1]
		diff := sr.minus[successAll]
		a, b := nr.over(work).Estimate, sr.over(work).Estimate
		i := asDifference(diff.Interval).Scale(100)
		t.Add(table.Text(nr.text("shape")), table.Number(nr.number("p")), table.Number(100*nr.over(successAll).Estimate), table.Number(100*sr.over(successAll).Estimate),
			table.Number(i.Estimate), table.Number(i.Low), table.Number(i.High), table.Number(a), table.Number(b), table.Number(b/a), table.Number(diff.VarianceRatio))
		noteHumps(t, "success_nr", successAll, nr)
		noteHumps(t, "success_sr", successAll, sr)
	}
	r.tables = append(r.tables, t)
	r.figures = append(r.figures, f)
	r.findings = append(r.findings, topologyFindings(d)...)
	return nil
}

// topologyFindings are about the middle failure probability.
func topologyFindings(d *data) []string {
	ps := levelsOf(d, "p")
	p := ps[len(ps)/2]
	ratio, without, with := newSpan(), newSpan(), newSpan()
	for _, g := range d.byPoint() {
		if g[0].number("p") != p {
			continue
		}
		shape := g[0].text("shape")
		ratio.see(shape, g[1].over(work).Estimate/g[0].over(work).Estimate)
		without.see(shape, 100*g[0].over(successAll).Estimate)
		with.see(shape, 100*g[1].over(successAll).Estimate)
	}
	return []string{
		fmt.Sprintf("At a failure probability of %g per service, retries at every hop cost between %.2f (%s) and %.2f (%s) times the work of no retries.", p, ratio.low, ratio.lowAt, ratio.high, ratio.highAt),
		fmt.Sprintf("Success without retries lies between %.1f%% (%s) and %.1f%% (%s), with them between %.1f%% and %.1f%%.", without.low, without.lowAt, without.high, without.highAt, with.low, with.high),
	}
}

// span is the range of a value and where its ends are.
type span struct {
	low, high     float64
	lowAt, highAt string
}

func newSpan() *span { return &span{low: math.Inf(1), high: math.Inf(-1)} }

func (s *span) see(name string, value float64) {
	if value < s.low {
		s.low, s.lowAt = value, name
	}
	if value > s.high {
		s.high, s.highAt = value, name
	}
}
