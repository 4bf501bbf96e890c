package goscan

import "go/ast"

// table reads a wait taken out of a list: the list's numbers, or what is
// appended to it, give the shape; a random index is jitter.
func (d *delayer) table(x *ast.IndexExpr, depth int) {
	d.expr(x.Index, depth+1)
	name := dotted(x.X)
	var values []ast.Expr
	appended := false
	if d.f != nil {
		for _, a := range d.f.assigns[name] {
			switch r := a.rhs.(type) {
			case *ast.CallExpr:
				if _, call := callee(r.Fun); call == "append" && len(r.Args) > 1 {
					appended = true
					for _, arg := range r.Args[1:] {
						d.expr(arg, depth+1)
					}
				}
			case *ast.CompositeLit:
				values = r.Elts
			}
		}
	}
	if e, isVar := d.p.consts[name].(*ast.CompositeLit); isVar && values == nil {
		values = e.Elts
	}
	if !appended && !d.listed(values) {
		d.out.Unresolved = true
	}
}

// listed takes the shape of known numbers: equal, evenly growing, or growing
// faster.
func (d *delayer) listed(values []ast.Expr) bool {
	if len(values) < 2 {
		return false
	}
	var n []float64
	for _, e := range values {
		v, known := d.u.evalIn(e, d.p, d.f, 0)
		if !known {
			return false
		}
		n = append(n, v.n)
	}
	even, grows := true, false
	for i := 1; i < len(n); i++ {
		even = even && n[i]-n[i-1] == n[1]-n[0]
		grows = grows || n[i] > n[i-1]
	}
	switch {
	case !grows:
	case even && len(n) > 2:
		d.out.Step = true
	default:
		d.out.Power = true
	}
	if !d.known && n[0] >= 1e3 {
		d.base, d.known = n[0], true
	}
	return true
}
