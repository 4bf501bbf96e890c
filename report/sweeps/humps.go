package sweeps

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"retrylab/analysis"
	"retrylab/report"
	"retrylab/report/figure"
	"retrylab/report/table"
)

// noteHumps marks a cell's mean in the table's last row if the trials fall into two groups.
func noteHumps(t *table.Table, field string, of share, c *cell) {
	if analysis.FindHumps(c.perTrial[of]).Two {
		t.Note(field, table.UpperFirst(analysis.WarnTwoHumps)+".")
	}
}

// humped is a cell of which the trials' success falls into two groups.
type humped struct {
	cell   *cell
	values []float64 // the trials' shares
	apart  float64   // distance of the groups' means
}

const (
	// humpsShown is the most cells that are drawn.
	humpsShown = 12
	// humpsApart is the least distance of two groups that are drawn: closer ones are counts of a few requests.
	humpsApart = 0.05
)

// twoGroups finds them, those whose groups are farthest apart first.
func twoGroups(d *data, of share) []humped {
	var list []humped
	for _, c := range d.cells {
		values := c.perTrial[of]
		h := analysis.FindHumps(values)
		if !h.Two {
			continue
		}
		var low, high []float64
		for _, v := range values {
			if v < h.Split {
				low = append(low, v)
			} else if v >= h.Split {
				high = append(high, v)
			}
		}
		apart := analysis.Mean(high, level).Estimate - analysis.Mean(low, level).Estimate
		if math.IsNaN(apart) {
			apart = 0 // two humps without a gap between them
		}
		list = append(list, humped{c, values, apart})
	}
	slices.SortStableFunc(list, func(a, b humped) int { return cmp.Compare(b.apart, a.apart) })
	return list
}

// addHumps says on the page which cells' means describe no trial, and draws the trials of those that matter.
func (p *parts) addHumps(d *data) {
	of, when := successAll, "of all requests"
	if withFaults(d) {
		of, when = successAfter, "of requests that arrived after the fault"
	}
	list := twoGroups(d, of)
	far, few := 0, 0
	for _, h := range list {
		if h.apart >= humpsApart {
			far++
		}
	}
	for _, c := range d.cells {
		if c.trials < analysis.MinHumpTrials {
			few++
		}
	}
	text := "<p>" + humpsText(len(list), far, len(d.cells)-few, few, when)
	if far > 0 {
		f := humpsFigure(d, list[:min(far, humpsShown)], when)
		p.figures = append(p.figures, f)
		text += fmt.Sprintf(` <a href="#figure-%s">Figure</a>: every trial of the %d cells in which they are farthest apart.`, f.Name, len(f.Panels[0][0].YTicks))
	}
	p.sections = append(p.sections, report.Section{ID: "two-groups", Title: "Means that describe no trial", HTML: text + "</p>"})
}

// humpsText says how many of the judged cells have two groups, and how many groups are far apart; few cells cannot be judged.
func humpsText(two, far, judged, few int, when string) string {
	var parts []string
	switch {
	case two > 0:
		parts = append(parts, fmt.Sprintf("In %d of %d cells the trials' success %s falls into two groups, so that the mean describes neither; in %d of them the groups are %g points apart or more.", two, judged, when, far, 100*humpsApart))
	case judged > 0:
		parts = append(parts, fmt.Sprintf("In none of %d cells does the trials' success %s fall into two groups.", judged, when))
	}
	if few > 0 {
		parts = append(parts, fmt.Sprintf("%d cells have fewer than %d trials, too few to tell two groups.", few, analysis.MinHumpTrials))
	}
	return strings.Join(parts, " ")
}

// humpsFigure draws every trial of the cells.
func humpsFigure(d *data, list []humped, when string) *figure.Figure {
	panel := figure.Panel{Quantity: "success", XLabel: "success per arrival of a trial, " + when, Sideways: true,
		X: figure.Range{Min: -0.02, Max: 1.02}, XTicks: []figure.Tick{{At: 0, Label: "0"}, {At: 0.25, Label: "0.25"}, {At: 0.5, Label: "0.5"}, {At: 0.75, Label: "0.75"}, {At: 1, Label: "1"}},
		Y: figure.Range{Min: -float64(len(list)) + 0.4, Max: 0.6}}
	trials := figure.Series{Name: "a trial", Style: figure.StyleAt(4), Dots: true, Raw: true}
	means := figure.Series{Name: "mean", Style: figure.StyleAt(7), Dots: true}
	for i, h := range list {
		label := cellLabel(d, h.cell)
		panel.YTicks = append(panel.YTicks, figure.Tick{At: -float64(i), Label: label})
		for k, v := range h.values {
			spread := 0.5 * ((float64(k)+0.5)/float64(len(h.values)) - 0.5) // side by side, as equal values are frequent
			trials.X, trials.Values, trials.Category = append(trials.X, spread-float64(i)), append(trials.Values, v), append(trials.Category, label)
		}
		means.X, means.Values, means.Category = append(means.X, -float64(i)), append(means.Values, analysis.Mean(h.values, level).Estimate), append(means.Category, label)
	}
	panel.Series = []figure.Series{trials, means}
	var names []string
	for _, f := range d.factors {
		names = append(names, f.Name)
	}
	return &figure.Figure{
		Name: "two-groups", XName: "cell", Title: "Two groups: cells whose trials either hold or collapse",
		Alt:     fmt.Sprintf("Dots, one a trial, of success per arrival in %d cells whose trials fall into two groups, with the mean between them.", len(list)),
		Caption: "Cells are named by strategy and factors (" + strings.Join(names, ", ") + "). Success per arrival: requests that succeeded / that arrived.",
		Panels:  [][]figure.Panel{{panel}}, WidthInch: 8.4, HeightInch: 1.1 + 0.34*float64(len(list)),
	}
}

// cellLabel names a cell by its strategy and the levels of its factors.
func cellLabel(d *data, c *cell) string {
	parts := []string{c.Strategy}
	for _, f := range d.factors {
		v := c.factors[f.Name]
		if v.Text != "" {
			parts = append(parts, v.Text)
		} else {
			parts = append(parts, fmt.Sprintf("%g", v.Float))
		}
	}
	return strings.Join(parts, ", ")
}
