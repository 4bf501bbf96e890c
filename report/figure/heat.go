package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat draws a panel as a heat map: each series is a row, the first at the bottom, and all have the same X.
// Rows and columns are equally wide whatever the values. A row's label is what its name has behind "= ".
type Heat struct {
	// Max is the value of the strongest colour, and -Max that of its opposite.
	Max float64
	// OneSided is for values that are never negative, such as probabilities: zero is white and Max has the
	// colour of harm.
	OneSided bool
	// Unit is printed at the ends of the scale, e.g. "pp" or "%".
	Unit string
	// Low and High say at the ends of the scale what the colours mean; either may be empty.
	Low, High string
	// Lines are the contours, drawn in this order.
	Lines []HeatLine
	// OpenText says in the legend what a dot is: a cell whose interval contains zero.
	OpenText string
	// GroupsText says in the legend what a cross is: a cell whose trials fall into two groups. Without such a cell it is not shown.
	GroupsText string
}

// HeatLine is a contour. It follows the sides of cells and is not interpolated: where in between it runs, nobody has measured.
type HeatLine struct {
	// Text says in the legend what the line is.
	Text string
	// Between says whether the line runs between two neighbouring cells.
	Between func(a, b HeatCell) bool
	// Thin draws it thin.
	Thin bool
}

// HeatCell is the value of a cell with its interval.
type HeatCell struct{ Value, Lo, Hi float64 }

// open says that the interval contains zero.
func (c HeatCell) open() bool { return c.Lo <= 0 && c.Hi >= 0 }

// Around is a line around the cells of a kind.
func Around(text string, inside func(HeatCell) bool) HeatLine {
	return HeatLine{Text: text, Between: func(a, b HeatCell) bool { return inside(a) != inside(b) }}
}

// ZeroLine is a thin line where the values change their sign. Between two cells whose intervals both contain zero there is
// none: which side zero is on, the trials do not say.
func ZeroLine(text string) HeatLine {
	return HeatLine{Text: text, Thin: true, Between: func(a, b HeatCell) bool {
		changes := a.Value < 0 && b.Value >= 0 || b.Value < 0 && a.Value >= 0
		return changes && !(a.open() && b.open())
	}}
}

// The ends of the scale: blue and vermillion, which stay apart for colour-blind readers and in grey.
var (
	missingColor = color.NRGBA{R: 200, G: 200, B: 200, A: 255}
	thickLine    = draw.LineStyle{Color: inkColor, Width: 1.6}
	thinLine     = draw.LineStyle{Color: inkColor, Width: 0.7, Dashes: []vg.Length{2.5, 1.5}}
	openGlyph    = draw.GlyphStyle{Color: levelColor, Radius: 0.9, Shape: draw.CircleGlyph{}}
	groupsGlyph  = draw.GlyphStyle{Color: inkColor, Radius: 2.6, Shape: draw.CrossGlyph{}}
)

func (l HeatLine) style() draw.LineStyle {
	if l.Thin {
		return thinLine
	}
	return thickLine
}

// color is that of a value.
func (h *Heat) color(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return missingColor
	}
	end := blue
	if v < 0 || h.OneSided {
		end = vermillion
	}
	t := math.Min(math.Abs(v)/h.Max, 1)
	mix := func(c uint8) uint8 { return uint8(math.Round(255 + t*(float64(c)-255))) }
	return color.NRGBA{R: mix(end.R), G: mix(end.G), B: mix(end.B), A: 255}
}

// heatPlot makes the library's plot of a heat map.
func (p *Panel) heatPlot() *plot.Plot {
	out := plot.New()
	out.BackgroundColor = nil
	out.Title.Text = p.Title
	out.Title.TextStyle = sans(textSize)
	out.Title.TextStyle.XAlign, out.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	out.Title.Padding = 3
	columns := 0
	var xTicks, yTicks []Tick
	for row, s := range p.Series {
		columns = max(columns, len(s.X))
		_, label, _ := strings.Cut(s.Name, "= ")
		yTicks = append(yTicks, Tick{At: float64(row), Label: label})
	}
	if len(p.Series) > 0 {
		for i, x := range p.Series[0].X {
			label := strconv.FormatFloat(x, 'g', 4, 64)
			if len(p.Series[0].X) > 5 && i%2 == 1 {
				label = "" // every other label has room
			}
			xTicks = append(xTicks, Tick{At: float64(i), Label: label})
		}
	}
	if p.XTicks != nil {
		xTicks = p.XTicks
	}
	x, y := Range{-0.5, float64(columns) - 0.5}, Range{-0.5, float64(len(p.Series)) - 0.5}
	axis(&out.X, p.XLabel, x, xTicks)
	axis(&out.Y, p.YLabel, y, yTicks)
	out.X.Padding, out.Y.Padding = 0, 0
	out.Add(heatMap{p})
	out.X.Min, out.X.Max, out.Y.Min, out.Y.Max = x.Min, x.Max, y.Min, y.Max
	return out
}

// heatMap draws the cells, the dots and the line.
type heatMap struct{ panel *Panel }

