package sweeps

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"retrylab/analysis"
	"retrylab/report/figure"
	"retrylab/results"
)

// gridOf is a sweep of two numeric factors whose success rises with their product, with as many trials as asked for.
func gridOf(as, bs []float64, strategies ...string) *data {
	d := &data{name: "mine", strategies: strategies, factors: []results.ExtraColumn{{Name: "a", Kind: results.Float64}, {Name: "b", Kind: results.Float64}}}
	for _, a := range as {
		for _, b := range bs {
			for k, strategy := range strategies {
				c := &cell{Cell: results.Cell{Model: "m", Scenario: "model", Strategy: strategy, FaultFromNs: 1, FaultToNs: 2, DurationNs: 3,
					Cell: fmt.Sprintf("m/model/%s/a=%g,b=%g", strategy, a, b)}, factors: map[string]results.Value{"a": {Float: a}, "b": {Float: b}}}
				c.trials = 30
				c.ratios[successAll] = analysis.Interval{Estimate: a * b, Low: a*b - 0.01, High: a*b + 0.01, N: 30}
				c.ratios[rafClient] = analysis.Interval{Estimate: 1 + a, Low: 1 + a, High: 1 + a, N: 30}
				if a == 0.1 {
					c.down = 28
				}
				p := 0.5
				if b == 0.5 {
					p = 1e-6
				}
				c.minus[successAll] = analysis.Difference{Interval: analysis.Interval{Estimate: (0.25 - a) * float64(k)}, PValue: p}
				d.cells = append(d.cells, c)
			}
		}
	}
	return d
}

// The page of a sweep of one's own answers what the sweep asks: where success is highest, where the system collapses, what each
// strategy changes, and every cell if they are few; and no factor that has few levels is left at its first.
func TestPlainReportAnswers(t *testing.T) {
	d := gridOf([]float64{0.1, 0.2, 0.3}, []float64{0.5, 0.9}, "NR", "SR")
	p := &parts{}
	plain(d, p)
	all := strings.Join(p.findings, "\n")
	for _, want := range []string{"12 cells", "between 5.00% (NR/a=0.1,b=0.5) and 27.00% (NR/a=0.3,b=0.9)", "RAF between 1.100 (NR/a=0.1,b=0.5) and 1.300",
		"certainly likelier than 5% in 4 of 12 cells", "Of 6 points, SR has certainly more success than NR in 2 and certainly less in 1 "} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in\n%s", want, all)
		}
	}
	if len(p.tables) != 1 || len(p.tables[0].Rows) != 12 {
		t.Fatalf("%d tables", len(p.tables))
	}
	var names []string
	for _, s := range p.figures[0].Panels[0][0].Series {
		names = append(names, fmt.Sprintf("%s: %d", s.Name, len(s.X)))
	}
	if got := strings.Join(names, "; "); got != "NR, b = 0.5: 3; SR, b = 0.5: 3; NR, b = 0.9: 3; SR, b = 0.9: 3" {
		t.Errorf("lines: %s", got)
	}
	if strings.Contains(p.figures[0].Caption, "first level") {
		t.Error(p.figures[0].Caption)
	}
	p = &parts{}
	if plain(gridOf(make([]float64, 61), []float64{1}, "NR"), p); len(p.tables) != 0 {
		t.Error("a table of 61 cells is shown")
	}
}

// Of a sample no two cells are alike, so that lines would have one point each: all cells are drawn as dots.
func TestSamplesAreDots(t *testing.T) {
	d := gridOf([]float64{0.1}, []float64{0.5}, "NR")
	for k := range 19 {
		d.cells = append(d.cells, gridOf([]float64{0.11 + 0.01*float64(k)}, []float64{0.5 + 0.013*float64(k)}, "NR").cells...)
	}
	p := &parts{}
	plain(d, p)
	if s := p.figures[0].Panels[0][0].Series; len(s) != 1 || !s[0].Dots || len(s[0].X) != 20 {
		t.Errorf("%d series, the first with %d points", len(s), len(s[0].X))
	}
}

// Named levels have no axis of numbers: a row for each, a mark a strategy.
func TestNamedLevelsAreRows(t *testing.T) {
	d := gridOf([]float64{0.1, 0.2}, []float64{0.5}, "NR", "SR")
	d.factors = []results.ExtraColumn{{Name: "shape", Kind: results.String}}
	for i, c := range d.cells {
		c.factors = map[string]results.Value{"shape": {Text: []string{"chain", "tree"}[i/2]}}
	}
	p := &parts{}
	plain(d, p)
	if len(p.figures) != 1 {
		t.Fatal("no figure")
	}
	panel := p.figures[0].Panels[0][0]
	if len(panel.YTicks) != 2 || panel.YTicks[1].Label != "tree" || len(panel.Series) != 2 || len(panel.Series[1].X) != 2 || panel.Series[1].Values[1] != 0.1 {
		t.Errorf("%+v", panel)
	}
	if _, err := p.figures[0].SVG(); err != nil {
		t.Error(err)
	}
	d.cells = d.cells[:1]
	if p = new(parts); dotOverview(d) != nil {
		t.Error("one cell is drawn")
	}
}

// Cells without any request have no success and no RAF: the page has the others, and is drawn.
func TestCellsWithoutRequestsAreLeftOut(t *testing.T) {
	d := gridOf([]float64{0.1, 0.2}, []float64{0.5}, "NR")
	nothing := analysis.NewRatioSums()
	nothing.Add(0, 0)
	empty := nothing.Interval(level)
	d.cells[0].ratios[successAll], d.cells[0].ratios[rafClient] = empty, empty
	p := &parts{}
	plain(d, p)
	p.addHumps(d)
	if _, err := p.figures[0].SVG(); err != nil {
		t.Error(err)
	}
	if s := p.figures[0].Panels[0][0].Series; len(s) != 1 || len(s[0].X) != 1 || s[0].X[0] != 0.2 {
		t.Errorf("series %v", s)
	}
	d.cells[1].ratios = d.cells[0].ratios
	p = &parts{}
	if plain(d, p); len(p.figures) != 0 || len(p.findings) != 2 || strings.Contains(strings.Join(p.findings, ""), "NaN") {
		t.Errorf("%d figures, %q", len(p.figures), p.findings)
	}
	// Trials without requests beside others that fall into two groups.
	c := d.cells[0]
	for k := range 30 {
		c.perTrial[successAfter] = append(c.perTrial[successAfter], []float64{0.1, 0.9, math.NaN()}[k%3])
	}
	c.requests[successAfter] = 3000
	p = &parts{}
	if p.addHumps(d); len(p.figures) != 1 {
		t.Fatalf("%d figures", len(p.figures))
	}
	if dots := p.figures[0].Panels[0][0].Series[0]; len(dots.X) != 20 {
		t.Errorf("%d dots, want one for each trial with requests", len(dots.X))
	}
}

// A figure of the standard sweep correlation is drawn without a cell that has no requests.
func TestAddPointSkipsWhatHasNoValue(t *testing.T) {
	s := addPoint(addPoint(figure.Series{}, 1, noMeaning), 2, analysis.Interval{Estimate: 0.5, Low: math.Inf(-1), High: math.Inf(1)})
	if len(s.X) != 1 || s.X[0] != 2 || s.Lo[0] != 0.5 || s.Hi[0] != 0.5 {
		t.Errorf("%v", s)
	}
}
