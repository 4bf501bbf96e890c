package goscan

import (
	"go/ast"
	"go/token"
	"strings"

	"retrylab/study/finding"
)

// waitCall says whether a call waits, and for how long.
func (u *unit) waitCall(c *ast.CallExpr) (dur ast.Expr, isWait bool) {
	q, name := callee(c.Fun)
	s := strings.ToLower(name)
	arg := func(i int) ast.Expr {
		if i < len(c.Args) {
			return c.Args[i]
		}
		return nil
	}
	switch {
	case q == "time" && (name == "Sleep" || name == "After" || name == "NewTimer" || name == "AfterFunc"):
		return arg(0), true
	case name == "Reset" && len(c.Args) == 1 && timerName(q):
		return arg(0), true
	case strings.Contains(s, "newtimer") || strings.Contains(s, "safetimer") || name == "AfterFunc":
		return arg(0), len(c.Args) > 0
	case strings.Contains(s, "sleep"):
		return c, true
	case (name == "After" || name == "NewTimer") && strings.Contains(strings.ToLower(q), "clock"):
		return arg(0), true
	case name == "Wait" || name == "Pause" || name == "Backoff" || name == "BackOff" || name == "backoff":
		// Wait of a group, a command or a limiter is no pause between attempts.
		if name == "Wait" && !finding.RetryWord(q) {
			return nil, false
		}
		if (name != "Wait") && len(c.Args) == 0 && q == "" {
			return c, true
		}
		return c, finding.RetryWord(q)
	case strings.HasPrefix(s, "wait") && (strings.Contains(s, "retry") || strings.Contains(s, "backoff") || strings.Contains(s, "delay")):
		return c, true
	case strings.HasPrefix(s, "backoffwait") || strings.HasPrefix(s, "dobackoff") || strings.HasPrefix(s, "retrywait"):
		return c, true
	}
	return nil, false
}

func timerName(q string) bool {
	s := strings.ToLower(q)
	return strings.Contains(s, "time") || s == "t" || strings.Contains(s, "tick") || strings.Contains(s, "retry") || strings.Contains(s, "backoff")
}

// durArg picks the argument that is most likely the duration: the last one that
// is no context, channel or function.
func durArg(c *ast.CallExpr) ast.Expr {
	for i := len(c.Args) - 1; i >= 0; i-- {
		n := strings.ToLower(lastName(c.Args[i]))
		if _, isFn := c.Args[i].(*ast.FuncLit); !isFn && !ctxName(n) && !strings.Contains(n, "stop") {
			return c.Args[i]
		}
	}
	return c
}

// waitRecv says whether receiving from a channel waits for a timer.
func (u *unit) waitRecv(e ast.Expr) (dur ast.Expr, isWait bool) {
	s, isSel := e.(*ast.SelectorExpr)
	if !isSel || s.Sel.Name != "C" || u.fn == nil {
		return nil, false
	}
	for _, a := range u.fn.assigns[dotted(s.X)] {
		c, isCall := a.rhs.(*ast.CallExpr)
		if !isCall {
			continue
		}
		if _, name := callee(c.Fun); name == "NewTicker" && len(c.Args) > 0 {
			return c.Args[0], true
		}
	}
	// A timer's length is found where it is made or reset.
	return nil, timerName(lastName(s.X))
}

// delayer analyses what lengths a wait can have over the passes.
type delayer struct {
	u       *unit
	f       *fn
	p       *pkg
	counter map[string]bool
	seen    map[ast.Expr]bool
	out     finding.Delay
	base    float64
	known   bool
	library bool // a library's calculator gives the wait
}

func (d *delayer) expr(e ast.Expr, depth int) {
	if e == nil || depth > maxDepth || d.seen[e] {
		return
	}
	d.seen[e] = true
	if !d.known {
		if v, isKnown := d.u.evalIn(e, d.p, d.f, depth); isKnown && (v.n >= 1e3 || v.n == 0) {
			d.base, d.known = v.n, v.n > 0
		}
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		d.expr(x.X, depth)
	case *ast.UnaryExpr:
		d.expr(x.X, depth)
	case *ast.BinaryExpr:
		d.binary(x, depth)
	case *ast.CallExpr:
		d.call(x, depth)
	case *ast.Ident:
		d.name(x.Name, depth)
	case *ast.SelectorExpr:
		if n := dotted(x); d.f != nil && len(d.f.assigns[n]) > 0 {
			d.name(n, depth)
		}
	case *ast.IndexExpr:
		d.table(x, depth)
	}
}

func (d *delayer) binary(x *ast.BinaryExpr, depth int) {
	switch x.Op {
	case token.SHL:
		d.out.Power = true
	case token.MUL:
		d.product(x)
		a, b := d.counts(x.X), d.counts(x.Y)
		if a && b {
			d.out.Polynomial = true
		} else if a || b {
			d.out.Step = true
		}
	}
	d.expr(x.X, depth+1)
	d.expr(x.Y, depth+1)
}

// product takes the known factors of a product as the base: 10 seconds out of
// attempt * 10 * time.Second.
func (d *delayer) product(x *ast.BinaryExpr) {
	n, some := 1.0, false
	var walk func(e ast.Expr)
	walk = func(e ast.Expr) {
		if b, isBin := ast.Unparen(e).(*ast.BinaryExpr); isBin && b.Op == token.MUL {
			walk(b.X)
			walk(b.Y)
		} else if v, known := d.u.evalIn(e, d.p, d.f, 0); known {
			n, some = n*v.n, true
		}
	}
	walk(x)
	if !d.known && some && n >= 1e3 {
		d.base, d.known = n, true
	}
}

