package claims

import (
	"fmt"
	"math"

	"retrylab/analysis"
	"retrylab/report/facts"
	"retrylab/report/measure"
)

// studyRulings are about the study of repositories: its arithmetic can be checked, its sample only set beside another one.
func studyRulings() []ruling {
	one := facts.Paper().TableI
	list := []ruling{
		interval("study-detection", "IV-C", "Retry logic is detected in 23 of 200 repositories: 11.5% ±4.4, Wilson.", one.DetectionRate),
		interval("study-precision", "IV-B", "29 of 30 sampled detections are genuine: a precision of 96.7%.", one.Precision),
		interval("study-missed", "IV-B", "10 of 30 sampled repositories without a detection do retry: 33.3% (19.2 to 51.2).", one.FalseNegatives),
		{claim: Claim{
			ID: "study-prevalence", Section: "IV-C", Text: "With the missed ones, about 41% (28.5 to 56.8) of the repositories retry.",
			Rule: "Reproduced if estimate and ends, from the interval of the missed share alone, are within 0.5 percentage points of the printed ones.",
			See:  []string{"table1"},
		}, judge: prevalence},
		jitterRuling(),
	}
	for _, a := range facts.Paper().AntiPatterns {
		if a.Half > 0 {
			list = append(list, interval("study-"+slug(a.Name), "IV-D", fmt.Sprintf("Anti-pattern %q: %d of %d projects, %g%% ±%g.", a.Name, a.Count, a.Of, a.Share, a.Half), a))
		}
	}
	return list
}

// slug is a name in lower case with hyphens.
func slug(name string) string {
	out := []rune{}
	for _, r := range name {
		switch {
		case r >= 'A' && r <= 'Z':
			out = append(out, r+'a'-'A')
		case r == ' ':
			out = append(out, '-')
		default:
			out = append(out, r)
		}
	}
	return string(out)
}

// interval is the ruling on a printed share with its Wilson interval.
func interval(id, section, text string, printed facts.Count) ruling {
	return ruling{claim: Claim{
		ID: id, Section: section, Text: text,
		Rule: "Reproduced if share and interval round to the printed digits (half-width: half of Wilson's interval, within 0.1 percentage points). Checks the arithmetic, not the sample.",
		See:  []string{"table1"},
	}, judge: func(_ *Evidence, c *Claim) {
		w := analysis.Wilson(printed.Count, printed.Of, measure.Level).Scale(100)
		c.number(fmt.Sprintf("%d of %d", printed.Count, printed.Of), "%", w)
		holds := rounds(w.Estimate, printed.Share, 1)
		if printed.Half > 0 {
			holds = holds && math.Abs(w.Half()-printed.Half) <= 0.1
		}
		if printed.High > 0 {
			holds = holds && rounds(w.Low, printed.Low, 1) && rounds(w.High, printed.High, 1)
		}
		c.decide(holds, "The arithmetic is right.", "Wilson's interval is another one.")
	}}
}

func prevalence(_ *Evidence, c *Claim) {
	one := facts.Paper().TableI
	audit := analysis.Audit{Found: one.Detected, Scanned: one.Repositories, Missed: one.FalseNegatives.Count, Checked: one.FalseNegatives.Of}
	carried := analysis.PrevalenceAuditOnly(audit, measure.Level).Scale(100)
	c.number("missed share carried over", "%", carried)
	c.number("with the sampling of the 200 too", "%", analysis.Prevalence(audit, measure.Level).Scale(100))
	p := one.Prevalence
	near := func(a, b float64) bool { return math.Abs(a-b) <= 0.5 }
	c.decide(near(carried.Estimate, p.Share) && near(carried.Low, p.Low) && near(carried.High, p.High),
		"The arithmetic is right for these 200 repositories; as a statement about all such repositories the interval also has to carry the sampling of the 200.",
		"The missed share, carried over the undetected repositories, gives another interval.")
}
