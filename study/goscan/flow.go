package goscan

import (
	"go/ast"
	"go/token"
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
