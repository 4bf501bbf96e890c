package figure

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// dotsPerInch of PNG pictures.
const dotsPerInch = 150

func (f *Figure) size() (w, h vg.Length) {
	return vg.Length(f.WidthInch) * vg.Inch, vg.Length(f.HeightInch) * vg.Inch
}

// SVG renders the figure, with title and description for screen readers. Its
// ids begin with the figure's name, so that several fit into one page.
func (f *Figure) SVG() ([]byte, error) {
	w, h := f.size()
	canvas := &svgText{Canvas: vgsvg.New(w, h)}
	f.draw(canvas)
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return f.describe(canvas.fixWidths(out.String()))
}

// svgText remembers how wide each text is in the font of the layout.
type svgText struct {
	*vgsvg.Canvas
	widths []vg.Length
}

// FillString implements vg.Canvas.
func (c *svgText) FillString(face font.Face, at vg.Point, text string) {
	c.widths = append(c.widths, face.Width(text))
	c.Canvas.FillString(face, at, text)
}

// fixWidths gives each text element the width that it was laid out with, so that a viewer with another
// font does not let texts run into each other.
func (c *svgText) fixWidths(svg string) string {
	parts := strings.Split(svg, "<text ")
	if len(parts) != len(c.widths)+1 {
		panic(fmt.Sprintf("figure: %d texts drawn, %d in the SVG", len(c.widths), len(parts)-1))
	}
	var out strings.Builder
	out.WriteString(parts[0])
	for i, part := range parts[1:] {
		fmt.Fprintf(&out, "<text textLength=\"%.2f\" lengthAdjust=\"spacingAndGlyphs\" %s", c.widths[i].Points(), part)
	}
	return out.String()
}

// fontFamily is Liberation Sans or what has its widths.
const fontFamily = "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"

// describe puts title and description behind the root tag and names the fonts
// that may stand in for the one the layout was made with.
func (f *Figure) describe(svg string) ([]byte, error) {
	start := strings.Index(svg, "<svg")
	end := strings.Index(svg[max(start, 0):], ">")
	if start < 0 || end < 0 {
		return nil, fmt.Errorf("figure %s: the SVG writer gave no root tag", f.Name)
	}
	end += start
	head := fmt.Sprintf("%s\n\trole=\"img\" aria-labelledby=\"%s-title %s-desc\">\n<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>",
		svg[start:end], f.Name, f.Name, f.Name, html.EscapeString(f.Title), f.Name, html.EscapeString(f.Alt))
	body := strings.ReplaceAll(svg[end+1:], "font-family:Liberation Sans;", fontFamily)
	return []byte("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + head + body), nil
}

// fixedDates makes PDF files say no time and list their parts in a fixed order. The
// PDF library offers this for the whole process only.
var fixedDates = sync.OnceFunc(func() {
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	fpdf.SetDefaultCreationDate(epoch)
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
})

// pdfText hands text to the PDF writer in its fonts' encoding, Windows-1252; it takes bytes as they
// come. A sign that the encoding lacks becomes a question mark, the minus sign an en dash.
type pdfText struct{ *vgpdf.Canvas }

// FillString implements vg.Canvas.
func (c pdfText) FillString(face font.Face, at vg.Point, text string) {
	encoded := make([]byte, 0, len(text))
	for _, r := range text {
		if r == '−' {
			r = '–'
		}
		b, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			b = '?'
		}
		encoded = append(encoded, b)
	}
	c.Canvas.FillString(face, at, string(encoded))
}

// PDF renders the figure with embedded fonts.
func (f *Figure) PDF() (pdf []byte, err error) {
	defer func() {
		// vgpdf puts fonts into temporary files, and panics where the disk is full.
		switch p := recover().(type) {
		case nil:
		case string:
			if !strings.HasPrefix(p, "vgpdf: ") {
				panic(p)
			}
			err = fmt.Errorf("figure %s: %s", f.Name, p)
		default:
			panic(p)
		}
	}()
	fixedDates()
	w, h := f.size()
	canvas := vgpdf.New(w, h)
	f.draw(pdfText{canvas})
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return out.Bytes(), nil
}

// PNG renders the figure at 150 dots per inch.
func (f *Figure) PNG() ([]byte, error) {
	w, h := f.size()
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dotsPerInch))}
	f.draw(canvas)
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return out.Bytes(), nil
}
