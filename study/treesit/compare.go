//go:build cgo

package treesit

import "retrylab/study/finding"

// compare evaluates a comparison. One that involves a counter of the construct
// is a bound; one that involves a clock is a time limit.
func (w *world) compare(n *node, e *env) value {
	x, y := w.eval(n.a, e), w.eval(n.b, e)
	f := x.flags | y.flags
	if f&fClock != 0 {
		w.timed = true
		return unknown(f)
	}
	if x.kind == vStr && y.kind == vStr {
		return boolean((x.str == y.str) == (n.name == "=="), f)
	}
	if x.kind == vNull || y.kind == vNull {
		if x.kind == y.kind {
			return boolean(n.name == "==", f)
		}
		other := x
		if x.kind == vNull {
			other = y
		}
		if other.kind == vUnknown || other.flags&fHole != 0 {
			return unknown(f)
		}
		return boolean(n.name != "==", f)
	}
	cx, cy := w.countsIn(n.a), w.countsIn(n.b)
	if cx && x.numeric() && y.kind == vUnknown { // a limit that could not be read
		y = hole(n.b.last())
	}
	if cy && y.numeric() && x.kind == vUnknown {
		x = hole(n.a.last())
	}
	f |= x.flags | y.flags
	if !x.numeric() || !y.numeric() {
		return unknown(f)
	}
	if !cx && !cy && f&fHole != 0 {
		return unknown(f)
	}
	if cx || cy {
		w.bounded = true
		w.limitFlags |= f &^ fCounted
		f |= fCounted
		if !cy {
			y.num = w.clamp(y.num)
		} else if !cx {
			x.num = w.clamp(x.num)
		}
	}
	return boolean(ordered(n.name, x.num, y.num), f)
}

func ordered(op string, x, y float64) bool {
	switch op {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	case ">=":
		return x >= y
	case "==":
		return x == y
	}
	return x != y
}

// clamp replaces a large limit by a small one and remembers the difference, so
// that a bound of a million does not take a million steps.
func (w *world) clamp(limit float64) float64 {
	most := float64(maxAttempts / 2)
	if w.top != nil && w.top.op == opFunc {
		most = maxRecursion / 4
	}
	if limit <= most {
		return limit
	}
	w.shift = min(limit, finding.Huge) - standIn
	return standIn
}

// countsIn reports whether an expression contains a counter of the construct.
func (w *world) countsIn(n *node) bool {
	found := false
	n.walk(func(k *node) bool {
		switch k.op {
		case opName, opMember:
			if w.counters[k.path()] {
				found = true
			}
		case opAssign:
			if k.a != nil && stepping(k.name) {
				found = true
			}
		case opCall:
			if w.counters[k.a.path()] || stepCall(k) != 0 {
				found = true
			}
		}
		return !found
	})
	return found
}

// stepCall is the step of a call that moves a counter (atomic integers and
// iterators): +1, -1, or 0 for other calls.
func stepCall(n *node) int {
	switch n.a.last() {
	case "incrementAndGet", "getAndIncrement", "increment", "inc":
		return 1
	case "decrementAndGet", "getAndDecrement", "decrement", "dec":
		return -1
	case "next":
		if n.a.op == opName && len(n.list) == 1 {
			return 1
		}
	}
	return 0
}

// stepping: operators that count.
func stepping(op string) bool {
	switch op {
	case "++", "--", "post++", "post--", "+=", "-=":
		return true
	}
	return false
}

// findCounters lists the names that are counted below n: stepped by an operator
// or a call, or the variable of a loop over numbers.
func findCounters(n *node) map[string]bool {
	out := map[string]bool{}
	n.walk(func(k *node) bool {
		switch {
		case k.op == opAssign && stepping(k.name):
			out[k.a.path()] = true
		case k.op == opAssign && k.b != nil && k.b.op == opBinary && (k.b.name == "+" || k.b.name == "-") && same(k.a, k.b.a) && k.a.path() != "":
			out[k.a.path()] = true
		case k.op == opLoop && k.name == "each" && k.a != nil && numericIter(k.b):
			out[k.a.last()] = true
			if k.a.op == opList && len(k.a.list) > 0 {
				out[k.a.list[0].last()] = true
			}
		case k.op == opCall && k.a != nil && stepCall(k) != 0:
			if k.a.op == opMember {
				out[k.a.a.path()] = true
			} else if len(k.list) == 1 {
				out[k.list[0].path()] = true
			}
		}
		return true
	})
	delete(out, "")
	return out
}

// numericIter recognises loops over numbers: range(n), count(), enumerate(...).
func numericIter(n *node) bool {
	if n == nil || n.op != opCall {
		return false
	}
	switch n.a.last() {
	case "range", "xrange", "count", "rangeClosed", "trange":
		return true
	case "enumerate", "tqdm", "iter":
		return len(n.list) > 0 && numericIter(n.list[0])
	}
	return false
}
