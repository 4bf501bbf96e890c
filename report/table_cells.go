package report

import (
	"slices"

	"retrylab/analysis"
	"retrylab/report/measure"
	"retrylab/report/table"
	"retrylab/results"
)

// cellsTable lists every cell of the run with its main results, whatever the experiment.
func cellsTable(d *data) (*table.Table, error) {
	if len(d.cells) == 0 {
		return nil, nil
	}
	t := &table.Table{
		Label: "All cells",
		Title: "Every cell of the run",
		Caption: "Success per arrival: requests that succeeded / requests that arrived. Success per attempt: client attempts that succeeded / that ended. " +
			"RAF of the client: its attempts that ended / first attempts that ended. Latency: mean over trials of the trial's quantile, successful requests only. " +
			"Wasted work: service time for callers that had given up / all service time. Recovered: trials whose goodput came back after the fault.",
		Method: "Mean of the trials' ratios with 95% Student t interval; recovered: Wilson interval, 95%; n as listed; " + allSeeds(d) + ".",
		Fields: []string{"experiment", "model", "strategy", "scenario", "factors", "trials",
			"success_arrival_pct", "success_arrival_lo_pct", "success_arrival_hi_pct",
			"success_attempt_pct", "success_attempt_lo_pct", "success_attempt_hi_pct",
			"raf_client", "raf_client_lo", "raf_client_hi",
			"latency_ms_p50", "latency_ms_p50_lo", "latency_ms_p50_hi",
			"latency_ms_p99", "latency_ms_p99_lo", "latency_ms_p99_hi",
			"wasted_pct", "wasted_lo_pct", "wasted_hi_pct",
			"recovered_pct", "recovered_lo_pct", "recovered_hi_pct"},
		Columns: []table.Column{
			{Head: "Experiment", Field: "experiment"},
			{Head: "Strategy", Field: "strategy"},
			{Head: "Scenario", Field: "scenario"},
			{Head: "Factors", Field: "factors"},
			{Head: "Trials", Field: "trials"},
			{Head: "Success per arrival, % [95% CI]", Field: "success_arrival_pct", Lo: "success_arrival_lo_pct", Hi: "success_arrival_hi_pct", Digits: 2},
			{Head: "Success per attempt, %", Field: "success_attempt_pct", Digits: 2},
			{Head: "RAF, client", Field: "raf_client", Digits: 3},
			{Head: "p50, ms", Field: "latency_ms_p50", Digits: 0},
			{Head: "p99, ms", Field: "latency_ms_p99", Digits: 0},
			{Head: "Wasted, %", Field: "wasted_pct", Digits: 1},
			{Head: "Recovered, %", Field: "recovered_pct", Digits: 0},
		},
	}
	byCell := map[[2]string][]results.Trial{}
	for _, trial := range d.trials {
		key := [2]string{trial.Experiment, trial.Cell}
		byCell[key] = append(byCell[key], trial)
	}
	for _, c := range d.cells {
		addCell(t, c, byCell[[2]string{c.Experiment, c.Cell}])
	}
	return t, nil
}

func addCell(t *table.Table, c results.Cell, trials []results.Trial) {
	arrival := measure.SuccessPerArrival.Over(trials, 100)
	t.Add(slices.Concat(
		[]table.Value{table.Text(c.Experiment), table.Text(c.Model), table.Text(c.Strategy), table.Text(c.Scenario), table.Text(c.Factors), table.Int(int64(len(trials)))},
		interval(arrival),
		interval(measure.SuccessPerAttempt.Over(trials, 100)),
		interval(measure.RAF.Over(trials, 1)),
		interval(measure.MeanOf(trials, func(t *results.Trial) int64 { return t.LatencyNsP50 }, 1e-6)),
		interval(measure.MeanOf(trials, func(t *results.Trial) int64 { return t.LatencyNsP99 }, 1e-6)),
		interval(measure.WastedShare.Over(trials, 100)),
		interval(recoveredShare(c, trials)))...)
	warn(t, "success_arrival_pct", arrival)
	if int64(len(trials)) != c.Trials {
		t.Note("trials", "Table cells promises another number of trials.")
	}
}

// recoveredShare is the share of trials that recovered; nothing is known without faults.
func recoveredShare(c results.Cell, trials []results.Trial) analysis.Interval {
	recovered := 0
	for i := range trials {
		if trials[i].Recovered {
			recovered++
		}
	}
	if c.FaultFromNs < 0 {
		return analysis.Mean(nil, measure.Level)
	}
	return analysis.Wilson(recovered, len(trials), measure.Level).Scale(100)
}

func allSeeds(d *data) string {
	var seeds []uint64
	for i := range d.trials {
		seeds = appendNew(seeds, d.trials[i].Seed)
	}
	return seedText(seeds)
}
