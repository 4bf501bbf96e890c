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

const (
	// humpsShown is the most cells that are drawn.
	humpsShown = 12
	// humpDots is the most trials of a cell that are drawn, the first: the page must not grow with their number.
	humpDots = 200
	// humpsApart is the least distance of two groups' means that matters.
	humpsApart = 0.05
)

// findHumps tells whether trials' shares, or differences of shares, fall into two groups that matter, and how far
// apart those are. Near 1 almost every share is that of none or of one failed request, which is a gap in the numbers
// and none in what happened. So the groups' means must be humpsApart apart, and more than a step, one request of a
// trial, must lie empty between them.
func findHumps(values []float64, step float64) (apart float64, two bool) {
	h := analysis.FindHumps(values)
	return h.Apart, h.Two && h.Apart >= humpsApart && h.Width > 1.5*step
}

// humps is findHumps of a cell's share.
func (c *cell) humps(of share) (apart float64, two bool) {
	return findHumps(c.perTrial[of], c.step(of))
}

// humpsFrom tells the same of the differences from the first cell of the point.
func (c *cell) humpsFrom(first *cell, of share) bool {
	differences := make([]float64, min(len(c.perTrial[of]), len(first.perTrial[of])))
	for i := range differences {
		differences[i] = c.perTrial[of][i] - first.perTrial[of][i]
	}
	_, two := findHumps(differences, max(c.step(of), first.step(of)))
	return two
}

// noteHumps marks a cell's mean in the table's last row if the trials fall into two groups.
func noteHumps(t *table.Table, field string, of share, c *cell) {
	if _, two := c.humps(of); two {
		t.Note(field, table.UpperFirst(analysis.WarnTwoHumps)+".")
	}
}

// humped is a cell of which the trials' success falls into two groups.
type humped struct {
	cell   *cell
	values []float64 // the trials' shares
	apart  float64   // distance of the groups' means
}

// twoGroups finds them, those whose groups are farthest apart first.
func twoGroups(d *data, of share) []humped {
	var list []humped
	for _, c := range d.cells {
		if apart, two := c.humps(of); two {
			values := slices.DeleteFunc(slices.Clone(c.perTrial[of]), math.IsNaN) // trials without such requests have no share
			list = append(list, humped{c, values, apart})
		}
	}
	slices.SortStableFunc(list, func(a, b humped) int { return cmp.Compare(b.apart, a.apart) })
	return list
}

// addHumps says on the page which cells' means describe no trial, and draws the trials of those farthest apart.
func (p *parts) addHumps(d *data) {
	of, when := successAll, "of all requests"
	if withFaults(d) {
		of, when = successAfter, "of requests that arrived after the fault"
	}
	list := twoGroups(d, of)
	few := 0
	for _, c := range d.cells {
		if c.trials < analysis.MinHumpTrials {
			few++
		}
	}
	which := "every trial"
	if slices.ContainsFunc(list[:min(len(list), humpsShown)], func(h humped) bool { return len(h.values) > humpDots }) {
		which = fmt.Sprintf("the first %d trials", humpDots)
	}
	text := "<p>" + humpsText(len(list), len(d.cells)-few, few, when)
	if len(list) > 0 {
		f := humpsFigure(d, list[:min(len(list), humpsShown)], when)
		p.figures = append(p.figures, f)
		text += fmt.Sprintf(` <a href="#figure-%s">Figure</a>: %s of the %d cells in which they are farthest apart.`, f.Name, which, len(f.Panels[0][0].YTicks))
	}
	p.sections = append(p.sections, report.Section{ID: "two-groups", Title: "Means that describe no trial", HTML: text + "</p>"})
}

// humpsText says how many of the judged cells have two groups; few cells cannot be judged.
func humpsText(two, judged, few int, when string) string {
	var parts []string
	switch {
	case two > 0:
		parts = append(parts, fmt.Sprintf("In %d of %d cells the trials' success %s falls into two groups whose means are %g points apart or more, so that the mean of all describes neither.", two, judged, when, 100*humpsApart))
	case judged > 0:
		parts = append(parts, fmt.Sprintf("In none of %s does the trials' success %s fall into two groups %g points apart.",
			report.Count(judged, "cell"), when, 100*humpsApart))
	}
	if few > 0 {
		have := "have"
		if few == 1 {
			have = "has"
		}
		parts = append(parts, fmt.Sprintf("%s %s fewer than %d trials, too few to tell two groups.", report.Count(few, "cell"), have, analysis.MinHumpTrials))
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
		drawn := h.values[:min(len(h.values), humpDots)]
		for k, v := range drawn {
			spread := 0.5 * ((float64(k)+0.5)/float64(len(drawn)) - 0.5) // side by side, as equal values are frequent
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
