package sweeps

import (
	"fmt"
	"math"

	"retrylab/analysis"
	"retrylab/report/table"
)

// marginal is what a strategy does over all points of the design, which are fixed and of equal weight.
type marginal struct {
	strategy          string
	points, trials    int
	collapse, staying analysis.Interval
	certain           int // points at which collapse is certainly likely
	after             analysis.Difference
	quickest, slowest float64 // the points' median times to recover, in seconds
	never             int     // points without a median: most trials do not recover, though it could be told
	twoGroups         int     // points whose success after the fault falls into two groups
}

// marginals are those of all strategies, in order.
func marginals(d *data) []marginal {
	list := make([]marginal, len(d.strategies))
	for k, strategy := range d.strategies {
		m := marginal{strategy: strategy, quickest: math.Inf(1), slowest: math.Inf(-1)}
		var collapsed, stayed []analysis.Count
		var differences []analysis.Difference
		for _, group := range d.byPoint() {
			for _, c := range group {
				if c.Strategy != strategy {
					continue
				}
				m.points++
				m.trials += c.trials
				collapsed = append(collapsed, analysis.Count{Hits: c.down, Of: c.trials})
				if c.tells {
					stayed = append(stayed, analysis.Count{Hits: c.stayed, Of: c.trials})
				}
				if collapse, _ := c.collapsed(); certainlyLikely(collapse) {
					m.certain++
				}
				differences = append(differences, c.minus[successAfter])
				if _, two := c.humps(successAfter); two {
					m.twoGroups++
				}
				switch back := c.recovery.Estimate; {
				case !c.tells: // recovery has no meaning there
				case math.IsInf(back, 0) || math.IsNaN(back):
					m.never++
				default:
					m.quickest, m.slowest = math.Min(m.quickest, back), math.Max(m.slowest, back)
				}
			}
		}
		m.collapse, m.staying = analysis.MeanOfProportions(collapsed, level), noMeaning
		if len(stayed) > 0 {
			m.staying = analysis.MeanOfProportions(stayed, level)
		}
		m.after = analysis.MeanOfDifferences(differences, level)
		list[k] = m
	}
	return list
}

// recoveryTable ranks the strategies over all points.
func recoveryTable(d *data, list []marginal) *table.Table {
	t := &table.Table{
		Name: "recovery", Label: "Recovery", Title: "Collapse and recovery by strategy, over all points of the sweep",
		Caption: "Each number is a mean over the points of the sweep, all of equal weight: it holds for this design, not for a system drawn at random. Points that collapse: those whose own interval lies above 5%. " +
			"Success after the fault: requests that arrived after the fault and succeeded / that arrived then, minus the first strategy's, paired; p-values corrected by Holm's method. " +
			"Median recovery: the shortest and the longest of the points' medians (Kaplan-Meier; trials that never recover are censored); never: points at which most trials do not recover. Each point by itself is in tables/cells.csv.",
		Method: "Collapse: mean of the points' proportions, Wilson's interval with the variance summed over points; differences: mean of the points' paired differences, variance summed over points, Student's t; 95%.",
		Fields: []string{"strategy", "points", "trials", "collapse", "collapse_lo", "collapse_hi", "staying_down", "staying_down_lo", "staying_down_hi", "points_collapse",
			"difference_after", "difference_after_lo", "difference_after_hi", "p_holm", "recovery_s_least", "recovery_s_most", "points_never", "recovery"},
		PrintOnly: 1,
		Columns: []table.Column{{Head: "Strategy", Field: "strategy"}, {Head: "Points", Field: "points"}, {Head: "Trials", Field: "trials"},
			{Head: "Collapse, mean over points, % [95% CI]", Field: "collapse", Lo: "collapse_lo", Hi: "collapse_hi", Digits: 1},
			{Head: "Staying down, mean over points, % [95% CI]", Field: "staying_down", Lo: "staying_down_lo", Hi: "staying_down_hi", Digits: 1},
			{Head: "Points that collapse", Field: "points_collapse"},
			{Head: "Success after, mean over points, pp [95% CI]", Field: "difference_after", Lo: "difference_after_lo", Hi: "difference_after_hi", Digits: 2, Signed: true},
			{Head: "p (Holm)", Field: "p_holm"}, {Head: "Median recovery of a point, s", Field: "recovery"}, {Head: "Never", Field: "points_never"}},
	}
	ps := make([]float64, len(list))
	for i, m := range list {
		ps[i] = m.after.PValue
	}
	ps[0] = math.NaN() // the first is what the others are set against
	for i, p := range analysis.Holm(ps) {
		list[i].into(t, p)
	}
	return t
}

// into adds the strategy's row.
func (m *marginal) into(t *table.Table, p float64) {
	s := &columnSet{}
	s.add("strategy", table.Text(m.strategy))
	s.add("points", table.Int(int64(m.points)))
	s.add("trials", table.Int(int64(m.trials)))
	s.interval("collapse", m.collapse.Scale(100))
	s.interval("staying_down", m.staying.Scale(100))
	s.add("points_collapse", table.Int(int64(m.certain)))
	s.interval("difference_after", asDifference(m.after.Interval).Scale(100))
	s.add("p_holm", table.P(p))
	s.add("recovery_s_least", table.Number(m.quickest))
	s.add("recovery_s_most", table.Number(m.slowest))
	s.add("points_never", table.Int(int64(m.never)))
	text := "—"
	if m.quickest <= m.slowest {
		text = fmt.Sprintf("%.1f to %.1f", m.quickest, m.slowest)
	}
	s.add("recovery", table.Text(text))
	s.into(t)
	if m.twoGroups > 0 {
		t.Note("difference_after", fmt.Sprintf("Two humps: at %d of the points trials fall into two groups %g points apart or more, and the point's mean describes neither (see figure Two groups).", m.twoGroups, 100*humpsApart))
	}
}
