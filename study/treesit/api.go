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

var paramNames = map[string]finding.Param{
	"count": finding.ParamCount, "base": finding.ParamBase, "cap": finding.ParamCap, "factor": finding.ParamFactor,
	"jitter": finding.ParamJitter, "elapsed": finding.ParamElapsed, "-": finding.ParamNone,
}
