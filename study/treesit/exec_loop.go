//go:build cgo

package treesit

import "math"

func (w *world) execLoop(n *node, e *env) signal {
	if n.name == "each" {
		return w.execEach(n, e)
	}
	if n.name == "for" {
		w.eval(n.a, e)
	}
	for pass := 0; ; pass++ {
		if n.b != nil && !(n.name == "do" && pass == 0) {
			v := w.eval(n.b, e)
			if w.thrown {
				w.thrown = false
				return sThrow
			}
			if !w.goesOn(n, v, pass) {
				break
			}
		}
		if sig, done := w.pass(n, e); done {
			return sig
		}
		if n.name == "for" {
			w.eval(n.c, e)
		}
		if w.spent() || w.mode == static && pass > 50 {
			return sStop
		}
	}
	return w.exec(n.e, e)
}

// goesOn decides a loop's condition. What is not known goes on in the failing
// world; in the healthy world it ends when the body can change it.
func (w *world) goesOn(n *node, v value, pass int) bool {
	yes, known := v.truth()
	if n != w.top && pass > 0 && (!known || pass > 3 && yes && n.b.op == opBool) {
		return false // a loop inside: once is enough
	}
	switch {
	case known && (yes || !w.stretch || n != w.top):
		return yes
	case w.mode == healthy && pass > 0:
		return n == w.top && !changes(n)
	case w.mode == static:
		return pass == 0
	}
	return true
}

// changes reports whether the loop's body assigns a name of its condition.
func changes(n *node) bool {
	names := map[string]bool{}
	n.b.walk(func(k *node) bool {
		if p := k.path(); p != "" {
			names[p] = true
		}
		return true
	})
	found := false
	n.d.walkHere(func(k *node) bool {
		if k.op == opAssign && k.name == "=" && names[k.a.path()] {
			found = true
		}
		return !found
	})
	return found
}

// pass runs a loop's body once; done tells that the loop is over.
func (w *world) pass(n *node, e *env) (sig signal, done bool) {
	switch sig := w.exec(n.d, e); sig {
	case sBreak:
		if w.label != "" && w.label != n.label {
			return sBreak, true
		}
		w.label = ""
		return sNext, true
	case sContinue:
		if w.label != "" && w.label != n.label {
			return sContinue, true
		}
		w.label = ""
	case sReturn, sThrow, sStop:
		return sig, true
	}
	return sNext, false
}

func (w *world) execEach(n *node, e *env) signal {
	it := w.eval(n.b, e)
	if w.thrown {
		w.thrown = false
		return sThrow
	}
	var list []*node
	limit := math.Inf(1)
	switch {
	case it.kind == vRange:
		if n == w.top && !math.IsInf(it.stop, 1) {
			w.bounded, w.limitFlags = true, w.limitFlags|it.flags
			if it.stop > maxAttempts/2 {
				it.stop = w.clamp(it.stop)
			}
		}
	case it.kind == vNode && it.node.op == opList:
		list = it.node.list
		if n == w.top {
			w.bounded = true
		}
	default:
		limit = 3
		w.openEach = w.openEach || n == w.top
	}
	target := n.a
	if target != nil && target.op == opList && len(target.list) == 2 && it.kind == vRange {
		target = target.list[0] // for i, _ in enumerate(range(n))
	}
	for i := 0; ; i++ {
		item := unknown(0)
		switch {
		case it.kind == vRange:
			at := it.num + float64(i)*it.step
			if (it.step > 0 && at >= it.stop || it.step < 0 && at <= it.stop) && !(w.stretch && n == w.top) {
				return w.exec(n.e, e)
			}
			item = number(at, 0)
		case list != nil || it.kind == vNode && it.node.op == opList:
			if i >= len(list) {
				return w.exec(n.e, e)
			}
			item = w.inUnit(it.unit, list[i], it.env)
		case float64(i) >= limit:
			return w.exec(n.e, e)
		}
		w.store(target, item, e)
		if sig, done := w.pass(n, e); done {
			return sig
		}
		if w.spent() {
			return sStop
		}
	}
}
