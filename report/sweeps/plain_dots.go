package sweeps

import (
	"math"
	"slices"
	"strings"

	"retrylab/report/figure"
)

// mostDotRows is the most points of a design that are drawn below each other.
const mostDotRows = 30

// dotOverview draws success and RAF of every cell where no factor is a number: a row a point, a mark a strategy. Nil if there
// is one cell, too many rows, or nothing to draw.
func dotOverview(d *data) *figure.Figure {
	points := d.byPoint()
	if len(d.cells) < 2 || len(points) > mostDotRows {
		return nil
	}
	var names []string
	for _, f := range d.factors {
		names = append(names, f.Name)
	}
	f := &figure.Figure{
		Name: "overview", Title: "Success and amplification of every cell", XName: "cell",
		Alt: "Dots of success per arrival and of client RAF, one for each cell.",
		Caption: "Success per arrival: requests that succeeded / that arrived; client RAF: client attempts sent / requests. " +
			"Bars: 95% intervals over trials (ratio of sums, Student's t), where wider than the dot.",
		WidthInch: 9, HeightInch: 1.4 + 0.28*float64(len(points)),
	}
	if len(names) > 0 {
		f.Caption += " Rows are named by " + strings.Join(names, ", ") + "."
	}
	var row []figure.Panel
	for _, q := range plainQuantities {
		p := figure.Panel{Quantity: q.name, XLabel: q.label, Sideways: true,
			X: figure.Range{Min: q.least, Max: 1.02}, Y: figure.Range{Min: 0.4 - float64(len(points)), Max: 0.6}}
		n := float64(len(d.strategies))
		for i, style := range figure.StrategyStyles(d.strategies) {
			offset := 0.5 * ((n-1)/2 - float64(i)) / n // in their order, from above
			p.Series = append(p.Series, figure.Series{Name: d.strategies[i], Style: style, Dots: true, Offset: offset})
		}
		for k, group := range points {
			label := pointLabel(d, group[0])
			tick := figure.Tick{At: -float64(k), Label: label}
			if len(row) > 0 {
				tick.Label = ""
			}
			p.YTicks = append(p.YTicks, tick)
			for _, c := range group {
				q.addDot(d, &p, c, -float64(k), label)
			}
		}
		row = append(row, p)
	}
	if !slices.ContainsFunc(row[0].Series, func(s figure.Series) bool { return len(s.X) > 0 }) {
		return nil
	}
	f.Panels = [][]figure.Panel{row}
	return f
}

// addDot adds a cell to its strategy's series, in a panel that is made wide enough.
func (q plainQuantity) addDot(d *data, p *figure.Panel, c *cell, y float64, label string) {
	s := &p.Series[slices.Index(d.strategies, c.Strategy)]
	before := len(s.X)
	if *s = addPoint(*s, y, q.interval(c)); len(s.X) > before {
		s.Category = append(s.Category, label)
		p.X.Min, p.X.Max = math.Min(p.X.Min, s.Lo[before]), math.Max(p.X.Max, s.Hi[before]+0.05*(s.Hi[before]-p.X.Min))
	}
}

// pointLabel names a point by the levels of its factors.
func pointLabel(d *data, c *cell) string {
	var levels []string
	for _, f := range d.factors {
		if v := c.level(f.Name); v != "" {
			levels = append(levels, v)
		}
	}
	return strings.Join(levels, ", ")
}
