package sweeps

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"retrylab/analysis"
	"retrylab/analysis/queueing"
	"retrylab/report/figure"
	"retrylab/report/table"
	"retrylab/results"
)

// amplified is a cell of the sweep of amplification with what theory says about it.
type amplified struct {
	c                *cell
	calls, retries   int
	p                float64
	all              bool
	attempts         analysis.Interval // at the last service, per request
	exact, formula   float64           // the same by the recursion, and eq. 3
	success          analysis.Interval
	exactSuccess     float64
	z                float64 // of the attempts against the recursion
	successZ         float64
	exactAmplifyBase float64 // attempts without retries
}

// amplification makes the report of the sweep amplification.
func amplification(d *data, r *parts) error {
	last, err := lastAttempts(d)
	if err != nil {
		return err
	}
	var rows []amplified
	for _, c := range d.cells {
		a, err := amplify(c, last[c.Cell.Cell])
		if err != nil {
			return err
		}
		rows = append(rows, a)
	}
	r.tables = append(r.tables, amplificationTable(rows))
	r.figures = append(r.figures, amplificationFigure(rows))
	far, above, below := 0.0, 0, 0
	for _, a := range rows {
		if a.calls == 1 {
			continue
		}
		if ratio := a.formula / (a.exact / a.exactAmplifyBase); ratio > 1.01 {
			above++
			far = math.Max(far, ratio)
		} else if ratio < 0.99 {
			below++
		}
	}
	r.findings = append(r.findings, agreement(rows),
		fmt.Sprintf("Eq. 3 is neither the value nor a bound: with two or three retrying calls it is too high in %d cells, up to %.0f times, and too low in %d.", above, far, below))
	return nil
}

// byChance is how often, at most, the report may say of a sweep whose cells are all as theory has them that they differ from it.
const byChance = 0.01

// agreement says whether the simulation gives what the exact recursion does, in two comparisons a cell (Bonferroni's correction).
func agreement(rows []amplified) string {
	worst, off := 0.0, 0
	for _, a := range rows {
		z := math.Max(math.Abs(a.z), math.Abs(a.successZ))
		worst = math.Max(worst, z)
		t := distuv.StudentsT{Sigma: 1, Nu: float64(max(a.success.N-1, 1))}
		if z > t.Quantile(1-byChance/float64(4*len(rows))) {
			off++
		}
	}
	if off > 0 {
		return fmt.Sprintf("Simulated attempts or success differ from the exact recursion in %d of %d cells (largest |z| %.1f): it holds where capacity is not touched.",
			off, len(rows), worst)
	}
	return fmt.Sprintf("Simulated attempts and success agree with the exact recursion in all %d cells (largest |z| %.1f).", len(rows), worst)
}

// lastAttempts are the attempts at the last service of each cell, one value a trial.
func lastAttempts(d *data) (map[string][]float64, error) {
	path, err := tablePath(d.dir, results.Service{}.TableName())
	if err != nil {
		return nil, err
	}
	all := map[string][]float64{}
	position := map[string]int64{}
	for b, err := range results.Batches[results.Service](path) {
		if err != nil {
			return nil, err
		}
		for i := range b.Rows {
			s := &b.Rows[i]
			key := strings.Clone(s.Cell)
			if s.Trial >= int64(len(all[key])) {
				all[key] = append(all[key], 0)
				position[key] = -1
			}
			if s.Position > position[key] {
				position[key] = s.Position
				all[key][s.Trial] = float64(s.Attempts)
			}
		}
	}
	return all, nil
}

// amplify compares a cell with theory.
func amplify(c *cell, last []float64) (amplified, error) {
	a := amplified{c: c, retries: int(c.number("retries")), p: c.number("p"), all: c.text("failures_at") == "all"}
	var err error
	if a.calls, err = c.calls(); err != nil {
		return a, err
	}
	own := make([]float64, a.calls+1)
	retries := make([]int, a.calls)
	for i := range retries {
		retries[i] = a.retries
		if a.all || i == a.calls-1 {
			own[i+1] = a.p
		}
	}
	exact, err := queueing.Chain(own, retries, 0).Solve()
	if err != nil {
		return a, err
	}
	leaf := exact.Services[a.calls]
	a.exact, a.exactAmplifyBase = leaf.Attempts, leaf.AttemptsNoRetry
	a.exactSuccess = exact.Success
	a.formula = queueing.RAFChain(a.p, a.retries, a.calls)
	attempts := analysis.NewRatioSums()
	for i := range c.kept {
		attempts.Add(last[i], float64(c.kept[i].Requests))
	}
	a.attempts = attempts.Interval(level)
	a.success = c.over(successAll)
	a.z, a.successZ = zOf(a.attempts, a.exact), zOf(a.success, a.exactSuccess)
	return a, nil
}

// zOf is how many standard errors an estimate is from the truth; 0 where it has no error and is the truth.
func zOf(i analysis.Interval, truth float64) float64 {
	se := i.Half() / distuv.StudentsT{Sigma: 1, Nu: float64(max(i.N-1, 1))}.Quantile((1+level)/2)
	if se == 0 {
		if i.Estimate == truth || math.Abs(i.Estimate-truth) < 1e-4 {
			return 0
		}
		return math.Inf(1)
	}
	return (i.Estimate - truth) / se
}

