package study_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"retrylab/study"
	"retrylab/study/finding"
)

func found(path string, line, end int, change func(*finding.Finding)) finding.Finding {
	f := finding.Finding{Path: path, Line: line, SpanEnd: end, Language: "go", Rule: finding.RuleLoop, Mechanism: finding.MechHandRolled, Form: finding.FormLoop,
		TotalAttempts: 3, Bound: finding.BoundCount, Backoff: finding.BackoffExponential, Jitter: finding.Yes, Production: true, Scope: finding.ScopeRemote, Confidence: finding.High}
	change(&f)
	return f
}

func ids(list []study.Advice) string {
	var out []string
	for _, a := range list {
		out = append(out, fmt.Sprintf("%s:%d %s", a.Finding.Path, a.Finding.Line, a.Rule.ID))
	}
	return strings.Join(out, ", ")
}

func TestAdvice(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*finding.Finding)
		want   string
	}{
		"nothing to say":       {func(*finding.Finding) {}, ""},
		"six attempts":         {func(f *finding.Finding) { f.TotalAttempts = 6 }, "a.go:1 many-attempts"},
		"no wait":              {func(f *finding.Finding) { f.Backoff, f.Jitter = "none", "no" }, "a.go:1 no-backoff"},
		"no jitter":            {func(f *finding.Finding) { f.Jitter = "no" }, "a.go:1 missing-jitter"},
		"jitter not known":     {func(f *finding.Finding) { f.Jitter = "unknown" }, ""},
		"no jitter, local":     {func(f *finding.Finding) { f.Jitter, f.Scope = "no", "local" }, ""},
		"for ever":             {func(f *finding.Finding) { f.SetUnlimited(finding.BoundNone, "") }, "a.go:1 unbounded"},
		"until a deadline":     {func(f *finding.Finding) { f.SetUnlimited(finding.BoundDeadline, "") }, ""},
		"not production":       {func(f *finding.Finding) { f.TotalAttempts, f.Production = 9, false }, ""},
		"switched off":         {func(f *finding.Finding) { f.Backoff, f.Disabled = "none", true }, ""},
		"unsure":               {func(f *finding.Finding) { f.TotalAttempts, f.Confidence = 9, "low" }, ""},
		"server says how long": {func(f *finding.Finding) { f.Backoff, f.Jitter = "server-driven", "no" }, ""},
	} {
		if got := ids(study.Advise([]finding.Finding{found("a.go", 1, 5, c.change)})); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestNestedRetries(t *testing.T) {
	nop := func(*finding.Finding) {}
	inside := []finding.Finding{found("a.go", 1, 20, nop), found("a.go", 5, 9, func(f *finding.Finding) { f.TotalAttempts = 4 })}
	got := study.Advise(inside)
	if ids(got) != "a.go:1 nested-retries" || !strings.Contains(got[0].Message, "3 x 4 = 12") {
		t.Errorf("one inside the other: %q", ids(got))
	}
	calls := []finding.Finding{
		found("a.go", 1, 9, func(f *finding.Finding) { f.Operation = "loadUser" }),
		found("b.go", 1, 9, func(f *finding.Finding) { f.Function = "loadUser" }),
		found("c.go", 1, 9, func(f *finding.Finding) { f.Operation = "get" }),
		found("d.go", 1, 9, func(f *finding.Finding) { f.Function = "get" }),
	}
	if got := ids(study.Advise(calls)); got != "a.go:1 nested-retries" {
		t.Errorf("one calls the other: %q", got)
	}
	side := []finding.Finding{found("a.go", 1, 4, nop), found("a.go", 6, 9, nop)}
	if got := ids(study.Advise(side)); got != "" {
		t.Errorf("side by side: %q", got)
	}
}

func TestIgnores(t *testing.T) {
	list := study.Advise([]finding.Finding{
		found("gen/a.go", 1, 5, func(f *finding.Finding) { f.TotalAttempts = 9 }),
		found("b.go", 2, 5, func(f *finding.Finding) { f.TotalAttempts, f.Jitter = 9, "no" }),
		found("c.go", 3, 5, func(f *finding.Finding) { f.TotalAttempts = 9 }),
	})
	text := map[string]string{"b.go": "// retrylab:ignore many-attempts\nfor {\n", "c.go": "x\n\nfor { // retrylab:ignore the broker needs it\n"}
	read := func(p string) ([]byte, error) {
		if s, has := text[p]; has {
			return []byte(s), nil
		}
		return nil, errors.New("no such file")
	}
	ig, err := study.ParseIgnores("x", []byte("# made by a tool\ngen/ many-attempts\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(ig.Filter(list, read)); got != "b.go:2 missing-jitter" {
		t.Errorf("left %q", got)
	}
	if _, err := study.ParseIgnores("f", []byte("[ bad\nx.go no-such-rule\n")); err == nil || !strings.Contains(err.Error(), "f:1") || !strings.Contains(err.Error(), "f:2") {
		t.Errorf("error %v, want both lines", err)
	}
}

func TestFailOn(t *testing.T) {
	list := study.Advise([]finding.Finding{found("a.go", 1, 5, func(f *finding.Finding) { f.TotalAttempts = 9 })})
	for sev, want := range map[string]bool{"note": true, "warning": true, "error": false, "none": false} {
		if study.Fails(list, sev) != want {
			t.Errorf("--fail-on %s: %v", sev, !want)
		}
	}
	if study.ValidSeverity("fatal") || !study.ValidSeverity("none") {
		t.Error("ValidSeverity")
	}
}

// The structure that SARIF 2.1.0 requires, checked property by property against
// its schema: required properties, allowed values, no unknown properties.
func TestSARIFStructure(t *testing.T) {
	list := study.Advise([]finding.Finding{found("dir x/a%.go", 3, 5, func(f *finding.Finding) { f.TotalAttempts = 9 })})
	var b bytes.Buffer
	if err := study.WriteSARIF(&b, list, []string{"left out"}, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	var log map[string]any
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	keys(t, "log", log, "$schema version runs", "version runs")
	if log["version"] != "2.1.0" {
		t.Errorf("version %v", log["version"])
	}
	run := log["runs"].([]any)[0].(map[string]any)
	keys(t, "run", run, "tool invocations columnKind results", "tool")
	driver := run["tool"].(map[string]any)["driver"].(map[string]any)
	keys(t, "driver", driver, "name semanticVersion rules", "name")
	rules := driver["rules"].([]any)
	seen := map[string]bool{}
	for _, r := range rules {
		m := r.(map[string]any)
		keys(t, "rule", m, "id name shortDescription fullDescription help defaultConfiguration", "id")
		keys(t, "help", m["help"].(map[string]any), "text", "text")
		if seen[m["id"].(string)] {
			t.Errorf("rule %v twice", m["id"])
		}
		seen[m["id"].(string)] = true
		level(t, m["defaultConfiguration"].(map[string]any)["level"])
	}
	inv := run["invocations"].([]any)[0].(map[string]any)
	keys(t, "invocation", inv, "executionSuccessful toolExecutionNotifications", "executionSuccessful")
	keys(t, "notification", inv["toolExecutionNotifications"].([]any)[0].(map[string]any), "level message", "message")
	for _, r := range run["results"].([]any) {
		m := r.(map[string]any)
		keys(t, "result", m, "ruleId ruleIndex level message locations properties", "message")
		level(t, m["level"])
		i := int(m["ruleIndex"].(float64))
		if rules[i].(map[string]any)["id"] != m["ruleId"] {
			t.Errorf("ruleIndex %d is not %v", i, m["ruleId"])
		}
		p := m["locations"].([]any)[0].(map[string]any)["physicalLocation"].(map[string]any)
		keys(t, "physicalLocation", p, "artifactLocation region", "artifactLocation")
		u, err := url.Parse(p["artifactLocation"].(map[string]any)["uri"].(string))
		if err != nil || u.IsAbs() || u.Path != "dir x/a%.go" {
			t.Errorf("uri %v, %v", p, err)
		}
		region := p["region"].(map[string]any)
		if region["startLine"].(float64) != 3 || region["endLine"].(float64) != 5 {
			t.Errorf("region %v", region)
		}
	}
}

func keys(t *testing.T, what string, m map[string]any, allowed, required string) {
	t.Helper()
	for k := range m {
		if !strings.Contains(" "+allowed+" ", " "+k+" ") {
			t.Errorf("%s: unknown property %s", what, k)
		}
	}
	for k := range strings.FieldsSeq(required) {
		if _, has := m[k]; !has {
			t.Errorf("%s: property %s missing", what, k)
		}
	}
}

func level(t *testing.T, v any) {
	t.Helper()
	if v != "none" && v != "note" && v != "warning" && v != "error" {
		t.Errorf("level %v", v)
	}
}
