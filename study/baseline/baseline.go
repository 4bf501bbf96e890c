// Package baseline re-creates the detector behind the paper's numbers from the
// published facts about it, so that its recall and its field accuracy can be
// measured on the same labels as ours. It matches text, not syntax, and keeps
// the original's behaviour where that is known to be wrong: that is its purpose.
package baseline

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"retrylab/study/finding"
)

// Detector is the paper's detector as a finding.Detector.
type Detector struct {
	// AllPaths leaves out the path filter, which drops whole repositories by
	// name (any path that contains test, dist, vendor or .git).
	AllPaths bool
}

// pattern is one expression tied to file extensions; group 1, when there is one,
// is the retry count.
type pattern struct {
	name string
	exts string
	re   *regexp.Regexp
}

func must(name, exts, re string) pattern {
	return pattern{name, exts, regexp.MustCompile(`(?i)` + re)}
}

// patterns follow the description of the sixteen: five for Python or any
// language, four for Go, four for Java, three for JavaScript.
var patterns = []pattern{
	must("retry decorator", ".py", `@retry\(`),
	must("urllib3 Retry", ".py", `Retry\(\s*total\s*=\s*(\d+)`),
	must("backoff decorator", ".py", `@backoff\.on_(?:exception|predicate)`),
	must("tenacity", ".py", `tenacity\.\w+`),
	must("max_retries", ".py .go .java .js .ts", `max_?retries\s*[:=]+\s*(\d+)`),
	must("RetryMax", ".go", `RetryMax\s*[:=]+\s*(\d+)`),
	must("Retry struct", ".go", `Retry\w*\{[^}]*Max\w*:\s*(\d+)`),
	must("backoff.Retry", ".go", `backoff\.Retry`),
	must("ExponentialBackoff", ".go", `ExponentialBackoff`),
	must("Retryable annotation", ".java", `@Retryable`),
	must("RetryTemplate", ".java", `RetryTemplate`),
	must("Retry.of", ".java", `Retry\.of\(`),
	must("maxAttempts", ".java", `maxAttempts\s*=\s*(\d+)`),
	must("axios-retry", ".js .ts", `axios-?retry`),
	must("retries", ".js .ts", `retries\s*:\s*(\d+)`),
	must("got limit", ".js .ts", `retry\s*:\s*\{[^}]*limit\s*:\s*(\d+)`),
}

// Name is "baseline".
func (Detector) Name() string { return "baseline" }

// Wants applies the extensions and the path filter on substrings.
func (d Detector) Wants(p string) bool {
	known := false
	for _, x := range patterns {
		known = known || strings.Contains(x.exts+" ", path.Ext(p)+" ") && path.Ext(p) != ""
	}
	low := strings.ToLower(p)
	filtered := strings.Contains(low, "test") || strings.Contains(low, "dist") || strings.Contains(low, "vendor") || strings.Contains(low, ".git")
	return known && (d.AllPaths || !filtered)
}

// window is how far around a match the wait's keywords are looked for.
const window = 200

// Scan matches every pattern; a file without the letters "retry" is passed over
// (so one that only says "retries" is, too).
func (d Detector) Scan(f *finding.File) ([]finding.Finding, error) {
	repo := strings.ToLower(f.Repo)
	if !d.AllPaths && (strings.Contains(repo, "test") || strings.Contains(repo, "dist") || strings.Contains(repo, "vendor")) {
		return nil, nil
	}
	text := string(f.Text)
	if !strings.Contains(strings.ToLower(text), "retry") {
		return nil, nil
	}
	var out []finding.Finding
	ext := path.Ext(f.Path)
	for _, p := range patterns {
		if !strings.Contains(p.exts+" ", ext+" ") {
			continue
		}
		for _, m := range p.re.FindAllStringSubmatchIndex(text, -1) {
			out = append(out, hit(text, p, m))
		}
	}
	return out, nil
}

func hit(text string, p pattern, m []int) finding.Finding {
	line := 1 + strings.Count(text[:m[0]], "\n")
	f := finding.Finding{Line: line, SpanEnd: line, API: p.name, Mechanism: finding.MechLibrary, Rule: "paper-pattern", Jitter: finding.No, Backoff: finding.BackoffNone}
	if len(m) > 3 && m[2] >= 0 {
		// The original keeps the number as it stands and calls it the maximum.
		if n, err := strconv.ParseInt(text[m[2]:m[3]], 10, 64); err == nil {
			f.TotalAttempts, f.Bound, f.CountSource = n, finding.BoundCount, finding.SourceLiteral
		}
	}
	around := strings.ToLower(text[max(0, m[0]-window):min(len(text), m[1]+window)])
	switch {
	case strings.Contains(around, "exponential"):
		f.Backoff = finding.BackoffExponential
	case strings.Contains(around, "backoff") || strings.Contains(around, "delay") || strings.Contains(around, "wait"):
		f.Backoff = finding.BackoffLinear
	}
	return f
}
