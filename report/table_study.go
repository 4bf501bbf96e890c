package report

import (
	"fmt"
	"slices"

	"retrylab/report/claims"
	"retrylab/report/facts"
	"retrylab/report/table"
	"retrylab/study"
)

// ownStudyTable is Table I of our own repositories, all languages, beside the paper's.
func ownStudyTable(d *data) (*table.Table, error) {
	s := d.repositories()
	if s == nil {
		return nil, nil
	}
	t := &table.Table{
		Label: "Table I, our study",
		Title: fmt.Sprintf("Retry configurations in %d repositories of four languages, beside the paper's 200 in Python", s.Audit.Repositories),
		Caption: "Of: the denominator of each row, which is all configurations, those whose retry count or wait the source tells, those that wait at all, or repositories. " +
			"By repository: the interval with repositories as clusters. Concentration: the share of configurations in the largest repositories. " + studyLimits(s),
		Method: studyMethod,
		Fields: []string{"row", "count", "of", "share_pct", "lo_pct", "hi_pct", "by_repository_pct", "by_repository_lo_pct", "by_repository_hi_pct", "repositories",
			"paper_count", "paper_of", "paper_pct", "paper_lo_pct", "paper_hi_pct"},
		Columns: []table.Column{
			{Head: "Configuration", Field: "row"}, {Head: "Count", Field: "count"}, {Head: "Of", Field: "of"},
			{Head: "Share, % [95% CI]", Field: "share_pct", Lo: "lo_pct", Hi: "hi_pct", Digits: 1},
			{Head: "By repository, % [95% CI]", Field: "by_repository_pct", Lo: "by_repository_lo_pct", Hi: "by_repository_hi_pct", Digits: 1},
			{Head: "Repositories", Field: "repositories"},
			{Head: "Paper, of", Field: "paper_of"},
			{Head: "Paper, % [95% CI]", Field: "paper_pct", Lo: "paper_lo_pct", Hi: "paper_hi_pct", Digits: 1},
		},
	}
	for _, r := range s.Rows {
		if r.Group != claims.AllGroups || r.Table == "anti-patterns" {
			continue
		}
		clustered := table.None
		if r.ClusterLow == r.ClusterLow { // not NaN
			clustered = table.Number(100 * r.Share)
		}
		t.Add(slices.Concat(
			[]table.Value{table.Text(table.UpperFirst(r.Row)), table.Int(r.Hit), table.Int(r.Of)}, percents(r.Share, r.WilsonLow, r.WilsonHigh),
			[]table.Value{clustered, table.Number(100 * r.ClusterLow), table.Number(100 * r.ClusterHigh), table.Int(r.Clusters)}, printedIn(r))...)
		if r.Row == claims.RowDetected {
			addOwnPrevalence(t, s)
		}
	}
	addReviewed(t, s)
	return t, nil
}

// addOwnPrevalence adds the repositories that the audit says were missed.
func addOwnPrevalence(t *table.Table, s *claims.Study) {
	auditOnly, both := s.Prevalence()
	paper := facts.Paper().TableI.Prevalence
	t.Add(slices.Concat(
		[]table.Value{table.Text("Prevalence: detected plus missed"), table.None, table.Int(int64(s.Audit.Repositories))}, interval(both),
		[]table.Value{table.None, table.None, table.None, table.Int(int64(s.Audit.Repositories)), table.None, table.Int(int64(facts.Paper().TableI.Repositories)),
			table.Number(paper.Share), table.Number(paper.Low), table.Number(paper.High)})...)
	t.Note("share_pct", fmt.Sprintf("Both samplings, by the MOVER rule. The paper carries the uncertainty of its audit alone, which gives [%.1f, %.1f] here.", auditOnly.Low, auditOnly.High))
}

// addReviewed adds what the reviewed samples and the audit say about the detector.
func addReviewed(t *table.Table, s *claims.Study) {
	one := facts.Paper().TableI
	for _, x := range []struct {
		name    string
		hit, of int
		paper   facts.Count
	}{
		{"Precision: reviewed findings that are retries", s.Score.Precision.Hit, s.Score.Precision.Of, one.Precision},
		{"Missed: repositories without a finding that retry", s.Audit.Missed, s.Audit.Searched, one.FalseNegatives},
		{"Missed: files that speak of retrying, without a finding, that retry", s.Score.Silent.Hit, s.Score.Silent.Of, facts.Count{}},
	} {
		w := study.Wilson(x.hit, x.of)
		paper := make([]table.Value, 5)
		if x.paper.Of > 0 {
			paper = paperShare(fmt.Sprintf("%d/%d,", x.paper.Count, x.paper.Of))
		}
		t.Add(slices.Concat([]table.Value{table.Text(x.name), table.Int(int64(x.hit)), table.Int(int64(x.of))}, percents(w.Share, w.Low, w.High),
			make([]table.Value, 4), paper)...)
	}
}

