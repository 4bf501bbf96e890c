package figure_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"retrylab/report/figure"
)

// sample has every feature: line with band, dots with bars, sideways and logarithmic panels, spans, levels.
func sample() *figure.Figure {
	line := figure.Series{
		Name: "SR", X: []float64{0, 1, 2}, Values: []float64{1, 2, 3}, Lo: []float64{0.5, 1.5, 2.5}, Hi: []float64{1.5, 2.5, 3.5},
		Style: figure.StrategyStyles([]string{"SR"})[0], MarkEvery: 2, MarkFrom: 1,
	}
	dots := figure.Series{
		Name: "ours", X: []float64{0, 1}, Category: []string{"NR", "ARB"}, Values: []float64{1.1, 2.2}, Lo: []float64{1, 2}, Hi: []float64{1.2, 2.4},
		Dots: true, Offset: 0.2, Style: figure.StyleAt(3),
	}
	return &figure.Figure{
		Name: "sample", Title: "A <title>", Alt: "Rises & falls", XName: "time_s", WidthInch: 5, HeightInch: 2.5, TableRows: 2,
		Panels: [][]figure.Panel{{
			{Quantity: "goodput", Unit: "1/s", Facet: "S1", X: figure.Range{Max: 2}, Y: figure.Range{Min: 0.1, Max: 4}, LogY: true,
				YTicks: []figure.Tick{{At: 1, Label: "1"}}, Spans: []figure.Span{{From: 0.5, To: 1, Label: "fault"}}, Levels: []float64{1},
				Series: []figure.Series{line}},
			{Quantity: "raf", X: figure.Range{Max: 3}, Y: figure.Range{Min: -1, Max: 2}, Sideways: true, Series: []figure.Series{dots}},
		}},
	}
}

func TestDataIsWhatIsDrawn(t *testing.T) {
	want := "quantity,unit,panel,series,time_s,value,lo,hi\n" +
		"goodput,1/s,S1,SR,0,1,0.5,1.5\n" +
		"goodput,1/s,S1,SR,1,2,1.5,2.5\n" +
		"goodput,1/s,S1,SR,2,3,2.5,3.5\n" +
		"raf,,,ours,NR,1.1,1,1.2\n" +
		"raf,,,ours,ARB,2.2,2,2.4\n"
	if got := string(sample().Data().CSV()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWideThinsEachPanel(t *testing.T) {
	f := sample()
	got := string(f.Wide().CSV())
	want := "quantity,panel,x,v0,lo0,hi0,v1,lo1,hi1\n" +
		"goodput (1/s),S1,0,1,0.5,1.5,,,\n" +
		"goodput (1/s),S1,2,3,2.5,3.5,,,\n" +
		"raf,,NR,,,,1.1,1,1.2\n" +
		"raf,,ARB,,,,2.2,2,2.4\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if !f.Thinned() {
		t.Error("a point is left out, and Thinned says no")
	}
	f.TableRows = 0
	if f.Thinned() || len(f.Wide().Rows) != 5 {
		t.Errorf("without a limit all 5 points belong in the table, got %d", len(f.Wide().Rows))
	}
}

func TestSVGIsWellFormedAndDescribed(t *testing.T) {
	svg, err := sample().SVG()
	if err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	var title, desc, inside string
	ids := map[string]bool{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
		switch tag := token.(type) {
		case xml.StartElement:
			inside = tag.Name.Local
			for _, attribute := range tag.Attr {
				if attribute.Name.Local != "id" {
					continue
				}
				if ids[attribute.Value] || !strings.HasPrefix(attribute.Value, "sample-") {
					t.Errorf("id %q is not the figure's own", attribute.Value)
				}
				ids[attribute.Value] = true
			}
		case xml.CharData:
			switch inside {
			case "title":
				title += string(tag)
			case "desc":
				desc += string(tag)
			}
		}
	}
	if strings.TrimSpace(title) != "A <title>" || strings.TrimSpace(desc) != "Rises & falls" {
		t.Errorf("title %q, description %q", title, desc)
	}
	if bytes.Contains(svg, []byte("font-family:Liberation")) || !bytes.Contains(svg, []byte("Arial")) {
		t.Error("a text has no font to fall back to")
	}
}

func TestEqualFiguresGiveEqualBytes(t *testing.T) {
	forms := map[string]func(*figure.Figure) ([]byte, error){
		"svg": (*figure.Figure).SVG, "pdf": (*figure.Figure).PDF, "png": (*figure.Figure).PNG,
	}
	for name, render := range forms {
		first, err := render(sample())
		if err != nil {
			t.Fatal(err)
		}
		second, err := render(sample())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, second) {
			t.Errorf("%s differs between two renderings", name)
		}
	}
}

