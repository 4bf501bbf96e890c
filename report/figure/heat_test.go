package figure

import (
	"bytes"
	"math"
	"testing"
)

func heatFigure() *Figure {
	row := func(name string, values, lo, hi []float64) Series {
		return Series{Name: name, X: []float64{0.3, 0.6, 0.9}, Values: values, Lo: lo, Hi: hi}
	}
	return &Figure{Name: "heat", Title: "t", Alt: "a", XName: "u", WidthInch: 4, HeightInch: 3, Panels: [][]Panel{{{
		Quantity: "difference", Heat: &Heat{Max: 100, Unit: "pp", Low: "harm", High: "help", Border: 1, BorderText: "line", OpenText: "dot"},
		Series: []Series{
			row("p = 0.1", []float64{10, 5, -1}, []float64{8, -1, -3}, []float64{12, 11, 1}),
			row("p = 0.5", []float64{40, -20, -50}, []float64{30, -30, -60}, []float64{50, -10, -40}),
		},
	}}}}
}

// The line runs around the cells that are certainly below the border, and nowhere else.
func TestHeatLineSurroundsCertainLosses(t *testing.T) {
	f := heatFigure()
	edges := heatMap{&f.Panels[0][0]}.edges()
	// Cells (0.6, 0.5) and (0.9, 0.5) are inside: one side to the left, two below.
	if len(edges) != 3 {
		t.Fatalf("%d sides: %v", len(edges), edges)
	}
	f.Panels[0][0].Series[1].Hi[1] = 1 // no longer certain
	if edges := (heatMap{&f.Panels[0][0]}).edges(); len(edges) != 2 {
		t.Errorf("%d sides around one cell in the corner", len(edges))
	}
	f.Panels[0][0].Heat.Border = 0
	if edges := (heatMap{&f.Panels[0][0]}).edges(); len(edges) != 0 {
		t.Errorf("%d sides without a border", len(edges))
	}
}

func TestHeatColors(t *testing.T) {
	h := &Heat{Max: 10}
	if c := h.color(0); c != white {
		t.Errorf("zero is %v", c)
	}
	if c := h.color(-25); c != vermillion {
		t.Errorf("beyond the lower end is %v", c)
	}
	if c := h.color(10); c != blue {
		t.Errorf("the upper end is %v", c)
	}
	if c := h.color(math.NaN()); c != missingColor {
		t.Errorf("a missing value is %v", c)
	}
}

// A heat map is drawn to the byte, and its data is that of its series.
func TestHeatIsDeterministic(t *testing.T) {
	a, err := heatFigure().SVG()
	if err != nil {
		t.Fatal(err)
	}
	b, err := heatFigure().SVG()
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("two drawings differ (%v)", err)
	}
	for _, text := range []string{"harm −100 pp", "+100 pp help", "line", "dot", ">0.5<"} {
		if !bytes.Contains(a, []byte(text)) {
			t.Errorf("%q is not in the picture", text)
		}
	}
	if n := len(heatFigure().Data().Rows); n != 6 {
		t.Errorf("%d rows of data", n)
	}
}
