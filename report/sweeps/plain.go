package sweeps

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"retrylab/analysis"
	"retrylab/report/figure"
	"retrylab/results"
)

// plain makes the report of a sweep that has none of its own: success and RAF against the first factor that is a
// number, a line a strategy, for the cells at the first level of every other factor.
func plain(d *data, r *parts) {
	x := ""
	for _, f := range d.factors {
		if f.Kind == results.Float64 {
			x = f.Name
			break
		}
	}
	r.findings = append(r.findings, fmt.Sprintf("%d cells; tables/cells.csv has the statistics of each.", len(d.cells)))
	if x == "" || len(d.cells) == 0 {
		return
	}
	first := d.cells[0]
	var panels []figure.Panel
	thinned := ""
	for _, q := range []struct {
		name, label string
		of          share
	}{{"success", "success per arrival", successAll}, {"raf_client", "client RAF", rafClient}} {
		p := figure.Panel{Quantity: q.name, XLabel: x, YLabel: q.label, X: figure.Range{Min: math.Inf(1), Max: math.Inf(-1)}, Y: figure.Range{Min: 0, Max: 1}}
		for i, strategy := range d.strategies {
			s := figure.Series{Name: strategy, Style: figure.StrategyStyles(d.strategies)[i], MarkEvery: 1}
			line := lineOf(d, first, strategy, x)
			if len(line) > mostPoints {
				thinned = fmt.Sprintf(" Of each line's %d points some %d are drawn; tables/cells.csv has all.", len(line), mostPoints)
			}
			for k := 0; k < len(line); k += (len(line) + mostPoints - 1) / mostPoints {
				c := line[k]
				i := c.over(q.of)
				if q.of == successAll {
					i = asShare(i)
				}
				s = addPoint(s, c.number(x), i)
				p.X.Min, p.X.Max = math.Min(p.X.Min, c.number(x)), math.Max(p.X.Max, c.number(x))
				p.Y.Max = math.Max(p.Y.Max, 1.05*s.Hi[len(s.Hi)-1])
			}
			if len(s.X) > 0 {
				p.Series = append(p.Series, s)
			}
		}
		if !(p.X.Max > p.X.Min) {
			p.X = figure.Range{Min: p.X.Min - 0.5, Max: p.X.Min + 0.5}
		}
		panels = append(panels, p)
	}
	r.figures = append(r.figures, &figure.Figure{
		Name: "overview", Title: "Success and amplification against " + x, XName: x,
		Alt:     fmt.Sprintf("Lines of success per arrival and of client RAF against %s, one a strategy.", x),
		Caption: "Success per arrival: requests that succeeded / that arrived; client RAF: client attempts sent / requests. Other factors at their first level. Bands: 95% intervals over trials (ratio of sums, Student's t)." + thinned,
		Panels:  [][]figure.Panel{panels}, WidthInch: 7.2, HeightInch: 3.2, TableRows: 20,
	})
}

// mostPoints bounds what is drawn of a line, and so the page: more cannot be told apart.
const mostPoints = 200

// lineOf are the cells of a strategy that are like the first but for the factor x, in the order of x.
func lineOf(d *data, first *cell, strategy, x string) []*cell {
	var line []*cell
	for _, c := range d.cells {
		if c.Strategy == strategy && alike(d, c, first, x) && !math.IsNaN(c.number(x)) {
			line = append(line, c)
		}
	}
	slices.SortStableFunc(line, func(a, b *cell) int { return cmp.Compare(a.number(x), b.number(x)) })
	return line
}

// alike tells whether two cells differ at most in one factor and in the strategy.
func alike(d *data, a, b *cell, but string) bool {
	for _, f := range d.factors {
		if f.Name != but && a.factors[f.Name] != b.factors[f.Name] && !(math.IsNaN(a.factors[f.Name].Float) && math.IsNaN(b.factors[f.Name].Float)) {
			return false
		}
	}
	return a.Model == b.Model && a.Scenario == b.Scenario
}

// addPoint adds a point with its interval; ends that are infinite are drawn at the estimate.
func addPoint(s figure.Series, x float64, i analysis.Interval) figure.Series {
	lo, hi := i.Low, i.High
	if math.IsInf(lo, 0) || math.IsNaN(lo) {
		lo = i.Estimate
	}
	if math.IsInf(hi, 0) || math.IsNaN(hi) {
		hi = i.Estimate
	}
	s.X, s.Values, s.Lo, s.Hi = append(s.X, x), append(s.Values, i.Estimate), append(s.Lo, lo), append(s.Hi, hi)
	return s
}