// Neither colour, nor dashes, nor marks are used twice among the styles.
func TestStylesDifferInEveryWay(t *testing.T) {
	for i := range 8 {
		for j := range i {
			a, b := figure.StyleAt(i), figure.StyleAt(j)
			if a.Color == b.Color || a.Marker == b.Marker || len(a.Dashes) == len(b.Dashes) && (len(a.Dashes) == 0 || a.Dashes[0] == b.Dashes[0]) {
				t.Errorf("styles %d and %d look alike", i, j)
			}
		}
	}
}

// No two strategies of a figure look alike, whatever their names and order, and the paper's four look the same everywhere.
func TestStrategiesOfAFigureDiffer(t *testing.T) {
	for _, names := range [][]string{
		{"NR", "SR", "SR full jitter", "budget 10%", "breaker", "ARB"}, {"a", "b", "c", "NR", "d", "ARB", "SR", "CB"}, {"x", "CB"},
	} {
		list := figure.StrategyStyles(names)
		for i := range names {
			for j := range i {
				if list[i].Color == list[j].Color || list[i].Marker == list[j].Marker {
					t.Errorf("%s and %s look alike among %v", names[i], names[j], names)
				}
			}
			if at := slices.Index([]string{"NR", "SR", "CB", "ARB"}, names[i]); at >= 0 && list[i].Color != figure.StyleAt(at).Color {
				t.Errorf("%s has another colour among %v", names[i], names)
			}
		}
	}
	if n := len(figure.StrategyStyles(make([]string, 11))); n != 11 {
		t.Errorf("%d styles for 11 strategies", n)
	}
}

// linear undoes the gamma of sRGB.
func linear(c uint8) float64 {
	v := float64(c) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// lab is a colour in CIE L*a*b* (D65) as seen through a matrix on linear sRGB.
func lab(c color.NRGBA, seen [3][3]float64) (out [3]float64) {
	in := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	product := func(m [3][3]float64, v [3]float64) (out [3]float64) {
		for i := range m {
			for k := range v {
				out[i] += m[i][k] * v[k]
			}
		}
		return out
	}
	in = product(seen, in)
	for i := range in {
		in[i] = min(max(in[i], 0), 1)
	}
	xyz := product([3][3]float64{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}, in)
	f := func(v float64) float64 {
		if v > 0.008856 {
			return math.Cbrt(v)
		}
		return 7.787*v + 16.0/116
	}
	x, y, z := f(xyz[0]/0.9505), f(xyz[1]), f(xyz[2]/1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// All colours of a figure stay apart for those who see two colours only (matrices of Machado, Oliveira and Fernandes, 2009).
func TestColoursStayApartForTheColourBlind(t *testing.T) {
	const least = 12 // in units of CIE L*a*b*, of which about 2 can be told side by side
	for name, seen := range map[string][3][3]float64{
		"all colours":  {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	} {
		for i := range 8 {
			for j := range i {
				a, b := lab(figure.StyleAt(i).Color, seen), lab(figure.StyleAt(j).Color, seen)
				if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < least {
					t.Errorf("%s: styles %d and %d are %.1f apart, want %d", name, i, j, d, least)
				}
			}
		}
	}
}
