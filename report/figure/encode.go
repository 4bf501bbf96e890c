package figure

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
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
	canvas := vgsvg.New(w, h)
	f.draw(canvas)
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return f.describe(out.String())
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

// PDF renders the figure with embedded fonts.
func (f *Figure) PDF() ([]byte, error) {
	fixedDates()
	w, h := f.size()
	canvas := vgpdf.New(w, h)
	f.draw(canvas)
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
