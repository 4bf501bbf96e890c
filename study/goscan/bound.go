package goscan

import (
	"go/ast"
	"go/token"

	"retrylab/study/finding"
)

// bound fills what ends the loop and after how many attempts.
func (u *unit) bound(f *finding.Finding, n ast.Stmt, body *ast.BlockStmt, h header, w *flow) {
	if r, isRange := n.(*ast.RangeStmt); isRange {
		u.limitFrom(f, r.X, func(limit int64) int64 { return limit })
		return
	}
	loop, isFor := n.(*ast.ForStmt)
	if isFor && loop.Cond != nil {
		for _, c := range comparisons(loop.Cond) {
			if u.headBound(f, loop, c, h) {
				return
			}
		}
	}
	if u.insideBound(f, n, body, h) {
		return
	}
	switch {
	case usesDeadline(n):
		f.SetUnlimited(finding.BoundElapsed, finding.SourceUnknown)
	case usesContext(n):
		f.SetUnlimited(finding.BoundDeadline, finding.SourceUnknown)
	default:
		f.SetUnlimited(finding.BoundNone, finding.SourceUnknown)
	}
}

// limitFrom resolves a limit and turns it into total attempts; a limit that the
// source does not say is a run-time one.
func (u *unit) limitFrom(f *finding.Finding, limit ast.Expr, total func(int64) int64) {
	v, known := u.eval(limit)
	if !known {
		f.SetRuntime()
		return
	}
	if t := total(v.int()); t >= finding.Huge {
		f.SetUnlimited(finding.BoundNone, v.source)
	} else {
		f.SetTotal(t, v.source)
		f.Disabled = false
	}
}

// comparisons lists the comparisons of a condition.
func comparisons(cond ast.Expr) []*ast.BinaryExpr {
	var out []*ast.BinaryExpr
	ast.Inspect(cond, func(n ast.Node) bool {
		if b, isBin := n.(*ast.BinaryExpr); isBin {
			switch b.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				out = append(out, b)
			}
		}
		return true
	})
	return out
}

// side puts the counter on the left.
func side(c *ast.BinaryExpr, counters map[string]bool) (name string, op token.Token, limit ast.Expr, known bool) {
	if name = dotted(c.X); counters[name] {
		return name, c.Op, c.Y, true
	}
	if name = dotted(c.Y); counters[name] {
		flip := map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ, token.EQL: token.EQL, token.NEQ: token.NEQ}
		return name, flip[c.Op], c.X, true
	}
	return "", 0, nil, false
}

// headBound reads a limit in the loop's own condition, checked before a pass.
func (u *unit) headBound(f *finding.Finding, loop *ast.ForStmt, c *ast.BinaryExpr, h header) bool {
	name, op, limit, isLimit := side(c, h.counters)
	if !isLimit {
		return false
	}
	switch op {
	case token.LSS, token.LEQ, token.NEQ:
		start, known := u.startOf(name, loop.Init)
		if !known {
			f.SetRuntime()
			return true
		}
		u.limitFrom(f, limit, func(n int64) int64 { return finding.CountUp(start, n, 1, op == token.LEQ) })
	case token.GTR, token.GEQ:
		end, known := u.eval(limit)
		first := u.startExpr(name, loop.Init)
		if !known || first == nil {
			f.SetRuntime()
			return true
		}
		u.limitFrom(f, first, func(n int64) int64 { return finding.CountDown(n, end.int(), 1, op == token.GEQ) })
	default:
		return false
	}
	return true
}

// startExpr is the value a counter has before the first pass.
func (u *unit) startExpr(name string, init ast.Stmt) ast.Expr {
	if a, isAssign := init.(*ast.AssignStmt); isAssign {
		for i, l := range a.Lhs {
			if dotted(l) == name && i < len(a.Rhs) {
				return a.Rhs[i]
			}
		}
	}
	for _, a := range u.fn.assigns[name] {
		if a.rhs != nil && (a.tok == token.DEFINE || a.tok == token.ASSIGN) {
			return a.rhs
		}
	}
	if u.fn.params[name] {
		return nil
	}
	return &ast.Ident{Name: name}
}

func (u *unit) startOf(name string, init ast.Stmt) (int64, bool) {
	e := u.startExpr(name, init)
	v, known := u.eval(e)
	return v.int(), known
}

