//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// noBound: a setting whose name is that of a bound on retries although it bounds
// none: a limit on callers or on polling, an event or log line that tells about
// a try, a counter that moves, a value that is only handed on, one of a list of
// codes.
func (s *scan) noBound(st setting) bool {
	if guardsCallers(st) || tells(st.at) || counts(st) || handedOn(st) || enumerated(st.at) {
		return true
	}
	holder := strings.ToLower(holderName(st.at))
	return strings.Contains(holder, "waiter") || finding.PollWord(holder)
}

// guardsCallers: limits on how often a caller may try (log-in, rate limits),
// which speak of windows and blocking rather than of waits.
func guardsCallers(st setting) bool {
	words := []string{"ratelimit", "rate_limit", "login", "lockout", "throttl", "bruteforce", "brute_force", "captcha"}
	speaks := func(n *node) bool {
		found := false
		n.walk(func(k *node) bool {
			low := strings.ToLower(k.name)
			for _, w := range words {
				found = found || strings.Contains(low, w)
			}
			return !found
		})
		return found
	}
	if speaks(st.value) {
		return true
	}
	holder := &node{op: opName, name: holderName(st.at)}
	if p := st.at.up(opPair); p != nil {
		holder.name += " " + p.name
	}
	if speaks(holder) {
		return true
	}
	for _, p := range st.scope {
		if st.at.op == opPair && speaks(&node{op: opName, name: p.name}) {
			return true
		}
	}
	return false
}

// tells: the setting is part of what a call logs, emits or reports.
func tells(at *node) bool {
	for p, child := at.parent, at; p != nil && p.op != opBlock && p.op != opFunc; p, child = p.parent, p {
		if p.op == opArg || p.op == opPair || p.op == opAssign && child == p.b {
			for _, w := range splitWords(nameOf(p)) {
				switch w {
				case "details", "extra", "payload", "event", "metadata", "labels", "tags", "attributes", "stats", "metrics", "message", "msg", "example", "examples":
					return true
				}
			}
		}
		if p.op != opCall || p.a == nil || p.a == child {
			continue
		}
		low := strings.ToLower(p.a.last())
		for _, stem := range []string{"emit", "log", "report", "event", "notify", "telemetry", "metric", "format"} {
			if strings.Contains(low, stem) && low != "login" {
				return true
			}
		}
		switch low {
		case "debug", "info", "warn", "warning", "error", "trace", "publish", "track", "print", "printf", "println":
			return true
		}
	}
	return false
}

func nameOf(n *node) string {
	if n.op == opAssign {
		return n.a.last()
	}
	return n.name
}

// counts: the value is a counter's next value, n + 1.
func counts(st setting) bool {
	v := st.value
	if v.op == opUnary || v.op == opAssign {
		return v.op == opAssign && stepping(v.name)
	}
	if v.op != opBinary || v.name != "+" && v.name != "-" {
		return false
	}
	return v.a != nil && v.b != nil && v.b.op == opNum && strings.EqualFold(v.a.last(), st.name)
}

// handedOn: a member is given the parameter or variable of its own name: where
// that gets its value is the setting.
func handedOn(st setting) bool {
	if st.note != "member" || st.value.op != opName {
		return false
	}
	plain := strings.NewReplacer("_", "", "#", "")
	return strings.EqualFold(plain.Replace(st.value.name), plain.Replace(st.name))
}

// enumerated: one of a row of constants with successive values, which are codes.
func enumerated(at *node) bool {
	if at.op != opAssign || at.parent == nil {
		return false
	}
	near := at.parent.list
	number := func(i int) (float64, bool) {
		if i < 0 || i >= len(near) || near[i].op != opAssign || near[i].b == nil || near[i].b.op != opNum {
			return 0, false
		}
		v := literal(near[i].b.name)
		return v.num, v.kind == vNum
	}
	for i, k := range near {
		if k != at {
			continue
		}
		x, ok := number(i)
		before, has1 := number(i - 1)
		after, has2 := number(i + 1)
		return ok && has1 && has2 && before == x-1 && after == x+1
	}
	return false
}

// holdsDefault: calls that make an option out of its default value: Option(3),
// Field(default=3), number().default(3), and conversions of numbers.
func holdsDefault(n *node) bool {
	name := n.a.last()
	if n.arg("default") != nil || n.arg("default_value") != nil || upperName(name) {
		return true
	}
	switch name {
	case "default", "withDefault", "defaultValue", "int", "float", "positiveInt", "valueOf", "parseInt", "env", "config", "getenv", "get", "field", "option", "number", "setting":
		return true
	}
	return false
}
