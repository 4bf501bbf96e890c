// Package figure draws the figures of a report.
//
// A [Figure] is data: panels in rows and columns, each with series of values and
// their intervals. What is drawn and what is written as CSV come from the same
// series, so tests check the data and need not look at pixels. [Figure.SVG],
// [Figure.PDF] and [Figure.PNG] are byte for byte the same for equal figures.
package figure

import (
	"fmt"
	"slices"
	"strings"

	"retrylab/report/table"
)

// Figure is a grid of panels under one legend.
type Figure struct {
	// Name is the stem of its files, e.g. "raf-against-p".
	Name string
	// Title says in one line what it shows.
	Title string
	// Alt describes it, result included, to those who do not see it.
	Alt string
	// Caption defines what is drawn: bands, marks, n, source of the numbers.
	Caption string
	// XName is the CSV column of the independent variable, unit last, e.g. "time_s".
	XName string
	// Panels are the rows of the grid. All rows have equally many panels.
	Panels [][]Panel
	// WidthInch and HeightInch are the size of the picture.
	WidthInch, HeightInch float64
	// TableRows limits the rows shown per panel in the page's table; 0 shows all.
	TableRows int
}

// Panel is one pair of axes.
type Panel struct {
	// Quantity is what the values are, as a column name without unit, e.g. "goodput".
	Quantity string
	// Unit of the values; empty for pure numbers.
	Unit string
	// Facet tells the panels of one quantity apart, e.g. "S1"; may be empty.
	Facet string
	// Title is printed above the panel.
	Title string
	// XLabel and YLabel are printed at the axes, with units.
	XLabel, YLabel string
	// X and Y are the ranges of the axes.
	X, Y Range
	// LogY makes the y axis logarithmic; its range and values must then be above 0, and it needs YTicks.
	LogY bool
	// XTicks and YTicks replace the automatic ticks.
	XTicks, YTicks []Tick
	// Spans shade parts of the x axis, e.g. while a fault lasts.
	Spans []Span
	// Levels are thin lines at a value.
	Levels []float64
	// Sideways puts the independent variable on the y axis (dot plots).
	Sideways bool
	// Heat draws the series as the rows of a heat map instead of lines; nil for lines.
	Heat *Heat
	// Series are drawn in this order.
	Series []Series
}

// Range is the range of an axis.
type Range struct{ Min, Max float64 }

// Tick is a labelled position on an axis.
type Tick struct {
	At    float64
	Label string
}

// Span is a shaded part of the x axis.
type Span struct {
	From, To float64
	// Label goes into the legend.
	Label string
}

// Series is one line or set of dots.
type Series struct {
	// Name goes into the legend and the CSV. Series of equal name share a style.
	Name string
	// X is the independent variable; Values are the heights.
	X, Values []float64
	// Category names each X, for the CSV of plots over categories; may be nil.
	Category []string
	// Lo and Hi are the interval of each value: a band around a line, a bar at a dot; may be nil.
	Lo, Hi []float64
	// Offset moves the drawing (not the data) along the independent axis, so that dots do not hide each other.
	Offset float64
	// TwoGroups says of which values the trials fall into two groups, so that the value describes neither; may be nil. Heat
	// maps mark them.
	TwoGroups []bool
	// Style says how it looks.
	Style Style
	// Dots draws unconnected marks instead of a line.
	Dots bool
	// Raw says that the values are those of single trials: too many for the page's table, which leaves them out.
	Raw bool
	// MarkEvery puts a mark at each so manieth point of a line; 0 is none.
	MarkEvery int
	// MarkFrom is the first point that gets a mark.
	MarkFrom int
}

// Data is the table of everything drawn, one row a point.
func (f *Figure) Data() *table.Table {
	t := &table.Table{
		Name: f.Name, Label: "Data", Title: f.Title,
		Fields: []string{"quantity", "unit", "panel", "series", f.XName, "value", "lo", "hi"},
	}
	f.each(func(p *Panel) {
		for _, s := range p.Series {
			for i := range s.Values {
				lo, hi := s.interval(i)
				t.Add(table.Text(p.Quantity), table.Text(p.Unit), table.Text(p.Facet), table.Text(s.Name),
					s.independent(i), table.Number(s.Values[i]), lo, hi)
			}
		}
	})
	return t
}

// Wide is the data for readers: one row per panel and x, one column per series.
func (f *Figure) Wide() *table.Table {
	names := f.seriesNames()
	t := &table.Table{Name: f.Name, Label: "Data", Title: f.Title, Fields: []string{"quantity", "panel", "x"}}
	t.Columns = []table.Column{
		{Head: "Quantity", Field: "quantity"},
		{Head: "Panel", Field: "panel"},
		{Head: strings.ReplaceAll(f.XName, "_", " "), Field: "x", Digits: 2},
	}
	for i, name := range names {
		v, lo, hi := fmt.Sprintf("v%d", i), fmt.Sprintf("lo%d", i), fmt.Sprintf("hi%d", i)
		t.Fields = append(t.Fields, v, lo, hi)
		t.Columns = append(t.Columns, table.Column{Head: name, Field: v, Lo: lo, Hi: hi, Digits: 3})
	}
	f.each(func(p *Panel) { f.addWide(t, p, names) })
	return t
}

// addWide appends the rows of one panel, every so manieth x if there are too many.
func (f *Figure) addWide(t *table.Table, p *Panel, names []string) {
	type key struct {
		value float64
		label string
	}
	var order []key
	rows := map[key][]table.Value{}
	for _, s := range p.Series {
		column := slices.Index(names, s.Name)
		if column < 0 {
			continue
		}
		for i := range s.Values {
			x := s.independent(i)
			k := key{value: s.X[i]}
			if s.Category != nil {
				k = key{label: s.Category[i]}
			}
			if rows[k] == nil {
				rows[k] = make([]table.Value, len(t.Fields))
				quantity := p.Quantity
				if p.Unit != "" {
					quantity += " (" + p.Unit + ")"
				}
				rows[k][0], rows[k][1], rows[k][2] = table.Text(strings.ReplaceAll(quantity, "_", " ")), table.Text(p.Facet), x
				order = append(order, k)
			}
			lo, hi := s.interval(i)
			copy(rows[k][3+3*column:], []table.Value{table.Number(s.Values[i]), lo, hi})
		}
	}
	step := 1
	if f.TableRows > 0 {
		step = max(1, (len(order)+f.TableRows-1)/f.TableRows)
	}
	for i := 0; i < len(order); i += step {
		t.Add(rows[order[i]]...)
	}
}

// Thinned says whether Wide leaves points out.
func (f *Figure) Thinned() bool { return f.TableRows > 0 && len(f.Wide().Rows) < f.wideRows() }

func (f *Figure) wideRows() int {
	full := *f
	full.TableRows = 0
	return len(full.Wide().Rows)
}

// seriesNames are the names of the series of the page's table in order of first appearance.
func (f *Figure) seriesNames() []string {
	var names []string
	f.each(func(p *Panel) {
		for _, s := range p.Series {
			if !s.Raw && !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	})
	return names
}

func (f *Figure) each(do func(*Panel)) {
	for row := range f.Panels {
		for column := range f.Panels[row] {
			do(&f.Panels[row][column])
		}
	}
}

func (s *Series) independent(i int) table.Value {
	if s.Category != nil {
		return table.Text(s.Category[i])
	}
	return table.Number(s.X[i])
}

func (s *Series) interval(i int) (lo, hi table.Value) {
	if s.Lo == nil {
		return table.None, table.None
	}
	return table.Number(s.Lo[i]), table.Number(s.Hi[i])
}