func amplificationTable(rows []amplified) *table.Table {
	t := &table.Table{
		Name: "amplification", Label: "Amplification", Title: "Attempts at the last service and success per arrival, hop-level retries, unlimited capacity",
		Caption: "Success: requests that succeeded / that arrived. RAF: attempts at the last service over those that it would get without retries, exact. Eq. 3: ((1 − p^(n+1)) / (1 − p))^d with n retries of each of d retrying calls.",
		Method:  "Means over trials with 95% intervals (ratio of sums, Student's t); exact by the recursion over the graph.",
		Fields: []string{"calls", "retries", "failures_at", "p", "attempts", "attempts_lo", "attempts_hi", "attempts_exact", "z", "raf_exact", "raf_eq3",
			"success", "success_lo", "success_hi", "success_exact"},
		Columns: []table.Column{
			{Head: "Retrying calls", Field: "calls"}, {Head: "Retries", Field: "retries"}, {Head: "Failures at", Field: "failures_at"}, {Head: "p", Field: "p", Digits: 1},
			{Head: "Attempts per request [95% CI]", Field: "attempts", Lo: "attempts_lo", Hi: "attempts_hi", Digits: 3}, {Head: "Exact", Field: "attempts_exact", Digits: 3},
			{Head: "z", Field: "z", Digits: 1, Signed: true}, {Head: "RAF, exact", Field: "raf_exact", Digits: 3}, {Head: "RAF, eq. 3", Field: "raf_eq3", Digits: 3},
			{Head: "Success [95% CI]", Field: "success", Lo: "success_lo", Hi: "success_hi", Digits: 4}, {Head: "Exact", Field: "success_exact", Digits: 4},
		},
	}
	for _, a := range rows {
		success := asShare(a.success)
		t.Add(table.Int(int64(a.calls)), table.Int(int64(a.retries)), table.Text(a.c.text("failures_at")), table.Number(a.p),
			table.Number(a.attempts.Estimate), table.Number(a.attempts.Low), table.Number(a.attempts.High), table.Number(a.exact), table.Number(a.z),
			table.Number(a.exact/a.exactAmplifyBase), table.Number(a.formula),
			table.Number(success.Estimate), table.Number(success.Low), table.Number(success.High), table.Number(a.exactSuccess))
		noteHumps(t, "success", successAll, a.c)
	}
	return t
}

// amplificationFigure draws RAF against p: a panel for each number of calls and place of failures, a line for each
// number of retries.
func amplificationFigure(rows []amplified) *figure.Figure {
	f := &figure.Figure{
		Name: "amplification", XName: "p", Title: "Retry amplification at the last service: simulated, exact, and eq. 3",
		Alt:        "Small multiples of the amplification against the failure probability on a logarithmic axis. Dots lie on the lines of the exact recursion; dashed lines of eq. 3 lie above them where only the last service fails, and below or above where all do.",
		Caption:    "RAF: attempts at the last service over those without retries. Lines: exact recursion; dashed: eq. 3; dots: simulated, with 95% intervals where they are wider than the dot. The number of retries is that of each call: 1 retry is 2 attempts.",
		WidthInch:  9,
		HeightInch: 5.2,
	}
	ticks := []figure.Tick{{At: 1, Label: "1"}, {At: 2, Label: "2"}, {At: 5, Label: "5"}, {At: 10, Label: "10"}, {At: 20, Label: "20"}, {At: 50, Label: "50"}}
	for _, place := range []string{"last", "all"} {
		var row []figure.Panel
		for calls := 1; calls <= 3; calls++ {
			title := fmt.Sprintf("retrying calls: %d, failing services: %s", calls, place)
			p := figure.Panel{Quantity: "raf", Facet: title, Title: title,
				X: figure.Range{Min: 0, Max: 1}, Y: figure.Range{Min: 0.9, Max: 60}, LogY: true, YTicks: ticks}
			if place == "all" {
				p.XLabel = "failure probability p"
			}
			if calls == 1 {
				p.YLabel = "RAF"
			}
			for n := 1; n <= 3; n++ {
				p.Series = append(p.Series, amplificationSeries(rows, calls, n, place)...)
			}
			row = append(row, p)
		}
		f.Panels = append(f.Panels, row)
	}
	return f
}

// retriesText is the number of retries of a call in words.
func retriesText(n int) string {
	if n == 1 {
		return "1 retry"
	}
	return fmt.Sprintf("%d retries", n)
}

func amplificationSeries(rows []amplified, calls, n int, place string) []figure.Series {
	style := figure.StyleAt(n)
	solid := style
	solid.Dashes = nil
	dashed := style
	dashed.Dashes = figure.StyleAt(1).Dashes
	exact := figure.Series{Name: retriesText(n) + ", exact", Style: solid}
	formula := figure.Series{Name: retriesText(n) + ", eq. 3", Style: dashed}
	dots := figure.Series{Name: retriesText(n) + ", simulated", Style: style, Dots: true}
	for _, a := range rows {
		if a.calls != calls || a.retries != n || (a.c.text("failures_at") != place && calls > 1) {
			continue
		}
		exact.X, exact.Values = append(exact.X, a.p), append(exact.Values, a.exact/a.exactAmplifyBase)
		formula.X, formula.Values = append(formula.X, a.p), append(formula.Values, a.formula)
		dots = addPoint(dots, a.p, a.attempts.Scale(1/a.exactAmplifyBase))
	}
	return []figure.Series{exact, formula, dots}
}
