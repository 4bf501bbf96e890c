package claims

import (
	"retrylab/analysis"
	"retrylab/report/measure"
	"retrylab/results"
)

// series is the time series of one cell, by trial and window.
type series struct {
	retries     [][]float64            // that arrived at any service
	transitions []float64              // of all policies, at the end
	budget      map[string][][]float64 // by station
	rate        map[string][][]float64 // failure rate that the station's policies believe in
	busy        map[string][][]float64 // share of the workers' time in which they were occupied
}

func (e *Evidence) addWindow(k Key, r *results.Window) {
	s := e.series[k]
	if s == nil {
		s = &series{budget: map[string][][]float64{}, rate: map[string][][]float64{}, busy: map[string][][]float64{}}
		e.series[k] = s
	}
	trial, window := int(r.Trial), int(r.Window)
	if !r.IsClient {
		s.retries = put(s.retries, trial, window, float64(r.Attempts-r.First))
	}
	if r.Servers > 0 {
		s.busy[r.Station] = put(s.busy[r.Station], trial, window, float64(r.BusyNs)/float64(r.Servers*e.cells[k].WindowNs))
	}
	s.budget[r.Station] = put(s.budget[r.Station], trial, window, r.Budget)
	s.rate[r.Station] = put(s.rate[r.Station], trial, window, r.FailureRate)
	last := (r.Window + 1) * e.cells[k].WindowNs
	if last >= e.cells[k].DurationNs {
		for len(s.transitions) <= trial {
			s.transitions = append(s.transitions, 0)
		}
		if last == e.cells[k].DurationNs {
			s.transitions[trial] += float64(r.Transitions)
		}
	}
}

// put adds a value to rows[trial][window].
func put(rows [][]float64, trial, window int, value float64) [][]float64 {
	for len(rows) <= trial {
		rows = append(rows, nil)
	}
	for len(rows[trial]) <= window {
		rows[trial] = append(rows[trial], 0)
	}
	rows[trial][window] += value
	return rows
}

// HasSeries says whether windows of the cell were recorded.
func (e *Evidence) HasSeries(k Key) bool { return e.series[k] != nil && len(e.series[k].retries) > 1 }

// RetrySeries is the retries that arrived at any service, by trial and window.
func (e *Evidence) RetrySeries(k Key) [][]float64 { return e.seriesOf(k).retries }

// BudgetSeries is the mean budget of a station's policies, by trial and window.
func (e *Evidence) BudgetSeries(k Key, station string) [][]float64 {
	return e.seriesOf(k).budget[station]
}

func (e *Evidence) seriesOf(k Key) *series {
	if s := e.series[k]; s != nil {
		return s
	}
	return &series{}
}

// Transitions is the number of changes of state of all policies in a trial: of breakers, and cuts and rises of a budget.
func (e *Evidence) Transitions(k Key) analysis.Interval {
	return analysis.Mean(e.seriesOf(k).transitions, measure.Level)
}

// RetriesPerS is the mean of the retries in the windows that lie within the fault, per second.
func (e *Evidence) RetriesPerS(k Key) analysis.Interval {
	return e.inFault(k, func(values []float64) float64 { return average(values) })
}

// RetryDeviation is the standard deviation of these values over time, within a trial: how much the retry rate swings.
func (e *Evidence) RetryDeviation(k Key) analysis.Interval {
	return e.inFault(k, deviation)
}

// inFault is the mean over trials of a number made of the windows within the fault.
func (e *Evidence) inFault(k Key, number func([]float64) float64) analysis.Interval {
	return analysis.Mean(e.inFaultByTrial(k, number), measure.Level)
}

func (e *Evidence) inFaultByTrial(k Key, number func([]float64) float64) []float64 {
	c := e.cells[k]
	if c.WindowNs == 0 || c.FaultFromNs < 0 {
		return nil
	}
	from, to := e.faultWindows(k)
	var list []float64
	for _, windows := range e.seriesOf(k).retries {
		part := windows[min(from, len(windows)):min(to, len(windows))]
		perS := make([]float64, len(part))
		for i, n := range part {
			perS[i] = n * 1e9 / float64(c.WindowNs)
		}
		list = append(list, number(perS))
	}
	return list
}

// utilizationBefore is the share of a service's workers that are occupied in the last window before the fault.
func (e *Evidence) utilizationBefore(k Key, service string) analysis.Interval {
	c := e.cells[k]
	if c.WindowNs == 0 {
		return analysis.Mean(nil, measure.Level)
	}
	last := int(c.FaultFromNs/c.WindowNs) - 1
	var list []float64
	for _, windows := range e.seriesOf(k).busy[service] {
		if last >= 0 && last < len(windows) {
			list = append(list, windows[last])
		}
	}
	return analysis.Mean(list, measure.Level)
}

// DeadZone is the share of the seconds of the fault in which a station's ARB policies believe in a failure rate between the thresholds of
// Algorithm 1, where the budget is only spent and never grows, in percent.
func (e *Evidence) DeadZone(k Key, station string) analysis.Interval {
	const low, high = 0.05, 0.3
	return e.stationInFault(k, e.seriesOf(k).rate[station], func(values []float64) float64 {
		n := 0.0
		for _, f := range values {
			if f >= low && f <= high {
				n++
			}
		}
		return 100 * n / float64(len(values))
	})
}

// BudgetInFault is the mean budget of a station's policies in the seconds of the fault.
func (e *Evidence) BudgetInFault(k Key, station string) analysis.Interval {
	return e.stationInFault(k, e.seriesOf(k).budget[station], average)
}

func (e *Evidence) stationInFault(k Key, rows [][]float64, number func([]float64) float64) analysis.Interval {
	var list []float64
	for _, windows := range rows {
		from, to := e.faultWindows(k)
		list = append(list, number(windows[min(from, len(windows)):min(to, len(windows))]))
	}
	return analysis.Mean(list, measure.Level)
}

// faultWindows are the windows from, from+1, ..., to-1 that lie within the fault.
func (e *Evidence) faultWindows(k Key) (from, to int) {
	c := e.cells[k]
	return int((c.FaultFromNs + c.WindowNs - 1) / c.WindowNs), int(c.FaultToNs / c.WindowNs)
}

// Caller is the station that calls the first failing tier of a scenario, where its retries begin: the client if only that retries.
func Caller(m Model, scenario string) string {
	switch {
	case !m.Hops:
		return "client"
	case scenario == "S2":
		return "Catalog"
	}
	return "Auth"
}
