//go:build cgo

package treesit

import "strings"

// leaves reports whether a branch certainly ends the construct under study
// instead of going round again.
func (w *world) leaves(n *node) bool { return w.leaving(n) > 0 }

// leaving returns 1 when the code leaves the construct, 2 when it does so by an
// exception, -1 when it certainly goes round again (continue, or a call that
// starts the construct anew), 0 when control falls through.
func (w *world) leaving(n *node) int {
	if n == nil {
		return 0
	}
	switch n.op {
	case opBlock, opOther:
		for _, s := range n.list {
			if r := w.leaving(s); r != 0 {
				return r
			}
		}
		return 0
	case opReturn:
		if w.startsAgain(n.a) {
			return -1
		}
		return 1
	case opThrow:
		if w.startsAgain(n.a) {
			return -1
		}
		return 2
	case opBreak:
		if w.top != nil && w.top.op == opFunc {
			return 0
		}
		return 1
	case opContinue:
		if w.top != nil && w.top.op == opLoop {
			return -1
		}
		return 0
	case opIf:
		x, y := w.leaving(n.b), w.leaving(n.c)
		if x == y || x > 0 && y > 0 {
			return x
		}
		if x == -1 || y == -1 {
			return -1
		}
		return 0
	case opTry:
		if r := w.leaving(n.c); r != 0 {
			return r
		}
		return w.leaving(n.a)
	case opLoop:
		return 0
	case opSwitch:
		return 0
	case opCall:
		if exits(n) {
			return 1
		}
		if w.startsAgain(n) {
			return -1
		}
		return 0
	case opAssign:
		if w.startsAgain(n.b) {
			return -1
		}
	}
	return 0
}

// toldToStop: a condition asks only whether this program was told to stop.
func toldToStop(cond *node) bool {
	for cond != nil && cond.op == opUnary {
		cond = cond.a
	}
	if cond == nil || cond.op != opName && cond.op != opMember && cond.op != opCall {
		return false
	}
	low := strings.ToLower(strings.ReplaceAll(cond.last(), "_", ""))
	for _, w := range []string{"shutdown", "shuttingdown", "shouldstop", "stoprequested", "isstopped", "isstopping", "stopping", "interrupted", "terminated", "terminating"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return low == "stopped" || low == "stop"
}

// startsAgain reports whether an expression contains a sink or an operation, so
// that leaving through it is no end.
func (w *world) startsAgain(n *node) bool {
	found := false
	n.walk(func(k *node) bool {
		if k.op == opCall && (w.sinks[k] || w.top != nil && w.top.op == opFunc && w.selfCall(k)) {
			found = true
		}
		return !found
	})
	return found
}

// selfCall: the call's target is the function under study.
func (w *world) selfCall(k *node) bool {
	return w.top.op == opFunc && callsFunc(k, w.top)
}

// hasWait reports whether code waits or starts the construct again.
func (w *world) hasWait(n *node) bool {
	found := false
	n.walk(func(k *node) bool {
		if k.op == opCall && k.a != nil {
			if a, _ := waitArg(w.u.lang, k); a != nil || w.sinks[k] || w.top != nil && w.selfCall(k) {
				found = true
			}
		}
		return !found
	})
	return found
}

// hasCount reports whether code moves or compares a counter.
func (w *world) hasCount(n *node) bool {
	found := false
	n.walkHere(func(k *node) bool {
		switch k.op {
		case opAssign:
			found = found || stepping(k.name) && w.counters[k.a.path()]
		case opBinary:
			found = found || comparison(k.name) && (w.countsIn(k.a) || w.countsIn(k.b))
		case opCall:
			found = found || stepCall(k) != 0
		}
		return !found
	})
	return found
}

func comparison(op string) bool {
	switch op {
	case "<", "<=", ">", ">=", "==", "!=":
		return true
	}
	return false
}
