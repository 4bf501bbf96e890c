package report

import (
	"fmt"

	"retrylab/analysis/queueing"
	"retrylab/report/facts"
	"retrylab/report/figure"
)

// rafAgainstP draws eq. 2.
func rafAgainstP(d *data) (*figure.Figure, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	panel := figure.Panel{
		Quantity: "raf", XLabel: "failure probability of an attempt, p", YLabel: "RAF (attempts per call)",
		X: figure.Range{Min: 0, Max: 1}, Y: figure.Range{Min: 1, Max: 6.1},
		XTicks: []figure.Tick{{At: 0, Label: "0"}, {At: 0.2, Label: "0.2"}, {At: 0.4, Label: "0.4"}, {At: 0.6, Label: "0.6"}, {At: 0.8, Label: "0.8"}, {At: 1, Label: "1"}},
		YTicks: []figure.Tick{{At: 1, Label: "1"}, {At: 2, Label: "2"}, {At: 3, Label: "3"}, {At: 4, Label: "4"}, {At: 5, Label: "5"}, {At: 6, Label: "6"}},
	}
	const steps = 50
	for n := 1; n <= 5; n++ {
		s := figure.Series{Name: fmt.Sprintf("n = %d", n), Style: figure.StyleAt(n - 1), MarkEvery: 10, MarkFrom: 2 * (n - 1)}
		for i := 0; i <= steps; i++ {
			p := float64(i) / steps
			s.X, s.Values = append(s.X, p), append(s.Values, queueing.RAFSingle(p, n))
		}
		panel.Series = append(panel.Series, s)
	}
	printed := facts.Paper().Equations.Single
	panel.Series = append(panel.Series, figure.Series{
		Name: fmt.Sprintf("printed in the paper (n = %d)", printed.N), Dots: true, Style: figure.StyleAt(5),
		X: []float64{printed.P}, Values: []float64{printed.Value},
	})
	return &figure.Figure{
		Title: "Retry amplification of one tier against failure probability (eq. 2)",
		Alt: fmt.Sprintf("Five curves that rise from 1 at p = 0 to n + 1 at p = 1, one for each number of retries n from 1 to 5. At p = 0.5 three retries give %.3f.",
			queueing.RAFSingle(0.5, 3)),
		Caption: "Eq. 2 of the paper, (1 − p^(n+1)) / (1 − p), n = maximum number of retries (n + 1 attempts). Closed form: no trials, no interval.",
		XName:   "p", Panels: [][]figure.Panel{{panel}}, WidthInch: 5.2, HeightInch: 3.6, TableRows: 11,
	}, nil
}
