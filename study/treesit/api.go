//go:build cgo

package treesit

import (
	"math"
	"strings"

	"retrylab/study/finding"
)

// api is one row of a language's table: a library entry point, how its arguments
// are named, and its defaults (in the embedded row of the contract).
type api struct {
	finding.API
	// match lists "module|name" pairs: name is the last part of the callee, module
	// a part of the path it is imported from ("" = any). A leading "." marks a
	// method of an object whose type is not known.
	match string
	// args names the positional arguments in order; "-" is of no interest, and
	// "{" is a dictionary whose keys are read like keyword arguments.
	args string
	// params gives meanings to argument names where finding.ParamOf would err:
	// "total=count backoff_factor=base allowed=-".
	params string
	// unit is how many seconds a plain number stands for; 0 = the language's.
	unit float64
	// need lists arguments one of which must be given.
	need string
	// withBase and withFactor are the backoff kinds once a wait or a growth is given.
	withBase, withFactor string
	// nullUnlimited: None or null as the count means for ever.
	nullUnlimited bool
	// builder: arguments are the calls of a chain, RetryConfig.custom().maxAttempts(3).
	builder bool
	// special reads what does not fit these columns.
	special func(s *site)
}

// apiTable finds rows by the last part of a callee's name.
type apiTable struct {
	rows map[string][]apiMatch
}

type apiMatch struct {
	module string
	method bool
	row    *api
}

func newTable(rows []api) *apiTable {
	t := &apiTable{rows: map[string][]apiMatch{}}
	for i := range rows {
		r := &rows[i]
		if r.Mechanism == "" {
			r.Mechanism, r.Rule = finding.MechLibrary, finding.RuleLibrary
		}
		for _, m := range strings.Fields(r.match) {
			module, name, _ := strings.Cut(m, "|")
			method := strings.HasPrefix(name, ".")
			name = strings.TrimPrefix(name, ".")
			t.rows[name] = append(t.rows[name], apiMatch{module, method, r})
		}
	}
	return t
}

// site is one use of an API.
type site struct {
	s    *scan
	row  *api
	call *node // the call, or the bare decorator
	f    finding.Finding
	w    *world
	// given are the arguments by name.
	given map[string]*node
	// spread: a dictionary of unknown content was passed on.
	spread bool
	// mark: the use is a decorator or annotation.
	mark bool

	factor   float64
	base     float64
	hasBase  bool
	counted  bool
	elapsed  bool
	policy   bool // the arguments are a retry policy's own keys
	explicit bool // backoff kind was set by the special reader
}

// libraries looks at all calls and decorators.
func (s *scan) libraries() {
	s.u.root.walk(func(n *node) bool {
		for _, m := range n.marks {
			if m.op != opCall {
				s.use(&node{op: opCall, a: m, line: m.line, end: n.line, parent: m.parent}, true)
			}
		}
		if n.op == opCall && n.a != nil {
			s.use(n, isMark(n))
		}
		return true
	})
}

func isMark(n *node) bool {
	if n.parent == nil {
		return false
	}
	for _, m := range n.parent.marks {
		if m == n {
			return true
		}
	}
	return false
}

func (s *scan) use(n *node, mark bool) {
	row := s.match(n)
	if row == nil {
		if mark {
			s.ownDecorator(n)
		}
		return
	}
	t := &site{s: s, row: row, call: n, mark: mark, w: newWorld(s.u, s.load, static), given: map[string]*node{}}
	t.collect()
	if row.need != "" && !t.hasAny(row.need) {
		return
	}
	t.f = row.New(n.line, max(n.end, n.line))
	if mark {
		t.f.Mechanism, t.f.Rule = finding.MechDecorator, finding.RuleDecorator
	}
	t.f.Function = function(n)
	t.read()
	if row.special != nil {
		row.special(t)
	}
	t.settle()
	if t.f.Line > 0 {
		s.taken[n] = true
		s.add(t.f)
	}
}

func (t *site) hasAny(names string) bool {
	for _, name := range strings.Fields(names) {
		if t.given[name] != nil {
			return true
		}
	}
	return false
}

// match finds the row for a call by its imported path.
func (s *scan) match(n *node) *api {
	name := n.a.last()
	if n.a.op == opIndex {
		return nil
	}
	var rows []apiMatch
	table := s.u.lang.apis.rows
	if n.a.op == opName {
		if imp, ok := s.u.imports[name]; ok && imp.name != "" && imp.name != "default" {
			rows = table[imp.name] // under an alias
		} else if ok {
			rows = append(table["default"], table[name]...)
		}
	}
	if rows == nil {
		rows = table[name]
	}
	module, known := s.module(n.a)
	if len(rows) == 0 && n.name == "new" && strings.Contains(module, "@aws-sdk/client-") {
		rows = table["@aws-sdk/client"] // every service has a class of its own
	}
	if len(rows) == 0 {
		return nil
	}
	for _, r := range rows {
		switch {
		case r.method:
			if n.a.op == opMember && (r.module == "" || s.importsAny(strings.TrimPrefix(r.module, "^"))) {
				return r.row
			}
		case r.module == "":
			if _, own := s.u.classes()[name]; !own || known {
				return r.row
			}
		case known && fits(module, r.module):
			return r.row
		case n.a.op == opMember && n.a.a.last() == r.module: // RetryConfig.custom()
			return r.row
		case !known && s.starImports(strings.TrimPrefix(r.module, "^")):
			return r.row
		}
	}
	return nil
}

