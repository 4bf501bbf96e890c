package report

import (
	"slices"

	"retrylab/report/claims"
	"retrylab/report/measure"
	"retrylab/report/table"
)

// timeoutsTable shows when retries collapse a half-loaded system: timeouts against room to wait.
func timeoutsTable(d *data) (*table.Table, error) {
	if d.evidence == nil || !d.evidence.Has(claims.TimeoutKey("SR-text", "1s", "1000")) {
		return nil, nil
	}
	t := &table.Table{
		Label: "Table of timeouts",
		Title: "Retries, timeouts and room to wait, with the entry at 50% load",
		Caption: "Model reference-25, scenario S3, the client retries failed and timed-out attempts up to 3 times after 100, 200 and 400 ms ±25%. Timeout: of one client attempt. Room: admission limit of each service; " +
			"when API's is full, an attempt waits about room/1000 seconds. Per arrival: requests that succeeded / that arrived. RAF: client attempts that ended / first attempts that ended.",
		Method: "Means over trials with 95% Student t interval, gains paired by trial; n as listed; " + allSeeds(d) + ".",
		Fields: []string{"room", "timeout", "trials", "nr_pct", "sr_pct", "gain_pp", "gain_lo_pp", "gain_hi_pp", "raf_client", "wasted_pct", "back_s"},
		Columns: []table.Column{
			{Head: "Room", Field: "room"}, {Head: "Timeout", Field: "timeout"}, {Head: "Trials", Field: "trials"},
			{Head: "NR per arrival, %", Field: "nr_pct", Digits: 2}, {Head: "SR per arrival, %", Field: "sr_pct", Digits: 2},
			{Head: "Gain, pp [95% CI]", Field: "gain_pp", Lo: "gain_lo_pp", Hi: "gain_hi_pp", Digits: 2, Signed: true},
			{Head: "RAF, client", Field: "raf_client", Digits: 3}, {Head: "Wasted, %", Field: "wasted_pct", Digits: 1}, {Head: "Back after, s", Field: "back_s", Digits: 1},
		},
	}
	for _, room := range claims.Rooms {
		for _, timeout := range claims.Timeouts {
			k := claims.TimeoutKey("SR-text", timeout, room)
			gain := d.evidence.GainPerArrival(k).Interval
			t.Add(slices.Concat(
				[]table.Value{table.Text(room), table.Text(timeout), table.Int(int64(gain.N)), table.Number(d.evidence.Over(measure.SuccessPerArrival, k.With("NR"), 100).Estimate),
					table.Number(d.evidence.Over(measure.SuccessPerArrival, k, 100).Estimate)},
				interval(gain),
				[]table.Value{table.Number(d.evidence.Over(measure.RAF, k, 1).Estimate), table.Number(d.evidence.Over(measure.WastedShare, k, 100).Estimate), table.Number(d.evidence.Recovery(k).Estimate)})...)
			warn(t, "gain_pp", gain)
		}
	}
	return t, nil
}
