//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// inlines looks for a second try written out: the handler of a failure makes the
// very call that failed, with the same arguments.
func (s *scan) inlines() {
	s.u.root.walk(func(t *node) bool {
		if t.op == opTry {
			for _, h := range t.list {
				if !mismatch(h) {
					s.inline(t, t.a, h.a, h)
				}
			}
		}
		if t.op == opCall && t.a != nil && t.a.op == opMember && t.a.name == "catch" && len(t.list) == 1 && t.list[0].op == opFunc {
			s.inline(t, t.a.a, t.list[0].a, t.list[0])
		}
		return true
	})
}

// mismatch: handlers that adapt to another version, type or form of data do not
// try again.
func mismatch(h *node) bool {
	for _, t := range h.list {
		kinds := []*node{t}
		if t.op == opList {
			kinds = t.list
		}
		for _, k := range kinds {
			if mismatchError(k.last()) {
				return true
			}
		}
	}
	return false
}

func mismatchError(name string) bool {
	switch name {
	case "ImportError", "ModuleNotFoundError", "TypeError", "AttributeError", "NameError", "SyntaxError", "KeyError", "IndexError", "ValueError", "LookupError", "ClassCastException", "NoSuchMethodError":
		return true
	}
	for _, word := range []string{"Validation", "Mismatch", "Decode", "Encode", "Format", "Parse", "Parsing"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

func (s *scan) inline(t, body, handler, region *node) {
	if body == nil || handler == nil || s.insideTaken(t) || t.up(opLoop) != nil && s.taken[t.up(opLoop)] {
		return
	}
	for p := t; p != nil; p = p.parent {
		if s.taken[p] {
			return
		}
	}
	var first, second *node
	body.walkHere(func(k *node) bool {
		if k.op == opCall && first == nil && callScore(k) >= 2 && !arranges(k) && !s.afterFailure(k, body) && k.name != "new" && (len(k.list) > 0 || callScore(k) >= 4) && k.a.op != opFunc {
			handler.walkHere(func(h *node) bool {
				if h.op == opCall && second == nil && same(h, k) && !cleanup(h) && triesAgain(h, k, handler) {
					first, second = k, h
				}
				return second == nil
			})
		}
		return first == nil
	})
	if second == nil || s.scope(first) == finding.ScopeLocal || !sameRole(first, second) && !speaksOfRetry(region) {
		return
	}
	w := newWorld(s.u, s.load, failing)
	w.ops = map[*node]bool{}
	e := w.prelude(t)
	w.exec(handler, newEnv(e, nil))
	f := finding.Finding{
		Line: region.line, SpanEnd: region.end, Mechanism: finding.MechHandRolled, Form: finding.FormInline, Rule: finding.RuleInline,
		Confidence: finding.Medium, Scope: s.scope(first), Function: function(t), Operation: first.a.last(),
	}
	if callScore(first) < 4 && !speaksOfRetry(t) && !finding.RetryWord(f.Function) {
		f.Confidence = finding.Low
	}
	if t.op == opTry {
		f.Failures = failures(t)
	}
	f.SetTotal(2, finding.SourceLiteral)
	series(w.delays).apply(&f)
	s.add(f)
}

// triesAgain: the call h in a handler does the same as k did. It is a step of
// its own there, not an argument (of a log line, say) or part of a failure, and
// nothing it is given was changed in between: then it would try something else.
func triesAgain(h, k, handler *node) bool {
	for p, child := h.parent, h; p != nil && child != handler; p, child = p.parent, p {
		switch p.op {
		case opCall:
			if p.a != child {
				return false
			}
		case opThrow, opLoop, opDict:
			return false
		}
	}
	args := map[string]bool{}
	for _, a := range h.list {
		a.walk(func(x *node) bool {
			if x.op == opName {
				args[x.name] = true
			}
			return x.op != opFunc
		})
	}
	return !changed(args, handler, h)
}

// changed: one of the names is assigned, or something inside it is, between the
// start of a region and a later node.
func changed(names map[string]bool, region, until *node) bool {
	hit, over := false, false
	region.walkHere(func(x *node) bool {
		over = over || x == until
		if x.op == opCall && x.a != nil && x.a.op == opMember && x.a.a != nil && x.a.a.op == opName && names[x.a.a.name] && !over && !until.within(x) {
			switch x.a.name {
			case "clear", "delete", "pop", "remove", "push", "append", "update", "set", "put", "add", "extend":
				hit = true
			}
		}
		if x.op == opAssign && x.a != nil && !over && !until.within(x) {
			target := x.a
			for target.op == opMember || target.op == opIndex {
				target = target.a
				if target == nil {
					return true
				}
			}
			target.walk(func(t *node) bool {
				hit = hit || t.op == opName && names[t.name] && !isSelf(t)
				return true
			})
		}
		return !hit && !over
	})
	return hit
}

// arranges: calls that arrange for a later try, or make a new thing from nothing,
// are not what failed.
func arranges(k *node) bool {
	low := strings.ToLower(k.a.last())
	if strings.Contains(low, "retry") || strings.Contains(low, "schedule") || strings.Contains(low, "queue") {
		return true
	}
	if len(k.list) > 0 {
		return false
	}
	for _, stem := range []string{"create", "make", "build", "new", "default", "begin", "_begin"} {
		if strings.HasPrefix(low, stem) {
			return true
		}
	}
	return false
}

// afterFailure: the call in the body already answers a failure there.
func (s *scan) afterFailure(k, body *node) bool {
	r := s.region(k, body, 0)
	return r != nil && r.within(body)
}

// sameRole: both results go the same way: returned, or given to the same variable.
func sameRole(x, y *node) bool {
	px, py := x.parent, y.parent
	switch {
	case px == nil || py == nil || px.op != py.op:
		return false
	case px.op == opReturn:
		return true
	case px.op == opAssign:
		return same(px.a, py.a)
	}
	return false
}

// cleanup: calls that appear in both places because both must tidy up.
func cleanup(k *node) bool {
	low := strings.ToLower(k.a.last())
	for _, c := range []string{"close", "rollback", "release", "unlock", "cancel", "stop", "shutdown", "cleanup", "clean_up", "remove", "unlink", "reset", "set", "finish", "put_nowait", "done", "kill", "terminate", "dispose", "destroy", "add", "update", "record", "callback", "cb", "next", "render", "setstate", "get"} {
		if low == c || strings.HasPrefix(low, "close") || strings.HasPrefix(low, "set_") || strings.HasPrefix(low, "notify") || strings.HasPrefix(low, "_set") || strings.HasPrefix(low, "get") || strings.HasPrefix(low, "put_") || strings.HasPrefix(low, "add") || strings.HasPrefix(low, "is") {
			return true
		}
	}
	return false
}
