package sweeps

import (
	"fmt"
	"math"

	"retrylab/analysis"
	"retrylab/report/figure"
	"retrylab/report/table"
)

// recovery makes the report of the sweep recovery.
func recovery(d *data, r *parts) error {
	r.figures = append(r.figures, collapseMap(d), recoveryDots(d))
	t := recoveryTable(d)
	r.tables = append(r.tables, t)
	counts := map[string]int{}
	cells := 0
	for _, c := range d.cells {
		if c.Strategy == d.strategies[0] {
			cells++
		}
		if i, _ := c.collapsed(); i.Low > 0.05 {
			counts[c.Strategy]++
		}
	}
	text := ""
	for _, s := range d.strategies {
		text += fmt.Sprintf(", %s in %d", s, counts[s])
	}
	r.findings = append(r.findings,
		fmt.Sprintf("Points of %d at which collapse after the fault is certainly more likely than 5%%: %s.", cells, text[2:]),
		fmt.Sprintf("Retries without a limit collapse systems that nothing else brings down; %s.", limiters(d, counts)))
	return nil
}

// limiters says which strategies collapse at no more points than the first, which does not retry.
func limiters(d *data, counts map[string]int) string {
	good := ""
	for _, s := range d.strategies[1:] {
		if counts[s] <= counts[d.strategies[0]] {
			good += ", " + s
		}
	}
	if good == "" {
		return "every strategy that retries collapses at more points than not to retry"
	}
	return "at no more points than without retries: " + good[2:]
}

