package report

import (
	"slices"
	"strings"

	"retrylab/report/claims"
	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/report/table"
	"retrylab/results"
)

// modelsTable sets the models of the same paper side by side.
func modelsTable(d *data) (*table.Table, error) {
	if d.evidence == nil || !d.evidence.Has(modelKey("text-released", "SR", "S1")) {
		return nil, nil
	}
	t := newModelTable("Table of models", "Six models of the same paper, side by side", d)
	t.Columns = slices.DeleteFunc(t.Columns, func(c table.Column) bool { return c.Field == "factors" }) // nothing is changed here
	for _, m := range claims.Models {
		for _, scenario := range paperScenarios {
			for _, strategy := range paperStrategies {
				addModelRow(t, d, m.Name, m.Key(strategy, scenario), strategy)
			}
		}
	}
	for _, m := range claims.Models {
		t.Terms = append(t.Terms, m.Name+": "+m.About+".")
	}
	return t, nil
}

// variantsTable varies the text's models: correlated failures, another room to wait, signals handed on by all hops.
func variantsTable(d *data) (*table.Table, error) {
	if d.evidence == nil || !d.evidence.Has(claims.Key{Experiment: "text-released", Scenario: "S1-shared", Strategy: "SR-text"}) {
		return nil, nil
	}
	t := newModelTable("Table of variants", "The text's models varied: one coin a request, room to wait, signals handed on by all hops", d)
	for _, m := range []string{"text-released", "text-held"} {
		for _, scenario := range paperScenarios {
			for _, strategy := range paperStrategies {
				k := modelKey(m, strategy, scenario+"-shared")
				addModelRow(t, d, m, k, strategy)
			}
			k := modelKey(m, "ARB", scenario)
			k.Factors = "services[*].signal.relay_hops=4"
			addModelRow(t, d, m, k, "ARB")
		}
	}
	for _, room := range []string{"50", "1000"} {
		for _, scenario := range paperScenarios {
			for _, strategy := range paperStrategies {
				k := modelKey("text-released", strategy, scenario)
				k.Factors = "services[*].limit.max=" + room
				addModelRow(t, d, "text-released", k, strategy)
			}
		}
	}
	return t, nil
}

func newModelTable(label, title string, d *data) *table.Table {
	t := &table.Table{
		Label: label, Title: title,
		Caption: "Per arrival: requests that succeeded / that arrived. Gain: its paired difference to NR. Per attempt: attempts that succeeded / that ended on the edges on which the strategy decides (the client's, or those between services). " +
			"Detailed: of the trials, those of which services and edges are recorded; per attempt and RAF of the services are means over these. " +
			"RAF of a service: attempts that arrived / those of the same trial without retries (eq. 1); of the client: its attempts that ended / first attempts that ended. Latency: mean over trials of the trial's quantile, successful requests. " +
			"Wasted: service time for callers that had given up / all service time. Back after: Kaplan-Meier median of the time from the end of the fault until goodput is back (a dash: most trials were not back when they ended).",
		Method: "Means over trials with 95% Student t interval; n as listed; " + allSeeds(d) + ".",
		Fields: []string{"model", "scenario", "factors", "strategy", "trials", "detailed_trials", "success_pct", "success_lo_pct", "success_hi_pct", "gain_pp", "gain_lo_pp", "gain_hi_pp",
			"attempt_pct", "attempt_lo_pct", "attempt_hi_pct", "raf_client"},
		Columns: []table.Column{
			{Head: "Model", Field: "model"}, {Head: "Scenario", Field: "scenario"}, {Head: "Changed", Field: "factors"}, {Head: "Strategy", Field: "strategy"}, {Head: "Trials", Field: "trials"},
			{Head: "Detailed", Field: "detailed_trials"},
			{Head: "Per arrival, % [95% CI]", Field: "success_pct", Lo: "success_lo_pct", Hi: "success_hi_pct", Digits: 2},
			{Head: "Gain, pp [95% CI]", Field: "gain_pp", Lo: "gain_lo_pp", Hi: "gain_hi_pp", Digits: 2, Signed: true},
			{Head: "Per attempt, %", Field: "attempt_pct", Digits: 2},
			{Head: "RAF, client", Field: "raf_client", Digits: 3},
		},
	}
	for _, tier := range facts.Paper().Setup.Tiers {
		field := "raf_" + strings.ToLower(tier)
		t.Fields = append(t.Fields, field, field+"_lo", field+"_hi")
		t.Columns = append(t.Columns, table.Column{Head: "RAF, " + tier, Field: field, Digits: 3})
	}
	t.Fields = append(t.Fields, "latency_ms_p50", "latency_ms_p99", "wasted_pct", "back_s", "back_lo_s", "back_hi_s")
	t.Columns = append(t.Columns, table.Column{Head: "p50, ms", Field: "latency_ms_p50"}, table.Column{Head: "p99, ms", Field: "latency_ms_p99"},
		table.Column{Head: "Wasted, %", Field: "wasted_pct", Digits: 2}, table.Column{Head: "Back after, s", Field: "back_s", Digits: 1})
	return t
}

func addModelRow(t *table.Table, d *data, model string, k claims.Key, strategy string) {
	e := d.evidence
	if !e.Has(k) {
		return
	}
	trials := e.Trials(k)
	success := e.Over(measure.SuccessPerArrival, k, 100)
	gain := table.None
	row := slices.Concat(
		[]table.Value{table.Text(model), table.Text(k.Scenario), table.Text(k.Factors), table.Text(strategy),
			table.Int(int64(len(trials))), table.Int(int64(e.Detailed(k)))},
		interval(success))
	if strategy == "NR" {
		row = append(row, gain, gain, gain)
	} else {
		row = append(row, interval(e.GainPerArrival(k).Interval)...)
	}
	row = append(row, interval(e.OnEdges(k, func(x *claims.Edges) int64 { return x.Succeeded }, func(x *claims.Edges) int64 { return x.Ended }, 100))...)
	row = append(row, table.Number(e.Over(measure.RAF, k, 1).Estimate))
	for _, tier := range facts.Paper().Setup.Tiers {
		row = append(row, interval(e.RAF(k, tier))...)
	}
	row = append(row,
		table.Number(measure.MeanOf(trials, func(t *results.Trial) int64 { return t.LatencyNsP50 }, 1e-6).Estimate),
		table.Number(measure.MeanOf(trials, func(t *results.Trial) int64 { return t.LatencyNsP99 }, 1e-6).Estimate),
		table.Number(e.Over(measure.WastedShare, k, 100).Estimate))
	t.Add(append(row, interval(e.Recovery(k))...)...)
	warn(t, "success_pct", success)
}
