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

// plain makes the report of a sweep that has none of its own: in words, as a table if it is short, and in a figure.
func plain(d *data, r *parts) {
	r.findings = append(r.findings, plainFindings(d)...)
	if t := plainTable(d); t != nil {
		r.tables = append(r.tables, t)
	}
	f := overview(d)
	if f == nil {
		f = dotOverview(d)
	}
	if f != nil {
		r.figures = append(r.figures, f)
	}
}

// plainQuantity is what a panel of the overview shows.
type plainQuantity struct {
	name, label string
	of          share
	least       float64 // lower end of its axis, unless values are lower
}

var plainQuantities = []plainQuantity{{"success", "success per arrival", successAll, 0}, {"raf_client", "client RAF", rafClient, 1}}

// interval is a cell's.
func (q plainQuantity) interval(c *cell) analysis.Interval {
	if q.of == successAll {
		return asShare(c.over(q.of))
	}
	return c.over(q.of)
}

const (
	// mostPoints bounds what is drawn of a line, and so the page: more cannot be told apart.
	mostPoints = 200
	// mostLines bounds the lines of a panel: so many styles can be told apart.
	mostLines = 8
)

// overview draws success and RAF against the first factor that is a number and varies. A line is a strategy and a level
// of the next factor that varies, if there are few enough, for the cells at the first level of every other. Where a sample leaves no
// line of three cells, or of as many as the first factor has levels, every cell is a dot. Nil if there is nothing to draw.
func overview(d *data) *figure.Figure {
	x := xFactor(d)
	if x == "" {
		return nil
	}
	f := &figure.Figure{
		Name: "overview", Title: "Success and amplification against " + x, XName: x,
		Caption:   "Success per arrival: requests that succeeded / that arrived; client RAF: client attempts sent / requests.",
		WidthInch: 7.2, HeightInch: 3.2, TableRows: 20,
	}
	lines, by := linesOf(d, x)
	enough := distinct(d, x, 3)
	scattered := !slices.ContainsFunc(lines, func(l line) bool { return len(l.cells) >= enough })
	told := "strategy"
	if scattered {
		lines = strategyLines(d, func(*cell) bool { return true }, x)
		f.Caption += " A dot a cell, whatever its other factors; bars: 95% intervals over trials (ratio of sums, Student's t), where wider than the dot."
	} else {
		shown := 1
		if by != "" {
			told += " and " + by
			shown = 2
		}
		if len(d.factors) > shown {
			f.Caption += " Other factors at their first level."
		}
		f.Caption += " Bands: 95% intervals over trials (ratio of sums, Student's t)."
	}
	f.Alt = fmt.Sprintf("Success per arrival and client RAF against %s, by %s.", x, told)
	for _, l := range lines {
		if n := len(l.cells); n > mostPoints {
			f.Caption += fmt.Sprintf(" Of the %d points of %s some %d are drawn; tables/cells.csv has all.", n, l.name, mostPoints)
		}
	}
	var row []figure.Panel
	for _, q := range plainQuantities {
		p := figure.Panel{Quantity: q.name, XLabel: x, YLabel: q.label,
			X: figure.Range{Min: math.Inf(1), Max: math.Inf(-1)}, Y: figure.Range{Min: q.least, Max: 1.02}}
		for _, l := range lines {
			if s := l.series(q, x, &p); len(s.X) > 0 {
				s.Dots = scattered
				p.Series = append(p.Series, s)
			}
		}
		if len(p.Series) == 0 {
			return nil
		}
		if !(p.X.Max > p.X.Min) {
			p.X = figure.Range{Min: p.X.Min - 0.5, Max: p.X.Min + 0.5}
		}
		row = append(row, p)
	}
	f.Panels = [][]figure.Panel{row}
	return f
}

// xFactor is the first factor that is a number in some cells and varies; the first that is a number if none does, and empty
// if there is none.
func xFactor(d *data) string {
	first := ""
	for _, f := range d.factors {
		if f.Kind != results.Float64 {
			continue
		}
		first = cmp.Or(first, f.Name)
		if varies(d, f.Name) {
			return f.Name
		}
	}
	return first
}

