package report

import (
	"fmt"

	"retrylab/analysis"
	"retrylab/report/figure"
	"retrylab/report/measure"
)

// utilizationByTier draws measured utilization of each service before, during and after the
// fault. It shows the saturated entry: its workers are held while requests are below it.
func utilizationByTier(d *data) (*figure.Figure, error) {
	if d.windows == nil || len(d.windows.cells) == 0 {
		return nil, nil
	}
	e := d.main
	f := &figure.Figure{
		Title: "Utilization of each service before, during and after the fault",
		XName: "service", WidthInch: 1.2 + 1.9*float64(len(e.strategies)), HeightInch: 1 + 1.75*float64(len(e.scenarios)),
	}
	for r, scenario := range e.scenarios {
		panels := make([]figure.Panel, len(e.strategies))
		for c, strategy := range e.strategies {
			panels[c] = utilizationPanel(d.windows.cells[pair{strategy, scenario}])
			panels[c].Facet = scenario + " " + strategy
			if r == 0 {
				panels[c].Title = strategy
			}
			if c == 0 {
				panels[c].YLabel = scenario + ": utilization, %"
			}
		}
		f.Panels = append(f.Panels, panels)
	}
	first := d.windows.cells[pair{e.strategies[0], e.scenarios[0]}]
	if first == nil || len(first.tiers) == 0 {
		return nil, nil
	}
	entry := first.utilization(first.tiers[0], before)
	f.Alt = fmt.Sprintf("Dots by service for each strategy and scenario. With %s in %s, %s is %.1f%% busy (%s).",
		e.strategies[0], e.scenarios[0], first.tiers[0], entry.Estimate, first.phaseName(before))
	f.Caption = "Utilization: occupied worker time / (workers × time), mean over trials with 95% t interval (mostly smaller than the marks). " +
		"A worker counts as occupied while its attempt waits for the services below, if the model holds it. Windows that straddle an edge of the fault are left out. " + d.windows.sample() + ", " + e.title() + "."
	return f, nil
}

func utilizationPanel(cell *windowCell) figure.Panel {
	panel := figure.Panel{Quantity: "utilization", Unit: "%", Y: figure.Range{Min: 0, Max: 104}}
	for _, y := range []float64{0, 25, 50, 75, 100} {
		panel.YTicks = append(panel.YTicks, figure.Tick{At: y, Label: fmt.Sprint(y)})
	}
	panel.X = figure.Range{Min: -0.6, Max: 0.6}
	if cell == nil {
		return panel
	}
	panel.X.Max = float64(len(cell.tiers)) - 0.4
	step := (len(cell.tiers) + panelNames - 1) / panelNames
	for i, label := range shortened(cell.tiers, panelRunes*step/len(cell.tiers)) {
		if i%step == 0 {
			panel.XTicks = append(panel.XTicks, figure.Tick{At: float64(i), Label: label})
		}
	}
	for p := range phases {
		s := figure.Series{Name: cell.phaseName(p), Dots: true, Style: figure.StyleAt([]int{2, 1, 4}[p]), Offset: 0.22 * (float64(p) - 1)}
		for i, tier := range cell.tiers {
			u := cell.utilization(tier, p)
			if u.N == 0 {
				continue
			}
			s.X, s.Category, s.Values = append(s.X, float64(i)), append(s.Category, tier), append(s.Values, u.Estimate)
			if u.N >= 2 {
				s.Lo, s.Hi = append(s.Lo, u.Low), append(s.Hi, u.High)
			}
		}
		if len(s.Values) > 0 {
			panel.Series = append(panel.Series, s)
		}
	}
	return panel
}

// utilization of a service in a phase, in percent, mean over trials.
func (c *windowCell) utilization(tier string, p phase) analysis.Interval {
	sums := c.busy[tier][p]
	return analysis.MeanOfRatios(sums.busyNs, sums.availableNs, measure.Level).Scale(100)
}

// What fits below a panel: panelRunes letters in at most panelNames names. Where there are more services, only every second or
// third (and so on) has its name there.
const panelRunes, panelNames = 22, 5

// shortened cuts names to at most so many letters, but not below 4: a long one to its beginning or, if another name has the
// same beginning, to its end.
func shortened(names []string, most int) []string {
	most = max(most, 4)
	cut := func(name string) string {
		if runes := []rune(name); len(runes) > most {
			return string(runes[:most-1]) + "."
		}
		return name
	}
	uses := map[string]int{}
	for _, name := range names {
		uses[cut(name)]++
	}
	labels := make([]string, len(names))
	for i, name := range names {
		labels[i] = cut(name)
		if runes := []rune(name); uses[labels[i]] > 1 {
			labels[i] = "." + string(runes[len(runes)-most+1:])
		}
	}
	return labels
}
