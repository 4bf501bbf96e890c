package confscan

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"retrylab/study/finding"
)

var (
	shellLoop  = regexp.MustCompile(`(?m)^\s*(until|while|for)\b([^\n;]*)`)
	shellSleep = regexp.MustCompile(`\bsleep\s+(\d+(?:\.\d+)?)`)
	shellCall  = regexp.MustCompile(`\b(curl|wget|nc|grpcurl|psql|mysql|mysqladmin|mongo|mongosh|redis-cli|pg_isready|kubectl|nslookup|dig|ping|ssh|aws|gcloud|az)\b`)
	shellCount = regexp.MustCompile(`(?:seq\s+(?:1\s+)?|\{1\.\.|-lt\s+"?|-le\s+"?|-gt\s+"?|-ge\s+"?)(\d+)`)
	shellLimit = regexp.MustCompile(`(?mi)^\s*(?:max_?(?:retries|attempts|tries)|retries|attempts)=["']?(\d+)`)
)

var (
	shellNumber = regexp.MustCompile(`(?m)^\s*(?:export\s+|local\s+)?([A-Za-z_]\w*)=["']?(\d+(?:\.\d+)?)["']?\s*$`)
	shellUse    = regexp.MustCompile(`"?\$\{?([A-Za-z_]\w*)(?::-(\d+))?\}?"?`)
)

// shellValues puts the numbers that a script gives its variables in their place.
func shellValues(text string) string {
	values := map[string]string{}
	for _, m := range shellNumber.FindAllStringSubmatch(text, -1) {
		if _, again := values[m[1]]; !again && m[2] != "0" && m[2] != "1" { // counters start so
			values[m[1]] = m[2]
		}
	}
	return shellUse.ReplaceAllStringFunc(text, func(use string) string {
		m := shellUse.FindStringSubmatch(use)
		if v, known := values[m[1]]; known {
			return v
		}
		if m[2] != "" {
			return m[2]
		}
		return use
	})
}

// shell finds loops in a script that call a dependency again until it answers,
// with a pause between.
func (s *scan) shell(text string, line int) {
	if !strings.Contains(text, "sleep") || !shellCall.MatchString(text) {
		return
	}
	text = shellValues(text)
	m := shellLoop.FindStringSubmatchIndex(text)
	if m == nil {
		return
	}
	head, word := text[m[4]:m[5]], text[m[2]:m[3]]
	end := strings.Index(text[m[0]:], "\ndone")
	if end < 0 {
		end = strings.LastIndex(text[m[0]:], "done")
	}
	if end < 0 {
		return
	}
	body := text[m[0] : m[0]+end]
	sleep := shellSleep.FindStringSubmatch(body)
	if sleep == nil || !shellCall.MatchString(body) || word == "while" && strings.TrimSpace(head) == "true" && !strings.Contains(body, "break") && !strings.Contains(body, "exit") {
		return
	}
	at := line + strings.Count(text[:m[0]], "\n")
	f := finding.Finding{
		Line: at, SpanEnd: at + strings.Count(body, "\n"), Mechanism: finding.MechHandRolled, Form: finding.FormLoop, Rule: finding.RuleShellLoop,
		API: "shell loop", Backoff: finding.BackoffConstant, Jitter: finding.No, JitterSource: finding.SourceFlow, Confidence: finding.Medium,
	}
	if x, err := strconv.ParseFloat(sleep[1], 64); err == nil && x < 1e6 {
		f.Base = time.Duration(x * float64(time.Second))
	}
	limit := shellCount.FindStringSubmatch(body)
	if limit == nil {
		limit = shellLimit.FindStringSubmatch(text)
	}
	f.SetUnlimited(finding.BoundNone, finding.SourceUnknown)
	if limit != nil {
		if n, err := strconv.ParseInt(limit[1], 10, 64); err == nil && n > 1 {
			f.SetTotal(n, finding.SourceLiteral)
		}
	}
	s.add(f)
}
