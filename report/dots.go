package report

import (
	"retrylab/analysis"
	"retrylab/report/figure"
	"retrylab/report/measure"
	"retrylab/results"
)

// dotRow is one kind of dot in a dot plot: a value for each strategy, one a scenario.
type dotRow struct {
	name   string
	style  int
	offset float64
	value  func(pair, []results.Trial) (estimate analysis.Interval, ok bool)
}

// dotPanel sets the strategies one below the other, with the rows' dots at each.
func (e *experiment) dotPanel(scenario string, rows []dotRow) figure.Panel {
	panel := figure.Panel{Facet: scenario, Sideways: true, Y: figure.Range{Min: -float64(len(paperStrategies)) + 0.45, Max: 0.55}}
	for i, strategy := range paperStrategies {
		panel.YTicks = append(panel.YTicks, figure.Tick{At: -float64(i), Label: strategy})
	}
	for _, row := range rows {
		s := figure.Series{Name: row.name, Style: figure.StyleAt(row.style), Dots: true, Offset: row.offset}
		withInterval := true
		for i, strategy := range paperStrategies {
			p := pair{strategy, scenario}
			v, ok := row.value(p, e.trials[p])
			if !ok {
				continue
			}
			s.X, s.Category, s.Values = append(s.X, -float64(i)), append(s.Category, strategy), append(s.Values, v.Estimate)
			s.Lo, s.Hi = append(s.Lo, v.Low), append(s.Hi, v.High)
			withInterval = withInterval && v.Low != v.High
		}
		if !withInterval && allPoints(s) {
			s.Lo, s.Hi = nil, nil
		}
		if len(s.Values) > 0 {
			panel.Series = append(panel.Series, s)
		}
	}
	return panel
}

// allPoints says whether no value has an interval.
func allPoints(s figure.Series) bool {
	for i := range s.Values {
		if s.Lo[i] != s.Values[i] || s.Hi[i] != s.Values[i] {
			return false
		}
	}
	return true
}

// measured is the row of a measure of ours; cells with fewer than two trials have no interval and no dot.
func measured(r measure.Ratio, scale float64) func(pair, []results.Trial) (analysis.Interval, bool) {
	return func(_ pair, trials []results.Trial) (analysis.Interval, bool) {
		return r.Over(trials, scale), len(trials) >= 2
	}
}

// minus shifts a row's values down by another's estimates.
func minus(row, other func(pair, []results.Trial) (analysis.Interval, bool)) func(pair, []results.Trial) (analysis.Interval, bool) {
	return func(p pair, trials []results.Trial) (analysis.Interval, bool) {
		a, okA := row(p, trials)
		b, okB := other(p, trials)
		a.Estimate, a.Low, a.High = a.Estimate-b.Estimate, a.Low-b.Estimate, a.High-b.Estimate
		return a, okA && okB
	}
}

// exactly is a published number with the half-width that was published with it.
func exactly(value func(pair) (estimate, half float64, ok bool)) func(pair, []results.Trial) (analysis.Interval, bool) {
	return func(p pair, _ []results.Trial) (analysis.Interval, bool) {
		estimate, half, ok := value(p)
		return analysis.Interval{Estimate: estimate, Low: estimate - half, High: estimate + half, Level: measure.Level}, ok
	}
}
