package sweeps

import (
	"math"

	"retrylab/analysis"
	"retrylab/report/figure"
)

// boundaryFigure draws, for room 1000 and work that goes on, the utilization at which retries begin to harm during the
// fault and after it, with intervals, against the failure probability.
func boundaryFigure(panels map[panelKey]*harmPanel) *figure.Figure {
	f := &figure.Figure{
		Name: "harm-boundary", XName: "p", Title: "Utilization from which retries harm, with intervals: room for 1000, abandoned work goes on",
		Alt:       "Eight panels of the utilization at which the difference passes zero during the fault, and minus five points after it, against the failure probability, by timeout. The shorter the timeout, the lower the boundary.",
		Caption:   "Above, during the fault: where the paired difference passes zero. Below, in the 30 s after it: where it passes −5 points. Joined by straight lines between utilizations of the map; bars: the range in which a 95% test of the joined differences does not reject the value, cut at the ends of the map. A mark is missing where retries harm nowhere in the map, or from its lowest utilization on.",
		WidthInch: 9, HeightInch: 5.4, TableRows: 30,
	}
	timeouts := []float64{0, 1, 0.5, 0.1}
	for _, phase := range []string{"during", "after"} {
		target, of := 0.0, func(r *harmRow) analysis.Interval { return r.during.Interval }
		if phase == "after" {
			target, of = -0.05, func(r *harmRow) analysis.Interval { return r.after.Interval }
		}
		var row []figure.Panel
		for i, line := range harmLines {
			panel := figure.Panel{Quantity: "utilization_" + phase, Facet: line.label, Title: shortLabel(line.retriesAt, line.workers),
				X: figure.Range{Min: 0, Max: 1}, Y: figure.Range{Min: 0.25, Max: 1.25}}
			if i == 0 {
				panel.YLabel = "utilization, " + phase
			}
			if phase == "after" {
				panel.XLabel = "failure probability p"
			}
			for k, timeout := range timeouts {
				s := figure.Series{Name: timeoutText(timeout), Style: figure.StyleAt(k), Dots: true, Offset: 0.02 * (float64(k) - 1.5)}
				if p := panels[panelKey{line.retriesAt, line.workers, "goes_on", 1000, timeout}]; p != nil {
					s = p.boundary(s, target, of)
				}
				panel.Series = append(panel.Series, s)
			}
			row = append(row, panel)
		}
		f.Panels = append(f.Panels, row)
	}
	return f
}

// boundary adds the crossings of each failure probability.
func (p *harmPanel) boundary(s figure.Series, target float64, of func(*harmRow) analysis.Interval) figure.Series {
	for _, fail := range p.ps {
		at := p.crossing(fail, target, of)
		first := p.rows[[2]float64{fail, p.us[0]}]
		if math.IsNaN(at.Estimate) || first == nil || of(first).Estimate < target {
			continue // no crossing, or harm from the lowest utilization on
		}
		s.X, s.Values = append(s.X, fail), append(s.Values, at.Estimate)
		s.Lo, s.Hi = append(s.Lo, math.Max(at.Low, p.us[0])), append(s.Hi, math.Min(at.High, p.us[len(p.us)-1]))
	}
	return s
}
