package report

import (
	"slices"

	"retrylab/analysis"
	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/report/table"
	"retrylab/results"
)

// rafTable is Table IV: the client's attempts per request.
func rafTable(d *data) (*table.Table, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	t := paperTable(d, "Table IV", "Retry amplification factor (RAF) by strategy and scenario",
		"RAF: client attempts that ended before the end of the trial / first attempts that ended. "+
			"Only the client retries in this model, so this is also the amplification of the entry service (eq. 1). "+
			"Difference: ours − authors' run. Paper: as printed (±0.001).")
	t.Fields = append(t.Fields, "raf", "lo", "hi", "paper", "authors", "difference")
	t.Columns = append(t.Columns,
		table.Column{Head: "RAF [95% CI]", Field: "raf", Lo: "lo", Hi: "hi", Digits: 4},
		table.Column{Head: "Paper", Field: "paper", Digits: 2},
		table.Column{Head: "Authors", Field: "authors", Digits: 4},
		table.Column{Head: "Difference", Field: "difference", Digits: 4, Signed: true})
	d.main.eachPaperCell(func(p pair, trials []results.Trial) {
		raf := measure.RAF.Over(trials, 1)
		printed, _ := facts.Paper().TableIV.Cell(p.strategy, p.scenario)
		authors, _ := facts.Authors(p.strategy, p.scenario)
		t.Add(slices.Concat(
			[]table.Value{table.Text(p.strategy), table.Text(p.scenario)},
			interval(raf),
			[]table.Value{table.Number(printed), table.Number(authors.RAF), difference(raf, authors.RAF)})...)
		if p.strategy == "NR" {
			warn(t, "raf", raf, analysis.WarnConstant) // exactly 1 by definition
			return
		}
		warn(t, "raf", raf)
	})
	return t, nil
}
