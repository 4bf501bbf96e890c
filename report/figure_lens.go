package report

import (
	"retrylab/report/claims"
	"retrylab/report/figure"
)

// lensSeries are the strategies whose retry rate is drawn, with where to find their cells.
var lensSeries = []struct {
	name  string
	style int
	key   func(model, scenario string) claims.Key
}{
	{"CB", 2, func(m, s string) claims.Key { return modelKey(m, "CB", s) }},
	{"ARB", 3, func(m, s string) claims.Key { return modelKey(m, "ARB", s) }},
	{"static budget 10%", 4, func(m, s string) claims.Key { return claims.BudgetKey(m, 10, s) }},
	{"static budget 20%", 5, func(m, s string) claims.Key { return claims.BudgetKey(m, 20, s) }},
}

// lensOverTime draws the retry rate of ARB, breaker and budgets, and ARB's budget.
func lensOverTime(d *data) (*figure.Figure, error) {
	if d.evidence == nil || !d.evidence.HasSeries(claims.BudgetKey("reference", 10, "S1")) || !d.evidence.HasSeries(modelKey("text-released", "ARB", "S1")) {
		return nil, nil
	}
	f := &figure.Figure{
		Title: "ARB under the lens: retry rate beside the breaker and static budgets, and ARB's budget",
		Alt: "Small multiples over time, one column a scenario. In the authors' program the breaker stops retrying for good and ARB retries a little all the time, both far below static budgets. " +
			"Static budgets spend in bursts of their window. In the text's model the breaker's retry rate climbs to hundreds or thousands per second and drops to none when it opens, ARB's is near 0. ARB's budget falls to near 0 within seconds of the fault; in the program, which looks at its clock only when a retry is considered, it stays there.",
		Caption: "Retries that arrive at any service, per second: median over the trials with recorded windows, " + lensSample(d) + ", one point a window of 1 s. Upper row: authors' program (reference); middle: the text's model (text-released), where the breaker stops traffic and ARB is Algorithm 1. " +
			"Lower row: ARB's budget B at the caller of the first failing tier, with the band from 5% to 95% of trials. Shaded: the fault.",
		XName: "time_s", WidthInch: 8.2, HeightInch: 6.6, TableRows: 11,
	}
	for r, model := range lensModels {
		panels := make([]figure.Panel, len(paperScenarios))
		for c, scenario := range paperScenarios {
			panels[c] = lensPanel(d, model, scenario)
			if r == 0 {
				panels[c].Title = scenario
			}
		}
		panels[0].YLabel = []string{"program: retries/s", "text: retries/s"}[r]
		shareAxis(panels)
		f.Panels = append(f.Panels, panels)
	}
	panels := make([]figure.Panel, len(paperScenarios))
	for c, scenario := range paperScenarios {
		panels[c] = budgetPanel(d, scenario)
		panels[c].XLabel = "time, s"
	}
	panels[0].YLabel = "budget B"
	f.Panels = append(f.Panels, panels)
	return f, nil
}

// lensSample says how many trials the figure rests on.
func lensSample(d *data) string {
	var counts []int
	for _, model := range lensModels {
		for _, scenario := range paperScenarios {
			for _, row := range lensSeries {
				counts = append(counts, len(d.evidence.RetrySeries(row.key(model, scenario))))
			}
		}
	}
	return SampleText(counts)
}

// lensPanel draws the retry rate in one scenario of one model.
func lensPanel(d *data, model, scenario string) figure.Panel {
	p := figure.Panel{Quantity: "retries_" + model, Unit: "1/s", Facet: scenario}
	for i, row := range lensSeries {
		k := row.key(model, scenario)
		windowS := float64(d.evidence.Cell(k).WindowNs) / 1e9
		s := medianSeries(row.name, byWindow(d.evidence.RetrySeries(k)), windowS, 0.5, 1/windowS)
		s.Lo, s.Hi = nil, nil
		s.Style, s.MarkEvery, s.MarkFrom = figure.StyleAt(row.style), max(1, len(s.X)/6), 2*i
		p.Series = append(p.Series, s)
		lensAxis(&p, d, k, len(s.X), windowS)
	}
	return p
}

// budgetPanel draws ARB's budget in both models.
func budgetPanel(d *data, scenario string) figure.Panel {
	p := figure.Panel{Quantity: "budget", Facet: scenario, Y: figure.Range{Min: 0, Max: 1.04}}
	p.YTicks = []figure.Tick{{At: 0, Label: "0"}, {At: 0.2, Label: "0.2"}, {At: 0.6, Label: "0.6"}, {At: 1, Label: "1"}}
	for i, model := range claims.Models {
		label, ok := map[string]string{"reference": "ARB's B, authors' program", "text-released": "ARB's B, Algorithm 1"}[model.Name]
		if !ok {
			continue
		}
		k := model.Key("ARB", scenario)
		windowS := float64(d.evidence.Cell(k).WindowNs) / 1e9
		s := medianSeries(label, byWindow(d.evidence.BudgetSeries(k, claims.Caller(model, scenario))), windowS, 0.5, 1)
		s.Style, s.MarkEvery, s.MarkFrom = figure.StyleAt([]int{6, 0, 0, 0, 1}[i]), max(1, len(s.X)/6), i
		p.Series = append(p.Series, s)
		lensAxis(&p, d, k, len(s.X), windowS)
	}
	return p
}

func lensAxis(p *figure.Panel, d *data, k claims.Key, windows int, windowS float64) {
	end := float64(windows) * windowS
	if end > p.X.Max {
		p.X, p.XTicks = figure.Range{Min: 0, Max: end}, timeTicks(end)
	}
	if from, to, ok := faultSpan(d.evidence.Cell(k)); ok {
		p.Spans = []figure.Span{{From: from, To: to, Label: "fault"}}
	}
}

// byWindow turns rows by trial into rows by window.
func byWindow(trials [][]float64) perTrial {
	var out perTrial
	for t, windows := range trials {
		for w, value := range windows {
			out.add(w, t, value)
		}
	}
	return out
}
