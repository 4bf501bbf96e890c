package sweeps

import (
	"fmt"
	"math"

	"retrylab/analysis"
	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

// herd is what the trials of a kind of jitter show.
type herd struct {
	kind    string
	peaks   []float64   // largest number of retries in a window, one a trial
	ends    []float64   // time by which nine tenths of the retries were sent, in seconds
	perTime [][]float64 // retries of each window, by trial
}

// jitter makes the report of the sweep jitter.
func jitter(d *data, r *parts) error {
	herds, window, err := herdsOf(d)
	if err != nil {
		return err
	}
	t := &table.Table{
		Name: "jitter", Label: "Jitter", Title: "Peak of retries in 10 ms after 1000 clients failed together",
		Caption: "Peak: the largest number of retries in any window of 10 ms. Spread: time from the failure until nine tenths of the retries were sent.",
		Method:  "Means over trials with 95% intervals (Student's t).",
		Fields:  []string{"jitter", "trials", "peak", "peak_lo", "peak_hi", "peak_max", "spread_s", "spread_s_lo", "spread_s_hi"},
		Columns: []table.Column{{Head: "Jitter", Field: "jitter"}, {Head: "Peak per 10 ms [95% CI]", Field: "peak", Lo: "peak_lo", Hi: "peak_hi", Digits: 1},
			{Head: "Largest peak", Field: "peak_max"}, {Head: "Spread, s [95% CI]", Field: "spread_s", Lo: "spread_s_lo", Hi: "spread_s_hi", Digits: 2}},
	}
	var worst, best *herd
	for i := range herds {
		h := &herds[i]
		peak, end := analysis.Mean(h.peaks, level), analysis.Mean(h.ends, level)
		t.Add(table.Text(h.kind), table.Int(int64(len(h.peaks))), table.Number(peak.Estimate), table.Number(peak.Low), table.Number(peak.High),
			table.Number(analysis.Quantile(h.peaks, 1)), table.Number(end.Estimate), table.Number(end.Low), table.Number(end.High))
		if worst == nil || peak.Estimate > analysis.Mean(worst.peaks, level).Estimate {
			worst = h
		}
		if best == nil || peak.Estimate < analysis.Mean(best.peaks, level).Estimate {
			best = h
		}
	}
	r.tables = append(r.tables, t)
	r.figures = append(r.figures, ridges(herds, window))
	r.findings = append(r.findings,
		fmt.Sprintf("The highest peak of retries in a window of 10 ms is that of jitter kind %s, %.0f on average, the lowest that of %s, %.1f.",
			worst.kind, analysis.Mean(worst.peaks, level).Estimate, best.kind, analysis.Mean(best.peaks, level).Estimate),
		"The price is the wait. Mean peak, and seconds until nine tenths of the retries are sent: "+peaksOf(herds)+".")
	return nil
}

// peaksOf lists the mean peaks and waits.
func peaksOf(herds []herd) string {
	var list []string
	for _, h := range herds {
		list = append(list, fmt.Sprintf("%s %.1f in %.2f s", h.kind, analysis.Mean(h.peaks, level).Estimate, analysis.Mean(h.ends, level).Estimate))
	}
	return listed(list)
}

// herdsOf reads table windows.
func herdsOf(d *data) ([]herd, float64, error) {
	path, err := tablePath(d.dir, results.Window{}.TableName())
	if err != nil {
		return nil, 0, err
	}
	herds := make([]herd, len(d.cells))
	index := map[string]int{}
	for i, c := range d.cells {
		herds[i] = herd{kind: c.text("jitter"), perTime: make([][]float64, c.trials)}
		index[c.Cell.Cell] = i
	}
	for b, err := range results.Batches[results.Window](path) {
		if err != nil {
			return nil, 0, err
		}
		for i := range b.Rows {
			w := &b.Rows[i]
			if w.IsClient {
				h := &herds[index[w.Cell]]
				h.perTime[w.Trial] = append(h.perTime[w.Trial], float64(w.Attempts-w.First))
			}
		}
	}
	window := float64(d.cells[0].WindowNs) / 1e9
	for i := range herds {
		for _, series := range herds[i].perTime {
			peak, total, sofar, end := 0.0, 0.0, 0.0, 0
			for _, n := range series {
				peak, total = math.Max(peak, n), total+n
			}
			for end < len(series) && sofar < 0.9*total {
				sofar += series[end]
				end++
			}
			herds[i].peaks = append(herds[i].peaks, peak)
			herds[i].ends = append(herds[i].ends, float64(end)*window)
		}
	}
	return herds, window, nil
}

// ridges draws the retries over time, a ridge line for each kind of jitter, each on its own scale.
func ridges(herds []herd, window float64) *figure.Figure {
	p := figure.Panel{Quantity: "retries_per_window", XLabel: "time since the failure (s)", YLabel: "retries per 10 ms, each kind on its own scale", X: figure.Range{Min: 0, Max: 3.2}, Y: figure.Range{Min: -0.1, Max: float64(len(herds)) + 0.2}}
	for i, h := range herds {
		base := float64(len(herds) - 1 - i)
		s := figure.Series{Name: h.kind, Style: figure.StyleAt(i)}
		s.Style.Dashes = nil
		most := 0.0
		means := meanSeries(h.perTime)
		for _, m := range means {
			most = math.Max(most, m)
		}
		for k, m := range means {
			s.X = append(s.X, (float64(k)+0.5)*window)
			s.Values = append(s.Values, base+0.85*m/math.Max(most, 1))
		}
		p.Series = append(p.Series, s)
		p.YTicks = append(p.YTicks, figure.Tick{At: base, Label: fmt.Sprintf("%s: up to %.0f", h.kind, most)})
	}
	return &figure.Figure{
		Name: "jitter", XName: "time_s", Title: "Retries per 10 ms after 1000 clients failed together, by kind of jitter",
		Alt:        "Ridge lines of the mean number of retries per 10 ms over time. Without jitter there is one spike at 1 s; with full jitter a low plateau from 0 to 1 s.",
		Caption:    "Mean over trials of the retries in each window of 10 ms, each ridge on its own scale: its height is what the label says. Values in the data are heights in the figure.",
		Panels:     [][]figure.Panel{{p}},
		WidthInch:  7.2,
		HeightInch: 4.4, TableRows: 40,
	}
}

func meanSeries(trials [][]float64) []float64 {
	var sums []float64
	for _, t := range trials {
		for len(sums) < len(t) {
			sums = append(sums, 0)
		}
		for i, v := range t {
			sums[i] += v
		}
	}
	for i := range sums {
		sums[i] /= float64(len(trials))
	}
	return sums
}
