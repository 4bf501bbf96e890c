package measure_test

import (
	"math"
	"testing"

	"retrylab/report/measure"
	"retrylab/results"
)

// Two trials: 60/100 attempts of 80 first ones succeeded, and 90/100 of 100; the second has a request open.
var trials = []results.Trial{
	{AttemptsEnded: 100, AttemptsEndedFirst: 80, AttemptsSucceeded: 60, Requests: 80, RequestsSucceeded: 60, WorkNs: 10, WastedNs: 1, LatencyNsP50: -1},
	{AttemptsEnded: 100, AttemptsEndedFirst: 100, AttemptsSucceeded: 90, Requests: 120, RequestsSucceeded: 90, WorkNs: 10, WastedNs: 3, LatencyNsP50: 7},
}

func TestDenominators(t *testing.T) {
	for _, want := range []struct {
		ratio measure.Ratio
		value float64
	}{
		{measure.SuccessPerAttempt, (0.6 + 0.9) / 2}, {measure.RAF, (1.25 + 1) / 2}, {measure.SuccessPerRequest, (0.75 + 0.9) / 2},
		{measure.SuccessPerArrival, (0.75 + 0.75) / 2}, {measure.WastedShare, (0.1 + 0.3) / 2},
	} {
		if got := want.ratio.Over(trials, 100).Estimate; math.Abs(got-100*want.value) > 1e-9 {
			t.Errorf("%s is %v, want %v", want.ratio.Name, got, 100*want.value)
		}
	}
}

// The paper's two tables hold the third ratio, trial by trial.
func TestSuccessPerRequestIsTheProduct(t *testing.T) {
	a, raf, r := measure.SuccessPerAttempt.PerTrial(trials), measure.RAF.PerTrial(trials), measure.SuccessPerRequest.PerTrial(trials)
	for i := range trials {
		if math.Abs(a[i]*raf[i]-r[i]) > 1e-12 {
			t.Errorf("trial %d: %v x %v is not %v", i, a[i], raf[i], r[i])
		}
	}
}

func TestTrialsWithoutAValueAreLeftOut(t *testing.T) {
	got := measure.MeanOf(trials, func(t *results.Trial) int64 { return t.LatencyNsP50 }, 2)
	if got.Estimate != 14 || got.N != 1 {
		t.Errorf("got %v", got)
	}
	none := []results.Trial{{}}
	if got := measure.RAF.Over(none, 1); got.N != 0 || len(got.Warnings) == 0 {
		t.Errorf("nothing below the line: %v", got)
	}
}
