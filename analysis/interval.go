package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Interval is an estimate with its confidence interval and what a reader must
// know before relying on it.
type Interval struct {
	// Estimate is the point estimate, in the unit of what was measured; NaN when
	// there is none, +Inf for a time that was not reached.
	Estimate float64
	// Low and High are the ends; an end may be infinite where the data set none.
	Low, High float64
	// Level is the confidence level between 0 and 1, such as 0.95.
	Level float64
	// Method names how the interval was made, for footnotes.
	Method string
	// N is the number of units: trials, pairs of trials, repositories.
	N int
	// Warnings are the Warn constants that apply, in the order found; usually
	// none.
	Warnings []string
}

// Warnings that an [Interval] may carry, worded to be printed as footnotes.
const (
	// WarnNoData: no usable value at all.
	WarnNoData = "no data"
	// WarnFewTrials: fewer than [FewTrials] units.
	WarnFewTrials = "fewer than 5 trials: the interval rests on its assumptions more than on data"
	// WarnConstant: all units equal, so the interval has no width.
	WarnConstant = "all trials gave the same value: the interval has no width"
	// WarnExtreme: a proportion of exactly 0 or 1.
	WarnExtreme = "none or all counted: the estimate is at the edge of its range"
	// WarnTwoHumps: see [FindHumps].
	WarnTwoHumps = "two humps: trials fall into two groups and the mean describes neither"
	// WarnCensored: some recovery times were cut off by the end of the trial.
	WarnCensored = "censored: some trials had not recovered when they ended"
	// WarnNotReached: a survival curve, or its upper limit, never comes down to the
	// quantile.
	WarnNotReached = "not reached: too few trials recovered to bound this quantile"
	// WarnLevelNotReached: the sample is too small for the level asked for.
	WarnLevelNotReached = "too few trials for this level: the interval is the whole range of the data"
	// WarnLeftOut: values that are not numbers, or ratios with 0 below the line.
	WarnLeftOut = "some trials gave no value and were left out"
	// WarnSkewed: the bootstrap's bias correction failed; plain percentiles given.
	WarnSkewed = "bias correction was not possible: plain percentiles"
	// WarnNoCrossing: the target is not crossed within the range.
	WarnNoCrossing = "no crossing within the range"
	// WarnManyCrossings: it is crossed more than once; the first is given.
	WarnManyCrossings = "crossed more than once: the first crossing is given"
	// WarnOpenEnd: an end of the interval lies outside the range examined.
	WarnOpenEnd = "an end of the interval lies outside the range examined"
	// WarnTargetMissed: sequential sampling ended at its maximum.
	WarnTargetMissed = "the wanted precision was not reached within the allowed trials"
)

// FewTrials is the number of units below which [WarnFewTrials] is given.
const FewTrials = 5

// Half returns half the width of the interval.
func (i Interval) Half() float64 { return (i.High - i.Low) / 2 }

// Contains reports whether x lies in the interval, ends included.
func (i Interval) Contains(x float64) bool { return i.Low <= x && x <= i.High }

// Excludes returns +1 when the whole interval lies above x, -1 when it lies
// below, and 0 when it contains x.
func (i Interval) Excludes(x float64) int {
	switch {
	case i.Low > x:
		return +1
	case i.High < x:
		return -1
	}
	return 0
}

// Scale returns the interval in another unit, all values times a positive
// factor: 100 for percent, 1e-9 for seconds from nanoseconds.
func (i Interval) Scale(factor float64) Interval {
	if !(factor > 0) {
		panic(fmt.Sprintf("analysis: scale factor must be above 0, got %v", factor))
	}
	i.Estimate, i.Low, i.High = i.Estimate*factor, i.Low*factor, i.High*factor
	return i
}

// String gives estimate, ends and level, for messages and logs.
func (i Interval) String() string {
	return fmt.Sprintf("%.6g [%.6g, %.6g] (%g%%, %s, n=%d)", i.Estimate, i.Low, i.High, 100*i.Level, i.Method, i.N)
}

// intervalJSON is how an interval is written: values that are not finite are
// null, since JSON has none.
type intervalJSON struct {
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	Level    float64  `json:"level"`
	Method   string   `json:"method"`
	N        int      `json:"n"`
	Warnings []string `json:"warnings,omitempty"`
}

func (i Interval) forJSON() intervalJSON {
	return intervalJSON{finiteOrNil(i.Estimate), finiteOrNil(i.Low), finiteOrNil(i.High), i.Level, i.Method, i.N, i.Warnings}
}

func finiteOrNil(x float64) *float64 {
	if !isFinite(x) {
		return nil
	}
	return &x
}

// MarshalJSON writes values that are not finite as null, since JSON has none.
func (i Interval) MarshalJSON() ([]byte, error) { return json.Marshal(i.forJSON()) }

// warn adds a warning once.
func (i *Interval) warn(text string) {
	if !slices.Contains(i.Warnings, text) {
		// A fresh slice each time: intervals are copied freely and must not share.
		i.Warnings = append(slices.Clone(i.Warnings), text)
	}
}

// warnCount adds the warnings that depend on the number of units alone.
func (i *Interval) warnCount() {
	switch {
	case i.N == 0:
		i.warn(WarnNoData)
	case i.N < FewTrials:
		i.warn(WarnFewTrials)
	}
}

// unknown is the interval of which nothing is known.
func unknown(level float64, method string, n int) Interval {
	i := Interval{Estimate: math.NaN(), Low: math.Inf(-1), High: math.Inf(1), Level: level, Method: method, N: n}
	i.warnCount()
	return i
}
