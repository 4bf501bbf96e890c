package report

import (
	"retrylab/analysis"
	"retrylab/results"
)

// level is the confidence level of all intervals in reports.
const level = 0.95

// A measure is a ratio of two counts of a trial. Its value for a cell is the mean
// of the trials' ratios, as the paper averages them; docs/adr/0020 gives the
// reasons for each denominator.
type measure struct {
	top, bottom func(*results.Trial) int64
}

var (
	// successPerAttempt is what the paper's Table III prints.
	successPerAttempt = measure{
		func(t *results.Trial) int64 { return t.AttemptsSucceeded },
		func(t *results.Trial) int64 { return t.AttemptsEnded },
	}
	// amplification is what the paper's Table IV prints; eq. 1 for the entry service.
	amplification = measure{
		func(t *results.Trial) int64 { return t.AttemptsEnded },
		func(t *results.Trial) int64 { return t.AttemptsEndedFirst },
	}
	// successPerRequest is, in every trial, successPerAttempt times amplification.
	successPerRequest = measure{
		func(t *results.Trial) int64 { return t.AttemptsSucceeded },
		func(t *results.Trial) int64 { return t.AttemptsEndedFirst },
	}
	// successPerArrival counts requests still open at the end as not succeeded.
	successPerArrival = measure{
		func(t *results.Trial) int64 { return t.RequestsSucceeded },
		func(t *results.Trial) int64 { return t.Requests },
	}
	// wastedShare is work for callers that had given up.
	wastedShare = measure{
		func(t *results.Trial) int64 { return t.WastedNs },
		func(t *results.Trial) int64 { return t.WorkNs },
	}
)

// over returns the measure's mean over trials with its interval, times scale (100 for percent).
func (m measure) over(trials []results.Trial, scale float64) analysis.Interval {
	top, bottom := make([]float64, len(trials)), make([]float64, len(trials))
	for i := range trials {
		top[i], bottom[i] = float64(m.top(&trials[i])), float64(m.bottom(&trials[i]))
	}
	return analysis.MeanOfRatios(top, bottom, level).Scale(scale)
}

// meanOf returns the mean over trials of a quantity that is -1 where a trial has none.
func meanOf(trials []results.Trial, value func(*results.Trial) int64, scale float64) analysis.Interval {
	values := make([]float64, 0, len(trials))
	for i := range trials {
		if v := value(&trials[i]); v >= 0 {
			values = append(values, float64(v))
		}
	}
	return analysis.Mean(values, level).Scale(scale)
}
