// Package measure defines what success, amplification and waste are divided by, in
// one place: tables, figures, the summary and the ledger of claims all take their
// ratios from here. docs/adr/0020 gives the reasons.
package measure

import (
	"retrylab/analysis"
	"retrylab/results"
)

// Level is the confidence level of all intervals in reports.
const Level = 0.95

// Ratio is a ratio of two counts of a trial.
type Ratio struct {
	// Name says it in words, e.g. "success per attempt".
	Name string
	// Top and Bottom are the counts above and below the line.
	Top, Bottom func(*results.Trial) int64
}

var (
	// SuccessPerAttempt is what the paper's Table III prints: client attempts that succeeded / that ended.
	SuccessPerAttempt = Ratio{
		"success per attempt",
		func(t *results.Trial) int64 { return t.AttemptsSucceeded },
		func(t *results.Trial) int64 { return t.AttemptsEnded },
	}
	// RAF is what the paper's Table IV prints: client attempts that ended / first attempts that ended. It
	// is eq. 1 for the entry service if only the client retries.
	RAF = Ratio{
		"RAF",
		func(t *results.Trial) int64 { return t.AttemptsEnded },
		func(t *results.Trial) int64 { return t.AttemptsEndedFirst },
	}
	// SuccessPerRequest is, in every trial, SuccessPerAttempt times RAF.
	SuccessPerRequest = Ratio{
		"success per request",
		func(t *results.Trial) int64 { return t.AttemptsSucceeded },
		func(t *results.Trial) int64 { return t.AttemptsEndedFirst },
	}
	// SuccessPerArrival counts requests still open at the end as not succeeded.
	SuccessPerArrival = Ratio{
		"success per arrival",
		func(t *results.Trial) int64 { return t.RequestsSucceeded },
		func(t *results.Trial) int64 { return t.Requests },
	}
	// WastedShare is service time for callers that had given up / all service time.
	WastedShare = Ratio{
		"wasted work",
		func(t *results.Trial) int64 { return t.WastedNs },
		func(t *results.Trial) int64 { return t.WorkNs },
	}
)

// Over returns the mean of the trials' ratios with Student's t interval, times scale (100 for percent).
func (r Ratio) Over(trials []results.Trial, scale float64) analysis.Interval {
	top, bottom := r.counts(trials)
	return analysis.MeanOfRatios(top, bottom, Level).Scale(scale)
}

// counts are the trials' counts above and below the line.
func (r Ratio) counts(trials []results.Trial) (top, bottom []float64) {
	top, bottom = make([]float64, len(trials)), make([]float64, len(trials))
	for i := range trials {
		top[i], bottom[i] = float64(r.Top(&trials[i])), float64(r.Bottom(&trials[i]))
	}
	return top, bottom
}

// PerTrial returns the trials' ratios; NaN where there is nothing below the line.
func (r Ratio) PerTrial(trials []results.Trial) []float64 {
	top, bottom := r.counts(trials)
	for i := range top {
		top[i] /= bottom[i]
	}
	return top
}

// MeanOf returns the mean over trials of a quantity that is -1 where a trial has none, times scale, with
// Student's t interval.
func MeanOf(trials []results.Trial, value func(*results.Trial) int64, scale float64) analysis.Interval {
	values := make([]float64, 0, len(trials))
	for i := range trials {
		if v := value(&trials[i]); v >= 0 {
			values = append(values, float64(v))
		}
	}
	return analysis.Mean(values, Level).Scale(scale)
}
