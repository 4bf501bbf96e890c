package figure

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Style is the look of a series. Colour never tells two series apart by itself:
// dashes and marks differ too, so that a figure can be read in grey.
type Style struct {
	Color  color.NRGBA
	Dashes []vg.Length
	Marker draw.GlyphDrawer
}

// The palette of Okabe and Ito, which the common kinds of colour blindness can tell apart.
var (
	black      = color.NRGBA{A: 255}
	orange     = color.NRGBA{R: 230, G: 159, A: 255}
	skyBlue    = color.NRGBA{R: 86, G: 180, B: 233, A: 255}
	green      = color.NRGBA{G: 158, B: 115, A: 255}
	blue       = color.NRGBA{G: 114, B: 178, A: 255}
	vermillion = color.NRGBA{R: 213, G: 94, A: 255}
	purple     = color.NRGBA{R: 204, G: 121, B: 167, A: 255}
)

// styles are the styles in the order in which series take them.
var styles = []Style{
	{black, nil, draw.CircleGlyph{}},
	{vermillion, []vg.Length{5, 2}, draw.SquareGlyph{}},
	{blue, []vg.Length{1.2, 1.8}, draw.TriangleGlyph{}},
	{green, []vg.Length{6, 2, 1.2, 2}, draw.CrossGlyph{}},
	{purple, []vg.Length{9, 3}, draw.RingGlyph{}},
	{orange, []vg.Length{3, 1.5, 1, 1.5, 1, 1.5}, draw.BoxGlyph{}},
	{skyBlue, []vg.Length{2.5, 2.5}, draw.PyramidGlyph{}},
	{color.NRGBA{R: 110, G: 110, B: 110, A: 255}, []vg.Length{8, 2, 3, 2}, draw.PlusGlyph{}},
}

// StyleAt returns the style number i; they repeat after eight.
func StyleAt(i int) Style { return styles[i%len(styles)] }

// named are the styles of the paper's strategies, the same in every figure.
var named = map[string]int{"NR": 0, "SR": 1, "CB": 2, "ARB": 3}

// StrategyStyles returns the styles of the strategies of a figure, one for each name: the paper's four have theirs
// everywhere, and no two strategies of a figure look alike while there are styles left.
func StrategyStyles(names []string) []Style {
	taken := make([]bool, len(styles))
	for _, name := range names {
		if i, ok := named[name]; ok {
			taken[i] = true
		}
	}
	list := make([]Style, len(names))
	for k, name := range names {
		i, ok := named[name]
		if !ok {
			i = free(taken, k)
			taken[i] = true
		}
		list[k] = styles[i]
	}
	return list
}

// free is a style that is not taken, rather one that none of the paper's strategies has; any one if all are taken.
func free(taken []bool, otherwise int) int {
	for i := range taken {
		if at := (i + len(named)) % len(taken); !taken[at] {
			return at
		}
	}
	return otherwise % len(taken)
}

var (
	spanColor  = color.NRGBA{R: 120, G: 120, B: 120, A: 38}
	gridColor  = color.NRGBA{R: 228, G: 228, B: 228, A: 255}
	levelColor = color.NRGBA{R: 130, G: 130, B: 130, A: 255}
	inkColor   = color.NRGBA{R: 26, G: 26, B: 26, A: 255}
)

// bandAlpha is the opacity of the band around a line, of 255.
const bandAlpha = 46
