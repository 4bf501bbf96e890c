package report

import (
	"fmt"

	"retrylab/analysis"
	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/report/table"
)

// studyTable is Table I: the published counts, with intervals recomputed.
func studyTable(d *data) (*table.Table, error) {
	if !d.main.isReference() {
		return nil, nil
	}
	paper := facts.Paper()
	t := &table.Table{
		Label: "Table I",
		Title: "Retry configurations in repositories: published counts, intervals recomputed",
		Caption: fmt.Sprintf("Counts are the paper's (Table I, sections IV-B to IV-D); nothing is measured here. Configurations: %d in %d of %d repositories. ",
			paper.TableI.Configurations, paper.TableI.Detected, paper.TableI.Repositories) +
			"Half-widths are printed as the paper gives them, as ± around the share, although a Wilson interval is not centred there.",
		Method: "Wilson score intervals, 95%; n is the denominator of each row; no seed, since nothing is drawn.",
		Fields: []string{"configuration", "count", "of", "share_pct", "lo_pct", "hi_pct", "paper_share_pct", "paper_half_pp", "paper_lo_pct", "paper_hi_pct"},
		Columns: []table.Column{
			{Head: "Configuration", Field: "configuration"},
			{Head: "Count", Field: "count"},
			{Head: "Of", Field: "of"},
			{Head: "Share, % [95% CI]", Field: "share_pct", Lo: "lo_pct", Hi: "hi_pct", Digits: 1},
			{Head: "Paper, %", Field: "paper_share_pct", Lo: "paper_lo_pct", Hi: "paper_hi_pct", Digits: 1},
			{Head: "Paper, ± pp", Field: "paper_half_pp", Digits: 1},
		},
	}
	for _, row := range paper.TableI.Rows {
		addCount(t, row.Row, row)
	}
	addCount(t, "Repositories with retry logic detected", paper.TableI.DetectionRate)
	addCount(t, "Precision of detection", paper.TableI.Precision)
	addCount(t, "False negatives among undetected", paper.TableI.FalseNegatives)
	addPrevalence(t, paper.TableI)
	for _, pattern := range paper.AntiPatterns {
		addCount(t, "Anti-pattern: "+pattern.Name, pattern)
		if high := pattern.Share + pattern.Half; high > 100 {
			t.Note("paper_half_pp", fmt.Sprintf("Read as printed, the interval would reach %.1f%%.", high))
		}
	}
	return t, nil
}

func addCount(t *table.Table, label string, c facts.Count) {
	share := analysis.Wilson(c.Count, c.Of, measure.Level).Scale(100)
	t.Add(table.Text(label), table.Int(int64(c.Count)), table.Int(int64(c.Of)),
		table.Number(share.Estimate), table.Number(share.Low), table.Number(share.High),
		table.Number(c.Share), positive(c.Half), positive(c.Low), positive(c.High))
	warn(t, "share_pct", share)
}

// addPrevalence adds to the detected repositories those that the audit says were missed.
func addPrevalence(t *table.Table, study facts.TableI) {
	audit := analysis.Audit{
		Found: study.Detected, Scanned: study.Repositories,
		Missed: study.FalseNegatives.Count, Checked: study.FalseNegatives.Of,
	}
	share, auditOnly := analysis.Prevalence(audit, measure.Level).Scale(100), analysis.PrevalenceAuditOnly(audit, measure.Level).Scale(100)
	t.Add(table.Text("Prevalence: detected plus missed"), table.None, table.Int(int64(study.Repositories)),
		table.Number(share.Estimate), table.Number(share.Low), table.Number(share.High),
		table.Number(study.Prevalence.Share), table.None, table.Number(study.Prevalence.Low), table.Number(study.Prevalence.High))
	t.Note("share_pct", fmt.Sprintf("Our interval carries the uncertainty of both shares, by the MOVER rule. The paper carries that of the audit alone, which gives [%.1f, %.1f].",
		auditOnly.Low, auditOnly.High))
	warn(t, "share_pct", share)
}

// positive is a number that the facts leave at 0 where the paper prints none.
func positive(x float64) table.Value {
	if x == 0 {
		return table.None
	}
	return table.Number(x)
}
