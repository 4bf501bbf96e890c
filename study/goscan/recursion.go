package goscan

import (
	"go/ast"
	"go/token"
	"go/types"

	"retrylab/study/finding"
)

// recursion judges a function that calls itself after a failure, directly, in
// a goroutine or by a timer. name is empty for a literal: then the variable it
// is bound to is looked up.
func (u *unit) recursion(name string, body *ast.BlockStmt) {
	if name == "" {
		name = u.boundName(body)
		if name == "" {
			return
		}
	}
	timer := false
	self := func(c *ast.CallExpr) bool {
		_, callName := callee(c.Fun)
		if callName == name {
			return sameReceiver(c, u.fn)
		}
		if callName == "AfterFunc" && len(c.Args) == 2 && lastName(c.Args[1]) == name {
			timer = true
			return true
		}
		return false
	}
	if !callsAny(body, self) {
		return
	}
	counters := u.movedIn(body)
	for p := range u.fn.params {
		if counterName(p) && len(p) > 1 {
			counters[p] = true
		}
	}
	w := &flow{u: u, counter: counters, self: self}
	w.breaks, w.inner = 1, 1 // nothing here can be continued or broken out of
	e := w.block(body.List, well)
	if w.called == 0 {
		return
	}
	s := u.describe(body, body, w)
	s.Form = finding.FormRecursion
	if timer || len(w.waits) > 0 && callsTimer(body) {
		s.Form = finding.FormTimer
	}
	s.FailureRepeats = w.onlyF
	s.SuccessLeaves = (e.fall|e.away)&well != 0
	s.ValueRepeats = w.called&well != 0
	s.FailureWaits = s.FailureWaits || s.Form == finding.FormTimer && w.onlyF
	s.Counted = len(counters) > 0 && (&header{counters: counters}).limitInside(body)
	v := finding.Judge(s)
	if !v.Retry || !(s.RetryWord || s.Waits) {
		return
	}
	f := u.handRolled(body, s, v, w)
	u.recursionSpan(&f, body, self)
	h := header{counters: counters}
	if !u.insideBound(&f, &ast.ForStmt{Body: body}, body, h) {
		if s.Counted {
			f.SetRuntime()
		} else {
			f.SetUnlimited(finding.BoundNone, finding.SourceUnknown)
		}
	}
	u.add(f)
}

// recursionSpan puts the finding at the guard: the innermost if that holds the
// call to itself.
func (u *unit) recursionSpan(f *finding.Finding, body *ast.BlockStmt, self func(*ast.CallExpr) bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if s, isIf := n.(*ast.IfStmt); isIf && callsAny(s, self) {
			f.Line, f.SpanEnd = u.line(s.Pos()), u.line(s.End())
		}
		return true
	})
}

func callsAny(n ast.Node, self func(*ast.CallExpr) bool) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		if c, isCall := m.(*ast.CallExpr); isCall && self(c) {
			found = true
		}
		return !found
	})
	return found
}

func callsTimer(body ast.Node) bool {
	return callsAny(body, func(c *ast.CallExpr) bool { _, name := callee(c.Fun); return name == "AfterFunc" })
}

// sameReceiver rules out a method of the same name on another object: a call
// must be unqualified or on a plain name.
func sameReceiver(c *ast.CallExpr, f *fn) bool {
	s, isSel := c.Fun.(*ast.SelectorExpr)
	if !isSel {
		return true
	}
	id, isIdent := s.X.(*ast.Ident)
	return isIdent && len(f.assigns[id.Name]) == 0 && !f.params[id.Name]
}

// boundName is the name of the variable a function literal is assigned to.
func (u *unit) boundName(body *ast.BlockStmt) string {
	for _, name := range u.fn.names {
		for _, a := range u.fn.assigns[name] {
			if lit, isLit := a.rhs.(*ast.FuncLit); isLit && lit.Body == body {
				return name
			}
		}
	}
	return ""
}

