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

var white = color.NRGBA{R: 255, G: 255, B: 255, A: 255}

// plot makes the library's plot of one panel.
func (p *Panel) plot() *plot.Plot {
	if p.LogY {
		p = p.logarithms()
	}
	if p.Heat != nil {
		return p.heatPlot()
	}
	out := plot.New()
	out.BackgroundColor = nil
	out.Title.Text = p.Title
	out.Title.TextStyle = sans(textSize + 1)
	out.Title.TextStyle.XAlign, out.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	out.Title.Padding = 4
	axis(&out.X, p.XLabel, p.X, p.XTicks)
	axis(&out.Y, p.YLabel, p.Y, p.YTicks)
	out.Add(spans(p.Spans), grid{x: p.Sideways || p.XTicks == nil, y: !p.Sideways})
	for _, level := range p.Levels {
		out.Add(levelLine{at: level, sideways: p.Sideways})
	}
	// Bands first, so that no line is under another's band.
	for i := range p.Series {
		if s := &p.Series[i]; s.Lo != nil && !s.Dots {
			out.Add(s.band())
		}
	}
	for i := range p.Series {
		p.Series[i].add(out, p.Sideways)
	}
	// Adding plotters may widen the axes; the figure says what they are.
	out.X.Min, out.X.Max, out.Y.Min, out.Y.Max = p.X.Min, p.X.Max, p.Y.Min, p.Y.Max
	return out
}

// logarithms returns a copy whose values are logarithms, with ticks and all. The library's own
// logarithmic axis puts the room for the axis label in the wrong place.
func (p *Panel) logarithms() *Panel {
	out := *p
	out.Y = Range{Min: math.Log10(p.Y.Min), Max: math.Log10(p.Y.Max)}
	out.YTicks = make([]Tick, len(p.YTicks))
	for i, tick := range p.YTicks {
		out.YTicks[i] = Tick{At: math.Log10(tick.At), Label: tick.Label}
	}
	out.Levels = logs(p.Levels)
	out.Series = make([]Series, len(p.Series))
	for i, s := range p.Series {
		s.Values, s.Lo, s.Hi = logs(s.Values), logs(s.Lo), logs(s.Hi)
		out.Series[i] = s
	}
	return &out
}

// logs keeps nil, which means that there are no values.
func logs(values []float64) []float64 {
	if values == nil {
		return nil
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.Log10(v)
	}
	return out
}

func axis(a *plot.Axis, label string, r Range, ticks []Tick) {
	a.Min, a.Max = r.Min, r.Max
	a.Label.Text = label
	xAlign, yAlign := a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign
	a.Label.TextStyle = sans(textSize)
	a.Label.TextStyle.XAlign, a.Label.TextStyle.YAlign = xAlign, yAlign
	xAlign, yAlign = a.Tick.Label.XAlign, a.Tick.Label.YAlign
	a.Tick.Label = sans(tickSize)
	a.Tick.Label.XAlign, a.Tick.Label.YAlign = xAlign, yAlign
	a.Color, a.Tick.Color = inkColor, inkColor
	a.Tick.Length = 3
	a.Padding = 2
	if ticks == nil {
		a.Tick.Marker = minusSigns{a.Tick.Marker}
		return
	}
	marks := make(plot.ConstantTicks, len(ticks))
	for i, tick := range ticks {
		marks[i] = plot.Tick{Value: tick.At, Label: tick.Label}
	}
	a.Tick.Marker = marks
}

// minusSigns writes the labels of automatic ticks with U+2212, as all other numbers have it, and with as many digits as
// tell them apart: the library rounds those of a narrow range far from zero, 1.05 to 1.1 say.
type minusSigns struct{ plot.Ticker }

// Ticks implements plot.Ticker.
func (m minusSigns) Ticks(low, high float64) []plot.Tick {
	ticks := m.Ticker.Ticks(low, high)
	relabel(ticks, (high-low)/1000)
	for i := range ticks {
		ticks[i].Label = strings.Replace(ticks[i].Label, "-", "−", 1)
	}
	return ticks
}

// relabel writes the labels of major ticks anew if one is farther from its tick than the slack: all with the same number of
// decimals, the fewest that do.
func relabel(ticks []plot.Tick, slack float64) {
	off := func(label string, v float64) bool {
		x, err := strconv.ParseFloat(label, 64)
		return err == nil && math.Abs(x-v) > slack
	}
	for digits := 0; digits < 12; digits++ {
		wrong := false
		for _, t := range ticks {
			wrong = wrong || t.Label != "" && off(t.Label, t.Value)
		}
		if !wrong {
			return
		}
		for i, t := range ticks {
			if t.Label != "" {
				ticks[i].Label = strconv.FormatFloat(t.Value, 'f', digits, 64)
			}
		}
	}
}

