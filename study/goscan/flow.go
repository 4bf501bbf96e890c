package goscan

import (
	"go/ast"
	"go/token"
	"strings"
)

// A mask is a set of states a path can be in: the operation has not failed
// (so far), or it has.
type mask uint8

const (
	well   mask = 1
	failed mask = 2
)

// exits says in which states a statement can be left, by way of leaving.
type exits struct {
	fall mask // to the next statement
	next mask // to the next pass of the loop under study (or its label)
	away mask // out of the loop or function
	out  mask // break out of an inner statement, taken by the statement itself
}

func (e *exits) join(o exits) {
	e.fall |= o.fall
	e.next |= o.next
	e.away |= o.away
	e.out |= o.out
}

// flow walks the body of one construct and follows both fates of its
// operation. It is a small abstract interpretation: at a test of a failure the
// paths split by fate, at any other test both branches are possible.
type flow struct {
	u       *unit
	label   string // label of the loop under study, or of the goto target
	inner   int    // depth of inner loops, whose continue is not ours
	breaks  int    // depth of inner switches, selects and loops, whose break is not ours
	counter map[string]bool
	flags   map[string]bool // names whose assignment ends the loop (for !done)
	self    func(*ast.CallExpr) bool

	waits  []wait // every wait met, with the states it is met in
	counts mask   // states in which a counter or the delay is changed
	onFail struct{ waits, counts bool }
	// failVar is the name whose test split the fates first: a test of another
	// name on the failed path asks about another matter.
	failVar string
	called  mask // states in which self is called
	onlyF   bool // self is called where the operation has surely failed
	flagOK  mask // states in which a flag of the loop's condition is set
	opAt    token.Pos
}

type wait struct {
	dur ast.Expr
	in  mask
	pos token.Pos
}

func (w *flow) block(list []ast.Stmt, in mask) exits {
	var total exits
	for _, s := range list {
		if in == 0 {
			break
		}
		e := w.stmt(s, in)
		in = e.fall
		e.fall = 0
		total.join(e)
	}
	total.fall = in
	return total
}

func (w *flow) stmt(s ast.Stmt, in mask) exits {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return w.block(s.List, in)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, in)
	case *ast.IfStmt:
		return w.ifStmt(s, in)
	case *ast.ForStmt:
		return w.loop(s.Body, in, s.Init, s.Post)
	case *ast.RangeStmt:
		return w.loop(s.Body, in)
	case *ast.SwitchStmt:
		return w.switchStmt(s, in)
	case *ast.TypeSwitchStmt:
		return w.cases(s.Body.List, in, true)
	case *ast.SelectStmt:
		return w.cases(s.Body.List, in, false)
	case *ast.BranchStmt:
		return w.branch(s, in)
	case *ast.ReturnStmt:
		w.effects(s, in)
		return exits{away: in}
	}
	w.effects(s, in)
	if dies(s) {
		return exits{away: in}
	}
	return exits{fall: in}
}

func (w *flow) branch(s *ast.BranchStmt, in mask) exits {
	name := ""
	if s.Label != nil {
		name = s.Label.Name
	}
	mine := name != "" && name == w.label
	switch s.Tok {
	case token.CONTINUE:
		if mine || (name == "" && w.inner == 0) {
			return exits{next: in}
		}
		if name != "" {
			return exits{away: in}
		}
		return exits{out: in}
	case token.BREAK:
		if mine || (name == "" && w.breaks == 0) {
			return exits{away: in}
		}
		if name != "" {
			return exits{away: in}
		}
		return exits{out: in}
	case token.GOTO:
		if mine {
			return exits{next: in}
		}
		return exits{away: in}
	}
	return exits{fall: in} // fallthrough
}

// loop walks an inner loop once: its own continue and break lead on.
func (w *flow) loop(body *ast.BlockStmt, in mask, headers ...ast.Stmt) exits {
	for _, h := range headers {
		if h != nil {
			w.effects(h, in)
		}
	}
	w.inner++
	w.breaks++
	e := w.block(body.List, in)
	w.inner--
	w.breaks--
	e.fall |= e.out | in
	e.out = 0
	return e
}

func (w *flow) ifStmt(s *ast.IfStmt, in mask) exits {
	shutdown := false
	if s.Init != nil {
		w.effects(s.Init, in)
		shutdown = isContextErr(s.Init)
	}
	w.effects(&ast.ExprStmt{X: s.Cond}, in)
	t, f := in, in
	if shutdown {
		t = 0
	} else {
		t, f = w.cond(s.Cond, in)
	}
	var total exits
	if t != 0 {
		total.join(w.block(s.Body.List, t))
	}
	if s.Else != nil {
		if f != 0 {
			total.join(w.stmt(s.Else, f))
		}
	} else {
		total.fall |= f
	}
	return total
}

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
