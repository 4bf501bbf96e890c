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
		Quantity: "difference", Heat: &Heat{Max: 100, Unit: "pp", Low: "harm", High: "help", OpenText: "dot",
			Lines: []HeatLine{Around("certain harm", certain), ZeroLine("zero line")}},
		Series: []Series{
			row("p = 0.1", []float64{10, 5, -1}, []float64{8, -1, -3}, []float64{12, 11, 1}),
			row("p = 0.5", []float64{40, -20, -50}, []float64{30, -30, -60}, []float64{50, -10, -40}),
		},
	}}}}
}

func certain(c HeatCell) bool { return c.Value <= -1 && c.Hi < 0 }

// A line around cells runs around the cells that are certainly below the border, and nowhere else.
func TestHeatLineSurroundsCertainLosses(t *testing.T) {
	f := heatFigure()
	around := Around("", certain)
	edges := heatMap{&f.Panels[0][0]}.edges(around)
	// Cells (0.6, 0.5) and (0.9, 0.5) are inside: one side to the left, two below.
	if len(edges) != 3 {
		t.Fatalf("%d sides: %v", len(edges), edges)
	}
	f.Panels[0][0].Series[1].Hi[1] = 1 // no longer certain
	if edges := (heatMap{&f.Panels[0][0]}).edges(around); len(edges) != 2 {
		t.Errorf("%d sides around one cell in the corner", len(edges))
	}
}

// The zero line runs where the sign changes, but not between two cells that may both be zero.
func TestHeatZeroLine(t *testing.T) {
	f := heatFigure()
	zero := ZeroLine("")
	// 40 | -20 in the upper row, 5 over -20 (only 5 may be zero); -1 below -50 and 5 | -1, both open, have none.
	if edges := (heatMap{&f.Panels[0][0]}).edges(zero); len(edges) != 2 {
		t.Fatalf("%d sides: %v", len(edges), edges)
	}
	f.Panels[0][0].Series[0].Hi[2] = -0.5 // now certainly below zero
	if edges := (heatMap{&f.Panels[0][0]}).edges(zero); len(edges) != 3 {
		t.Errorf("%d sides: %v", len(edges), edges)
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
	if share := (&Heat{Max: 10, OneSided: true}); share.color(10) != vermillion || share.color(0) != white {
		t.Errorf("a probability is from %v to %v", share.color(0), share.color(10))
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
	for _, text := range []string{"harm −100 pp", "+100 pp help", "certain harm", "zero line", "dot", ">0.5<"} {
		if !bytes.Contains(a, []byte(text)) {
			t.Errorf("%q is not in the picture", text)
		}
	}
	if n := len(heatFigure().Data().Rows); n != 6 {
		t.Errorf("%d rows of data", n)
	}
}

// A cell whose trials fall into two groups has a cross, which the legend explains, and without one neither is there.
func TestTwoGroupsAreMarked(t *testing.T) {
	f := heatFigure()
	f.Panels[0][0].Heat.GroupsText = "two groups"
	without, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	f.Panels[0][0].Series[1].TwoGroups = []bool{false, true, false}
	with, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(without, []byte("two groups")) || !bytes.Contains(with, []byte(">two groups<")) {
		t.Error("the legend explains a cross that is not there, or does not explain one that is")
	}
	if n := bytes.Count(with, []byte("<path")) - bytes.Count(without, []byte("<path")); n < 4 { // two strokes in the map, two in the legend
		t.Errorf("%d more strokes with a cross in the map and the legend", n)
	}
}

// The scale of a quantity that cannot be negative begins at 0 and has no sign.
func TestScaleOfProbabilities(t *testing.T) {
	f := heatFigure()
	f.Panels[0][0].Heat = &Heat{Max: 100, OneSided: true, Unit: "%", High: "of trials"}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(svg, []byte(">0</text>")) || !bytes.Contains(svg, []byte(">100% of trials</text>")) || bytes.Contains(svg, []byte("100%</text>")) || bytes.Contains(svg, []byte("−")) {
		t.Errorf("the scale of a probability is wrong in\n%s", svg)
	}
}
