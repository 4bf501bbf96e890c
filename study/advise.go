package study

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"retrylab/study/finding"
)

// Severities of advice, from mild to grave.
const (
	SeverityNote    = "note"
	SeverityWarning = "warning"
	SeverityError   = "error"
)

// severityRank orders severities; "none" is above all, so that nothing fails.
var severityRank = map[string]int{SeverityNote: 1, SeverityWarning: 2, SeverityError: 3, "none": 9}

// AdviceRule is one rule of the team mode; docs/study-rules.md has a section on
// each under its ID.
type AdviceRule struct {
	ID, Severity, Short, Help string
}

// AdviceRules lists the rules in the order of the documentation.
var AdviceRules = []AdviceRule{
	{"unbounded", SeverityError, "Retries without a limit", "Nothing ends these retries: set a number of attempts, a deadline or a budget, so that a lasting failure is reported instead of being repeated for ever."},
	{"no-backoff", SeverityWarning, "Retries without a wait", "The next attempt follows at once, when the callee can bear it least: wait between attempts, longer each time."},
	{"missing-jitter", SeverityWarning, "Wait without a random part", "Clients that failed together come back together: spread the wait at random, best over the whole of it."},
	{"many-attempts", SeverityWarning, "More than five attempts", "Each attempt multiplies the load of a failing dependency: three attempts recover most transient faults."},
	{"nested-retries", SeverityWarning, "Retries inside retries", "Attempts multiply along a call path: retry at one level, or share a budget."},
}

// Advice is one piece of advice on one finding.
type Advice struct {
	Rule     AdviceRule
	Finding  finding.Finding
	Message  string
	Severity string
}

// Advise applies the rules to the findings of one repository. Non-production
// code, disabled configurations and findings of low confidence give none.
func Advise(list []finding.Finding) []Advice {
	var out []Advice
	var live []finding.Finding
	for _, f := range list {
		if f.Production && !f.Disabled && f.Confidence != finding.Low {
			live = append(live, f)
		}
	}
	for i := range live {
		out = append(out, single(&live[i])...)
	}
	out = append(out, nested(live)...)
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		if a.Finding.Path != b.Finding.Path {
			return a.Finding.Path < b.Finding.Path
		}
		if a.Finding.Line != b.Finding.Line {
			return a.Finding.Line < b.Finding.Line
		}
		return a.Rule.ID < b.Rule.ID
	})
	return slices.CompactFunc(out, func(a, b Advice) bool {
		return a.Rule.ID == b.Rule.ID && a.Finding.Path == b.Finding.Path && a.Finding.Line == b.Finding.Line
	})
}

func ruleByID(id string) AdviceRule {
	for _, r := range AdviceRules {
		if r.ID == id {
			return r
		}
	}
	panic("study: no advice rule " + id)
}

func newAdvice(id string, f *finding.Finding, format string, args ...any) Advice {
	r := ruleByID(id)
	return Advice{Rule: r, Finding: *f, Message: fmt.Sprintf(format, args...), Severity: r.Severity}
}

// single gives the advice that a finding deserves by itself. A local resource
// is not shared with other clients, so waits and jitter matter less there.
func single(f *finding.Finding) (out []Advice) {
	remote := f.Scope != finding.ScopeLocal
	if f.Unlimited && f.Bound == finding.BoundNone {
		out = append(out, newAdvice("unbounded", f, "retries without a limit"))
	}
	if f.TotalAttempts > AggressiveAttempts {
		out = append(out, newAdvice("many-attempts", f, "%d attempts, advice is at most %d", f.TotalAttempts, AggressiveAttempts))
	}
	if !remote {
		return out
	}
	switch {
	case f.Backoff == finding.BackoffNone:
		out = append(out, newAdvice("no-backoff", f, "retries at once, without a wait"))
	case f.Backoff != finding.BackoffUnknown && f.Backoff != finding.BackoffServer && f.Jitter == finding.No:
		out = append(out, newAdvice("missing-jitter", f, "%s wait without a random part", f.Backoff))
	}
	return out
}

// nested finds retries in one call path: one inside the lines of another, or
// one in the function that another one repeats.
func nested(live []finding.Finding) (out []Advice) {
	byFunction := map[string][]*finding.Finding{}
	for i := range live {
		f := &live[i]
		if f.Function != "" {
			byFunction[f.Language+" "+f.Function] = append(byFunction[f.Language+" "+f.Function], f)
		}
	}
	for i := range live {
		outer := &live[i]
		for j := range live {
			inner := &live[j]
			if i != j && outer.Path == inner.Path && inner.Line > outer.Line && inner.SpanEnd <= outer.SpanEnd && differs(outer, inner) {
				out = append(out, nestedAdvice(outer, inner))
			}
		}
		if outer.Operation == "" || outer.Operation == outer.Function || generic[strings.ToLower(outer.Operation)] {
			continue
		}
		// A name that several functions share says too little.
		if inner := byFunction[outer.Language+" "+outer.Operation]; len(inner) == 1 {
			out = append(out, nestedAdvice(outer, inner[0]))
		}
	}
	return out
}

// generic are names that unrelated functions share.
var generic = map[string]bool{"get": true, "do": true, "run": true, "call": true, "send": true, "execute": true, "request": true, "fetch": true,
	"open": true, "connect": true, "close": true, "read": true, "write": true, "put": true, "post": true, "fn": true, "f": true, "func": true,
	"apply": true, "invoke": true, "start": true, "update": true, "delete": true, "list": true, "create": true, "query": true, "exec": true, "process": true}

// differs rules out two readings of one retry.
func differs(a, b *finding.Finding) bool {
	ra, rb := RowOf(*a), RowOf(*b)
	return !sameConstruct(&ra, &rb)
}

func nestedAdvice(outer, inner *finding.Finding) Advice {
	where := fmt.Sprintf("%s:%d", inner.Path, inner.Line)
	if outer.TotalAttempts > 1 && inner.TotalAttempts > 1 {
		return newAdvice("nested-retries", outer, "retries what already retries at %s: up to %d x %d = %d attempts", where, outer.TotalAttempts, inner.TotalAttempts, outer.TotalAttempts*inner.TotalAttempts)
	}
	return newAdvice("nested-retries", outer, "retries what already retries at %s: attempts multiply", where)
}

// Fails says whether any advice reaches a severity.
func Fails(list []Advice, severity string) bool {
	for _, a := range list {
		if severityRank[a.Severity] >= severityRank[severity] {
			return true
		}
	}
	return false
}

// ValidSeverity says whether a text is a severity or "none".
func ValidSeverity(s string) bool { return severityRank[s] > 0 }
