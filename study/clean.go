package study

import (
	"retrylab/study/finding"
)

// CleanOptions choose what Clean takes out.
type CleanOptions struct {
	// TenLines uses the paper's duplicate rule: a finding within ten lines of
	// a kept one in the same file is a duplicate, whatever it is. Without it
	// only findings of the same construct are duplicates.
	TenLines bool
	// KeepLocal keeps retries of a local resource (port, file, process), which
	// the paper's criterion, a dependency, leaves out.
	KeepLocal bool
	// KeepUnsure keeps findings of low confidence.
	KeepUnsure bool
}

// FlowStep is one line of the flow table: how many findings a rule took out and
// how many were left.
type FlowStep struct {
	Step          string
	Removed, Left int
}

// Cleaned is what Clean returns. The sets are disjoint: what is neither kept nor
// set apart was removed and is counted in the flow.
type Cleaned struct {
	Kept     []FindingRow
	Disabled []FindingRow // configurations that switch retrying off, set apart
	Flow     []FlowStep
}

// Clean takes out what is not a production configuration, or counted twice.
// Rows must be in canonical order.
func Clean(rows []FindingRow, opt CleanOptions) Cleaned {
	c := Cleaned{Kept: rows, Flow: []FlowStep{{"detections", 0, len(rows)}}}
	c.step("non-production paths", func(r *FindingRow) bool { return r.Production })
	c.duplicates(opt.TenLines)
	c.step("switched off", func(r *FindingRow) bool {
		if r.Disabled {
			c.Disabled = append(c.Disabled, *r)
		}
		return !r.Disabled
	})
	if !opt.KeepLocal {
		c.step("local resources", func(r *FindingRow) bool { return r.Scope != finding.ScopeLocal })
	}
	if !opt.KeepUnsure {
		c.step("low confidence", func(r *FindingRow) bool { return r.Confidence != finding.Low })
	}
	return c
}

// step keeps the rows for which keep is true and writes the flow.
func (c *Cleaned) step(name string, keep func(*FindingRow) bool) {
	var left []FindingRow
	for i := range c.Kept {
		if keep(&c.Kept[i]) {
			left = append(left, c.Kept[i])
		}
	}
	c.Flow = append(c.Flow, FlowStep{name, len(c.Kept) - len(left), len(left)})
	c.Kept = left
}

func (c *Cleaned) duplicates(tenLines bool) {
	name := "same construct"
	if tenLines {
		name = "within ten lines"
	}
	kept := map[string][]FindingRow{} // by repository and file
	c.step(name, func(r *FindingRow) bool {
		key := r.Repo + "\x00" + r.Path
		for i := range kept[key] {
			if k := &kept[key][i]; tenLines && near(k, r) || !tenLines && sameConstruct(k, r) {
				return false
			}
		}
		kept[key] = append(kept[key], *r)
		return true
	})
}

// near is the paper's rule.
func near(a, b *FindingRow) bool {
	d := a.Line - b.Line
	return d >= -Window && d <= Window
}

// sameConstruct says whether two findings of one file describe one retry: they
// start on the same line, or a hand-rolled loop only wraps the library call that
// is found inside it with the same number of attempts, or they are two readings
// of one hand-rolled construct (one span inside the other, same form).
func sameConstruct(a, b *FindingRow) bool {
	if a.Line == b.Line {
		return true
	}
	inside := b.Line >= a.Line && b.SpanEnd <= a.SpanEnd || a.Line >= b.Line && a.SpanEnd <= b.SpanEnd
	if !inside {
		return false
	}
	handA, handB := a.Mechanism == finding.MechHandRolled, b.Mechanism == finding.MechHandRolled
	if handA != handB {
		return a.AttemptsTotal == b.AttemptsTotal
	}
	return handA && a.Form == b.Form && a.Rule == b.Rule && a.AttemptsTotal == b.AttemptsTotal
}
