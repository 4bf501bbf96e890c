package report

import (
	"fmt"

	"retrylab/analysis/queueing"
	"retrylab/report/facts"
	"retrylab/report/figure"
)

// rafAgainstDepth draws eq. 3, and the exact value when the failures are at the leaf alone.
func rafAgainstDepth(d *data) (*figure.Figure, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	const retries, deepest = 3, 5
	panel := figure.Panel{
		Quantity: "raf", XLabel: "tiers in the chain, d", YLabel: "RAF at the last tier (log scale)",
		X: figure.Range{Min: 0.9, Max: deepest + 0.1}, Y: figure.Range{Min: 0.95, Max: 130}, LogY: true,
	}
	for d := 1; d <= deepest; d++ {
		panel.XTicks = append(panel.XTicks, figure.Tick{At: float64(d), Label: fmt.Sprint(d)})
	}
	for _, y := range []float64{1, 2, 5, 10, 20, 50, 100} {
		panel.YTicks = append(panel.YTicks, figure.Tick{At: y, Label: fmt.Sprint(y)})
	}
	for i, p := range []float64{0.1, 0.3, 0.5, 0.7} {
		s := figure.Series{Name: fmt.Sprintf("eq. 3, p = %g", p), Style: figure.StyleAt(i), MarkEvery: 1}
		for d := 1; d <= deepest; d++ {
			s.X, s.Values = append(s.X, float64(d)), append(s.Values, queueing.RAFChain(p, retries, d))
		}
		panel.Series = append(panel.Series, s)
	}
	leaf := figure.Series{Name: "exact, only the last tier fails, p = 0.5", Style: figure.StyleAt(4), MarkEvery: 1}
	for d := 1; d <= deepest; d++ {
		leaf.X, leaf.Values = append(leaf.X, float64(d)), append(leaf.Values, queueing.RAFNestedLeaf(0.5, retries+1, d))
	}
	printed := figure.Series{Name: "printed in the paper", Style: figure.StyleAt(5), Dots: true}
	for _, e := range facts.Paper().Equations.Chain {
		printed.X, printed.Values = append(printed.X, float64(e.D)), append(printed.Values, e.Value)
	}
	panel.Series = append(panel.Series, leaf, printed)
	return &figure.Figure{
		Title: "Retry amplification against depth (eq. 3)",
		Alt: fmt.Sprintf("Eq. 3 grows exponentially with depth: at p = 0.5 from %.3g at one tier to %.3g at five. The exact value with failures at the last tier alone stays below 2.",
			queueing.RAFChain(0.5, retries, 1), queueing.RAFChain(0.5, retries, deepest)),
		Caption: "Lines: eq. 3 of the paper with 3 retries at every tier. Exact: (1 − p^(4^d)) / (1 − p), nested retries when only the last tier fails; " +
			"the failures of the tiers above are its failures, seen again. Closed forms: no trials, no interval.",
		XName: "depth", Panels: [][]figure.Panel{{panel}}, WidthInch: 5.2, HeightInch: 3.8,
	}, nil
}
