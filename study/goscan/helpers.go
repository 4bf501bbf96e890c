package goscan

import (
	"go/ast"
	"strings"

	"retrylab/study/finding"
)

// helper follows a call that computes a wait: into a function literal bound to
// a local name, a function of the package or of the same module, or by what is
// known of libraries.
func (d *delayer) helper(c *ast.CallExpr, q, name string, depth int) {
	if d.libraryWait(q, name) {
		d.library = true
		return
	}
	if q == "" && d.f != nil {
		for _, a := range d.f.assigns[name] {
			if lit, isLit := a.rhs.(*ast.FuncLit); isLit {
				d.body(lit.Type, lit.Body, c, d.p, depth)
				return
			}
		}
	}
	p, onValue := d.p, q != ""
	if imp, isImport := d.u.importOf(d.p, q); isImport && q != "" {
		onValue = false
		if p = d.u.imported(imp); p == nil {
			d.byName(c, name)
			return
		}
	}
	decl := p.function(onValue, name)
	if decl == nil && !onValue {
		if e, isVar := p.consts[name]; isVar { // var backoff = exponential
			if id, isIdent := e.(*ast.Ident); isIdent {
				decl = p.funcs[id.Name]
			}
		}
	}
	if decl == nil || depth > maxDepth {
		d.byName(c, name)
		return
	}
	d.body(decl.Type, decl.Body, c, p, depth)
	if pauses(name) && !d.counts(durArg(c)) {
		d.expr(durArg(c), depth+1)
	}
}

// pauses says whether a helper waits itself, for a length it is given.
func pauses(name string) bool {
	s := strings.ToLower(name)
	return strings.Contains(s, "sleep") || strings.Contains(s, "wait") || strings.Contains(s, "pause")
}

// insideCalls looks for the wait inside closures and functions of the package
// that the construct calls: some put the pause at the head of the operation.
func (d *delayer) insideCalls(n ast.Node) {
	ast.Inspect(n, func(m ast.Node) bool {
		c, isCall := m.(*ast.CallExpr)
		if !isCall {
			return true
		}
		qual, name := callee(c.Fun)
		if qual == "" && d.f != nil {
			for _, a := range d.f.assigns[name] {
				if lit, isLit := a.rhs.(*ast.FuncLit); isLit {
					d.waitsIn(lit.Type, lit.Body, c)
				}
			}
		}
		if decl := d.p.function(qual != "", name); decl != nil && finding.RetryWord(name) && !d.out.Waits {
			d.waitsIn(decl.Type, decl.Body, c)
		}
		return true
	})
}

// waitsIn takes over the waits of a called function's body.
func (d *delayer) waitsIn(typ *ast.FuncType, body *ast.BlockStmt, c *ast.CallExpr) {
	waits := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, isCall := n.(*ast.CallExpr); isCall {
			_, isWait := d.u.waitCall(call)
			waits = waits || isWait
		}
		return !waits
	})
	if waits {
		d.out.Waits = true
		d.body(typ, body, c, d.p, 1)
	}
}

// body analyses a helper's body; parameters that receive the pass counter, or
// are named like one, count as the counter.
func (d *delayer) body(typ *ast.FuncType, body *ast.BlockStmt, c *ast.CallExpr, p *pkg, depth int) {
	inner := &delayer{u: d.u, f: newFn("", typ, body), p: p, counter: map[string]bool{}, seen: d.seen, known: d.known, base: d.base}
	i := 0
	if typ.Params != nil {
		for _, field := range typ.Params.List {
			for _, name := range field.Names {
				if i < len(c.Args) && (d.counts(c.Args[i]) || counterName(name.Name)) {
					inner.counter[name.Name] = true
				}
				i++
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				inner.expr(r, depth+1)
			}
		case *ast.CallExpr:
			// A helper that itself sleeps carries the length inside.
			if dur, isWait := d.u.waitCall(n); isWait {
				inner.expr(dur, depth+1)
			}
		}
		return true
	})
	d.merge(inner)
}

func (d *delayer) merge(o *delayer) {
	d.out.Power = d.out.Power || o.out.Power
	d.out.Polynomial = d.out.Polynomial || o.out.Polynomial
	d.out.Step = d.out.Step || o.out.Step
	d.out.Random = d.out.Random || o.out.Random
	d.out.Unresolved = d.out.Unresolved || o.out.Unresolved
	d.library = d.library || o.library
	if !d.known && o.known {
		d.base, d.known = o.base, true
	}
}

func counterName(name string) bool {
	s := strings.ToLower(name)
	return strings.Contains(s, "attempt") || strings.Contains(s, "retr") || strings.Contains(s, "tries") || s == "n" || s == "i"
}

// libraryWait knows the methods of widely used delay calculators.
func (d *delayer) libraryWait(q, name string) bool {
	switch name {
	case "NextBackOff", "NextBackoff":
		d.out.Power, d.out.Random = true, true
		return true
	case "ForAttempt":
		d.out.Power = true
		return true
	case "Duration":
		if strings.Contains(strings.ToLower(q), "backoff") || q == "b" || q == "boff" {
			d.out.Power = true
			d.out.Random = d.out.Random || d.literalJitter(q)
			return true
		}
	case "Step":
		if strings.Contains(strings.ToLower(q), "backoff") {
			d.out.Power = true
			d.out.Random = d.out.Random || d.literalJitter(q)
			return true
		}
	}
	return false
}

// literalJitter says whether a delay calculator was made with its jitter on.
func (d *delayer) literalJitter(q string) bool {
	found := false
	look := func(e ast.Node) {
		ast.Inspect(e, func(n ast.Node) bool {
			if kv, isKV := n.(*ast.KeyValueExpr); isKV && lastName(kv.Key) == "Jitter" && dotted(kv.Value) != "false" {
				if v, known := d.u.evalIn(kv.Value, d.p, d.f, 0); !known || v.n != 0 {
					found = true
				}
			}
			return true
		})
	}
	if d.f != nil {
		for _, a := range d.f.assigns[q] {
			if a.rhs != nil {
				look(a.rhs)
			}
		}
	}
	if e, isVar := d.p.consts[q]; isVar && !found {
		look(e)
	}
	return found
}

// byName falls back on the name of a helper that cannot be read.
func (d *delayer) byName(c *ast.CallExpr, name string) {
	s := strings.ToLower(name)
	d.out.Random = d.out.Random || strings.Contains(s, "jitter")
	counted := false
	for _, a := range c.Args {
		counted = counted || d.counts(a)
	}
	switch {
	case strings.Contains(s, "exp"):
		d.out.Power = true
	case strings.Contains(s, "linear"):
		d.out.Step = true
	case strings.Contains(s, "const") || strings.Contains(s, "fixed"):
	case strings.Contains(s, "backoff") && counted:
		d.out.Power = true
	case pauses(name) && len(c.Args) > 0 && !d.counts(durArg(c)):
		d.expr(durArg(c), maxDepth-2)
	case sameEachPass(s):
		for _, a := range c.Args {
			d.expr(a, maxDepth-1)
		}
	default:
		d.out.Unresolved = true
	}
}

// sameEachPass covers getters such as GetDuration("key"): one value, the same each pass.
func sameEachPass(s string) bool {
	return strings.HasPrefix(s, "get") || strings.HasSuffix(s, "duration") || strings.HasSuffix(s, "interval") || strings.HasSuffix(s, "timeout")
}
