//go:build cgo

package treesit

import (
	"sort"
	"strings"

	"retrylab/study/finding"
)

func sortStrings(s []string) { sort.Strings(s) }

// series tells the shape of a wait that is a function of the attempt: a lambda
// or function (attempt => 100 * attempt), or an expression over a counter of
// retries (2 ** self.request.retries).
func (s *scan) series(n *node) wait {
	var delays []value
	for i := 1; i <= stretchDelays; i++ {
		w := newWorld(s.u, s.load, failing)
		w.vary = float64(i)
		v := w.eval(n, nil)
		if v.kind == vFunc {
			v = w.applyAttempt(v, float64(i))
		}
		delays = append(delays, inSeconds(v, s.u.lang.waitUnit))
	}
	return series(delays)
}

// applyAttempt calls a wait function with the attempt for every parameter it has.
func (w *world) applyAttempt(f value, attempt float64) value {
	args := make([]value, len(f.node.list))
	for i, p := range f.node.list {
		args[i] = number(attempt, 0)
		if errorName(p.name) {
			args[i] = unknown(0)
		}
	}
	return w.invoke(f, args)
}

// varied is the stand-in attempt for a name that counts retries.
func (w *world) varied(name string) (value, bool) {
	if w.vary > 0 && (finding.RetryWord(name) || strings.HasSuffix(name, "_try")) && !limitName(name) {
		return number(w.vary, 0), true
	}
	return value{}, false
}

// limitName: names of bounds, which do not count attempts themselves.
func limitName(name string) bool {
	for _, k := range splitWords(name) {
		switch k {
		case "max", "maximum", "limit", "num", "total", "wait", "delay", "interval", "backoff", "timeout", "policy", "config", "base", "factor", "sleep", "after", "jitter":
			return true
		}
	}
	return false
}
