package goscan

import (
	"go/ast"
	"go/token"
	"strings"
)

// effects records waits, counter changes, flags and self calls of a simple
// statement met in the given states.
func (w *flow) effects(s ast.Node, in mask) {
	only := in == failed
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false // inner statements are walked by stmt
		case *ast.FuncLit:
			w.literal(n, in)
			return false
		case *ast.CallExpr:
			if w.self != nil && w.self(n) {
				w.called |= in
				w.onlyF = w.onlyF || only
			}
			if d, isWait := w.u.waitCall(n); isWait {
				w.waits = append(w.waits, wait{d, in, n.Pos()})
				w.onFail.waits = w.onFail.waits || only
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				if d, isWait := w.u.waitRecv(n.X); isWait {
					w.waits = append(w.waits, wait{d, in, n.Pos()})
					w.onFail.waits = w.onFail.waits || only
				}
			}
		case *ast.IncDecStmt:
			w.count(n.X, in)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if n.Tok != token.DEFINE {
					w.count(l, in)
				}
				if w.flags[dotted(l)] {
					w.flagOK |= in
				}
			}
		}
		return true
	})
}

// literal looks into a function literal for waits and self calls: a goroutine
// or a timer callback carries the work of the pass.
func (w *flow) literal(lit *ast.FuncLit, in mask) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if c, isCall := n.(*ast.CallExpr); isCall {
			if w.self != nil && w.self(c) {
				w.called |= in
				w.onlyF = w.onlyF || in == failed
			}
			if d, isWait := w.u.waitCall(c); isWait {
				w.waits = append(w.waits, wait{d, in, c.Pos()})
			}
		}
		return true
	})
}

func (w *flow) count(l ast.Expr, in mask) {
	name := dotted(l)
	if name == "" || !(w.counter[name] || delayName(name)) {
		return
	}
	w.counts |= in
	w.onFail.counts = w.onFail.counts || in == failed
}

// delayName says whether a variable holds a wait.
func delayName(name string) bool {
	s := strings.ToLower(name)
	for _, x := range []string{"backoff", "delay", "wait", "sleep", "pause"} {
		if strings.Contains(s, x) {
			return true
		}
	}
	return false
}

// dies says whether a statement ends the process or the goroutine.
func dies(s ast.Stmt) bool {
	x, isExpr := s.(*ast.ExprStmt)
	if !isExpr {
		return false
	}
	c, isCall := x.X.(*ast.CallExpr)
	if !isCall {
		return false
	}
	q, name := callee(c.Fun)
	switch {
	case q == "" && name == "panic":
		return true
	case q == "os" && name == "Exit":
		return true
	case strings.HasPrefix(name, "Fatal"):
		return true
	}
	return false
}
