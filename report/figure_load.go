package report

import (
	"fmt"

	"retrylab/report/figure"
)

// overTime is one row of small multiples: a quantity per window.
type overTime struct {
	quantity, unit, label string
	within                float64                               // where in a window its value stands
	values                func(*windowCell) (perTrial, float64) // with the factor to the unit
}

var loadRows = []overTime{
	{"attempt_load", "1/s", "attempts sent, 1/s", 0.5, func(c *windowCell) (perTrial, float64) { return c.attempts, 1 / c.windowS }},
	{"goodput", "1/s", "goodput, 1/s", 0.5, func(c *windowCell) (perTrial, float64) { return c.goodput, 1 / c.windowS }},
	{"queue", "attempts", "attempts waiting", 1, func(c *windowCell) (perTrial, float64) { return c.queue, 1 }},
}

// loadOverTime draws attempt load, goodput and queue of each strategy, one column a scenario.
func loadOverTime(d *data) (*figure.Figure, error) {
	if d.windows == nil || len(d.windows.cells) == 0 {
		return nil, nil
	}
	e := d.main
	f := &figure.Figure{
		Title: "Attempt load, goodput and queue over time, by strategy and scenario",
		XName: "time_s", WidthInch: 1.2 + 2.3*float64(len(e.scenarios)), HeightInch: 6.4, TableRows: 11,
	}
	for r, row := range loadRows {
		panels := make([]figure.Panel, len(e.scenarios))
		for c, scenario := range e.scenarios {
			panels[c] = e.timePanel(d, scenario, row)
			if r == 0 {
				panels[c].Title = scenario
			}
			if r == len(loadRows)-1 {
				panels[c].XLabel = "time, s"
			}
			if c == 0 {
				panels[c].YLabel = row.label
			}
		}
		shareAxis(panels)
		f.Panels = append(f.Panels, panels)
	}
	f.Alt = fmt.Sprintf("Small multiples over time, %d rows by %d columns (%s). Largest median values: %.0f attempts per second, goodput %.0f per second, %.0f attempts waiting.",
		len(loadRows), len(e.scenarios), listText(e.scenarios), highestMedian(f.Panels[0]), highestMedian(f.Panels[1]), highestMedian(f.Panels[2]))
	f.Caption = fmt.Sprintf("Line: median over trials; band: 5%% to 95%% of trials; each point is one window, drawn in its middle (waiting: at its end). %s, %s. "+
		"Attempts sent by the clients, retries included; goodput: requests that succeeded; waiting: attempts in the queues of all services.", d.windows.sample(), e.title())
	return f, nil
}

// timePanel draws one quantity of all strategies in a scenario.
func (e *experiment) timePanel(d *data, scenario string, row overTime) figure.Panel {
	panel := figure.Panel{Quantity: row.quantity, Unit: row.unit, Facet: scenario}
	for i, strategy := range e.strategies {
		p := pair{strategy, scenario}
		cell := d.windows.cells[p]
		if cell == nil {
			continue
		}
		values, scale := row.values(cell)
		s := medianSeries(strategy, values, cell.windowS, row.within, scale)
		s.Style = figure.StrategyStyles(e.strategies)[i]
		s.MarkEvery, s.MarkFrom = max(1, len(s.X)/6), 2*i
		panel.Series = append(panel.Series, s)
		panel.Spans = e.span(p)
		if end := float64(len(values)) * cell.windowS; end > panel.X.Max {
			panel.X = figure.Range{Min: 0, Max: end}
			panel.XTicks = timeTicks(end)
		}
	}
	return panel
}

// shareAxis gives the panels of a row the same y axis.
func shareAxis(panels []figure.Panel) {
	y, ticks := axisFrom0(highest(panels), 4)
	for i := range panels {
		panels[i].Y, panels[i].YTicks = y, ticks
	}
}

func highestMedian(panels []figure.Panel) float64 {
	top := 0.0
	for _, p := range panels {
		for _, s := range p.Series {
			for _, v := range s.Values {
				top = max(top, v)
			}
		}
	}
	return top
}

func listText(items []string) string {
	text := ""
	for i, item := range items {
		if i > 0 {
			text += ", "
		}
		text += item
	}
	return text
}
