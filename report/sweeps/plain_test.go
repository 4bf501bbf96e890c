package sweeps

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"retrylab/analysis"
	"retrylab/results"
)

// A page does not grow with the cells of a line, nor with the trials of a cell: so many are drawn at most, from one end
// to the other, and the text says so.
func TestPagesOfLongSweepsAreBounded(t *testing.T) {
	d := &data{factors: []results.ExtraColumn{{Name: "load", Kind: results.Float64}}, strategies: []string{"NR"}}
	const cells, trials = 5000, 1000
	for k := range cells {
		c := &cell{Cell: results.Cell{Strategy: "NR"}, factors: map[string]results.Value{"load": {Float: float64(cells - 1 - k)}}}
		c.ratios[successAll] = analysis.Interval{Estimate: 0.5, Low: 0.4, High: 0.6}
		if k < 3 {
			c.trials = trials
			c.requests[successAll] = 100 * trials
			for i := range trials {
				c.perTrial[successAll] = append(c.perTrial[successAll], float64(i%2))
			}
		}
		d.cells = append(d.cells, c)
	}
	p := &parts{}
	plain(d, p)
	overview := p.figures[0]
	line := overview.Panels[0][0].Series[0]
	if n := len(line.X); n < 150 || n > mostPoints || line.X[0] != 0 || line.X[n-1] < 0.99*cells || !strings.Contains(overview.Caption, "5000 points") {
		t.Errorf("%d points from %v to %v: %s", n, line.X[0], line.X[n-1], overview.Caption)
	}
	p.addHumps(d)
	dots := p.figures[1].Panels[0][0].Series
	if len(dots[0].X) != 3*humpDots || !strings.Contains(p.sections[0].HTML, fmt.Sprintf("first %d trials of the 3 cells", humpDots)) {
		t.Errorf("%d dots: %s", len(dots[0].X), p.sections[0].HTML)
	}
	if math.Abs(dots[1].Values[0]-0.5) > 1e-9 {
		t.Errorf("the mean of all trials is %v", dots[1].Values[0])
	}
}
