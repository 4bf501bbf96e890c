package goscan

import (
	"go/ast"
	"go/token"
	"strings"

	"retrylab/study/finding"
)

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