// gotoRetry judges a label that a later goto jumps back to.
func (u *unit) gotoRetry(body *ast.BlockStmt, label *ast.LabeledStmt) {
	name := label.Label.Name
	var last token.Pos
	ast.Inspect(body, func(n ast.Node) bool {
		if b, isBranch := n.(*ast.BranchStmt); isBranch && b.Tok == token.GOTO && b.Label != nil && b.Label.Name == name && b.Pos() > label.Pos() {
			last = b.End()
		}
		return true
	})
	if last == 0 {
		return
	}
	list := blockFrom(body, label)
	if list == nil {
		return
	}
	part := &ast.BlockStmt{Lbrace: label.Pos(), List: list, Rbrace: last}
	counters := u.movedIn(part)
	w := &flow{u: u, label: name, counter: counters}
	w.breaks, w.inner = 1, 1
	e := w.block(list, well)
	s := u.describe(part, part, w)
	s.Form = finding.FormGoto
	s.FailureRepeats = e.next&failed != 0
	s.SuccessLeaves = (e.fall|e.away)&well != 0
	s.ValueRepeats = e.next&well != 0
	h := header{counters: counters, label: name}
	s.Counted = h.limitInside(part)
	v := finding.Judge(s)
	if !v.Retry {
		return
	}
	f := u.handRolled(part, s, v, w)
	f.SpanEnd = u.line(last)
	u.bound(&f, &ast.ForStmt{For: label.Pos(), Body: part}, part, h, w)
	u.add(f)
}

// blockFrom returns the statements of the block that holds a label, from it on.
func blockFrom(body *ast.BlockStmt, label *ast.LabeledStmt) (list []ast.Stmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		if b, isBlock := n.(*ast.BlockStmt); isBlock && list == nil {
			for i, s := range b.List {
				if s == ast.Stmt(label) {
					list = b.List[i:]
				}
			}
		}
		return list == nil
	})
	return list
}

// inlineRetry finds a second try written out: the same call again inside the
// branch that handles its failure.
func (u *unit) inlineRetry(b *ast.BlockStmt) {
	for i, s := range b.List {
		ifs, isIf := s.(*ast.IfStmt)
		if !isIf {
			continue
		}
		first := ifs.Init
		if first == nil && i > 0 {
			first = b.List[i-1]
		}
		a, isAssign := first.(*ast.AssignStmt)
		if !isAssign || len(a.Rhs) != 1 || !mentionsErr(ifs.Cond) {
			continue
		}
		call, isCall := a.Rhs[0].(*ast.CallExpr)
		if !isCall || pureCall(call) || parses(call) {
			continue
		}
		text := types.ExprString(call)
		w := &flow{u: u, counter: map[string]bool{}}
		w.breaks, w.inner = 1, 1
		t, _ := w.cond(ifs.Cond, well)
		if t&failed == 0 || !repeatsCall(ifs.Body, text) {
			continue
		}
		w.block(ifs.Body.List, failed)
		shape := finding.Shape{Form: finding.FormInline, Operation: true, FailureRepeats: true, SuccessLeaves: true, Counted: true, Waits: len(w.waits) > 0}
		f := u.handRolled(ifs, shape, finding.Verdict{Retry: true, Confidence: finding.Medium}, w)
		_, f.Operation = callee(call.Fun)
		q, _ := callee(call.Fun)
		if localCall(q, f.Operation) {
			f.Scope = finding.ScopeLocal
		}
		f.Line = u.line(a.Pos())
		f.SetTotal(2, finding.SourceLiteral)
		u.add(f)
	}
}

// parses rules out calls that only turn text into a value.
func parses(c *ast.CallExpr) bool {
	_, name := callee(c.Fun)
	return finding.LocalWord(name) || len(name) > 4 && (name[:5] == "Parse" || name[:5] == "parse")
}

// repeatsCall says whether a block makes the same call again, outside loops.
func repeatsCall(b *ast.BlockStmt, text string) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || types.ExprString(n) == text
		}
		return !found
	})
	return found
}