// fits: the wanted part is in the import path; "^" ties it to the start.
func fits(module, want string) bool {
	if top, ok := strings.CutPrefix(want, "^"); ok {
		rest, ok := strings.CutPrefix(module, top)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '/')
	}
	return strings.Contains(module, want)
}

// module is the import path behind a callee, without the callee's own name.
func (s *scan) module(n *node) (string, bool) {
	var parts []string
	root := n
	for root.op == opMember || root.op == opCall {
		if root.op == opMember {
			parts = append([]string{root.name}, parts...)
		}
		root = root.a
		if root == nil {
			return "", false
		}
	}
	if root.op != opName {
		return "", false
	}
	imp, ok := s.u.imports[root.name]
	if !ok {
		if rhs := s.u.globals[root.name]; rhs != nil && len(parts) == 0 && (rhs.op == opName || rhs.op == opMember) && rhs.last() != root.name {
			return s.module(rhs)
		}
		if s.u.lang.name == finding.LangJava && len(parts) > 1 { // spelled out: io.github...Retry.of
			return n.path(), true
		}
		return "", false
	}
	path := imp.module
	if len(parts) > 0 {
		if imp.name != "" {
			path += "." + imp.name
		}
		if parts = parts[:len(parts)-1]; len(parts) > 0 {
			path += "." + strings.Join(parts, ".")
		}
	}
	return path, true
}

func (s *scan) importsAny(module string) bool {
	for _, imp := range s.u.imports {
		if strings.Contains(imp.module+"."+imp.name, module) {
			return true
		}
	}
	for m := range s.u.modules {
		if strings.Contains(m, module) {
			return true
		}
	}
	return s.starImports(module)
}

func (s *scan) starImports(module string) bool {
	for _, st := range s.u.stars {
		if strings.Contains(st, module) || strings.Contains(module, st) && strings.Contains(st, ".") {
			return true
		}
	}
	return false
}

// collect gathers the arguments by name: keywords, positions, dictionaries and
// the calls of a chain.
func (t *site) collect() {
	names := strings.Fields(t.row.args)
	i := 0
	for _, a := range t.call.list {
		switch {
		case a.op == opArg:
			t.given[a.name] = a.a
		case a.op == opSpread:
			t.dict(a.a)
		default:
			if i < len(names) && names[i] == "{" {
				t.dict(a)
			} else if i < len(names) && names[i] != "-" {
				t.given[names[i]] = a
			}
			i++
		}
	}
	if t.row.builder {
		t.chain()
	}
}

// dict reads a dictionary's keys as arguments; also through a variable and what
// is assigned to its keys.
func (t *site) dict(a *node) {
	if a == nil {
		return
	}
	if a.op == opName {
		for _, k := range keyAssignments(a) {
			t.given[k.a.last()] = k.b
		}
	}
	v := t.w.eval(a, nil)
	if v.kind != vNode {
		t.spread = true
		return
	}
	for _, k := range v.node.list {
		switch k.op {
		case opPair, opArg:
			if t.given[k.name] == nil && k.name != "" {
				t.given[k.name] = k.a
			}
		case opFunc:
			t.given[k.name] = k
		case opSpread:
			t.dict(k.a)
		case opDict, opName:
			if v.node.op == opCall { // Object.assign({}, defaults)
				t.dict(k)
			}
		}
	}
}

// keyAssignments finds d["x"] = v in the function around a use of d.
func keyAssignments(use *node) []*node {
	top := use.up(opFunc, opFile)
	if top == nil {
		return nil
	}
	var out []*node
	top.walk(func(k *node) bool {
		if k.op == opAssign && k.name == "=" && k.a != nil && k.a.op == opIndex && k.a.a != nil && k.a.a.op == opName && k.a.a.name == use.name &&
			k.a.b != nil && k.a.b.op == opStr {
			out = append(out, k)
		}
		return true
	})
	return out
}

// chain reads the calls that follow on the row's call: .maxAttempts(3).build().
func (t *site) chain() {
	n := t.call
	for {
		m := n.parent
		if m == nil || m.op != opMember || m.a != n || m.parent == nil || m.parent.op != opCall || m.parent.a != m {
			break
		}
		n = m.parent
		key := m.name
		if len(n.list) > 0 {
			t.given[key] = n.list[0]
			for i, a := range n.list[1:] {
				t.given[key+"@"+string(rune('2'+i))] = a
			}
		} else {
			t.given[key] = &node{op: opBool, name: "true", line: m.line}
		}
		t.f.SpanEnd = n.end
	}
}