// insideBound reads a limit tested in the body: if n >= max { leave }, its
// inverse, or a case of a switch on the counter.
func (u *unit) insideBound(f *finding.Finding, n ast.Stmt, body *ast.BlockStmt, h header) bool {
	done := false
	try := func(c *ast.BinaryExpr, leaves, inverse bool) {
		if done {
			return
		}
		name, op, limit, isLimit := side(c, h.counters)
		if !isLimit || !(leaves || inverse) {
			return
		}
		if inverse {
			inv := map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS, token.NEQ: token.EQL}
			op = inv[op]
		}
		done = u.leaveAt(f, n, body, c.Pos(), name, op, limit)
	}
	ast.Inspect(body, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.IfStmt:
			for _, c := range comparisons(m.Cond) {
				leaves := leavesBlock(m.Body, h.label)
				try(c, leaves, !leaves && (repeatsBlock(m.Body, h.label) || m.Else != nil))
			}
		case *ast.CaseClause:
			for _, e := range m.List {
				for _, c := range comparisons(e) {
					try(c, leavesBlock(&ast.BlockStmt{List: m.Body}, h.label), false)
				}
			}
		case *ast.SwitchStmt:
			if m.Tag != nil && h.counters[dotted(m.Tag)] {
				for _, cl := range m.Body.List {
					cc := cl.(*ast.CaseClause)
					if len(cc.List) == 1 && leavesBlock(&ast.BlockStmt{List: cc.Body}, h.label) {
						try(&ast.BinaryExpr{X: m.Tag, OpPos: cc.Pos(), Op: token.EQL, Y: cc.List[0]}, true, false)
					}
				}
			}
		}
		return !done
	})
	return done
}

// leaveAt turns "leave when name op limit" into total attempts. Where the test
// stands matters: before or after the counter moves, before or after the
// operation of the pass.
func (u *unit) leaveAt(f *finding.Finding, n ast.Stmt, body *ast.BlockStmt, at token.Pos, name string, op token.Token, limit ast.Expr) bool {
	var init ast.Stmt
	moveAt := body.End() // a counter moved by the loop's head moves last
	if loop, isFor := n.(*ast.ForStmt); isFor {
		init = loop.Init
	}
	down := false
	ast.Inspect(body, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.IncDecStmt:
			if dotted(m.X) == name {
				moveAt, down = m.Pos(), m.Tok == token.DEC
			}
		case *ast.AssignStmt:
			if len(m.Lhs) == 1 && dotted(m.Lhs[0]) == name && (m.Tok == token.ADD_ASSIGN || m.Tok == token.SUB_ASSIGN) {
				moveAt, down = m.Pos(), m.Tok == token.SUB_ASSIGN
			}
		}
		return true
	})
	before := int64(0) // passes completed when the counter has its first value at the test
	if moveAt < at {
		before = 1
	}
	opFirst := int64(0)
	if c := mainCall(body); c != nil && c.Pos() > at {
		opFirst = 1
	}
	total := func(start, stop int64, exclusive bool) int64 {
		// At pass k the test sees start + (k-1) + before.
		k := stop - start + 1 - before
		if exclusive {
			k++
		}
		return max(k-opFirst, 1)
	}
	if down {
		first := u.startExpr(name, init)
		end, known := u.eval(limit)
		if first == nil || !known {
			f.SetRuntime()
			return true
		}
		u.limitFrom(f, first, func(s int64) int64 { return total(-s, -end.int(), op == token.LSS) })
		return op != 0
	}
	start, known := u.startOf(name, init)
	switch op {
	case token.GEQ, token.EQL, token.GTR:
		if !known {
			f.SetRuntime()
			return true
		}
		u.limitFrom(f, limit, func(m int64) int64 { return total(start, m, op == token.GTR) })
		return true
	}
	return false
}

// leavesBlock says whether a block ends by leaving (return, break, goto, a
// fatal call); a goto to label goes round instead.
func leavesBlock(b *ast.BlockStmt, label string) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.GOTO && s.Label.Name != label
	case *ast.ExprStmt:
		return dies(s)
	}
	return false
}

// repeatsBlock says whether a block ends by going round.
func repeatsBlock(b *ast.BlockStmt, label string) bool {
	if len(b.List) == 0 {
		return false
	}
	s, isBranch := b.List[len(b.List)-1].(*ast.BranchStmt)
	return isBranch && (s.Tok == token.CONTINUE || s.Tok == token.GOTO && s.Label.Name == label)
}

// usesDeadline says whether the loop compares the clock with a limit.
func usesDeadline(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.BinaryExpr:
			if c, isCall := m.X.(*ast.CallExpr); isCall {
				if q, name := callee(c.Fun); q == "time" && (name == "Since" || name == "Until") {
					found = true
				}
			}
		case *ast.CallExpr:
			q, name := callee(m.Fun)
			if (name == "After" || name == "Before") && (q == "Now" || q == "time" && len(m.Args) == 0) {
				found = true
			}
		}
		return !found
	})
	return found
}

func usesContext(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(m ast.Node) bool {
		if c, isCall := m.(*ast.CallExpr); isCall {
			q, name := callee(c.Fun)
			found = found || (name == "Done" || name == "Err") && ctxName(q)
		}
		return !found
	})
	return found
}
