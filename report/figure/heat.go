package figure

import (
	"fmt"
	"image/color"
	"math"
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
	// Unit is printed at the scale, e.g. "pp", and Times multiplies the values there; 0 is 1.
	Unit  string
	Times float64
	// Low and High say at the ends of the scale what the colours mean; without High the scale ends at zero.
	Low, High string
	// Border is the least size of a value below zero, interval and all, that the line runs around; 0 is no line.
	Border float64
	// BorderText says in the legend what the line is, and OpenText what a dot is: a cell whose interval
	// contains zero.
	BorderText, OpenText string
}

// The ends of the scale: blue and vermillion, which stay apart for colour-blind readers and in grey.
var (
	missingColor = color.NRGBA{R: 200, G: 200, B: 200, A: 255}
	heatLine     = draw.LineStyle{Color: inkColor, Width: 1.4}
)

// color is that of a value.
func (h *Heat) color(v float64) color.NRGBA {
	if math.IsNaN(v) {
		return missingColor
	}
	end := blue
	if v < 0 {
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
			if s.Lo != nil && s.Lo[i] <= 0 && s.Hi[i] >= 0 {
				c.DrawGlyph(draw.GlyphStyle{Color: levelColor, Radius: 0.9, Shape: draw.CircleGlyph{}}, vg.Point{X: trX(float64(i)), Y: trY(float64(row))})
			}
		}
	}
	for _, e := range m.edges() {
		c.StrokeLine2(heatLine, trX(e.a.X), trY(e.a.Y), trX(e.b.X), trY(e.b.Y))
	}
}

type edge struct{ a, b plotter.XY }

// edges are the sides between cells that the line surrounds and cells that it does not. It follows the cells'
// sides and is not interpolated: where in between it runs, nobody has measured.
func (m heatMap) edges() []edge {
	if m.panel.Heat.Border == 0 {
		return nil
	}
	inside := func(row, i int) bool {
		if row < 0 || row >= len(m.panel.Series) || i < 0 || i >= len(m.panel.Series[row].Values) {
			return false
		}
		s := &m.panel.Series[row]
		return s.Values[i] <= -m.panel.Heat.Border && (s.Hi == nil || s.Hi[i] < 0)
	}
	var list []edge
	for row := range m.panel.Series {
		for i := range m.panel.Series[row].Values {
			x, y := float64(i)+0.5, float64(row)+0.5
			last := i == len(m.panel.Series[row].Values)-1
			if !last && inside(row, i) != inside(row, i+1) {
				list = append(list, edge{plotter.XY{X: x, Y: y - 1}, plotter.XY{X: x, Y: y}})
			}
			if row < len(m.panel.Series)-1 && inside(row, i) != inside(row+1, i) {
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

// drawScale draws the colours with what they mean, the dot and the line.
func (h *Heat) drawScale(dc draw.Canvas, x, y vg.Length) {
	style := sans(legendSize)
	style.YAlign = draw.YCenter
	write := func(text string) {
		dc.FillText(style, vg.Point{X: x, Y: y}, text)
		x += style.Rectangle(text).Size().X + 5
	}
	times := h.Times
	if times == 0 {
		times = 1
	}
	write(strings.TrimSpace(fmt.Sprintf("%s −%g %s", h.Low, h.Max*times, h.Unit)))
	const steps, width = 21, 7
	for i := range steps {
		if h.High == "" && i > steps/2 {
			break
		}
		dc.SetColor(h.color(h.Max * (2*float64(i)/(steps-1) - 1)))
		box := vg.Rectangle{Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + width, Y: y + 4}}
		dc.Fill(box.Path())
		x += width
	}
	x += 5
	if h.High != "" {
		write(fmt.Sprintf("+%g %s %s", h.Max*times, h.Unit, h.High))
	} else {
		write("0")
	}
	x += 10
	if h.Border > 0 {
		dc.StrokeLine2(heatLine, x, y, x+18, y)
		x += 23
		write(h.BorderText)
		x += 10
	}
	if h.OpenText != "" {
		dc.DrawGlyph(draw.GlyphStyle{Color: levelColor, Radius: 1.2, Shape: draw.CircleGlyph{}}, vg.Point{X: x, Y: y})
		x += 6
		write(h.OpenText)
	}
}
