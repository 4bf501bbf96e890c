package report

import (
	"slices"

	"retrylab/report/claims"
	"retrylab/report/measure"
	"retrylab/report/table"
	"retrylab/results"
)

// transientRows are the strategies under faults that come and go.
var transientRows = []struct{ strategy, label string }{
	{"NR", "NR"}, {"SR-text", "SR"}, {"CB-text", "CB, stops traffic"}, {"ARB-text", "ARB, Algorithm 1"}, {"ARB", "ARB, authors' program"},
	{"B10-text", "static budget 10%"}, {"B20-text", "static budget 20%"},
}

// transientTable says what each strategy recovers in a healthy system in which something small always fails.
func transientTable(d *data) (*table.Table, error) {
	if d.evidence == nil || !d.evidence.Has(claims.Key{Experiment: "transient", Scenario: "T1", Strategy: "SR-text"}) {
		return nil, nil
	}
	t := &table.Table{
		Label: "Table of transient faults",
		Title: "What each strategy recovers when little fails, or briefly",
		Caption: "System of text-released, half loaded. T1, T5: tier 3 fails 1% or 5% of its attempts all the time; blips: half of them for 1 s out of every 10 s. Per arrival: requests that succeeded / that arrived. Recovered: gain over NR, as a share of plain retries' gain. " +
			"RAF of tier 3 by eq. 1. Budget and dead zone, of Algorithm 1: mean B at tier 3's caller while the faults last, and the share of the seconds in which its f lies between the thresholds, where B is only spent.",
		Method: "Means over trials with 95% Student t interval, gains paired by trial; n as listed; experiment transient; " + allSeeds(d) + ".",
		Fields: []string{"scenario", "strategy", "trials", "success_pct", "success_lo_pct", "success_hi_pct", "gain_pp", "gain_lo_pp", "gain_hi_pp", "recovered_pct", "raf_catalog", "latency_ms_p99", "budget", "dead_zone_pct"},
		Columns: []table.Column{
			{Head: "Scenario", Field: "scenario"}, {Head: "Strategy", Field: "strategy"}, {Head: "Trials", Field: "trials"},
			{Head: "Per arrival, % [95% CI]", Field: "success_pct", Lo: "success_lo_pct", Hi: "success_hi_pct", Digits: 2},
			{Head: "Gain, pp [95% CI]", Field: "gain_pp", Lo: "gain_lo_pp", Hi: "gain_hi_pp", Digits: 2, Signed: true},
			{Head: "Recovered, %", Field: "recovered_pct", Digits: 1},
			{Head: "RAF, tier 3", Field: "raf_catalog", Digits: 3},
			{Head: "p99, ms", Field: "latency_ms_p99"},
			{Head: "Budget B", Field: "budget", Digits: 3}, {Head: "Dead zone, %", Field: "dead_zone_pct", Digits: 1},
		},
	}
	for _, scenario := range []string{"T1", "T5", "blips"} {
		for _, row := range transientRows {
			k := claims.Key{Experiment: "transient", Scenario: scenario, Strategy: row.strategy}
			if !d.evidence.Has(k) {
				continue
			}
			values := slices.Concat([]table.Value{table.Text(scenario), table.Text(row.label), table.Int(int64(len(d.evidence.Trials(k))))},
				interval(d.evidence.Over(measure.SuccessPerArrival, k, 100)))
			if row.strategy == "NR" {
				values = append(values, table.None, table.None, table.None, table.None)
			} else {
				values = append(values, interval(d.evidence.GainPerArrival(k).Interval)...)
				values = append(values, table.Number(d.evidence.Recovered(scenario, row.strategy)))
			}
			budget, dead := table.None, table.None
			if d.evidence.HasSeries(k) {
				budget, dead = table.Number(d.evidence.BudgetInFault(k, "Auth").Estimate), table.Number(d.evidence.DeadZone(k, "Auth").Estimate)
			}
			t.Add(append(values, table.Number(d.evidence.RAF(k, "Catalog").Estimate),
				table.Number(measure.MeanOf(d.evidence.Trials(k), func(t *results.Trial) int64 { return t.LatencyNsP99 }, 1e-6).Estimate), budget, dead)...)
		}
	}
	return t, nil
}