// collapseMap draws the probability of collapse, a panel a strategy, with fault lengths up and utilization across.
func collapseMap(d *data) *figure.Figure {
	f := &figure.Figure{
		Name: "collapse", XName: "utilization", Title: "Probability of collapse after the fault, by strategy",
		Alt:     "Heat maps of the probability of collapse over utilization and fault length, one for each strategy.",
		Caption: "Share of trials in which fewer than half as many requests succeed after the fault as before it (docs/adr/0030-collapse.md); drawn as minus percent. Up: length of the fault; across: utilization. A dot: the interval contains zero.",
	}
	var row []figure.Panel
	for i, strategy := range d.strategies {
		p := figure.Panel{Quantity: "collapse", Unit: "−%", Facet: strategy, Title: strategy, XLabel: "utilization",
			Heat: &figure.Heat{Max: 100, Unit: "%", Low: "collapse", High: ""}}
		if i%3 == 0 {
			p.YLabel = "length of the fault"
		}
		for _, length := range textLevels(d, "fault") {
			s := figure.Series{Name: "fault = " + length}
			for _, u := range levelsOf(d, "utilization") {
				for _, c := range d.cells {
					if c.Strategy == strategy && c.text("fault") == length && c.number("utilization") == u {
						i, _ := c.collapsed()
						s.X, s.Values, s.Lo, s.Hi = append(s.X, u), append(s.Values, -100*i.Estimate), append(s.Lo, -100*i.High), append(s.Hi, -100*i.Low)
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

// recoveryDots draws every trial's time to recover at the highest utilization but one, since trials often fall into two
// groups: those that recover at once and those that never do.
func recoveryDots(d *data) *figure.Figure {
	us := levelsOf(d, "utilization")
	u := us[max(len(us)-2, 0)]
	lengths := textLevels(d, "fault")
	f := &figure.Figure{
		Name: "recovery", XName: "fault", Title: fmt.Sprintf("Time to recover of every trial at utilization %g", u),
		Alt:       "Dots, one a trial, of the time to recover against the length of the fault, one panel a strategy. Dots at the top never recovered.",
		Caption:   "A dot a trial; dots above the line had not recovered when the trial ended, 35 s or more after the fault. Times to recover by docs/adr/0010-recovery.md.",
		WidthInch: 8.4, HeightInch: 4.6, TableRows: 12,
	}
	const never = 60
	var row []figure.Panel
	for i, strategy := range d.strategies {
		p := figure.Panel{Quantity: "recovery", Unit: "s", Facet: strategy, Title: strategy, X: figure.Range{Min: -0.5, Max: float64(len(lengths)) - 0.5},
			Y: figure.Range{Min: -2, Max: never + 4}, Levels: []float64{55}, YTicks: []figure.Tick{{At: 0, Label: "0"}, {At: 20, Label: "20"}, {At: 40, Label: "40"}, {At: never, Label: "never"}}}
		if i%3 == 0 {
			p.YLabel = "time to recover (s)"
		}
		if i >= 3 {
			p.XLabel = "length of the fault"
		}
		s := figure.Series{Name: "trial", Style: figure.StyleAt(2), Dots: true}
		for k, length := range lengths {
			p.XTicks = append(p.XTicks, figure.Tick{At: float64(k), Label: length})
			for _, c := range d.cells {
				if c.Strategy != strategy || c.text("fault") != length || c.number("utilization") != u {
					continue
				}
				for j := range c.trials {
					at := float64(never)
					if c.trials[j].Recovered {
						at = float64(c.trials[j].RecoveryNs) / 1e9
					}
					s.X = append(s.X, float64(k)+0.6*(float64(j)+0.5)/float64(len(c.trials))-0.3)
					s.Values = append(s.Values, at)
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

// recoveryTable ranks the strategies over all points.
func recoveryTable(d *data) *table.Table {
	t := &table.Table{
		Name: "recovery", Label: "Recovery", Title: "Collapse and recovery by strategy, over all points of the sweep",
		Caption: "Success after the fault: mean over points of the share of requests that arrived after the fault and succeeded, minus the first strategy's, paired; p-values corrected by Holm's method. Median time to recover: Kaplan-Meier over all trials, those that never recovered being censored.",
		Method:  "Collapse: Wilson over trials; differences: Student's t over paired trials; 95%.",
		Fields: []string{"strategy", "trials", "collapse", "collapse_lo", "collapse_hi", "staying_down", "staying_down_lo", "staying_down_hi",
			"difference_after", "difference_after_lo", "difference_after_hi", "p_holm", "recovery_s", "recovery_s_lo", "recovery_s_hi"},
		Columns: []table.Column{{Head: "Strategy", Field: "strategy"}, {Head: "Trials", Field: "trials"},
			{Head: "Collapse, % [95% CI]", Field: "collapse", Lo: "collapse_lo", Hi: "collapse_hi", Digits: 1},
			{Head: "Staying down, % [95% CI]", Field: "staying_down", Lo: "staying_down_lo", Hi: "staying_down_hi", Digits: 1},
			{Head: "Success after, pp [95% CI]", Field: "difference_after", Lo: "difference_after_lo", Hi: "difference_after_hi", Digits: 2, Signed: true},
			{Head: "p (Holm)", Field: "p_holm", Digits: 4},
			{Head: "Median recovery, s [95% CI]", Field: "recovery_s", Lo: "recovery_s_lo", Hi: "recovery_s_hi", Digits: 1}},
	}
	pooled := map[string]*cell{}
	for _, c := range d.cells {
		if pooled[c.Strategy] == nil {
			pooled[c.Strategy] = &cell{Cell: c.Cell}
		}
		pooled[c.Strategy].trials = append(pooled[c.Strategy].trials, c.trials...)
	}
	base := pooled[d.strategies[0]]
	var differences []analysis.Difference
	var ps []float64
	for _, s := range d.strategies {
		diff := successAfter.minus(pooled[s], base)
		differences = append(differences, diff)
		ps = append(ps, diff.PValue)
	}
	ps[0] = math.NaN()
	for i, p := range analysis.Holm(ps) {
		c := pooled[d.strategies[i]]
		collapse, staying := c.collapsed()
		collapse, staying = collapse.Scale(100), staying.Scale(100)
		diff, back := differences[i].Interval.Scale(100), pooledRecovery(d, d.strategies[i])
		t.Add(table.Text(d.strategies[i]), table.Int(int64(len(c.trials))), table.Number(collapse.Estimate), table.Number(collapse.Low), table.Number(collapse.High),
			table.Number(staying.Estimate), table.Number(staying.Low), table.Number(staying.High),
			table.Number(diff.Estimate), table.Number(diff.Low), table.Number(diff.High), table.Number(p),
			table.Number(back.Estimate), table.Number(back.Low), table.Number(back.High))
	}
	return t
}

// pooledRecovery is the median time to recover of all a strategy's trials.
func pooledRecovery(d *data, strategy string) analysis.Interval {
	var durations []float64
	var recovered []bool
	for _, c := range d.cells {
		if c.Strategy != strategy {
			continue
		}
		for i := range c.trials {
			t := &c.trials[i]
			recovered = append(recovered, t.Recovered)
			if t.Recovered {
				durations = append(durations, float64(t.RecoveryNs)/1e9)
			} else {
				durations = append(durations, float64(c.DurationNs-c.FaultToNs)/1e9)
			}
		}
	}
	return analysis.KaplanMeier(durations, recovered).Median(level)
}