// value evaluates an argument. Expressions that count attempts are of no use here.
func (t *site) value(n *node) value {
	if n == nil {
		return unknown(0)
	}
	return t.w.eval(n, nil)
}

// meaning of an argument's name.
func (t *site) meaning(name string) finding.Param {
	for _, p := range strings.Fields(t.row.params) {
		if k, v, ok := strings.Cut(p, "="); ok && k == name {
			return paramNames[v]
		}
	}
	return finding.ParamOf(strings.TrimPrefix(name, "_"))
}

var paramNames = map[string]finding.Param{
	"count": finding.ParamCount, "base": finding.ParamBase, "cap": finding.ParamCap, "factor": finding.ParamFactor,
	"jitter": finding.ParamJitter, "elapsed": finding.ParamElapsed, "-": finding.ParamNone,
}

// seconds reads an argument as a duration.
func (t *site) seconds(v value) float64 {
	unit := t.row.unit
	if unit == 0 {
		unit = t.s.u.lang.waitUnit
	}
	return inSeconds(v, unit).num
}

func (t *site) read() {
	for _, name := range sortedKeys(t.given) {
		n := t.given[name]
		if strings.Contains(name, "@") {
			continue
		}
		switch t.meaning(name) {
		case finding.ParamCount:
			t.count(t.value(n))
		case finding.ParamBase:
			t.baseWait(n)
		case finding.ParamCap:
			if v := t.value(n); v.kind == vNum && v.flags&fHole == 0 {
				t.f.Cap = seconds(t.seconds(v))
			}
		case finding.ParamFactor:
			if v := t.value(n); v.kind == vNum {
				t.factor = v.num
				if v.flags&fHole != 0 {
					t.factor = 2
				}
			}
		case finding.ParamJitter:
			t.jitter(t.value(n))
		case finding.ParamElapsed:
			if v := t.value(n); v.kind != vNull {
				t.elapsed = true
			}
		}
	}
}

// count records a count argument.
func (t *site) count(v value) {
	t.f.Disabled = false
	switch {
	case v.kind == vNum && v.flags&fHole == 0:
		t.counted = true
		raw := int64(math.Max(math.Min(v.num, finding.Huge), -1))
		t.row.Count.Apply(&t.f, raw, source(v.flags))
	case v.kind == vNull:
		if t.row.nullUnlimited {
			t.counted = true
			t.f.SetUnlimited(finding.BoundNone, finding.SourceLiteral)
		}
	case v.kind == vBool && v.num == 0:
		t.counted = true
		t.f.SetTotal(1, finding.SourceLiteral)
	case v.kind == vNode || v.kind == vFunc:
	default:
		t.counted = true
		t.f.SetRuntime()
	}
}

func (t *site) baseWait(n *node) {
	v := t.value(n)
	if v.kind == vFunc || v.kind == vNode && v.node.op != opDict {
		t.schedule(n)
		return
	}
	if v.kind != vNum {
		return
	}
	t.hasBase = true
	t.base = v.num
	t.f.Base = 0
	if v.flags&fHole == 0 {
		t.f.Base = seconds(t.seconds(v))
	}
	if v.flags&fRandom != 0 {
		t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceFlow
	}
}

func (t *site) jitter(v value) {
	t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceLiteral
	if v.kind == vNull || v.kind == vBool && v.num == 0 || v.kind == vNum && v.num == 0 {
		t.f.Jitter = finding.No
	}
}

// schedule reads a function of the attempt that gives the wait.
func (t *site) schedule(n *node) {
	w := t.s.series(n)
	w.apply(&t.f)
	t.explicit = true
}

// settle derives the kind of backoff from what was given.
func (t *site) settle() {
	if t.elapsed && !t.counted && t.f.Unlimited {
		t.f.Bound = finding.BoundElapsed
	}
	if t.spread && !t.counted {
		t.f.SetRuntime()
	}
	if t.explicit {
		return
	}
	if t.hasBase && t.row.withBase != "" {
		t.f.Backoff = t.row.withBase
	}
	switch {
	case t.factor > 1 && (t.row.withFactor != "" || t.f.Backoff != finding.BackoffNone || t.hasBase):
		t.f.Backoff = finding.BackoffExponential
		if t.row.withFactor != "" {
			t.f.Backoff = t.row.withFactor
		}
	case t.factor > 0 && t.factor <= 1 && t.f.Backoff == finding.BackoffExponential:
		t.f.Backoff = finding.BackoffConstant
	}
	if t.hasBase && t.base == 0 && t.f.Backoff != finding.BackoffLinear {
		t.f.Backoff, t.f.Base, t.f.Cap = finding.BackoffNone, 0, 0
		if t.f.JitterSource == finding.SourceDefault {
			t.f.Jitter = finding.No
		}
	}
}

func sortedKeys(m map[string]*node) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sortStrings(out)
	return out
}