// counts says whether an expression is the pass counter, directly or through
// conversions and sums.
func (d *delayer) counts(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return d.counter[x.Name]
	case *ast.SelectorExpr:
		return d.counter[dotted(x)]
	case *ast.BinaryExpr:
		return (x.Op == token.ADD || x.Op == token.SUB) && (d.counts(x.X) || d.counts(x.Y))
	case *ast.CallExpr:
		return len(x.Args) == 1 && isConversion(x) && d.counts(x.Args[0])
	}
	return false
}

func isConversion(c *ast.CallExpr) bool {
	switch _, name := callee(c.Fun); name {
	case "int", "int32", "int64", "uint", "uint32", "uint64", "float64", "float32", "Duration":
		return len(c.Args) == 1 // b.Duration() asks a calculator of waits
	}
	return false
}

func (d *delayer) name(name string, depth int) {
	if d.f == nil {
		return
	}
	for _, a := range d.f.assigns[name] {
		switch a.tok {
		case token.MUL_ASSIGN:
			d.out.Power = d.out.Power || !d.isOne(a.rhs)
		case token.SHL_ASSIGN:
			d.out.Power = true
		case token.ADD_ASSIGN, token.INC:
			d.out.Step = true
			if a.rhs != nil {
				d.selfGrow(name, a.rhs)
				d.randomOnly(a.rhs, depth)
			}
		case token.DEC:
		default:
			d.selfGrow(name, a.rhs)
			d.expr(a.rhs, depth+1)
		}
	}
}

// randomOnly notes a random addend without taking its shape.
func (d *delayer) randomOnly(e ast.Expr, depth int) {
	inner := &delayer{u: d.u, f: d.f, p: d.p, counter: d.counter, seen: d.seen, known: true}
	inner.expr(e, depth+1)
	if inner.out.Random {
		d.out.Random, d.out.Step = true, d.out.Step && inner.out.Step
	}
}

func (d *delayer) isOne(e ast.Expr) bool {
	v, isKnown := d.u.evalIn(e, d.p, d.f, 0)
	return isKnown && v.n == 1 || e != nil && dotted(e) != "" && strings.HasPrefix(dotted(e), "time.")
}

// selfGrow recognises x = x*2, x = min(x*2, cap), x = x + step.
func (d *delayer) selfGrow(name string, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		b, isBin := n.(*ast.BinaryExpr)
		if !isBin || !(mentions(b.X, name) || mentions(b.Y, name)) {
			return true
		}
		switch b.Op {
		case token.MUL, token.SHL:
			d.out.Power = true
		case token.ADD:
			// x + x/2 multiplies, x + step adds.
			if mentions(b.X, name) && mentions(b.Y, name) {
				d.out.Power = true
			} else {
				d.out.Step = true
			}
		}
		return true
	})
}

func mentions(e ast.Node, name string) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, isExpr := n.(ast.Expr); isExpr && dotted(x) == name {
			found = true
		}
		return !found
	})
	return found
}

// randomName says whether a function or package draws random numbers.
func randomName(q, name string) bool {
	s, lq := strings.ToLower(name), strings.ToLower(q)
	return lq == "rand" || lq == "fastrand" || strings.Contains(s, "rand") || strings.Contains(s, "jitter") ||
		strings.Contains(s, "stagger") || strings.Contains(s, "splay") || strings.Contains(lq, "rand") && (strings.HasPrefix(s, "int") || strings.HasPrefix(s, "float"))
}

func (d *delayer) call(c *ast.CallExpr, depth int) {
	q, name := callee(c.Fun)
	s := strings.ToLower(name)
	if maker, isCall := ast.Unparen(c.Fun).(*ast.CallExpr); isCall { // Exponential(base)(attempt)
		_, made := callee(maker.Fun)
		d.byName(&ast.CallExpr{Fun: maker.Fun, Args: append(append([]ast.Expr{}, maker.Args...), c.Args...)}, made)
		for _, a := range maker.Args {
			d.expr(a, maxDepth-1)
		}
		return
	}
	switch {
	case isConversion(c) || s == "min" || s == "max" || s == "newtimer" || s == "clamp":
		for _, a := range c.Args {
			d.expr(a, depth+1)
		}
	case (q == "math" && strings.HasPrefix(name, "Exp")) || q == "math" && name == "Pow":
		d.pow(c)
	case randomName(q, name):
		d.out.Random = true
		for _, a := range c.Args {
			d.expr(a, depth+1)
		}
	case q == "math" || q == "time":
		for _, a := range c.Args {
			d.expr(a, depth+1)
		}
	case s == "seconds" || s == "milliseconds" || s == "nanoseconds":
		if sel, isSel := c.Fun.(*ast.SelectorExpr); isSel {
			d.expr(sel.X, depth+1)
		}
	default:
		d.helper(c, q, name, depth)
	}
}

func (d *delayer) pow(c *ast.CallExpr) {
	if len(c.Args) == 2 && d.counts(c.Args[0]) && !d.counts(c.Args[1]) {
		d.out.Polynomial = true
		return
	}
	d.out.Power = true
}
