package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"retrylab/analysis"
	"retrylab/experiments"
	"retrylab/report/measure"
	"retrylab/results"
)

// level of the printed intervals.
const level = 0.95

// summary gathers one value a trial for each cell.
type summary struct {
	recovers map[string]bool // cells of which it can be told when they recover
	order    []string
	cells    map[string]*measured
}

// ratios are printed of every cell: those of the report's tables, so that the two agree.
var ratios = []struct {
	measure.Ratio
	head   string
	unit   float64
	digits int
}{
	{measure.SuccessPerArrival, "success per arrival %", 100, 2},
	{measure.SuccessPerAttempt, "success per attempt %", 100, 2},
	{measure.RAF, "client RAF", 1, 4},
}

// measured holds what is printed of a cell, a value a trial.
type measured struct {
	trials        int
	top, bottom   [][]float64 // of each of ratios
	p99, recovery []float64
	faults        bool
}

func newSummary(cells []*experiments.Cell) *summary {
	s := &summary{cells: map[string]*measured{}, recovers: map[string]bool{}}
	for _, c := range cells {
		s.recovers[c.ID()], _ = c.Recovers()
	}
	return s
}

// warnOfWindows says of which cells it cannot be told when they recover, though shorter windows could tell it.
func (a *app) warnOfWindows(cells []*experiments.Cell) {
	first, n, text := "", 0, ""
	for _, c := range cells {
		if _, warning := c.Recovers(); warning != "" {
			if n++; n == 1 {
				first, text = c.ID(), warning
			}
		}
	}
	switch {
	case n == 1:
		fmt.Fprintf(a.stderr, "warning: %s: %s\n", first, text)
	case n > 1:
		fmt.Fprintf(a.stderr, "warning: %d cells, %s first: %s\n", n, first, text)
	}
}

func (s *summary) add(t *results.Trial) {
	m := s.cells[t.Cell]
	if m == nil {
		m = &measured{top: make([][]float64, len(ratios)), bottom: make([][]float64, len(ratios))}
		s.cells[t.Cell] = m
		s.order = append(s.order, t.Cell)
	}
	m.trials++
	for i, r := range ratios {
		m.top[i] = append(m.top[i], float64(r.Top(t)))
		m.bottom[i] = append(m.bottom[i], float64(r.Bottom(t)))
	}
	if t.LatencyNsP99 >= 0 {
		m.p99 = append(m.p99, float64(t.LatencyNsP99)/1e6)
	}
	m.faults = m.faults || t.RequestsDuring > 0
	if t.Recovered {
		m.recovery = append(m.recovery, float64(t.RecoveryNs)/1e9)
	}
}

// print writes a line a cell: mean and 95% half-width over the trials.
func (s *summary) print(w io.Writer) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tab, "cell\ttrials")
	for _, r := range ratios {
		fmt.Fprint(tab, "\t", r.head)
	}
	fmt.Fprintln(tab, "\tlatency p99 ms\trecovered")
	for _, id := range s.order {
		m := s.cells[id]
		recovered := "-"
		switch {
		case m.faults && !s.recovers[id]:
			recovered = "not applicable"
		case m.faults:
			recovered = fmt.Sprintf("%d of %d", len(m.recovery), m.trials)
		}
		fmt.Fprintf(tab, "%s\t%d", id, m.trials)
		for i, r := range ratios {
			fmt.Fprint(tab, "\t", text(analysis.MeanOfRatios(m.top[i], m.bottom[i], level), r.unit, r.digits))
		}
		fmt.Fprintf(tab, "\t%s\t%s\n", text(analysis.Mean(m.p99, level), 1, 1), recovered)
	}
	return tab.Flush()
}

// text is an estimate and its half-width, times a unit.
func text(i analysis.Interval, unit float64, digits int) string {
	if math.IsNaN(i.Estimate) {
		return "-"
	}
	half := (i.High - i.Low) / 2
	if math.IsInf(half, 0) || math.IsNaN(half) {
		return fmt.Sprintf("%.*f", digits, i.Estimate*unit)
	}
	return fmt.Sprintf("%.*f +- %.*f", digits, i.Estimate*unit, digits, half*unit)
}
