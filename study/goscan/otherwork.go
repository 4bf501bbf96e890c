package goscan

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"retrylab/study/finding"
)

// walksBack: the loop counts down over a list, from its length.
func walksBack(n *ast.ForStmt) bool {
	as, isAssign := n.Init.(*ast.AssignStmt)
	return isAssign && len(as.Rhs) == 1 && callsLen(as.Rhs[0]) && !finding.RetryWord(dotted(as.Lhs[0]))
}

// walksIndex: a loop by index over a list whose elements it takes one by one, as
// long as the index does not speak of retrying.
func walksIndex(n ast.Stmt) bool {
	f, isFor := n.(*ast.ForStmt)
	if !isFor || f.Cond == nil || !(walksBack(f) || callsLen(f.Cond) && !finding.RetryWord(lastIn(f.Cond))) {
		return false
	}
	step, isStep := f.Post.(*ast.IncDecStmt)
	if !isStep {
		return false
	}
	index, takes := dotted(step.X), false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if x, isIndex := n.(*ast.IndexExpr); isIndex {
			takes = takes || dotted(x.Index) == index
		}
		return !takes
	})
	return takes && !finding.RetryWord(index)
}

// picksByPass: a test of the pass counter puts another fixed thing into an
// argument of the operation (if attempt == 1 { table = oldTable }). With two
// passes in all the second is then a fallback.
func (u *unit) picksByPass(body *ast.BlockStmt, counters map[string]bool, op *ast.CallExpr) bool {
	if op == nil {
		return false
	}
	for _, st := range body.List {
		s, isIf := st.(*ast.IfStmt)
		if !isIf || s.Else != nil || len(s.Body.List) != 1 || !comparesPass(s.Cond, counters) {
			continue
		}
		as, isAssign := s.Body.List[0].(*ast.AssignStmt)
		if !isAssign || as.Tok != token.ASSIGN || len(as.Lhs) != 1 || dotted(as.Rhs[0]) == "" && !isText(as.Rhs[0]) {
			continue
		}
		name := dotted(as.Lhs[0])
		for _, a := range op.Args {
			if name != "" && dotted(a) == name {
				return true
			}
		}
	}
	return false
}

func isText(e ast.Expr) bool {
	lit, isLit := e.(*ast.BasicLit)
	return isLit && lit.Kind == token.STRING
}

// comparesPass: a counter of the loop is compared with a number.
func comparesPass(cond ast.Expr, counters map[string]bool) bool {
	b, isBin := cond.(*ast.BinaryExpr)
	if !isBin {
		return false
	}
	return counters[dotted(b.X)] && isCountValue(b.Y) || counters[dotted(b.Y)] && isCountValue(b.X)
}

// ownPace: the operation is a function of this file that pauses by itself on its
// way through, so that success waits too.
func (u *unit) ownPace(op *ast.CallExpr) bool {
	qual, name := callee(op.Fun)
	if _, isImport := u.imports[qual]; isImport {
		return false
	}
	var decl *ast.FuncDecl
	for _, d := range u.tree.Decls {
		if f, isFunc := d.(*ast.FuncDecl); isFunc && f.Name.Name == name && (f.Recv != nil) == (qual != "") {
			if decl != nil {
				return false // which of the two is not known
			}
			decl = f
		}
	}
	return decl != nil && decl.Body != nil && slices.ContainsFunc(decl.Body.List, func(st ast.Stmt) bool {
		x, isExpr := st.(*ast.ExprStmt)
		if !isExpr {
			return false
		}
		c, isCall := x.X.(*ast.CallExpr)
		if !isCall {
			return false
		}
		_, isWait := u.waitCall(c)
		return isWait
	})
}

// remotePrograms talk to another machine although they are started on this one.
var remotePrograms = []string{"git", "curl", "wget", "ssh", "scp", "rsync", "docker", "kubectl", "helm", "gcloud", "aws", "az", "npm", "pip"}

// localWork says whether an operation is on the machine itself: by its name, a
// socket of the machine, or a program that is started.
func (u *unit) localWork(op *ast.CallExpr) bool {
	q, name := callee(op.Fun)
	if localCall(q, name) && !talksAway(op) {
		return true
	}
	if strings.HasPrefix(name, "Dial") {
		return slices.ContainsFunc(op.Args, func(a ast.Expr) bool { return isText(a) && strings.HasPrefix(a.(*ast.BasicLit).Value, `"unix`) })
	}
	if u.fn == nil || q == "" {
		return false
	}
	for _, a := range u.fn.assigns[q] {
		if c, isCall := a.rhs.(*ast.CallExpr); isCall {
			if pkg, made := callee(c.Fun); pkg == "exec" && strings.HasPrefix(made, "Command") {
				return !talksAway(c)
			}
		}
	}
	return false
}

// talksAway: one of the call's texts names a program that talks to another machine.
func talksAway(c *ast.CallExpr) bool {
	found := false
	ast.Inspect(c, func(n ast.Node) bool {
		if lit, isLit := n.(*ast.BasicLit); isLit && lit.Kind == token.STRING {
			for _, w := range strings.Fields(strings.Trim(lit.Value, "`\"")) {
				found = found || slices.Contains(remotePrograms, w)
			}
		}
		return !found
	})
	return found
}
