//go:build cgo

package treesit

import (
	"strings"
	"unicode"
)

// splitWords splits an identifier of any style into lower-case words.
func splitWords(s string) []string {
	var out []string
	var cur strings.Builder
	flush := func() {
		if cur.Len() > 0 {
			out = append(out, strings.ToLower(cur.String()))
			cur.Reset()
		}
	}
	lower := false
	for _, r := range s {
		switch {
		case r == '_' || r == '-' || r == '.' || r == '$' || r == '#' || r == '@':
			flush()
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			flush()
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		cur.WriteRune(r)
	}
	flush()
	return out
}

// countName reports whether a name is that of a bound on retries: it speaks of
// retries, attempts, tries or reconnects, and ends in such a word or in a word of
// quantity. "TOO_MANY_RETRIES_TO_FETCH" and "retry_delay" are not.
func countName(s string) bool {
	words := splitWords(s)
	if len(words) == 0 {
		return false
	}
	retry, quantity := false, false
	for _, w := range words {
		switch w {
		case "retry", "retries", "retrying", "reconnect", "reconnects", "reconnection", "reconnections", "tries", "attempt", "attempts", "resend", "redelivery", "redeliveries":
			retry = true
		case "max", "maximum", "maximal", "num", "number", "count", "times", "limit", "total", "n", "default":
			quantity = true
		case "error", "errors", "key", "code", "login", "password", "many", "wait", "delay", "interval", "timeout", "backoff", "metric", "id", "time", "sleep", "between", "after", "failed",
			// thresholds, paces and things that are counted for other reasons
			"min", "minimum", "cooldown", "threshold", "inflight", "ivl", "poll", "polling", "rate", "ratelimit", "lockout", "auth", "signin", "logon",
			"without", "disable", "current", "state", "status", "remaining", "left", "captcha", "otp", "pin", "refresh", "trigger", "triggers", "spin", "used", "so", "alive", "ready", "writeable", "writable":
			return false
		}
	}
	switch last := words[len(words)-1]; last {
	case "retries", "reconnects":
		return true
	case "tries", "attempts":
		return len(words) > 1 && (quantity || words[len(words)-2] == "retry" || words[len(words)-2] == "reconnect")
	case "attempt", "retry", "reconnections", "redeliveries", "redelivery", "reconnect":
		return quantity && len(words) > 1
	case "count", "times", "limit", "number", "max", "num", "total":
		return retry && last != "total"
	}
	return false
}

// totalName: bounds by this name count the first attempt too.
func totalName(s string) bool {
	words := splitWords(s)
	for _, w := range words {
		if w == "retries" || w == "retry" || w == "reconnect" || w == "reconnects" || w == "reconnection" {
			return false
		}
	}
	for _, w := range words {
		if w == "tries" || w == "attempts" || w == "attempt" {
			return true
		}
	}
	return false
}
