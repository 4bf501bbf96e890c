package sweeps

import (
	"cmp"
	"fmt"
	"strings"

	"retrylab/analysis"
	"retrylab/report/figure"
	"retrylab/report/table"
)

// recovery makes the report of the sweep recovery.
func recovery(d *data, r *parts) error {
	r.figures = append(r.figures, collapseMap(d), recoveryDots(d))
	list := marginals(d)
	r.tables = append(r.tables, recoveryTable(d, list))
	var counts, changes, same []string
	for _, m := range list {
		counts = append(counts, fmt.Sprintf("%s in %d", m.strategy, m.certain))
		switch {
		case m.strategy == d.strategies[0]:
		case m.after.Excludes(0) != 0:
			changes = append(changes, fmt.Sprintf("%s %s pp", m.strategy, table.Signed(100*m.after.Estimate, 1)))
		default:
			same = append(same, m.strategy)
		}
	}
	r.findings = append(r.findings,
		fmt.Sprintf("Of %d points, collapse after the fault is certainly likelier than %.0f%%: %s.", list[0].points, 100*likely, listed(counts)),
		fmt.Sprintf("Success after the fault against %s, mean over the points: %s; no certain difference: %s.", d.strategies[0], listed(changes), listed(same)))
	return nil
}

// listed joins items, or says that there are none.
func listed(items []string) string { return cmp.Or(strings.Join(items, ", "), "none") }

// likely is the probability of collapse that the map's line and the counts of cells are about.
const likely = 0.05

// certainlyLikely says that collapse is likelier than that with the whole interval.
func certainlyLikely(i analysis.Interval) bool { return i.Low > likely }

// collapseMap draws the probability of collapse, a panel a strategy, with fault lengths up and utilization across.
func collapseMap(d *data) *figure.Figure {
	f := &figure.Figure{
		Name: "collapse", XName: "utilization", Title: "Probability of collapse after the fault, by strategy",
		Alt:     "Heat maps of the probability of collapse over utilization and fault length, one for each strategy.",
		Caption: "Share of trials in which fewer than half as many requests succeed after the fault as before it (docs/adr/0030-collapse.md); with Wilson's 95% intervals. Up: length of the fault; across: utilization. A dot: no trial collapsed. The line surrounds the points whose interval lies above 5%.",
	}
	var row []figure.Panel
	for i, strategy := range d.strategies {
		p := figure.Panel{Quantity: "collapse", Unit: "%", Facet: strategy, Title: strategy, XLabel: "utilization",
			Heat: &figure.Heat{Max: 100, OneSided: true, Unit: "%", High: "of trials collapse", OpenText: "no trial collapsed",
				Lines: []figure.HeatLine{figure.Around("certainly above 5% inside", func(c figure.HeatCell) bool { return c.Lo > 100*likely })}}}
		if i%3 == 0 {
			p.YLabel = "length of the fault"
		}
		for _, length := range textLevels(d, "fault") {
			s := figure.Series{Name: "fault = " + length}
			for _, u := range levelsOf(d, "utilization") {
				for _, c := range d.cells {
					if c.Strategy == strategy && c.text("fault") == length && c.number("utilization") == u {
						i, _ := c.collapsed()
						s.X, s.Values, s.Lo, s.Hi = append(s.X, u), append(s.Values, 100*i.Estimate), append(s.Lo, 100*i.Low), append(s.Hi, 100*i.High)
					}
				}
			}
			p.Series = append(p.Series, s)
		}
		if row = append(row, p); len(row) == 3 || i == len(d.strategies)-1 {
			f.Panels = append(f.Panels, row)
			row = nil
		}
	}
	f.WidthInch, f.HeightInch = 7.6, 2.4*float64(len(f.Panels))+0.4
	return f
}

// recoveryDots draws every trial's time to recover at the utilization at which the trials of most cells fall into two
// groups, those that recover at once and those that never do: at the highest but one if there is none.
func recoveryDots(d *data) *figure.Figure {
	u, longest := mixedUtilization(d), 0.0
	for _, c := range d.cells {
		longest = max(longest, float64(c.DurationNs-c.FaultToNs)/1e9)
	}
	never := 1.12 * longest
	lengths := textLevels(d, "fault")
	f := &figure.Figure{
		Name: "recovery", XName: "fault", Title: fmt.Sprintf("Time to recover of every trial at utilization %g", u),
		Alt:       "Dots, one a trial, of the time to recover against the length of the fault, one panel a strategy. Dots at the top never recovered.",
		Caption:   "A dot a trial; dots above the line had not recovered when the trial ended. Times to recover by docs/adr/0010-recovery.md.",
		WidthInch: 8.4, HeightInch: 4.6, TableRows: 12,
	}
	ticks := []figure.Tick{{At: never, Label: "never"}}
	for at := 0.0; at < longest; at += 20 {
		ticks = append(ticks, figure.Tick{At: at, Label: fmt.Sprint(at)})
	}
	var row []figure.Panel
	for i, strategy := range d.strategies {
		p := figure.Panel{Quantity: "recovery", Unit: "s", Facet: strategy, Title: strategy, X: figure.Range{Min: -0.5, Max: float64(len(lengths)) - 0.5},
			Y: figure.Range{Min: -0.03 * never, Max: 1.06 * never}, Levels: []float64{1.04 * longest}, YTicks: ticks}
		if i%3 == 0 {
			p.YLabel = "time to recover (s)"
		}
		if i >= len(d.strategies)-3 {
			p.XLabel = "length of the fault"
		}
		s := figure.Series{Name: "a trial", Style: figure.StyleAt(0), Dots: true}
		for k, length := range lengths {
			p.XTicks = append(p.XTicks, figure.Tick{At: float64(k), Label: length})
			for _, c := range d.cells {
				if c.Strategy == strategy && c.text("fault") == length && c.number("utilization") == u {
					s = c.addRecoveries(s, float64(k), never)
				}
			}
		}
		p.Series = append(p.Series, s)
		if row = append(row, p); len(row) == 3 || i == len(d.strategies)-1 {
			f.Panels = append(f.Panels, row)
			row = nil
		}
	}
	return f
}

// addRecoveries adds a dot for each trial, side by side around x; none where recovery has no meaning.
func (c *cell) addRecoveries(s figure.Series, x, never float64) figure.Series {
	if !c.tells {
		return s
	}
	for j := range c.kept {
		at := never
		if c.kept[j].Recovered {
			at = float64(c.kept[j].RecoveryNs) / 1e9
		}
		s.X = append(s.X, x+0.6*(float64(j)+0.5)/float64(c.trials)-0.3)
		s.Values = append(s.Values, at)
	}
	return s
}

// mixedUtilization is the utilization with most cells of which some trials recover and some do not.
func mixedUtilization(d *data) float64 {
	us := levelsOf(d, "utilization")
	best, most := us[max(len(us)-2, 0)], 0
	for _, u := range us {
		n := 0
		for _, c := range d.cells {
			if back := c.recovered; c.number("utilization") == u && back > 0 && back < c.trials {
				n++
			}
		}
		if n > most {
			best, most = u, n
		}
	}
	return best
}
