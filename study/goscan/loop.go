package goscan

import (
	"go/ast"
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
