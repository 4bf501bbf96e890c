package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes in points.
const (
	textSize   = 9
	tickSize   = 8
	legendSize = 9
	markRadius = 2.2
	lineWidth  = 1.2
	sample     = 26 // length of a line in the legend
	margin     = 6
)

// sans is a text style in the figure's one typeface, Liberation Sans, which the
// plotting library carries with it: pictures do not depend on installed fonts.
// There is no bold: the library's PDF writer does not find bold fonts.
func sans(size vg.Length) text.Style {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	return text.Style{Color: inkColor, Font: font.From(f, size), Handler: plot.DefaultTextHandler}
}

// draw lays the figure out: legend on top, panels below, data areas aligned.
func (f *Figure) draw(canvas vg.CanvasSizer) {
	dc := draw.NewCanvas(canvas, vg.Length(f.WidthInch)*vg.Inch, vg.Length(f.HeightInch)*vg.Inch)
	dc.SetColor(white)
	dc.Fill(dc.Rectangle.Path())
	dc = draw.Crop(dc, margin, -margin, margin, -margin)
	below := f.drawLegend(dc)
	dc.Max.Y = below - 4

	rows, columns := len(f.Panels), len(f.Panels[0])
	plots := make([][]*plot.Plot, rows)
	for r := range f.Panels {
		plots[r] = make([]*plot.Plot, columns)
		for c := range f.Panels[r] {
			plots[r][c] = f.Panels[r][c].plot()
		}
	}
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: 10, PadY: 8}
	canvases := plot.Align(plots, tiles, dc)
	for r := range plots {
		for c := range plots[r] {
			plots[r][c].Draw(canvases[r][c])
		}
	}
}

// entry is a part of the legend: a sample with what it means.
type entry struct {
	before, name string // texts to the left of the sample, often empty, and to its right
	width        vg.Length
	draw         func(dc draw.Canvas, x, y vg.Length) // draws the sample from x on
}

// entries are the scale of heat maps, or the series by first appearance, then the spans.
func (f *Figure) entries() []entry {
	if h := f.heat(); h != nil {
		return h.legend(f.twoGroups())
	}
	var list []entry
	seen := map[string]bool{}
	f.each(func(p *Panel) {
		for i := range p.Series {
			if s := &p.Series[i]; !seen[s.Name] {
				seen[s.Name] = true
				list = append(list, s.entry())
			}
		}
	})
	f.each(func(p *Panel) {
		for _, span := range p.Spans {
			if !seen[span.Label] {
				seen[span.Label] = true
				list = append(list, entry{name: span.Label, width: sample, draw: drawSpan})
			}
		}
	})
	return list
}

// drawLegend writes the legend in lines at the top, never over data, and returns where it ends.
func (f *Figure) drawLegend(dc draw.Canvas) vg.Length {
	style := sans(legendSize)
	style.YAlign = draw.YCenter
	const lineHeight, gap = legendSize + 6, 5
	left := dc.Min.X + 4
	x, y := left, dc.Max.Y-lineHeight/2
	textWidth := func(text string) vg.Length {
		if text == "" {
			return 0
		}
		return style.Rectangle(text).Size().X + gap
	}
	for _, e := range f.entries() {
		width := textWidth(e.before) + e.width + textWidth(e.name)
		if x+width > dc.Max.X && x > left {
			x, y = left, y-lineHeight
		}
		if e.before != "" {
			dc.FillText(style, vg.Point{X: x, Y: y}, e.before)
		}
		at := x + textWidth(e.before)
		e.draw(dc, at, y)
		dc.FillText(style, vg.Point{X: at + e.width + gap, Y: y}, e.name)
		x += width + 16
	}
	return y - lineHeight/2
}

// entry is the series in the legend: dots need less room than lines.
func (s *Series) entry() entry {
	e := entry{name: s.Name, width: sample}
	if s.Dots {
		e.width = sample / 3
	}
	e.draw = func(dc draw.Canvas, x, y vg.Length) {
		if !s.Dots {
			dc.StrokeLine2(s.lineStyle(), x, y, x+sample, y)
		}
		if s.Dots || s.MarkEvery > 0 {
			dc.DrawGlyph(s.glyphStyle(), vg.Point{X: x + e.width/2, Y: y})
		}
	}
	return e
}

// drawSpan is a shaded box.
func drawSpan(dc draw.Canvas, x, y vg.Length) {
	dc.SetColor(spanColor)
	box := vg.Rectangle{Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + sample, Y: y + 4}}
	dc.Fill(box.Path())
}

func (s *Series) lineStyle() draw.LineStyle {
	return draw.LineStyle{Color: s.Style.Color, Width: lineWidth, Dashes: s.Style.Dashes}
}

func (s *Series) glyphStyle() draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.Style.Color, Radius: markRadius, Shape: s.Style.Marker}
}
