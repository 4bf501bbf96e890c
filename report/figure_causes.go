package report

import (
	"fmt"
	"slices"

	"retrylab/analysis"
	"retrylab/report/claims"
	"retrylab/report/figure"
	"retrylab/report/measure"
)

// causesDots is the table of causes as dots: columns are the ways of counting, rows the loads of the entry.
func causesDots(d *data) (*figure.Figure, error) {
	if d.evidence == nil || !d.evidence.Has(modelKey("reference", "SR", "S1"), modelKey("reference-25", "SR", "S1")) {
		return nil, nil
	}
	counts := []struct {
		quantity, title string
		ratio           measure.Ratio
	}{
		{"difference_per_attempt", "per attempt", measure.SuccessPerAttempt},
		{"difference_per_request", "per request", measure.SuccessPerRequest},
	}
	f := &figure.Figure{
		Title: "Two causes apart: the denominator, and the load of the entry",
		Alt: fmt.Sprintf("Dot plot of differences to no retries. Per attempt, at either load, standard retry is far below. Per request it is level at 125%% load and above at 50%% load, by up to %.1f percentage points.",
			d.evidence.Difference(measure.SuccessPerRequest, modelKey("reference-25", "SR", "S1"), modelKey("reference-25", "NR", "S1"), 100).Estimate),
		Caption: "Difference to no retries in percentage points, paired by trial; bars: 95% t intervals, often hidden by the marks. Left: success counted per attempt, as the paper does; right: client attempts that succeeded / first attempts that ended. " +
			"Above: the authors' program, entry loaded to 125%; below: the same with 25 workers, loaded to 50% as the text states. " + d.sampleOf(modelKey("reference", "SR", "S1"), modelKey("reference-25", "SR", "S1")) + ".",
		XName: "scenario", WidthInch: 7.6, HeightInch: 4.8,
	}
	for r, l := range loads {
		panels := make([]figure.Panel, len(counts))
		for c, count := range counts {
			p := scenarioPanel(count.quantity, "pp", fmt.Sprintf("%d workers", l.workers))
			p.X, p.Levels = figure.Range{Min: -26, Max: 20}, []float64{0}
			p.XTicks = []figure.Tick{{At: -20, Label: "−20"}, {At: -10, Label: "−10"}, {At: 0, Label: "0"}, {At: 10, Label: "10"}, {At: 20, Label: "20"}}
			if r == 0 {
				p.Title = count.title
			} else {
				p.XLabel = "difference to no retries, pp"
			}
			if c == 0 {
				p.YLabel = fmt.Sprintf("entry at %s", l.load)
			}
			for i, strategy := range paperStrategies[1:] {
				s := figure.Series{Name: strategy + " − NR", Style: figure.StrategyStyles(paperStrategies)[i+1], Dots: true, Offset: 0.22 - 0.22*float64(i)}
				for at, scenario := range paperScenarios {
					v := d.evidence.Difference(count.ratio, modelKey(l.model, strategy, scenario), modelKey(l.model, "NR", scenario), 100)
					s.X, s.Category = append(s.X, -float64(at)), append(s.Category, scenario)
					s.Values, s.Lo, s.Hi = append(s.Values, v.Estimate), append(s.Lo, v.Low), append(s.Hi, v.High)
				}
				p.Series = append(p.Series, s)
			}
			panels[c] = p
		}
		f.Panels = append(f.Panels, panels)
	}
	return f, nil
}

// modelKeys are the cells of all models.
func modelKeys() []claims.Key {
	var keys []claims.Key
	for _, m := range claims.Models {
		for _, scenario := range paperScenarios {
			for _, strategy := range paperStrategies {
				keys = append(keys, m.Key(strategy, scenario))
			}
		}
	}
	return keys
}

// scenarioPanel is a dot plot's panel with one line a scenario.
func scenarioPanel(quantity, unit, facet string) figure.Panel {
	p := figure.Panel{Quantity: quantity, Unit: unit, Facet: facet, Sideways: true, Y: figure.Range{Min: -float64(len(paperScenarios)) + 0.45, Max: 0.55}}
	for i, scenario := range paperScenarios {
		p.YTicks = append(p.YTicks, figure.Tick{At: -float64(i), Label: scenario})
	}
	return p
}

// modelsDots shows success per arrival of every model.
func modelsDots(d *data) (*figure.Figure, error) {
	if d.evidence == nil || !d.evidence.Has(modelKey("text-released", "SR", "S1")) {
		return nil, nil
	}
	f := &figure.Figure{
		Title: "Six models of the same paper: success per arrival",
		Alt: "Dot plots, one panel a model. Retries (SR) are level with no retries in reference and reference-3, above in reference-25 and text-released, below in reference-hop and text-held. " +
			"The text's circuit breaker (CB) is far below in both text models; ARB lies on no retries everywhere but in reference-hop, where it lies below.",
		Caption: "Requests that succeeded / that arrived; bars: 95% t intervals, mostly hidden by the marks. Above: the authors' program, with three retries, and with 25 workers a service. " +
			"Below: the authors' chain with retries at every hop, and the text's system with workers released or held while waiting. " + d.sampleOf(modelKeys()...) + ". Where the trials of a cell fall into two groups, each is drawn too: the mean describes none of them.",
		XName: "scenario", WidthInch: 8.4, HeightInch: 5.2,
	}
	const columns = 3
	for i, m := range claims.Models {
		if i%columns == 0 {
			f.Panels = append(f.Panels, nil)
		}
		p := scenarioPanel("success_per_arrival", "%", m.Name)
		p.Title, p.X = m.Name, figure.Range{Min: 10, Max: 103}
		for x := 20.0; x <= 100; x += 20 {
			p.XTicks = append(p.XTicks, figure.Tick{At: x, Label: fmt.Sprintf("%g", x)})
		}
		if i >= columns {
			p.XLabel = "success per arrival, %"
		}
		trials := figure.Series{Name: "a trial, where trials fall into two groups", Style: figure.StyleAt(7), Dots: true, Raw: true}
		for j, strategy := range paperStrategies {
			s := figure.Series{Name: strategy, Style: figure.StrategyStyles(paperStrategies)[j], Dots: true, Offset: 0.27 - 0.18*float64(j)}
			for at, scenario := range paperScenarios {
				v := d.evidence.Over(measure.SuccessPerArrival, m.Key(strategy, scenario), 100)
				s.X, s.Category = append(s.X, -float64(at)), append(s.Category, scenario)
				s.Values, s.Lo, s.Hi = append(s.Values, v.Estimate), append(s.Lo, v.Low), append(s.Hi, v.High)
				if slices.Contains(v.Warnings, analysis.WarnTwoHumps) {
					for _, share := range measure.SuccessPerArrival.PerTrial(d.evidence.Trials(m.Key(strategy, scenario))) {
						trials.X, trials.Category = append(trials.X, s.Offset-float64(at)), append(trials.Category, scenario+", "+strategy)
						trials.Values = append(trials.Values, 100*share)
					}
				}
			}
			p.Series = append(p.Series, s)
		}
		if len(trials.Values) > 0 {
			p.Series = append(p.Series, trials)
		}
		row := len(f.Panels) - 1
		f.Panels[row] = append(f.Panels[row], p)
	}
	return f, nil
}
