package goscan

import (
	"go/ast"
	"go/token"
	"strings"
)

// cond splits the states at a condition: t where it holds, f where it does not.
func (w *flow) cond(e ast.Expr, in mask) (t, f mask) {
	switch x := e.(type) {
	case *ast.ParenExpr:
		return w.cond(x.X, in)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			f, t = w.cond(x.X, in)
			return t, f
		}
	case *ast.BinaryExpr:
		switch x.Op {
		case token.LAND:
			t1, f1 := w.cond(x.X, in)
			t2, f2 := w.cond(x.Y, t1)
			return t2, f1 | f2
		case token.LOR:
			t1, f1 := w.cond(x.X, in)
			t2, f2 := w.cond(x.Y, f1)
			return t1 | t2, f2
		}
	}
	if in == 0 {
		return 0, 0
	}
	kind := w.test(e)
	if kind == testFail || kind == testSuccess {
		if w.otherMatter(e, in) {
			return in, in
		}
	}
	switch kind {
	case testFail:
		return failed, in & well
	case testSuccess:
		return in & well, failed
	case testKind: // asks what kind of failure it is
		return failed, in
	case testNotKind:
		return in, failed
	case testShutdown:
		return 0, in
	case testCounter: // a limit is reached only by failing
		return in & failed, in
	}
	return in, in
}

// otherMatter says whether a test on the failed path is about another name than
// the one whose failure led there; it notes the name of the first split.
func (w *flow) otherMatter(e ast.Expr, in mask) bool {
	name := dotted(e)
	if b, isBin := e.(*ast.BinaryExpr); isBin {
		name = dotted(b.X)
	}
	if in&well != 0 {
		w.failVar = name
		return false
	}
	return name != w.failVar
}

type test int

const (
	testOther    test = iota
	testFail          // holds when the operation failed
	testSuccess       // holds when it succeeded
	testKind          // a question about the error
	testNotKind       // its opposite
	testShutdown      // the caller gives up
	testCounter       // a pass counter meets its limit
)

// test says what an atomic condition asks.
func (w *flow) test(e ast.Expr) test {
	if isShutdownExpr(e) {
		return testShutdown
	}
	switch x := e.(type) {
	case *ast.BinaryExpr:
		return w.compare(x)
	case *ast.Ident:
		return boolTest(x.Name)
	case *ast.CallExpr:
		return callTest(x)
	case *ast.SelectorExpr:
		return boolTest(x.Sel.Name)
	}
	return testOther
}

func (w *flow) compare(x *ast.BinaryExpr) test {
	left, right := x.X, x.Y
	if isNil(left) {
		left, right = right, left
	}
	name := dotted(left)
	switch {
	case isNil(right) && (x.Op == token.NEQ || x.Op == token.EQL):
		bad := x.Op == token.NEQ
		if !errLike(left) {
			if name == "" {
				return testOther
			}
			bad = !bad // a result that is nil is a failure
		}
		if bad {
			return testFail
		}
		return testSuccess
	case mentionsErr(x):
		switch x.Op {
		case token.EQL:
			return testKind
		case token.NEQ: // another kind of failure, or none
			return testNotKind
		}
		return testOther
	case w.isCounter(left) || w.isCounter(right):
		return testCounter
	}
	return statusTest(x)
}

func (w *flow) isCounter(e ast.Expr) bool { return w.counter[dotted(e)] }

// statusTest reads comparisons of an answer's status.
func statusTest(x *ast.BinaryExpr) test {
	name := strings.ToLower(lastName(x.X))
	if !strings.Contains(name, "status") && name != "code" {
		return testOther
	}
	bad := false
	switch y := x.Y.(type) {
	case *ast.BasicLit:
		if len(y.Value) != 3 || y.Kind != token.INT {
			return testOther
		}
		bad = y.Value >= "300"
		if x.Op == token.LSS || x.Op == token.LEQ {
			bad = false
		}
		if x.Op == token.GTR && y.Value >= "299" {
			bad = true
		}
	case *ast.SelectorExpr:
		n := y.Sel.Name
		if !strings.HasPrefix(n, "Status") {
			return testOther
		}
		good := n == "StatusOK" || n == "StatusCreated" || n == "StatusAccepted" || n == "StatusNoContent"
		bad = !good && x.Op != token.LSS
	default:
		return testOther
	}
	if x.Op == token.NEQ {
		bad = !bad
	}
	if bad {
		return testFail
	}
	return testSuccess
}

