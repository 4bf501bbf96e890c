//go:build cgo

package treesit

import "retrylab/study/finding"

// shape describes a construct for the verdict, from its syntax and its runs.
func (s *scan) shape(n *node, c candidate, form string, r runs) finding.Shape {
	w := r.stretched
	sh := finding.Shape{
		Form: form, Operation: true,
		SuccessLeaves: r.healthy.attempts == 1,
		Counted:       r.normal.bounded && !r.normal.openEach,
		Waits:         len(w.delays) > 0,
		RetryWord:     speaksOfRetry(n) || finding.RetryWord(function(n)),
		PollWord:      finding.PollWord(c.op.a.last()) || finding.PollWord(function(n)),
		Cursor:        cursor(n, c.op),
		EachItem:      n.op == opLoop && n.name == "each" && !numericIter(n.b) && uses(c.op, n.a),
	}
	if c.throws {
		sh.FailureRepeats = w.repeats() >= 2
		for _, h := range handlers(c.try) {
			sh.FailureWaits = sh.FailureWaits || w.hasWait(h)
			sh.FailureCounts = sh.FailureCounts || w.hasCount(h)
		}
		sh.ValueRepeats = conditionalExit(w, c)
	} else {
		s.statusShape(n, c, w, &sh)
		sh.FailureRepeats = sh.FailureRepeats && w.repeats() >= 2
	}
	sh.SuccessWaits = !sh.SuccessLeaves && (len(r.healthy.delays) > 0 || s.ownPace(c.op))
	sh.Periodic = !sh.SuccessLeaves && !sh.Counted
	return sh
}

// handlers lists the code that runs when the operation throws.
func handlers(try *node) []*node {
	var out []*node
	if try == nil {
		return nil
	}
	if try.op == opCall {
		for _, a := range try.list {
			if a.op == opFunc {
				out = append(out, a.a)
			}
		}
		return out
	}
	for _, h := range try.list {
		if h.a != nil {
			out = append(out, h.a)
		}
	}
	return out
}

// statusShape fills in what a loop without exception handling does with its
// operation's answer: tests that speak of failure or success, and other tests.
func (s *scan) statusShape(n *node, c candidate, w *world, sh *finding.Shape) {
	side := 0
	if n.b != nil && n.name != "each" {
		side = failureSide(n.b)
	}
	if side > 0 && changes(n) || side > 0 && c.op.within(n.b) {
		sh.FailureRepeats = true
	} else if n.b != nil && n.name != "each" && changes(n) {
		sh.ValueRepeats = true
	}
	n.d.walkHere(func(k *node) bool {
		if k.op == opLoop || k.op == opSwitch {
			return k == n.d
		}
		if k.op != opIf || counterTest(w, k.a) {
			return true
		}
		thenLeaves, elseLeaves := w.leaves(k.b), k.c != nil && w.leaves(k.c)
		side := failureSide(k.a)
		switch {
		case side > 0 && !thenLeaves, side < 0 && (thenLeaves || k.c != nil && !elseLeaves):
			if side > 0 && !w.hasWait(k.b) && w.leaving(k.b) != -1 && !elseLeaves && !fallsThrough(k) {
				return true
			}
			sh.FailureRepeats = true
			bad := k.b
			if side < 0 {
				bad = k.c
			}
			sh.FailureWaits = sh.FailureWaits || bad != nil && w.hasWait(bad)
			sh.FailureCounts = sh.FailureCounts || bad != nil && w.hasCount(bad)
		case side == 0 && (thenLeaves || elseLeaves):
			sh.ValueRepeats = true
		}
		return true
	})
	if sh.FailureRepeats && readVerb(c.op.a.last()) && sh.ValueRepeats && !sh.FailureWaits {
		sh.PollWord = true
	}
}

// fallsThrough: a failure branch followed by an exit: "if err: log ... ; return".
func fallsThrough(k *node) bool {
	p := k.parent
	if p == nil || p.op != opBlock {
		return false
	}
	last := p.list[len(p.list)-1]
	return last.op == opReturn || last.op == opBreak
}

func counterTest(w *world, n *node) bool { return n != nil && w.countsIn(n) && failureSide(n) == 0 }

// conditionalExit: success is left only when the answer has a wanted value.
func conditionalExit(w *world, c candidate) bool {
	if c.try.op != opTry || w.leaves(c.try.a) || w.leaves(c.try.b) {
		return false
	}
	found := false
	look := func(n *node) {
		n.walkHere(func(k *node) bool {
			if k.op == opIf && failureSide(k.a) == 0 && !counterTest(w, k.a) && (w.leaves(k.b) || w.leaves(k.c)) {
				found = true
			}
			return !found && k.op != opLoop && k.op != opHandler
		})
	}
	look(c.try.a)
	look(c.try.b)
	return found
}

// speaksOfRetry looks for identifiers of retrying; strings and comments do not count.
func speaksOfRetry(n *node) bool {
	found := false
	n.walk(func(k *node) bool {
		switch k.op {
		case opName, opMember, opArg, opParam, opFunc:
			found = found || finding.RetryWord(k.name)
		case opHandler:
			found = found || finding.RetryWord(k.name)
		}
		return !found
	})
	return found
}

// uses reports whether an expression mentions a loop's item.
func uses(n, item *node) bool {
	names := map[string]bool{}
	item.walk(func(k *node) bool {
		if k.op == opName {
			names[k.name] = true
		}
		return true
	})
	found := false
	n.walk(func(k *node) bool {
		found = found || k.op == opName && names[k.name]
		return !found
	})
	return found
}

// cursor: an argument of the operation is assigned in the construct from the
// operation's own answer, as page tokens and offsets are.
func cursor(n, op *node) bool {
	if n.op != opLoop {
		return false
	}
	result := map[string]bool{} // names that hold (parts of) the answer
	if a := op.up(opAssign); a != nil && a.within(n) && a.a != nil {
		a.a.walk(func(k *node) bool {
			if k.op == opName {
				result[k.name] = true
			}
			return true
		})
	}
	mentions := func(k *node, names map[string]bool) bool {
		hit := false
		k.walk(func(x *node) bool {
			hit = hit || x.op == opName && names[x.name]
			return !hit
		})
		return hit
	}
	args := map[string]bool{}
	for _, a := range op.list {
		collectNames(a, args)
	}
	collectNames(op.a, args)
	for range 2 { // arguments built in the loop: command = new Command({token})
		n.d.walkHere(func(k *node) bool {
			if k.op == opAssign && k.a != nil && args[k.a.path()] && k.b != nil && !op.within(k) {
				collectNames(k.b, args)
			}
			return true
		})
	}
	found := false
	n.d.walkHere(func(k *node) bool {
		if k.op == opAssign && k.b != nil && k.a != nil && !op.within(k) && mentions(k.b, result) {
			if t := k.a.path(); args[t] && !result[t] {
				found = true
			}
		}
		return !found
	})
	return found
}

func collectNames(n *node, into map[string]bool) {
	n.walk(func(k *node) bool {
		if k.op == opName || k.op == opMember {
			if p := k.path(); p != "" {
				into[p] = true
			}
		}
		return true
	})
}
