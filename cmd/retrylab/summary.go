package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"retrylab/analysis"
	"retrylab/experiments"
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

// measured holds pairs of counts, top and bottom, one of each a trial.
type measured struct {
	success, requests         []float64
	attemptsOK, attemptsEnded []float64
	sent                      []float64
	p99, recovery             []float64
	faults                    bool
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
		m = &measured{}
		s.cells[t.Cell] = m
		s.order = append(s.order, t.Cell)
	}
	m.success = append(m.success, float64(t.RequestsSucceeded))
	m.requests = append(m.requests, float64(t.Requests))
	m.attemptsOK = append(m.attemptsOK, float64(t.AttemptsSucceeded))
	m.attemptsEnded = append(m.attemptsEnded, float64(t.AttemptsEnded))
	m.sent = append(m.sent, float64(t.AttemptsSent))
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
	fmt.Fprintln(tab, "cell\ttrials\tsuccess per arrival %\tsuccess per attempt %\tclient RAF\tlatency p99 ms\trecovered")
	for _, id := range s.order {
		m := s.cells[id]
		recovered := "-"
		switch {
		case m.faults && !s.recovers[id]:
			recovered = "not applicable"
		case m.faults:
			recovered = fmt.Sprintf("%d of %d", len(m.recovery), len(m.requests))
		}
		fmt.Fprintf(tab, "%s\t%d\t%s\t%s\t%s\t%s\t%s\n", id, len(m.requests),
			text(analysis.MeanOfRatios(m.success, m.requests, level), 100, 2),
			text(analysis.MeanOfRatios(m.attemptsOK, m.attemptsEnded, level), 100, 2),
			text(analysis.MeanOfRatios(m.sent, m.requests, level), 1, 4),
			text(analysis.Mean(m.p99, level), 1, 1), recovered)
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
