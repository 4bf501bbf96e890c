package confscan

import (
	"regexp"
	"strings"
	"time"

	"retrylab/study/finding"
)

var (
	fluentBuffer = regexp.MustCompile(`(?s)<buffer\b.*?</buffer>`)
	fluentKey    = regexp.MustCompile(`(?m)^[ \t]*(retry_\w+|disable_retry_limit)\b[ \t]*(\S*)`)
)

// fluentd finds the retry keys of output buffers in a log collector's
// configuration that is kept as text. Without a number the collector tries for 72
// hours, waits grow from a second and are randomised.
func (s *scan) fluentd(text string, line int) {
	if !strings.Contains(text, "<buffer") {
		return
	}
	for _, at := range fluentBuffer.FindAllStringIndex(text, -1) {
		body := text[at[0]:at[1]]
		keys := fluentKey.FindAllStringSubmatchIndex(body, -1)
		if keys == nil {
			continue
		}
		lineOf := func(i int) int { return line + strings.Count(text[:at[0]+i], "\n") }
		api := row("fluentd.buffer", conf, finding.RuleConfig, retries, 0, expo, time.Second, finding.Yes)
		api.DefaultUnlimited, api.DefaultBound = true, finding.BoundElapsed
		f := api.New(lineOf(keys[0][0]), lineOf(keys[len(keys)-1][1]))
		for _, k := range keys {
			fluentSetting(&f, body[k[2]:k[3]], body[k[4]:k[5]])
		}
		s.add(f)
	}
}

func fluentSetting(f *finding.Finding, key, value string) {
	off := isFalse(value)
	switch key {
	case "retry_forever", "disable_retry_limit":
		if !off {
			f.SetUnlimited(finding.BoundNone, finding.SourceLiteral)
		}
	case "retry_max_times", "retry_limit":
		if n, source, known := number(value); known {
			retries.Apply(f, n, source)
		}
	case "retry_type":
		if value == "periodic" {
			f.Backoff = cons
		}
	case "retry_wait":
		f.Base = wait(value, time.Second)
	case "retry_max_interval":
		f.Cap = wait(value, time.Second)
	case "retry_randomize":
		if off {
			f.Jitter, f.JitterSource = finding.No, finding.SourceLiteral
		}
	}
}
