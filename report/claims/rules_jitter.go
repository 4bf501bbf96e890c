package claims

import (
	"fmt"

	"retrylab/analysis"
	"retrylab/report/measure"
	"retrylab/study"
)

// jitterRuling is on the one randomized configuration in 113: the authors' sample cannot be had, but another one can.
func jitterRuling() ruling {
	return ruling{claim: Claim{
		ID: "study-jitter", Section: "IV-C", Text: "One configuration in 113 randomizes its delay, said of production code at large.",
		Rule: "Contradicted if in our own study the share in the paper's language, Python, differs from the printed one: if the 95% interval of their difference " +
			"(MOVER; ours with repositories as clusters, theirs Wilson's) leaves out 0. Reproduced if it does not; not testable without the study's rows.",
		See: []string{"table1", "study", "study-waits"},
	}, judge: judgeJitter}
}

func judgeJitter(e *Evidence, c *Claim) {
	printed := analysis.Wilson(1, 113, measure.Level).Scale(100)
	c.number("1 of 113", "%", printed)
	if e.study == nil {
		c.See = []string{"table1"}
		c.Verdict = NotTestable
		c.Reason = "The share is right (0.9%), but one project holds 23 of the 113 configurations, so even the interval understates what is not known; whether the count is right needs the authors' sample."
		return
	}
	own, all := percent(e.study.Row(paperGroup, RowJitter)), percent(e.study.Row(AllGroups, RowJitter))
	d := analysis.Independent(own, printed)
	c.number("ours, Python", "%", own)
	c.number("ours, all languages", "%", all)
	c.number("ours, all, of those that wait", "%", percent(e.study.Row(AllGroups, RowJitterWait)))
	c.number("Python, ours less theirs", "pp", d)
	row := e.study.Row(AllGroups, RowJitter)
	c.decide(d.Low <= 0 && d.High >= 0,
		"Jitter is as rare in our Python repositories as in theirs, within what chance allows.",
		fmt.Sprintf("Jitter is rare, but not that rare: %d of %d configurations in our repositories have it. The samples are drawn by other rules, and the detectors differ: the paper's looks for words nearby and does not see a library's default.", row.Hit, row.Of))
}

// studyText is what the text of the findings says of the study of repositories.
type studyText struct{ *Study }

// Repositories is their number.
func (s studyText) Repositories() int { return s.Audit.Repositories }

// Configurations is their number after cleaning.
func (s studyText) Configurations() int64 { return s.Row(AllGroups, RowJitter).Of }

// Share prints a row of all languages, or of one, as "11.1% [6.8, 17.6]".
func (s studyText) Share(group, name string) string {
	return bracketed(percent(s.Row(group, name)))
}

// Prevalence is the share of repositories that retry, those that were missed included; its interval carries the sampling of
// the repositories too.
func (s studyText) Prevalence() string {
	_, both := s.Study.Prevalence()
	return bracketed(both)
}

// Precision is the share of reviewed findings that are retries.
func (s studyText) Precision() string {
	return bracketed(ofStudy(study.Wilson(s.Score.Precision.Hit, s.Score.Precision.Of)))
}

func ofStudy(i study.Interval) analysis.Interval {
	return analysis.Interval{Estimate: 100 * i.Share, Low: 100 * i.Low, High: 100 * i.High}
}

// bracketed prints a share in percent with its interval.
func bracketed(i analysis.Interval) string {
	return fmt.Sprintf("%.1f%% [%.1f, %.1f]", i.Estimate, i.Low, i.High)
}
