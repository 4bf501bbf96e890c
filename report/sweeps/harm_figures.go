package sweeps

import (
	"fmt"
	"math"
	"slices"

	"retrylab/report/figure"
)

// harmBorder is the least loss, as a share of requests, that the line of the map surrounds.
const harmBorder = 0.005

// certainHarm says that a difference in points is a loss of that size with its whole interval below zero.
func certainHarm(c figure.HeatCell) bool { return c.Value <= -100*harmBorder && c.Hi < 0 }

// timeoutText names a column of the map, or a series; 0 is no timeout.
func timeoutText(timeout float64) string {
	if timeout == 0 {
		return "no timeout"
	}
	return fmt.Sprintf("timeout %g s", timeout)
}

// harmView is a figure of the map but for the phase; each timeout is a column.
type harmView struct {
	name, title string
	room        float64
	abandoned   string
	timeouts    []float64
}

var harmViews = []harmView{
	{"room-1000", "room for 1000, abandoned work goes on", 1000, "goes_on", []float64{0, 2, 1, 0.5, 0.2, 0.1}},
	{"room-1000-cancelled", "room for 1000, abandoned work is cancelled", 1000, "cancelled", []float64{2, 1, 0.5, 0.2, 0.1}},
	{"room-100", "room for 100, abandoned work goes on", 100, "goes_on", []float64{0, 2, 1, 0.5, 0.2, 0.1}},
	{"room-100-cancelled", "room for 100, abandoned work is cancelled", 100, "cancelled", []float64{2, 1, 0.5, 0.2, 0.1}},
}

var harmLines = []struct{ retriesAt, workers, label string }{
	{"client", "held", "client retries, workers held"},
	{"client", "released", "client retries, workers released"},
	{"hops", "held", "every hop retries, workers held"},
	{"hops", "released", "every hop retries, workers released"},
}

// harmFigures draws the map during the fault and after it.
func harmFigures(panels map[panelKey]*harmPanel) []*figure.Figure {
	var list []*figure.Figure
	for _, v := range harmViews {
		v.timeouts = slices.DeleteFunc(slices.Clone(v.timeouts), func(timeout float64) bool { return !v.has(panels, timeout) })
		if len(v.timeouts) == 0 {
			continue
		}
		list = append(list,
			v.figure(panels, "during", "while the fault lasts", func(r *harmRow) *harmPhase { return &r.during }),
			v.figure(panels, "after", "in the 30 s after the fault", func(r *harmRow) *harmPhase { return &r.after }))
	}
	return list
}

// has tells whether a column was run: a quick run leaves some out.
func (v harmView) has(panels map[panelKey]*harmPanel, timeout float64) bool {
	for k := range panels {
		if k.room == v.room && k.timeout == timeout && k.abandoned == v.abandoned {
			return true
		}
	}
	return false
}

func (v harmView) figure(panels map[panelKey]*harmPanel, phase, when string, of func(*harmRow) *harmPhase) *figure.Figure {
	f := &figure.Figure{
		Name: "harm-" + v.name + "-" + phase, XName: "utilization",
		Title: fmt.Sprintf("What retries change %s: %s", when, v.title),
		Caption: "Success per arrival (requests that succeeded / that arrived) with three retries minus success without, in percentage points, for requests that arrived " + when +
			". Across: utilization, requests offered over what the entry can finish. Up: failure probability p at the third of five tiers during the fault. Rows: who retries, and whether a worker is held or released while a retry waits. " +
			"Mean over trials paired by common random numbers; a dot: the 95% interval contains zero. The thick line surrounds the cells in which retries certainly lose at least half a point; the thin one runs where the difference changes its sign, unless both cells may be zero. A cross: the trials' differences fall into two groups whose means are " + fmt.Sprintf("%g", 100*humpsApart) + " points apart or more, and the mean describes neither.",
		WidthInch: max(1.4+1.55*float64(len(v.timeouts)), 5.6), HeightInch: 6.6, TableRows: 8, // the scale of colours needs 5.6
	}
	harmed, helped, total := 0, 0, 0
	for i, line := range harmLines {
		var row []figure.Panel
		for j, timeout := range v.timeouts {
			p := panels[panelKey{line.retriesAt, line.workers, v.abandoned, v.room, timeout}]
			panel := figure.Panel{
				Quantity: "difference_" + phase, Unit: "pp", Facet: line.label + ", " + timeoutText(timeout), Title: timeoutText(timeout),
				Heat: &figure.Heat{Max: 100, Unit: "pp", Low: "retries harm", High: "retries help", OpenText: "interval contains zero", GroupsText: "trials fall into two groups",
					Lines: []figure.HeatLine{figure.ZeroLine("zero: the difference changes sign"), figure.Around("harm is certain inside", certainHarm)}},
			}
			if i == len(harmLines)-1 {
				panel.XLabel = "utilization"
			}
			if j == 0 {
				panel.YLabel = "p, " + shortLabel(line.retriesAt, line.workers)
			}
			panel.Series = p.series(of)
			for _, s := range panel.Series {
				for k := range s.Values {
					total++
					if certainHarm(figure.HeatCell{Value: s.Values[k], Lo: s.Lo[k], Hi: s.Hi[k]}) {
						harmed++
					}
					if s.Lo[k] > 0 {
						helped++
					}
				}
			}
			row = append(row, panel)
		}
		f.Panels = append(f.Panels, row)
	}
	f.Alt = fmt.Sprintf("Heat maps of the difference %s. Of %d cells retries certainly help in %d and certainly lose half a point or more in %d.", when, total, helped, harmed)
	return f
}

func shortLabel(retriesAt, workers string) string { return retriesAt + ", " + workers }

// series are the map's rows, in percentage points; none of a panel that was not run.
func (p *harmPanel) series(of func(*harmRow) *harmPhase) []figure.Series {
	if p == nil {
		return nil
	}
	var list []figure.Series
	for _, fail := range p.ps {
		s := figure.Series{Name: fmt.Sprintf("p = %g", fail)}
		for _, u := range p.us {
			value, lo, hi, two := math.NaN(), math.NaN(), math.NaN(), false
			if r := p.rows[[2]float64{fail, u}]; r != nil {
				i := asDifference(of(r).Interval).Scale(100)
				value, lo, hi = i.Estimate, i.Low, i.High
				two = of(r).twoGroups
			}
			s.X, s.Values, s.Lo, s.Hi = append(s.X, u), append(s.Values, value), append(s.Lo, lo), append(s.Hi, hi)
			s.TwoGroups = append(s.TwoGroups, two)
		}
		list = append(list, s)
	}
	return list
}
