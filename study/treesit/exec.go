//go:build cgo

package treesit

import "strings"

type signal uint8

const (
	sNext signal = iota
	sBreak
	sContinue
	sReturn
	sThrow
	sStop // the budget is used up
)

// exec runs a statement or block.
func (w *world) exec(n *node, e *env) signal {
	if n == nil {
		return sNext
	}
	if w.spent() {
		return sStop
	}
	switch n.op {
	case opBlock, opOther:
		for _, s := range n.list {
			if sig := w.exec(s, e); sig != sNext {
				return sig
			}
		}
		return sNext
	case opFunc:
		if n.name != "" {
			e.vars[n.name] = value{kind: vFunc, node: n, env: e, unit: w.u}
		}
		return sNext
	case opClass:
		return sNext
	case opIf:
		return w.execIf(n, e)
	case opLoop:
		return w.execLoop(n, e)
	case opTry:
		return w.execTry(n, e)
	case opSwitch:
		return w.execSwitch(n, e)
	case opReturn:
		v := w.eval(n.a, e)
		if w.thrown {
			w.thrown = false
			return sThrow
		}
		w.ret = v
		return sReturn
	case opThrow:
		w.eval(n.a, e)
		w.thrown = false
		return sThrow
	case opBreak:
		w.label = n.name
		return sBreak
	case opContinue:
		w.label = n.name
		return sContinue
	}
	w.eval(n, e)
	if w.thrown {
		w.thrown = false
		return sThrow
	}
	if n.op == opCall && exits(n) {
		return sReturn
	}
	return sNext
}

// exits: calls that end the program or settle a promise as failed.
func exits(n *node) bool {
	switch n.a.path() {
	case "sys.exit", "os._exit", "exit", "quit", "process.exit", "System.exit", "os.abort", "pytest.fail", "reject":
		return true
	}
	return false
}

func (w *world) execIf(n *node, e *env) signal {
	c := w.eval(n.a, e)
	if w.thrown {
		w.thrown = false
		return sThrow
	}
	yes, known := c.truth()
	if c.flags&fRuntime != 0 && c.flags&fCounted == 0 {
		known = false // a setting's default does not decide what code can do
	}
	// In the failing world only a counter ends the construct; a switch that is off
	// by default does not.
	if !known || w.mode == failing && (w.stretch || c.flags&fCounted == 0) && w.leavesBy(n, yes) {
		yes = w.choose(n, c)
	}
	if yes {
		return w.exec(n.b, e)
	}
	return w.exec(n.c, e)
}

// leavesBy reports whether the known branch would end a stretched run.
func (w *world) leavesBy(n *node, yes bool) bool {
	if yes {
		return w.leaves(n.b)
	}
	return w.leaves(n.c)
}

// choose picks the branch of a condition that is not known. The failing world
// goes on as long as it can, the healthy world leaves as soon as it can.
func (w *world) choose(n *node, c value) bool {
	thenLeaves, elseLeaves := w.leaves(n.b), n.c != nil && w.leaves(n.c)
	if w.mode == healthy {
		switch x, y := w.leaving(n.b), w.leaving(n.c); {
		case x == 2 || y == 2: // an exception is no success
			return x != 2
		case toldToStop(n.a): // nor is an order to stop
			return !thenLeaves
		case thenLeaves || elseLeaves:
			return thenLeaves
		}
		return !w.hasWait(n.b) && failureSide(n.a) <= 0
	}
	if w.mode == static { // the default path: what holds when nothing special is set
		return n.c != nil && !thenLeaves
	}
	if thenLeaves != elseLeaves {
		return elseLeaves
	}
	if n.c == nil {
		if w.leaving(n.b) == -1 && !w.hasWait(n.b) && w.waitsAfter(n) {
			return false // the special case that goes round at once
		}
		return !thenLeaves
	}
	// Both sides go on: the one that waits or starts again, and of two waits the
	// program's own rather than the server's.
	wb, wc := w.hasWait(n.b), w.hasWait(n.c)
	if wb != wc {
		return wb
	}
	if cb, cc := w.hasCount(n.b), w.hasCount(n.c); cb != cc && !wb {
		return cb
	}
	if c.flags&fServer != 0 || mentionsServer(n.b) && !mentionsServer(n.c) {
		return false
	}
	return waitNames(n.b) >= waitNames(n.c)
}

// waitNames counts the names that speak of waiting.
func waitNames(n *node) int {
	count := 0
	n.walkHere(func(k *node) bool {
		if (k.op == opName || k.op == opMember) && waitWord(strings.ToLower(k.name)) {
			count++
		}
		return true
	})
	return count
}

// waitsAfter reports whether a wait follows n in its block.
func (w *world) waitsAfter(n *node) bool {
	if n.parent == nil {
		return false
	}
	after := false
	for _, st := range n.parent.list {
		if after && w.hasWait(st) {
			return true
		}
		after = after || st == n
	}
	return false
}

func mentionsServer(n *node) bool {
	found := false
	n.walkHere(func(k *node) bool {
		if (k.op == opName || k.op == opMember || k.op == opStr) && serverWord(k.name) {
			found = true
		}
		return !found
	})
	return found
}

func (w *world) execSwitch(n *node, e *env) signal {
	w.eval(n.a, e)
	pick := -1
	for i, c := range n.list {
		if c.b != nil && !w.leaves(c.b) {
			pick = i
			if w.hasWait(c.b) {
				break
			}
		}
	}
	for i := max(pick, 0); i < len(n.list) && pick >= 0; i++ {
		switch sig := w.exec(n.list[i].b, e); sig {
		case sNext:
		case sBreak:
			if w.label == "" {
				return sNext
			}
			return sig
		default:
			return sig
		}
	}
	return sNext
}

func (w *world) execTry(n *node, e *env) signal {
	sig := w.exec(n.a, e)
	if sig == sThrow && len(n.list) > 0 {
		h := w.handler(n)
		for _, other := range n.list {
			if other.name != "" {
				e.vars[other.name] = unknown(0)
			}
		}
		sig = w.exec(h.a, e)
	} else if sig == sNext && n.b != nil {
		sig = w.exec(n.b, e)
	}
	if n.c != nil && sig != sStop {
		if s := w.exec(n.c, e); s != sNext {
			return s
		}
	}
	return sig
}

// handler picks the handler that takes the failure: one that does not leave, and
// of those the one that waits or counts.
func (w *world) handler(n *node) *node {
	best, score := n.list[0], -1
	for _, h := range n.list {
		s := 0
		if !w.leaves(h.a) {
			s += 4
		}
		if w.hasWait(h.a) {
			s += 2
		}
		if w.hasCount(h.a) {
			s++
		}
		if s > score {
			best, score = h, s
		}
	}
	return best
}
