//go:build cgo

package treesit

import "strings"

// aside: a pause's argument is no operation either.
func aside(k *node) bool {
	low := strings.ToLower(k.a.last())
	return strings.Contains(low, "sleep") || low == "parknanos"
}

// accepts: the code takes up connections of callers, so that going round after a
// failure goes on serving.
func accepts(n *node) bool {
	found := false
	n.walkHere(func(k *node) bool {
		found = found || k.op == opCall && len(k.list) == 0 && k.a != nil && k.a.op == opMember && k.a.name == "accept"
		return !found
	})
	return found
}

// interruptions: every handler is for a wait that was interrupted or for the
// user's stop: no failure of an operation.
func interruptions(t *node) bool {
	for _, h := range t.list {
		if h.op != opHandler || len(h.list) == 0 {
			return false
		}
		for _, k := range h.list {
			switch k.last() {
			case "InterruptedException", "KeyboardInterrupt", "CancelledError", "BrokenBarrierException":
			default:
				return false
			}
		}
	}
	return len(t.list) > 0
}

func promiseCatch(k *node) bool {
	if k.a == nil || k.a.op != opMember {
		return false
	}
	switch k.a.name {
	case "catch":
		return len(k.list) == 1
	case "then":
		return len(k.list) == 2
	}
	return false
}

// bestCall is the call below n most likely to be the operation. Calls inside an
// inner try with its own handlers do not count when outer is given, nor does
// what the inner loops and functions call.
func bestCall(n, outer *node) *node {
	return bestCallBut(n, outer, func(*node) bool { return false })
}

func bestCallBut(n, outer *node, but func(*node) bool) *node {
	var best *node
	score := 0
	var visit func(*node, int)
	visit = func(k *node, weight int) {
		switch k.op {
		case opFunc, opClass:
			return
		case opTry:
			if k != outer && outer != nil && len(k.list) > 0 {
				weight -= 2
			}
		case opLoop:
			weight -= 2
		case opHandler:
			return
		case opThrow:
			return
		case opCall:
			if k.a != nil && aside(k) {
				return
			}
			if sc := callScore(k) + weight; callScore(k) > 0 && sc > score && !but(k) {
				best, score = k, sc
			}
		}
		k.each(func(c *node) { visit(c, weight) })
	}
	if n != nil {
		visit(n, 4)
	}
	return best
}

// callScore says how much a call looks like work on a dependency: 0 for helpers.
func callScore(n *node) int {
	if n.a == nil {
		return 0
	}
	name := n.a.last()
	low := strings.ToLower(strings.TrimLeft(name, "_"))
	path := strings.ToLower(n.a.path())
	switch {
	case low == "" && n.a.op != opFunc && n.a.op != opCall && n.a.op != opIndex:
		return 0
	case helperCall(low, path), n.name == "new" && (strings.HasSuffix(low, "error") || strings.HasSuffix(low, "exception")):
		return 0
	case n.name == "new" || upperName(name) && n.a.op == opName:
		return 1
	}
	for _, v := range remoteVerbs {
		if strings.Contains(low, v) {
			return 4
		}
	}
	return 2
}