// varies tells whether cells differ in a factor.
func varies(d *data, factor string) bool {
	return slices.ContainsFunc(d.cells, func(c *cell) bool { return c.level(factor) != d.cells[0].level(factor) })
}

// distinct is how many levels a factor has, but no more than most.
func distinct(d *data, factor string, most int) int {
	seen := map[string]bool{}
	for _, c := range d.cells {
		if seen[c.level(factor)] = true; len(seen) == most {
			break
		}
	}
	return len(seen)
}

// level is a factor's value in words; empty if the cell does not have it.
func (c *cell) level(factor string) string {
	switch v := c.factors[factor]; {
	case v.Text != "":
		return v.Text
	case math.IsNaN(v.Float):
		return ""
	default:
		return fmt.Sprintf("%g", v.Float)
	}
}

// line is what is drawn as one, its cells in the order of x.
type line struct {
	name  string
	style figure.Style
	cells []*cell
}

// linesOf are a line for each strategy and each level of the first other factor that varies and has few enough, and that
// factor's name; it is empty if there is none.
func linesOf(d *data, x string) (lines []line, by string) {
	for _, f := range d.factors {
		if f.Name == x || !varies(d, f.Name) {
			continue
		}
		var levels []string
		for _, c := range d.cells {
			if v := c.level(f.Name); !slices.Contains(levels, v) && len(levels) <= mostLines {
				levels = append(levels, v)
			}
		}
		if len(levels)*len(d.strategies) > mostLines {
			continue
		}
		for _, level := range levels {
			shown := func(c *cell) bool { return c.level(f.Name) == level && alike(d, c, d.cells[0], x, f.Name) }
			for _, l := range strategyLines(d, shown, x) {
				name := f.Name + " = " + cmp.Or(level, "none")
				if len(d.strategies) > 1 {
					name = l.name + ", " + name
				}
				lines = append(lines, line{name, figure.StyleAt(len(lines)), l.cells})
			}
		}
		return lines, f.Name
	}
	return strategyLines(d, func(c *cell) bool { return alike(d, c, d.cells[0], x) }, x), ""
}

// strategyLines are a line a strategy, of the cells that are asked for and have the factor x.
func strategyLines(d *data, of func(*cell) bool, x string) []line {
	var lines []line
	for i, strategy := range d.strategies {
		l := line{name: strategy, style: figure.StrategyStyles(d.strategies)[i]}
		for _, c := range d.cells {
			if c.Strategy == strategy && !math.IsNaN(c.number(x)) && of(c) {
				l.cells = append(l.cells, c)
			}
		}
		slices.SortStableFunc(l.cells, func(a, b *cell) int { return cmp.Compare(a.number(x), b.number(x)) })
		lines = append(lines, l)
	}
	return lines
}

// series are the points of a line, so many that they can be told apart, in a panel that is made wide enough.
func (l *line) series(q plainQuantity, x string, p *figure.Panel) figure.Series {
	s := figure.Series{Name: l.name, Style: l.style, MarkEvery: 1}
	step := (len(l.cells) + mostPoints - 1) / mostPoints
	for k := 0; k < len(l.cells); k += step {
		c := l.cells[k]
		before := len(s.X)
		if s = addPoint(s, c.number(x), q.interval(c)); len(s.X) > before {
			p.X.Min, p.X.Max = math.Min(p.X.Min, c.number(x)), math.Max(p.X.Max, c.number(x))
			p.Y.Min, p.Y.Max = math.Min(p.Y.Min, s.Lo[before]), math.Max(p.Y.Max, s.Hi[before]+0.05*(s.Hi[before]-p.Y.Min))
		}
	}
	return s
}

// alike tells whether two cells differ at most in the given factors and in the strategy.
func alike(d *data, a, b *cell, but ...string) bool {
	for _, f := range d.factors {
		if !slices.Contains(but, f.Name) && a.level(f.Name) != b.level(f.Name) {
			return false
		}
	}
	return a.Model == b.Model && a.Scenario == b.Scenario
}

// addPoint adds a point with its interval; ends that are infinite are drawn at the estimate. What has no value, since no
// request arrived say, is left out.
func addPoint(s figure.Series, x float64, i analysis.Interval) figure.Series {
	if math.IsNaN(i.Estimate) || math.IsInf(i.Estimate, 0) {
		return s
	}
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
