package sweeps

import (
	"fmt"

	"retrylab/report/figure"
)

// correlation makes the report of the sweep correlation.
func correlation(d *data, r *parts) error {
	f := &figure.Figure{
		Name: "correlation", XName: "rho", Title: "What retries recover when the failures of a request are correlated",
		Alt:       "Lines of success per request during the fault against the correlation of failures, for no retries and standard retries, by failure probability and by who retries.",
		Caption:   "Requests that arrived while three of five tiers failed with probability p. With probability rho a request uses one coin for all its attempts at all three tiers. Bands: 95% intervals over trials.",
		WidthInch: 8.4, HeightInch: 5,
	}
	gain := map[string][2]float64{}
	for _, at := range []string{"client", "hops"} {
		var row []figure.Panel
		for _, p := range levelsOf(d, "p") {
			panel := figure.Panel{Quantity: "success_during", Facet: fmt.Sprintf("%s, p = %g", at, p), Title: fmt.Sprintf("retries at %s, p = %g", at, p),
				X: figure.Range{Min: 0, Max: 1}, Y: figure.Range{Min: 0, Max: 1.02}}
			if at == "hops" {
				panel.XLabel = "correlation rho"
			}
			if len(row) == 0 {
				panel.YLabel = "success per request"
			}
			for i, strategy := range d.strategies {
				s := figure.Series{Name: strategy, Style: figure.StrategyStyle(strategy, i), MarkEvery: 2}
				for _, c := range d.cells {
					if c.Strategy == strategy && c.text("retries_at") == at && c.number("p") == p {
						s = addPoint(s, c.number("rho"), successDuring.over(c.trials))
					}
				}
				panel.Series = append(panel.Series, s)
			}
			if n := len(panel.Series); n == 2 && p == 0.3 {
				nr, sr := panel.Series[0].Values, panel.Series[1].Values
				gain[at] = [2]float64{sr[0] - nr[0], sr[len(sr)-1] - nr[len(nr)-1]}
			}
			row = append(row, panel)
		}
		f.Panels = append(f.Panels, row)
	}
	r.figures = append(r.figures, f)
	r.findings = append(r.findings,
		fmt.Sprintf("At p = 0.3 client retries gain %.0f pp of requests while failures are independent and %.0f pp when a request's failures are one coin; retries at every hop %.0f and %.0f pp.",
			100*gain["client"][0], 100*gain["client"][1], 100*gain["hops"][0], 100*gain["hops"][1]),
		"Correlation helps requests without retries, since one coin replaces three, and takes from retries what they live on: another draw.")
	return nil
}

// levelsOf are the levels of a factor that is a number, ascending.
func levelsOf(d *data, factor string) []float64 {
	var list []float64
	for _, c := range d.cells {
		list = insert(list, c.number(factor))
	}
	return list
}

// textLevels are the levels of a named factor, in order of appearance.
func textLevels(d *data, factor string) []string {
	var list []string
	for _, c := range d.cells {
		if v := c.text(factor); !contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}
