package sweeps

import (
	"fmt"
	"slices"

	"retrylab/report/figure"
	"retrylab/report/table"
)

// correlation makes the report of the sweep correlation.
func correlation(d *data, r *parts) error {
	f := &figure.Figure{
		Name: "correlation", XName: "rho", Title: "What retries recover when the failures of a request are correlated",
		Alt:       "Lines of success per arrival during the fault against the correlation of failures, for no retries and standard retries, by failure probability and by who retries.",
		Caption:   "Success per arrival: of the requests that arrived while three of five tiers failed with probability p, those that succeeded. With probability rho a request uses one coin for all its attempts at all three tiers. Bands: 95% intervals over trials.",
		WidthInch: 8.4, HeightInch: 5,
	}
	for _, at := range []string{"client", "hops"} {
		var row []figure.Panel
		for _, p := range levelsOf(d, "p") {
			panel := figure.Panel{Quantity: "success_during", Facet: fmt.Sprintf("%s, p = %g", at, p), Title: fmt.Sprintf("retries at %s, p = %g", at, p),
				X: figure.Range{Min: 0, Max: 1}, Y: figure.Range{Min: 0, Max: 1.02}}
			if at == "hops" {
				panel.XLabel = "correlation of failures, rho"
			}
			if len(row) == 0 {
				panel.YLabel = "success per arrival"
			}
			for i, strategy := range d.strategies {
				s := figure.Series{Name: strategy, Style: figure.StrategyStyles(d.strategies)[i], MarkEvery: 2}
				for _, c := range d.cells {
					if c.Strategy == strategy && c.text("retries_at") == at && c.number("p") == p {
						s = addPoint(s, c.number("rho"), asShare(c.over(successDuring)))
					}
				}
				panel.Series = append(panel.Series, s)
			}
			row = append(row, panel)
		}
		f.Panels = append(f.Panels, row)
	}
	r.figures = append(r.figures, f)
	r.findings = append(r.findings, correlationFindings(d)...)
	return nil
}

// correlationFindings compare the ends of rho at the middle failure probability.
func correlationFindings(d *data) []string {
	ps, rhos := levelsOf(d, "p"), levelsOf(d, "rho")
	p, low, high := ps[len(ps)/2], rhos[0], rhos[len(rhos)-1]
	success := map[string]float64{}
	key := func(at, strategy string, rho float64) string { return fmt.Sprint(at, strategy, rho) }
	for _, c := range d.cells {
		if c.number("p") == p {
			success[key(c.text("retries_at"), c.Strategy, c.number("rho"))] = 100 * c.over(successDuring).Estimate
		}
	}
	first, second := d.strategies[0], d.strategies[len(d.strategies)-1]
	places := textLevels(d, "retries_at")
	var gains []string
	changes := []string{fmt.Sprintf("%s %s pp", first, table.Signed(success[key(places[0], first, high)]-success[key(places[0], first, low)], 0))}
	for _, at := range places {
		gain := func(rho float64) float64 { return success[key(at, second, rho)] - success[key(at, first, rho)] }
		gains = append(gains, fmt.Sprintf("retries at %s %s pp and %s pp", at, table.Signed(gain(low), 0), table.Signed(gain(high), 0)))
		changes = append(changes, fmt.Sprintf("retries at %s %s pp", at, table.Signed(success[key(at, second, high)]-success[key(at, second, low)], 0)))
	}
	return []string{
		fmt.Sprintf("Gains in success at p = %g when failures are independent (rho = %g) and when a request's failures are one coin (rho = %g): %s.", p, low, high, listed(gains)),
		fmt.Sprintf("What that correlation changes in success itself, from rho = %g to %g: %s.", low, high, listed(changes)),
	}
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
		if v := c.text(factor); !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}