// band is the area between Lo and Hi.
func (s *Series) band() *plotter.Polygon {
	points := make(plotter.XYs, 0, 2*len(s.X))
	for i := range s.X {
		points = append(points, plotter.XY{X: s.X[i], Y: s.Lo[i]})
	}
	for i := len(s.X) - 1; i >= 0; i-- {
		points = append(points, plotter.XY{X: s.X[i], Y: s.Hi[i]})
	}
	polygon, err := plotter.NewPolygon(points)
	if err != nil {
		panic(fmt.Sprintf("figure: band of %s: %v", s.Name, err))
	}
	polygon.Color = color.NRGBA{R: s.Style.Color.R, G: s.Style.Color.G, B: s.Style.Color.B, A: bandAlpha}
	polygon.LineStyle.Width = 0
	return polygon
}

// add puts line, marks and interval bars into the plot.
func (s *Series) add(out *plot.Plot, sideways bool) {
	points, marks := make(plotter.XYs, len(s.X)), plotter.XYs{}
	for i := range s.X {
		points[i] = s.at(s.X[i], s.Values[i], sideways)
		if s.Dots || (s.MarkEvery > 0 && i >= s.MarkFrom && (i-s.MarkFrom)%s.MarkEvery == 0) {
			marks = append(marks, points[i])
		}
	}
	if s.Dots && s.Lo != nil {
		out.Add(bars{s, sideways})
	}
	if !s.Dots {
		out.Add(path{s.lineStyle(), points})
	}
	out.Add(dots{s.glyphStyle(), marks})
}

// at is the place of a point: its independent variable with offset, and its value.
func (s *Series) at(x, value float64, sideways bool) plotter.XY {
	if sideways {
		return plotter.XY{X: value, Y: x + s.Offset}
	}
	return plotter.XY{X: x + s.Offset, Y: value}
}

// path draws a line. Unlike the library's line plot it claims no room for points at the edge of the
// axes: panels with and without such points would not line up. The same goes for dots.
type path struct {
	style draw.LineStyle
	at    plotter.XYs
}

// Plot implements plot.Plotter.
func (l path) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	points := make([]vg.Point, len(l.at))
	for i, point := range l.at {
		points[i] = vg.Point{X: trX(point.X), Y: trY(point.Y)}
	}
	c.StrokeLines(l.style, c.ClipLinesXY(points)...)
}

// dots draws marks.
type dots struct {
	style draw.GlyphStyle
	at    plotter.XYs
}

// Plot implements plot.Plotter.
func (d dots) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	for _, point := range d.at {
		c.DrawGlyph(d.style, vg.Point{X: trX(point.X), Y: trY(point.Y)})
	}
}

// bars draws the interval at each dot, unless the mark would hide it.
type bars struct {
	series   *Series
	sideways bool
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	style := draw.LineStyle{Color: b.series.Style.Color, Width: 0.9}
	const tip = vg.Length(2)
	for i, x := range b.series.X {
		lo := b.series.at(x, b.series.Lo[i], b.sideways)
		hi := b.series.at(x, b.series.Hi[i], b.sideways)
		x0, y0, x1, y1 := trX(lo.X), trY(lo.Y), trX(hi.X), trY(hi.Y)
		if math.Hypot(float64(x1-x0), float64(y1-y0)) < 2.4*markRadius {
			continue
		}
		c.StrokeLine2(style, x0, y0, x1, y1)
		if b.sideways {
			c.StrokeLine2(style, x0, y0-tip, x0, y0+tip)
			c.StrokeLine2(style, x1, y1-tip, x1, y1+tip)
		} else {
			c.StrokeLine2(style, x0-tip, y0, x0+tip, y0)
			c.StrokeLine2(style, x1-tip, y1, x1+tip, y1)
		}
	}
}

// spans shades parts of the x axis over the whole height.
type spans []Span

// Plot implements plot.Plotter.
func (s spans) Plot(c draw.Canvas, p *plot.Plot) {
	trX, _ := p.Transforms(&c)
	for _, span := range s {
		c.SetColor(spanColor)
		box := vg.Rectangle{Min: vg.Point{X: trX(span.From), Y: c.Min.Y}, Max: vg.Point{X: trX(span.To), Y: c.Max.Y}}
		c.Fill(box.Path())
	}
}

// grid draws thin lines at the labelled ticks.
type grid struct{ x, y bool }

// Plot implements plot.Plotter.
func (g grid) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	style := draw.LineStyle{Color: gridColor, Width: 0.5}
	if g.x {
		for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
			if x := trX(tick.Value); !tick.IsMinor() && x >= c.Min.X && x <= c.Max.X {
				c.StrokeLine2(style, x, c.Min.Y, x, c.Max.Y)
			}
		}
	}
	if g.y {
		for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
			if y := trY(tick.Value); !tick.IsMinor() && y >= c.Min.Y && y <= c.Max.Y {
				c.StrokeLine2(style, c.Min.X, y, c.Max.X, y)
			}
		}
	}
}

// levelLine is a thin line across the panel at a value.
type levelLine struct {
	at       float64
	sideways bool
}

// Plot implements plot.Plotter.
func (l levelLine) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	style := draw.LineStyle{Color: levelColor, Width: 0.8, Dashes: []vg.Length{2, 2}}
	if l.sideways {
		c.StrokeLine2(style, trX(l.at), c.Min.Y, trX(l.at), c.Max.Y)
		return
	}
	c.StrokeLine2(style, c.Min.X, trY(l.at), c.Max.X, trY(l.at))
}
