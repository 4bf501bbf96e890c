//go:build cgo

package treesit

import (
	"path"
	"strings"

	"retrylab/study/finding"
)

// policy reads a dictionary that holds a retry policy.
func (s *scan) policy(d *node) {
	var count *node
	var scope []pair
	waits := 0
	for _, k := range d.list {
		if k.op != opPair || k.a == nil || k.name == "" {
			continue
		}
		p := finding.ParamOf(k.name)
		switch {
		case count == nil && p == finding.ParamCount && (countName(k.name) || k.name == "retries" || k.name == "attempts" || k.name == "tries"):
			count = k
			continue
		case p != finding.ParamNone && p != finding.ParamCount, strings.HasPrefix(k.name, "interval_"):
			waits++
		}
		scope = append(scope, pair{k.name, k.a})
	}
	if s.grpcDict(d) || count == nil || s.insideUse(d) || s.testRunner() {
		return
	}
	holder := holderName(d)
	if waits == 0 && !finding.RetryWord(holder) {
		if countName(count.name) { // one option among others
			s.report(setting{name: count.name, at: count, value: count.a, note: "option"})
		}
		return
	}
	st := setting{name: count.name, at: count, value: count.a, scope: scope, bare: true, note: "policy " + holder}
	if holder != "" {
		st.at = &node{op: opPair, line: d.line, end: d.end, parent: d.parent}
	}
	s.report(st)
}

// testRunner: configuration of a test runner, whose retries run tests again.
func (s *scan) testRunner() bool {
	for _, m := range []string{"playwright", "vitest", "jest", "cypress", "mocha", "@wdio", "testcafe"} {
		if s.importsAny(m) || s.u.lang.js && strings.HasPrefix(path.Base(s.u.path), m) {
			return true
		}
	}
	return false
}

// insideUse: the dictionary is an argument of a use already reported.
func (s *scan) insideUse(n *node) bool {
	for p := n.parent; p != nil && p.op != opBlock; p = p.parent {
		if p.op == opCall && s.taken[p] {
			return true
		}
	}
	return false
}

// holderName is the variable, key or argument a value is given to.
func holderName(n *node) string {
	for p := n.parent; p != nil; p = p.parent {
		switch p.op {
		case opPair, opArg:
			return p.name
		case opAssign:
			return p.a.last()
		case opBlock, opFunc, opDict:
			return ""
		}
	}
	return ""
}

// assigned reads class attributes, constants and members that are set.
func (s *scan) assigned(n *node) {
	if n.a == nil || n.b == nil || n.name != "=" {
		return
	}
	name := n.a.last()
	if n.a.op != opName && n.a.op != opMember || !countName(name) {
		return
	}
	scope := n.up(opFunc, opClass)
	st := setting{name: name, at: n, value: n.b}
	switch {
	case n.a.op == opMember:
		if scope != nil && scope.op == opFunc && !isSelf(n.a.a) && n.a.a.op == opName && s.u.lang.name == finding.LangPython && !s.importsAny(n.a.a.name) && n.b.op != opNum {
			return
		}
		if v := s.settingValue(n.b); v.kind != vNum || v.flags&fRuntime != 0 || v.num == 0 && !limitName(name) || s.usedUp(name) {
			return // no number, or a counter set to its start
		}
		st.note = "member"
	case scope != nil && scope.op == opClass:
		if s.usedUp(name) {
			return
		}
		st.note, st.bare, st.scope = "class attribute", true, classScope(scope)
	case scope == nil:
		if len(s.u.refs(name)) > 1 || strings.HasPrefix(name, "_") || s.usedUp(name) {
			return // used here: what uses it is the construct
		}
		st.note, st.bare = "constant", true
	default:
		return
	}
	s.report(st)
}

func classScope(c *node) []pair {
	var out []pair
	if c.a == nil {
		return nil
	}
	for _, k := range c.a.list {
		if k.op == opAssign && k.a != nil && k.b != nil {
			out = append(out, pair{k.a.last(), k.b})
		}
	}
	return out
}

// usedUp: the name is read inside a loop or by a reported use, which then is the
// construct, or was judged not to be a retry.
func (s *scan) usedUp(name string) bool {
	for _, r := range s.u.refs(name) {
		for p := r.parent; p != nil && p.op != opFunc; p = p.parent {
			if p.op == opLoop || p.op == opCall && s.taken[p] {
				return true
			}
		}
		if fn := r.up(opFunc); fn != nil && s.taken[fn] {
			return true
		}
	}
	return false
}

// keyword reads client(max_retries=3) for clients the table does not know.
func (s *scan) keyword(n *node) {
	call := n.parent
	if call == nil || call.op != opCall || s.taken[call] || helperCall(strings.ToLower(call.a.last()), strings.ToLower(call.a.path())) || !countName(n.name) || isMark(call) && s.u.lang.name != finding.LangJava {
		return
	}
	if f, ok := newWorld(s.u, s.load, static).callee(call, nil); ok && f.unit == s.u && (n.a == nil || n.a.op != opCall) {
		return // a helper of this file: its own construct is reported
	}
	st := setting{name: n.name, at: n, value: n.a, note: "keyword of " + call.a.last()}
	if outer := holderName(call); outer != "" && call.parent != nil && call.parent.op == opArg {
		st.name = outer + "_" + n.name
	}
	for _, k := range call.list {
		if k.op == opArg && k != n {
			st.scope = append(st.scope, pair{k.name, k.a})
		}
	}
	if n.a != nil && n.a.op == opCall { // connection_max_retries=Option(100)
		st.at = n
	}
	s.report(st)
}

// parameter reads defaults of constructors.
func (s *scan) parameter(p *node) {
	fn := p.up(opFunc)
	if fn == nil || fn.up(opClass) == nil || fn.name != "__init__" && fn.name != "<init>" {
		return
	}
	var scope []pair
	for _, q := range fn.list {
		scope = append(scope, pair{q.name, q.a})
	}
	look := func(name string, def, at *node) {
		if def != nil && countName(name) && !s.usedUp(name) {
			s.report(setting{name: name, at: at, value: def, bare: true, note: "default of a constructor", scope: nonNil(scope)})
		}
	}
	look(p.name, p.a, p)
	if p.b != nil {
		for _, k := range p.b.list {
			if k.op == opPair {
				look(k.name, k.b, k)
			}
		}
	}
}

func nonNil(list []pair) []pair {
	var out []pair
	for _, p := range list {
		if p.value != nil {
			out = append(out, p)
		}
	}
	return out
}

// setter reads options.setMaxRetries(3) and builder.maxRetries(3).
func (s *scan) setter(n *node) {
	if s.taken[n] || n.a == nil || n.a.op != opMember || len(n.list) != 1 || s.u.lang.name != finding.LangJava {
		return
	}
	name := n.a.name
	rest := name
	for _, p := range []string{"set", "with"} {
		if r, ok := strings.CutPrefix(name, p); ok && upperName(r) {
			rest = r
		}
	}
	if !countName(rest) || n.list[0].op == opFunc || n.list[0].op == opStr {
		return
	}
	if v := s.settingValue(n.list[0]); v.flags&fRuntime != 0 {
		return
	}
	s.report(setting{name: rest, at: n, value: n.list[0], note: "setter"})
}