func boolTest(name string) test {
	switch s := strings.ToLower(name); {
	case s == "ok" || s == "success" || s == "succeeded" || s == "connected":
		return testSuccess
	case s == "failed" || s == "retry" || s == "shouldretry" || s == "retryable" || s == "failure":
		return testKind
	}
	return testOther
}

func callTest(c *ast.CallExpr) test {
	_, name := callee(c.Fun)
	s := strings.ToLower(name)
	for _, a := range c.Args {
		if errLike(a) {
			return testKind
		}
	}
	if strings.Contains(s, "retr") || strings.Contains(s, "temporary") {
		return testKind
	}
	return testOther
}

// errLike says whether an expression is an error by its name.
func errLike(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return isErrName(x.Name)
	case *ast.SelectorExpr:
		return isErrName(x.Sel.Name)
	case *ast.CallExpr:
		_, name := callee(x.Fun)
		return name == "Err" || name == "Error" || isErrName(name)
	}
	return false
}

func isErrName(name string) bool {
	s := strings.ToLower(name)
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		s = s[i+1:]
	}
	return strings.HasPrefix(strings.TrimLeft(s, "_"), "err") || strings.HasSuffix(s, "err") || strings.HasSuffix(s, "error") ||
		strings.HasSuffix(strings.TrimRight(s, "0123456789"), "err")
}

// mentionsErr says whether an error takes part in an expression.
func mentionsErr(e ast.Node) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, isIdent := n.(*ast.Ident); isIdent && isErrName(id.Name) {
			found = true
		}
		return !found
	})
	return found
}

func isNil(e ast.Expr) bool {
	id, isIdent := e.(*ast.Ident)
	return isIdent && id.Name == "nil"
}

// isShutdownExpr says whether a condition asks if the caller has given up or
// the process is stopping.
func isShutdownExpr(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			q, name := callee(n.Fun)
			if name == "Err" && ctxName(q) || stopName(name) {
				found = true
			}
		case *ast.Ident:
			if stopName(n.Name) {
				found = true
			}
		}
		return !found
	})
	return found
}

// isContextErr says whether a statement takes the error of a context.
func isContextErr(s ast.Stmt) bool {
	a, isAssign := s.(*ast.AssignStmt)
	if !isAssign || len(a.Rhs) != 1 {
		return false
	}
	c, isCall := a.Rhs[0].(*ast.CallExpr)
	if !isCall {
		return false
	}
	q, name := callee(c.Fun)
	return name == "Err" && ctxName(q)
}

func ctxName(q string) bool {
	s := strings.ToLower(q)
	return strings.Contains(s, "ctx") || strings.Contains(s, "context")
}

func stopName(name string) bool {
	s := strings.ToLower(name)
	switch s {
	case "quit", "stop", "stopped", "stopping", "closed", "closing", "isclosed", "isstopped", "shutdown", "shuttingdown", "isshutdown",
		"exiting", "cancelled", "canceled", "terminated", "killed", "draining", "stopch", "stopc", "closech", "donech", "quitch", "exitch", "exit":
		return true
	}
	return strings.HasSuffix(s, "shutdown") || strings.HasSuffix(s, "stopch")
}

// isShutdown says whether a select clause waits for the end of the caller.
func isShutdown(s ast.Stmt) bool {
	var recv ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		recv = s.X
	case *ast.AssignStmt:
		recv = s.Rhs[0]
	}
	un, isRecv := recv.(*ast.UnaryExpr)
	if !isRecv || un.Op != token.ARROW {
		return false
	}
	name := strings.ToLower(lastName(un.X))
	return name == "done" || strings.HasSuffix(name, "done") || stopName(name) || strings.Contains(name, "stop") || strings.Contains(name, "shutdown") ||
		strings.Contains(name, "close") || strings.Contains(name, "quit") || strings.Contains(name, "exit")
}
