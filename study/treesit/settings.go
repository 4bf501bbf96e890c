//go:build cgo

package treesit

import (
	"math"
	"path"
	"strings"

	"retrylab/study/finding"
)

// settings looks at defaults that configure retries elsewhere: dictionaries with
// a policy, class attributes, keyword arguments, defaults of constructors,
// constants nobody in the file uses up, and members that are set.
func (s *scan) settings() {
	s.u.root.walk(func(n *node) bool {
		switch n.op {
		case opStr, opBinary:
			return !s.serviceConfig(n)
		case opDict:
			s.policy(n)
		case opAssign:
			s.assigned(n)
		case opArg:
			s.keyword(n)
		case opParam:
			s.parameter(n)
		case opCall:
			s.setter(n)
		}
		return true
	})
}

// setting is one number that configures retries.
type setting struct {
	name  string // as other code or the reader knows it
	at    *node
	value *node
	// scope holds the neighbours that may give the wait.
	scope []pair
	note  string
	// bare: without a neighbouring wait there is none, rather than an unknown one.
	bare bool
}

type pair struct {
	name  string
	value *node
}

// report records a setting unless something else already explains it.
func (s *scan) report(st setting) {
	if st.value == nil || s.covered(st.at) || s.noBound(st) {
		return
	}
	v := s.settingValue(st.value)
	if v.kind != vNum || v.flags&fHole != 0 {
		return
	}
	if v.flags&fRuntime != 0 && (st.name == "retries" || st.name == "attempts") {
		return // the current number of retries rather than a bound
	}
	row := &api{API: finding.API{
		Name: st.name, Mechanism: finding.MechLibrary, Rule: finding.RuleSetting, DefaultUnknown: true,
		Count: finding.CountRule{Total: totalName(st.name), Unlimited: []int64{-1}}, Backoff: finding.BackoffUnknown, Jitter: finding.No,
	}, withBase: finding.BackoffConstant}
	if st.bare {
		row.Backoff = finding.BackoffNone
	}
	t := &site{s: s, row: row, call: st.at, w: newWorld(s.u, s.load, static), given: map[string]*node{}}
	t.f = row.New(st.at.line, max(st.at.end, st.at.line))
	t.f.Confidence, t.f.Note, t.f.Function = finding.Medium, st.note, function(st.at)
	t.policy = strings.HasPrefix(st.note, "policy ")
	for _, p := range st.scope {
		t.neighbour(p)
	}
	t.count(v)
	t.settle()
	s.known(st, t)
	s.add(t.f)
}

// neighbour reads a setting beside the count: a wait, its growth, its randomness.
func (t *site) neighbour(p pair) {
	has := map[string]bool{}
	for _, w := range splitWords(p.name) {
		has[w] = true
	}
	timing := has["delay"] || has["wait"] || has["interval"] || has["backoff"] || has["sleep"] || has["timeout"]
	retry := has["retry"] || has["retries"] || has["reconnect"] || has["backoff"] || t.policy
	v := t.s.settingValue(p.value)
	switch {
	case v.kind == vStr && (has["strategy"] || has["type"] || has["backoff"] || has["policy"]):
		t.named(v.str)
	case has["jitter"] || has["randomize"] || has["randomization"]:
		t.jitter(v)
	case has["factor"] || has["multiplier"] || has["exponent"]:
		if v.kind == vNum {
			t.factor = v.num
		}
	case timing && (has["max"] || has["maximum"] || has["cap"] || has["limit"]):
		if v.kind == vNum && v.flags&fHole == 0 {
			t.f.Cap = seconds(t.seconds(v))
		}
	case has["interval"] && has["step"]:
		if v.kind == vNum && v.num != 0 {
			t.f.Backoff, t.explicit = finding.BackoffLinear, true
		}
	case timing && retry && !has["timeout"] || p.name == "delay" || p.name == "minTimeout":
		if v.kind == vNum && v.num > 0 {
			t.hasBase, t.base = true, v.num
			if v.flags&fHole == 0 {
				t.f.Base = seconds(t.seconds(v))
			}
		}
	}
}

// named reads the shape of the wait from a word: delayStrategy: "exponential".
func (t *site) named(word string) {
	low := strings.ToLower(word)
	switch {
	case strings.Contains(low, "expo"):
		t.f.Backoff, t.explicit = finding.BackoffExponential, true
	case strings.Contains(low, "linear"):
		t.f.Backoff, t.explicit = finding.BackoffLinear, true
	case strings.Contains(low, "fixed") || strings.Contains(low, "constant"):
		t.f.Backoff, t.explicit = finding.BackoffConstant, true
	}
}

// covered: a finding already spans the line.
func (s *scan) covered(n *node) bool {
	for i := range s.found {
		f := &s.found[i]
		if n.line >= f.Line && n.line <= f.SpanEnd {
			return true
		}
	}
	return false
}

// settingValue is a number, also behind an option object: Option(3, type="int"),
// IntParameter(default=3), float("inf").
func (s *scan) settingValue(n *node) value {
	if n == nil {
		return unknown(0)
	}
	w := newWorld(s.u, s.load, static)
	v := w.eval(n, nil)
	if v.kind == vNum {
		if math.IsInf(v.num, 1) {
			v.num = finding.Huge
		}
		return v
	}
	if n.op == opCall && holdsDefault(n) {
		for _, a := range []*node{n.arg("default"), n.arg("default_value"), n.pos(0)} {
			if a == nil {
				continue
			}
			if x := w.eval(a, nil); x.kind == vNum {
				if math.IsInf(x.num, 1) {
					x.num = finding.Huge
				}
				return x
			}
		}
	}
	return v
}

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

// knownSetting is a setting whose library is known by its name.
type knownSetting struct {
	name, module string // module "" = any
	backoff      string
	jitter       string
	base, cap    float64
	lang         string
}

var knownSettings = []knownSetting{
	{name: "broker_connection_max_retries", backoff: finding.BackoffLinear, jitter: finding.No, base: 2, cap: 30, lang: finding.LangPython},
	{name: "result_backend_max_retries", backoff: finding.BackoffExponential, jitter: finding.Yes, base: 0.01, cap: 10, lang: finding.LangPython},
	{name: "maxReconnectAttempts", module: "nats", backoff: finding.BackoffConstant, jitter: finding.Yes, base: 2, lang: finding.LangJavaScript},
	{name: "max_reconnect_attempts", module: "nats", backoff: finding.BackoffConstant, jitter: finding.No, base: 2, lang: finding.LangPython},
}

// known fills in the wait of settings known by name.
func (s *scan) known(st setting, t *site) {
	for _, k := range knownSettings {
		if k.name == st.name && (k.lang == s.u.lang.name || k.lang == finding.LangJavaScript && s.u.lang.js) && (k.module == "" || s.importsAny(k.module)) {
			t.f.Backoff, t.f.Jitter, t.f.JitterSource = k.backoff, k.jitter, finding.SourceDefault
			t.f.Base, t.f.Cap = secs(k.base), secs(k.cap)
			return
		}
	}
	// The mapping called a retry policy in Python is kombu's: linear by default.
	if s.u.lang.name == finding.LangPython && strings.HasPrefix(st.note, "policy ") && strings.Contains(strings.ToLower(st.note), "retry_policy") &&
		!t.hasBase && !t.explicit && st.name == "max_retries" {
		t.f.Backoff, t.f.Base, t.f.Cap = finding.BackoffLinear, secs(2), secs(30)
	}
}
