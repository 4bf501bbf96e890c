package goscan

import (
	"go/ast"
	"go/token"
	"strings"
	"time"

	"retrylab/study/finding"
)

// site collects what is said about one use of a library.
type site struct {
	u     *unit
	e     *entry
	f     *finding.Finding
	taken map[ast.Node]bool
	seen  map[ast.Node]bool
	plus  bool // a decorator of the wait adds jitter, whatever is inside
}

// wait notes what a name of the row's package says about the wait, and about the
// count where a name alone sets it.
func (s *site) wait(name string) {
	if n, sets := s.e.sets[name]; sets && n < 0 {
		s.f.SetUnlimited(finding.BoundNone, finding.SourceLiteral)
	} else if sets {
		s.e.Count.Apply(s.f, n, finding.SourceDefault)
	}
	if w := s.e.waits[name]; w == "+" {
		s.plus = true
	} else {
		applyWait(s.f, w)
	}
}

// collect walks an expression and the variables it mentions for settings of
// the row's package; functions passed as arguments are the operation and are
// not looked into.
func (s *site) collect(n ast.Node, depth int) {
	if n == nil || depth > maxDepth || s.seen[n] {
		return
	}
	s.seen[n] = true
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			s.call(m)
		case *ast.CompositeLit:
			s.literal(m)
		case *ast.SelectorExpr:
			_, name := callee(m)
			s.wait(name)
			return true
		case *ast.Ident:
			s.variable(m.Name, depth)
		}
		return true
	})
}

func (s *site) call(c *ast.CallExpr) {
	_, name := callee(c.Fun)
	if s.sameFamily(c.Fun) {
		s.taken[c] = true
	}
	if _, known := s.e.waits[name]; known {
		s.wait(name)
		for _, a := range c.Args { // NewConstantBackOff(d), Exponential(ctx, base, f)
			if v, isKnown := s.u.eval(a); isKnown && v.n >= float64(time.Microsecond) {
				s.f.Base = durationOf(v.n)
				break
			}
		}
	}
	p := s.e.param(name)
	if p == finding.ParamNone || len(c.Args) == 0 || takesWork(c) {
		return
	}
	arg := c.Args[0]
	if p == finding.ParamCount {
		arg = s.countArg(c)
	}
	s.u.setting(s.f, s.e, name, p, arg)
}

// takesWork says whether a call is handed a function: then it does the retrying
// rather than naming a setting.
func takesWork(c *ast.CallExpr) bool {
	for _, a := range c.Args {
		if _, isLit := a.(*ast.FuncLit); isLit {
			return true
		}
	}
	return false
}

// countArg is the argument of WithMaxRetries(b, n) or WithMaxRetries(n, b) that
// can be a number: a literal or known value, else the last.
func (s *site) countArg(c *ast.CallExpr) ast.Expr {
	for _, a := range c.Args {
		if _, known := s.u.eval(a); known {
			return a
		}
	}
	for _, a := range c.Args {
		if n := lastName(a); finding.RetryWord(n) || strings.HasPrefix(strings.ToLower(n), "max") {
			return a
		}
	}
	return c.Args[len(c.Args)-1]
}

func (s *site) literal(c *ast.CompositeLit) {
	_, name := callee(typeExpr(c.Type))
	if s.sameFamily(typeExpr(c.Type)) {
		s.taken[c] = true
	}
	s.wait(name)
	for _, el := range c.Elts {
		kv, isKV := el.(*ast.KeyValueExpr)
		if !isKV {
			continue
		}
		if p := s.e.param(lastName(kv.Key)); p != finding.ParamNone {
			s.u.setting(s.f, s.e, lastName(kv.Key), p, kv.Value)
		}
	}
}

// sameFamily says whether a name belongs to the row's own package.
func (s *site) sameFamily(e ast.Expr) bool {
	sel, isSel := ast.Unparen(e).(*ast.SelectorExpr)
	if !isSel {
		return false
	}
	q, isIdent := sel.X.(*ast.Ident)
	return isIdent && len(s.u.entriesFor(q.Name)) > 0
}

// variable follows a local or package variable to what it was made of.
func (s *site) variable(name string, depth int) {
	if f := s.u.fn; f != nil {
		for _, a := range f.assigns[name] {
			if a.rhs != nil && (a.tok == token.DEFINE || a.tok == token.ASSIGN) && composite(a.rhs) {
				s.collect(a.rhs, depth+1)
				s.u.fieldsOf(s.f, s.e, name)
			}
		}
	}
	if e, isVar := s.u.pkg.consts[name]; isVar && composite(e) {
		s.collect(e, depth+1)
	}
}

// composite says whether an expression can carry settings.
func composite(e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.CallExpr, *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return composite(x.X)
	}
	return false
}

// setting records one named setting.
func (u *unit) setting(f *finding.Finding, e *entry, name string, p finding.Param, arg ast.Expr) {
	v, known := u.eval(arg)
	switch p {
	case finding.ParamCount:
		if !known {
			f.SetRuntime()
			return
		}
		rule := e.Count
		if e.byName && name != "" {
			rule.Total = countsTotal(name)
		}
		rule.Apply(f, v.int(), v.source)
	case finding.ParamBase:
		if known && v.n >= 0 {
			f.Base = durationOf(min(v.n, 1e18))
		}
		if f.Backoff == finding.BackoffNone && !(known && v.n == 0) {
			f.Backoff = finding.BackoffConstant
		}
	case finding.ParamCap:
		if known && v.n > 0 {
			f.Cap = durationOf(min(v.n, 1e18))
		}
	case finding.ParamFactor:
		if known && v.n <= 1 {
			f.Backoff = finding.BackoffConstant
		} else {
			f.Backoff = finding.BackoffExponential
		}
	case finding.ParamJitter:
		f.Jitter, f.JitterSource = finding.Yes, finding.SourceUnknown
		if known {
			f.JitterSource = v.source
		}
		if known && v.n == 0 || dotted(arg) == "false" {
			f.Jitter = finding.No
		}
	case finding.ParamElapsed:
		if f.Unlimited {
			f.Bound = finding.BoundElapsed
			if known && v.n == 0 {
				f.Bound = finding.BoundNone
			}
		}
	}
}

// countsTotal reads from a setting's name whether the first attempt counts.
func countsTotal(name string) bool {
	s := strings.ToLower(name)
	return !strings.Contains(s, "retr")
}

// applyWait records "kind", "kind+" or "+" of a table row.
func applyWait(f *finding.Finding, w string) {
	if w == "" {
		return
	}
	kind, jitter := strings.CutSuffix(w, "+")
	if kind != "" {
		f.Backoff, f.Jitter = kind, finding.No
		f.JitterSource = finding.SourceDefault
	}
	if jitter {
		f.Jitter, f.JitterSource = finding.Yes, finding.SourceDefault
	}
}