// studyLanguagesTable is the same by language.
func studyLanguagesTable(d *data) (*table.Table, error) {
	s := d.repositories()
	if s == nil {
		return nil, nil
	}
	t := &table.Table{
		Label: "Table I by language",
		Title: "Retry configurations by language",
		Caption: "Repositories go by the language most of their files are in, configurations and their concentration by that of the file. n: the denominator. Intervals: with repositories as clusters; Wilson's " +
			"where repositories are the cases; none for concentration. " + studyLimits(s),
		Method:  studyMethod,
		Fields:  []string{"row"},
		Columns: []table.Column{{Head: "Configuration", Field: "row"}},
	}
	for _, l := range studyLanguages {
		t.Fields = append(t.Fields, l.group+"_count", l.group+"_of", l.group+"_pct", l.group+"_lo_pct", l.group+"_hi_pct")
		t.Columns = append(t.Columns, table.Column{Head: l.name + ", n", Field: l.group + "_of"},
			table.Column{Head: l.name + ", % [95% CI]", Field: l.group + "_pct", Lo: l.group + "_lo_pct", Hi: l.group + "_hi_pct", Digits: 1})
	}
	t.Fields = append(t.Fields, "paper_count", "paper_of", "paper_pct", "paper_lo_pct", "paper_hi_pct")
	t.Columns = append(t.Columns, table.Column{Head: "Paper (Python), % [95% CI]", Field: "paper_pct", Lo: "paper_lo_pct", Hi: "paper_hi_pct", Digits: 1})
	for _, all := range s.Rows {
		if all.Group != claims.AllGroups || all.Table == "anti-patterns" {
			continue
		}
		row := []table.Value{table.Text(table.UpperFirst(all.Row))}
		for _, l := range studyLanguages {
			r := s.Row(l.group, all.Row)
			low, high := claims.Ends(r)
			row = slices.Concat(row, []table.Value{table.Int(r.Hit), table.Int(r.Of)}, percents(r.Share, low, high))
		}
		t.Add(append(row, printedIn(all)...)...)
	}
	return t, nil
}

// studyPatternsTable is the paper's six anti-patterns in our repositories, by language.
func studyPatternsTable(d *data) (*table.Table, error) {
	s := d.repositories()
	if s == nil {
		return nil, nil
	}
	t := &table.Table{
		Label: "Anti-patterns, our study",
		Title: "The paper's anti-patterns in repositories with retries, by language",
		Caption: fmt.Sprintf("Of: repositories with a retry detected. No Backoff: some configuration does not wait. Missing Jitter: none has jitter; narrow: some waits exponentially without. "+
			"Aggressive: some allows more than %d attempts, or no end of them, without a wait or with a constant one below %v. Static: none is set by the server or adapts. No coordination: none has a budget. ", study.AggressiveAttempts, study.AggressiveWait) + studyLimits(s),
		Method: "Wilson's 95% intervals over repositories; n is the denominator of each row; nothing is drawn, so there is no seed.",
		Fields: []string{"anti_pattern", "language", "count", "of", "share_pct", "lo_pct", "hi_pct", "paper_count", "paper_of", "paper_pct", "paper_lo_pct", "paper_hi_pct"},
		Columns: []table.Column{
			{Head: "Anti-pattern", Field: "anti_pattern"}, {Head: "Language", Field: "language"}, {Head: "Count", Field: "count"}, {Head: "Of", Field: "of"},
			{Head: "Share, % [95% CI]", Field: "share_pct", Lo: "lo_pct", Hi: "hi_pct", Digits: 1},
			{Head: "Paper, of", Field: "paper_of"}, {Head: "Paper, % [95% CI]", Field: "paper_pct", Lo: "paper_lo_pct", Hi: "paper_hi_pct", Digits: 1},
		},
	}
	for _, all := range s.Rows {
		if all.Group != claims.AllGroups || all.Table != "anti-patterns" {
			continue
		}
		addPattern(t, "all", all)
		for _, l := range studyLanguages {
			addPattern(t, l.name, s.Row(l.group, all.Row))
		}
	}
	return t, nil
}

func addPattern(t *table.Table, language string, r study.TableRow) {
	t.Add(slices.Concat([]table.Value{table.Text(r.Row), table.Text(language), table.Int(r.Hit), table.Int(r.Of)},
		percents(r.Share, r.WilsonLow, r.WilsonHigh), printedIn(r))...)
}

// studyFlowTable is how findings became configurations, in our study and the paper's.
func studyFlowTable(d *data) (*table.Table, error) {
	s := d.repositories()
	if s == nil {
		return nil, nil
	}
	t := &table.Table{
		Label: "Exclusions", Title: "From detections to configurations",
		Caption: "Each step takes findings out of what the one before left. The paper counts as duplicates what lies within ten lines of one file; we, what is the same construct.",
		Method:  "Counts; nothing is drawn, so there is no seed.",
		Fields:  []string{"step", "removed", "left", "paper_removed", "paper_left"},
		Columns: []table.Column{{Head: "Step", Field: "step"}, {Head: "Removed", Field: "removed"}, {Head: "Left", Field: "left"},
			{Head: "Paper, removed", Field: "paper_removed"}, {Head: "Paper, left", Field: "paper_left"}},
	}
	one := facts.Paper().TableI
	paper := map[string][2]int{
		"detections": {0, one.RawDetections}, "non-production paths": {one.NonProduction, one.AfterExclusion}, "same construct": {one.Duplicates, one.Configurations},
	}
	for _, f := range s.Flow {
		row := []table.Value{table.Text(table.UpperFirst(f.Step)), table.Int(int64(f.Removed)), table.Int(int64(f.Left)), table.None, table.None}
		if p, ok := paper[f.Step]; ok {
			row[3], row[4] = table.Int(int64(p[0])), table.Int(int64(p[1]))
		}
		t.Add(row...)
	}
	return t, nil
}
