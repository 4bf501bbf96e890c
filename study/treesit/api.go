//go:build cgo

package treesit

import (
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
	rows := s.match(n)
	if len(rows) == 0 && mark {
		s.ownDecorator(n)
	}
	for _, row := range rows {
		t := &site{s: s, row: row, call: n, mark: mark, w: newWorld(s.u, s.load, static), given: map[string]*node{}}
		t.collect()
		if row.need == "" || t.hasAny(row.need) {
			t.report(mark)
			return
		}
	}
}

// report reads the arguments and records the finding.
func (t *site) report(mark bool) {
	s, row, n := t.s, t.row, t.call
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

// match lists the rows that a call may be by its imported path, the likeliest
// first; libraries whose methods share a name are told apart by their arguments.
func (s *scan) match(n *node) (out []*api) {
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
				out = append(out, r.row)
			}
		case r.module == "":
			if _, own := s.u.classes()[name]; !own || known {
				out = append(out, r.row)
			}
		case known && fits(module, r.module):
			out = append(out, r.row)
		case n.a.op == opMember && n.a.a.last() == r.module: // RetryConfig.custom()
			out = append(out, r.row)
		case !known && s.starImports(strings.TrimPrefix(r.module, "^")):
			out = append(out, r.row)
		}
	}
	return out
}

// origin is the name under which a library knows what is named or called here,
// whatever it was imported as.
func (s *scan) origin(n *node) string {
	if n.op == opCall {
		n = n.a
	}
	if n.op == opName {
		if imp, ok := s.u.imports[n.name]; ok && imp.name != "" && imp.name != "default" {
			return imp.name
		}
	}
	return n.last()
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

var paramNames = map[string]finding.Param{
	"count": finding.ParamCount, "base": finding.ParamBase, "cap": finding.ParamCap, "factor": finding.ParamFactor,
	"jitter": finding.ParamJitter, "elapsed": finding.ParamElapsed, "-": finding.ParamNone,
}
