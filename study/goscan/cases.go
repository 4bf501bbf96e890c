package goscan

import "go/ast"

func (w *flow) switchStmt(s *ast.SwitchStmt, in mask) exits {
	if s.Init != nil {
		w.effects(s.Init, in)
	}
	if s.Tag != nil {
		w.effects(&ast.ExprStmt{X: s.Tag}, in)
		if n := dotted(s.Tag); n != "" && isErrName(n) {
			return w.errSwitch(s, in)
		}
		return w.cases(s.Body.List, in, true)
	}
	// A switch without a tag is a chain of ifs.
	var total exits
	rest := in
	w.breaks++
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		t, f := rest, rest
		if len(cc.List) == 1 {
			t, f = w.cond(cc.List[0], rest)
		}
		total.join(w.block(cc.Body, t))
		if len(cc.List) == 0 { // default: reached when nothing else holds
			f = 0
		}
		if len(cc.List) == 1 {
			rest = f
		}
	}
	w.breaks--
	total.fall |= rest | total.out
	total.out = 0
	return total
}

// errSwitch is "switch err { case nil: ...; default: ... }".
func (w *flow) errSwitch(s *ast.SwitchStmt, in mask) exits {
	var total exits
	hasDefault := false
	w.breaks++
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		st := failed
		if len(cc.List) == 1 && isNil(cc.List[0]) {
			st = in & well
		}
		hasDefault = hasDefault || cc.List == nil
		if st != 0 {
			total.join(w.block(cc.Body, st))
		}
	}
	w.breaks--
	total.fall |= total.out
	total.out = 0
	if !hasDefault {
		total.fall |= in
	}
	return total
}

// cases walks the clauses of a switch with a tag, a type switch or a select.
func (w *flow) cases(list []ast.Stmt, in mask, mayFall bool) exits {
	var total exits
	w.breaks++
	for _, c := range list {
		switch c := c.(type) {
		case *ast.CaseClause:
			if c.List == nil {
				mayFall = false
			}
			total.join(w.block(c.Body, in))
		case *ast.CommClause:
			if c.Comm != nil {
				if isShutdown(c.Comm) {
					continue // the caller gives up; says nothing about the operation
				}
				w.effects(c.Comm, in)
			}
			total.join(w.block(c.Body, in))
		}
	}
	w.breaks--
	total.fall |= total.out
	total.out = 0
	if mayFall {
		total.fall |= in
	}
	return total
}
