package goscan

import (
	"go/ast"
	"go/token"
	"strings"

	"retrylab/study/finding"
)

// structural looks for hand-written retries in a function body.
func (u *unit) structural(body *ast.BlockStmt) {
	labels := map[ast.Stmt]string{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			labels[n.Stmt] = n.Label.Name
			u.gotoRetry(body, n)
		case *ast.ForStmt:
			u.forLoop(n, n.Body, labels[n])
		case *ast.RangeStmt:
			u.forLoop(n, n.Body, labels[n])
		case *ast.BlockStmt:
			u.inlineRetry(n)
		case *ast.FuncLit:
			u.recursion("", n.Body)
		}
		return true
	})
	u.recursion(u.fn.name, body)
}

// header is what the head of a loop says.
type header struct {
	counters  map[string]bool
	collect   bool // walks a collection
	counted   bool // has a pass counter with a limit
	infinite  bool
	condFlags map[string]bool
	cond      ast.Expr
	label     string // of a goto that goes round
}

func (u *unit) header(n ast.Stmt, body *ast.BlockStmt) header {
	h := header{counters: map[string]bool{}, condFlags: map[string]bool{}}
	switch n := n.(type) {
	case *ast.ForStmt:
		h.cond = n.Cond
		h.infinite = n.Cond == nil && n.Post == nil
		if inc, isInc := n.Post.(*ast.IncDecStmt); isInc {
			h.counters[dotted(inc.X)] = true
		}
		if as, isAssign := n.Post.(*ast.AssignStmt); isAssign && len(as.Lhs) == 1 {
			h.counters[dotted(as.Lhs[0])] = true
		}
		if n.Cond != nil {
			h.collect = callsLen(n.Cond) && !finding.RetryWord(lastIn(n.Cond)) || walksBack(n)
			h.flags(n.Cond)
		}
	case *ast.RangeStmt:
		key, isKey := n.Key.(*ast.Ident)
		h.collect = !u.rangesOverInt(n)
		if isKey && !h.collect {
			h.counters[key.Name] = true
		}
		h.counted = !h.collect
	}
	for name := range u.movedIn(body) {
		h.counters[name] = true
	}
	delete(h.counters, "")
	if f, isFor := n.(*ast.ForStmt); isFor && f.Cond != nil {
		h.counted = h.counted || h.limits(f.Cond)
	}
	h.counted = h.counted && !h.collect || h.limitInside(body)
	return h
}

// flags collects the plain names that a loop's condition tests.
func (h *header) flags(cond ast.Expr) {
	switch x := ast.Unparen(cond).(type) {
	case *ast.Ident:
		h.condFlags[x.Name] = true
	case *ast.UnaryExpr:
		h.flags(x.X)
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			h.flags(x.X)
			h.flags(x.Y)
		}
	}
}

// limits says whether a condition compares a counter.
func (h *header) limits(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if b, isBin := n.(*ast.BinaryExpr); isBin && b.Op != token.LAND && b.Op != token.LOR {
			found = found || h.counters[dotted(b.X)] || h.counters[dotted(b.Y)]
		}
		return true
	})
	return found
}

// limitInside says whether the body leaves at a limit of a counter.
func (h *header) limitInside(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			found = found || h.limits(n.Cond)
		case *ast.SwitchStmt:
			found = found || n.Tag != nil && h.counters[dotted(n.Tag)]
		}
		return true
	})
	return found
}

func callsLen(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if c, isCall := n.(*ast.CallExpr); isCall {
			_, name := callee(c.Fun)
			found = found || name == "len" || name == "Len" || name == "Next" || name == "Scan" || name == "HasNext" || name == "More"
		}
		return !found
	})
	return found
}

func lastIn(e ast.Expr) string {
	if b, isBin := e.(*ast.BinaryExpr); isBin {
		return lastName(b.Y)
	}
	return lastName(e)
}

// rangesOverInt tells counting from walking: Go lets both be written the same.
func (u *unit) rangesOverInt(n *ast.RangeStmt) bool {
	if n.Value != nil {
		return false
	}
	if c, isCall := n.X.(*ast.CallExpr); isCall {
		return isConversion(c)
	}
	if _, known := u.eval(n.X); known {
		return true
	}
	name := strings.ToLower(lastName(n.X))
	return finding.ParamOf(name) == finding.ParamCount || finding.RetryWord(name) || strings.HasPrefix(name, "max") || strings.HasSuffix(name, "limit") && name != ""
}

// movedIn lists the names that are incremented, decremented or stepped by a
// constant in the body, outside inner functions.
func (u *unit) movedIn(body *ast.BlockStmt) map[string]bool {
	m := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IncDecStmt:
			m[dotted(n.X)] = true
		case *ast.AssignStmt:
			if (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && len(n.Rhs) == 1 {
				if lit, isLit := n.Rhs[0].(*ast.BasicLit); isLit && lit.Kind == token.INT && !delayName(dotted(n.Lhs[0])) {
					m[dotted(n.Lhs[0])] = true
				}
			}
		}
		return true
	})
	delete(m, "")
	return m
}