// Plot implements plot.Plotter.
func (m heatMap) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	h := m.panel.Heat
	for row, s := range m.panel.Series {
		for i, v := range s.Values {
			c.SetColor(h.color(v))
			box := vg.Rectangle{Min: vg.Point{X: trX(float64(i) - 0.5), Y: trY(float64(row) - 0.5)}, Max: vg.Point{X: trX(float64(i) + 0.5), Y: trY(float64(row) + 0.5)}}
			c.Fill(box.Path())
			if s.Lo != nil && s.cell(i).open() {
				c.DrawGlyph(openGlyph, vg.Point{X: trX(float64(i)), Y: trY(float64(row))})
			}
			if s.TwoGroups != nil && s.TwoGroups[i] {
				c.DrawGlyph(groupsGlyph, vg.Point{X: trX(float64(i)), Y: trY(float64(row))})
			}
		}
	}
	for _, line := range h.Lines {
		for _, e := range m.edges(line) {
			c.StrokeLine2(line.style(), trX(e.a.X), trY(e.a.Y), trX(e.b.X), trY(e.b.Y))
		}
	}
}

// cell is a value as a cell; without an interval it is certain.
func (s *Series) cell(i int) HeatCell {
	if s.Lo == nil {
		return HeatCell{s.Values[i], s.Values[i], s.Values[i]}
	}
	return HeatCell{s.Values[i], s.Lo[i], s.Hi[i]}
}

type edge struct{ a, b plotter.XY }

// edges are the sides of cells on which the line runs.
func (m heatMap) edges(line HeatLine) []edge {
	var list []edge
	series := m.panel.Series
	for row := range series {
		for i := range series[row].Values {
			x, y := float64(i)+0.5, float64(row)+0.5
			if i < len(series[row].Values)-1 && line.Between(series[row].cell(i), series[row].cell(i+1)) {
				list = append(list, edge{plotter.XY{X: x, Y: y - 1}, plotter.XY{X: x, Y: y}})
			}
			if row < len(series)-1 && i < len(series[row+1].Values) && line.Between(series[row].cell(i), series[row+1].cell(i)) {
				list = append(list, edge{plotter.XY{X: x - 1, Y: y}, plotter.XY{X: x, Y: y}})
			}
		}
	}
	return list
}

// heat is the scale of the figure's heat maps, or nil.
func (f *Figure) heat() *Heat {
	var found *Heat
	f.each(func(p *Panel) {
		if found == nil {
			found = p.Heat
		}
	})
	return found
}

// scaleStep is the width of each of the scale's boxes.
const scaleStep = 7

// legend is the scale with what its ends mean, the lines, the dot and, if there are any, the cross of two groups.
func (h *Heat) legend(groups bool) []entry {
	const steps = 10 // on each side of zero
	first, left := -steps, "−"+h.amount()
	if h.OneSided {
		first, left = 0, "0"
	}
	scale := entry{
		before: strings.TrimSpace(h.Low + " " + left), name: strings.TrimSpace(h.end() + " " + h.High), width: scaleStep * vg.Length(steps-first+1),
		draw: func(dc draw.Canvas, x, y vg.Length) {
			box := func(from, to vg.Length) vg.Rectangle {
				return vg.Rectangle{Min: vg.Point{X: x + scaleStep*from, Y: y - 4}, Max: vg.Point{X: x + scaleStep*to, Y: y + 4}}
			}
			for i := first; i <= steps; i++ {
				dc.SetColor(h.color(h.Max * float64(i) / steps))
				r := box(vg.Length(i-first), vg.Length(i-first+1))
				dc.Fill(r.Path())
			}
			// The outline shows that white, which is zero, belongs to the scale.
			outline := box(0, vg.Length(steps-first+1))
			dc.SetColor(levelColor)
			dc.SetLineWidth(0.5)
			dc.Stroke(outline.Path())
		},
	}
	list := []entry{scale}
	for _, line := range h.Lines {
		list = append(list, entry{name: line.Text, width: 18, draw: func(dc draw.Canvas, x, y vg.Length) { dc.StrokeLine2(line.style(), x, y, x+18, y) }})
	}
	if h.OpenText != "" {
		list = append(list, entry{name: h.OpenText, width: 3, draw: func(dc draw.Canvas, x, y vg.Length) {
			dc.DrawGlyph(openGlyph, vg.Point{X: x + 1.5, Y: y})
		}})
	}
	if h.GroupsText != "" && groups {
		list = append(list, entry{name: h.GroupsText, width: 6, draw: func(dc draw.Canvas, x, y vg.Length) {
			dc.DrawGlyph(groupsGlyph, vg.Point{X: x + 3, Y: y})
		}})
	}
	return list
}

// twoGroups says whether some value's trials fall into two groups.
func (f *Figure) twoGroups() bool {
	found := false
	f.each(func(p *Panel) {
		for _, s := range p.Series {
			found = found || slices.Contains(s.TwoGroups, true)
		}
	})
	return found
}

// end is the upper end of the scale.
func (h *Heat) end() string {
	if h.OneSided {
		return h.amount()
	}
	return "+" + h.amount()
}

// amount is the largest value with its unit.
func (h *Heat) amount() string {
	if h.Unit == "%" {
		return fmt.Sprintf("%g%%", h.Max)
	}
	return strings.TrimSpace(fmt.Sprintf("%g %s", h.Max, h.Unit))
}