// drivenByLibrary: the loop goes round as long as a retry library says so
// (for backoff.Continue(c), for b.Ongoing()): the library's row is the finding.
func (u *unit) drivenByLibrary(cond ast.Expr) bool {
	c, isCall := cond.(*ast.CallExpr)
	if !isCall {
		return false
	}
	q, _ := callee(c.Fun)
	if q == "" {
		return false
	}
	if len(u.entriesFor(q)) > 0 {
		return true
	}
	for _, a := range u.fn.assigns[q] {
		if maker, isMaker := a.rhs.(*ast.CallExpr); isMaker {
			if e := u.rowOf(maker); e != nil && !e.partial {
				return true
			}
		}
	}
	return false
}

// forLoop judges one loop.
func (u *unit) forLoop(n ast.Stmt, body *ast.BlockStmt, label string) {
	h := u.header(n, body)
	if h.cond != nil && u.drivenByLibrary(h.cond) || walksIndex(n) {
		return
	}
	w := &flow{u: u, label: label, counter: h.counters, flags: h.condFlags}
	e := w.block(body.List, well)
	if f, isFor := n.(*ast.ForStmt); isFor && f.Post != nil {
		w.effects(f.Post, e.fall|e.next)
	}
	next, away := e.fall|e.next|e.out, e.away
	if h.cond != nil {
		if w.decides(h.cond) {
			t, f := w.cond(h.cond, next)
			next, away = t, away|f
		}
		if w.flagOK&well != 0 && len(h.condFlags) > 0 {
			next, away = next&^well|next&failed, away|well
		}
	}
	s := u.describe(n, body, w)
	s.Form = finding.FormLoop
	s.FailureRepeats = next&failed != 0
	s.SuccessLeaves = away&well != 0
	s.ValueRepeats = s.SuccessLeaves && next&well != 0
	s.EachItem = h.collect
	s.Counted = h.counted
	s.Periodic = !s.SuccessLeaves && (h.infinite || h.cond != nil && !h.counted) || rangesOverChannel(n)
	v := finding.Judge(s)
	if !v.Retry {
		return
	}
	f := u.handRolled(n, s, v, w)
	u.bound(&f, n, body, h, w)
	if f.TotalAttempts == 2 && u.picksByPass(body, h.counters, mainCall(body)) {
		return
	}
	u.add(f)
}

// decides says whether a loop's own condition tests the operation's fate.
func (w *flow) decides(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if x, isExpr := n.(ast.Expr); isExpr {
			switch w.test(x) {
			case testFail, testSuccess, testKind:
				found = true
			}
		}
		return !found
	})
	return found
}

func rangesOverChannel(n ast.Stmt) bool {
	r, isRange := n.(*ast.RangeStmt)
	if !isRange {
		return false
	}
	name := strings.ToLower(lastName(r.X))
	return strings.HasSuffix(name, "ch") || strings.HasSuffix(name, "chan") || strings.HasSuffix(name, "channel")
}

// handRolled makes the finding of a construct that was judged a retry.
func (u *unit) handRolled(n ast.Node, s finding.Shape, v finding.Verdict, w *flow) finding.Finding {
	f := finding.Finding{
		Line: u.line(n.Pos()), SpanEnd: u.line(n.End()),
		Mechanism: finding.MechHandRolled, Form: s.Form, Rule: finding.RuleOfForm(s.Form),
		Confidence: v.Confidence, Scope: finding.ScopeRemote,
	}
	op := mainCall(n)
	if op != nil {
		w.opAt = op.Pos()
		_, f.Operation = callee(op.Fun)
		if u.localWork(op) {
			f.Scope = finding.ScopeLocal
		}
	}
	u.delay(&f, w, n)
	return f
}

// delay fills the backoff fields from the waits the flow met.
func (u *unit) delay(f *finding.Finding, w *flow, n ast.Node) {
	d := &delayer{u: u, f: u.fn, p: u.pkg, counter: w.counter, seen: map[ast.Expr]bool{}}
	for _, x := range w.waits {
		if x.in&failed == 0 && w.onFail.waits && x.pos > w.opAt {
			continue // a pause after success is not the wait before a retry
		}
		d.out.Waits = true
		if x.dur != nil {
			d.expr(x.dur, 0)
		}
	}
	if !d.out.Waits {
		d.insideCalls(n)
	}
	d.out.Apply(f)
	for _, e := range u.allRows {
		if e.partial && d.library { // the loop is the retry, not what makes its wait
			u.strong[e.pkg+" "+u.function()] = true
		}
	}
	if d.known && d.base > 0 && d.base < 1e18 {
		f.Base = durationOf(d.base)
	}
}
