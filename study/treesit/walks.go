//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// stepsAlong: the loop goes from link to link of a chain until it ends
// (t = t.getCause(), n = n.nextSibling), so that the next pass is other work.
func stepsAlong(n *node) bool {
	if n.b == nil || n.name == "each" {
		return false
	}
	found := false
	look := func(top *node) {
		top.walkHere(func(k *node) bool {
			if k.op != opAssign || k.a == nil || k.a.op != opName || k.b == nil || found {
				return !found
			}
			step := k.b
			if step.op == opCall {
				step = step.a
			}
			if step != nil && step.op == opMember && step.a != nil && step.a.op == opName && step.a.name == k.a.name && uses(n.b, k.a) {
				switch strings.ToLower(strings.TrimPrefix(step.name, "get")) {
				case "cause", "next", "parent", "previous", "prev", "nextsibling", "previoussibling", "nextelementsibling", "superclass", "parentnode", "parentelement", "tail", "rest", "__cause__", "__context__", "outer":
					found = true
				}
			}
			return !found
		})
	}
	look(n.c)
	look(n.d)
	return found
}

// walksIndex: a loop written with an index over all of a collection, as long as
// neither its index nor its limit speaks of retrying.
func (s *scan) walksIndex(n *node) bool {
	if n.name == "while" && n.b != nil {
		return walksWhile(n)
	}
	if n.name != "for" || n.b == nil || n.c == nil {
		return false
	}
	step := n.c
	for step.op == opOther && len(step.list) > 0 {
		step = step.list[0]
	}
	if step.op != opAssign || !stepping(step.name) || step.a == nil || step.a.op != opName || speaksOfRetry(n.b) {
		return false
	}
	found := false
	n.d.walkHere(func(k *node) bool {
		found = found || takes(k, step.a.name)
		return !found
	})
	return found && (overCollection(n.b) || sized(n.a))
}

// walksWhile: the same written with while, where the index is moved in the body on
// every pass. A list named after what is to be attempted is a list all the same.
func walksWhile(n *node) bool {
	index := ""
	n.b.walk(func(k *node) bool {
		if k.op == opBinary && (k.name == "<" || k.name == "!=") && k.a != nil && k.a.op == opName && k.b != nil && sized(k.b) && !finding.RetryWord(k.a.name) {
			index = k.a.name
		}
		return index == ""
	})
	if index == "" || n.d == nil || n.d.op != opBlock {
		return false
	}
	moved, taken := false, false
	for _, st := range n.d.list {
		step := st
		for step.op == opOther && len(step.list) == 1 {
			step = step.list[0]
		}
		moved = moved || step.op == opAssign && stepping(step.name) && step.a != nil && step.a.op == opName && step.a.name == index
	}
	n.d.walkHere(func(k *node) bool {
		taken = taken || takes(k, index)
		return !taken
	})
	return moved && taken
}

// takes: an element of a collection is taken by the index.
func takes(k *node, index string) bool {
	if k.op == opIndex {
		return k.b != nil && k.b.op == opName && k.b.name == index
	}
	return k.op == opCall && k.a != nil && k.a.op == opMember && (k.a.name == "get" || k.a.name == "charAt" || k.a.name == "item") &&
		len(k.list) == 1 && k.list[0].op == opName && k.list[0].name == index
}

// sized: the start of an index is the size of something, so that it counts down.
func sized(init *node) bool {
	found := false
	init.walk(func(k *node) bool {
		if k.op == opMember && (k.name == "size" || k.name == "length") || k.op == opCall && k.a != nil && k.a.op == opName && k.a.name == "len" {
			found = true
		}
		return !found
	})
	return found
}

// overCollection: the condition compares with the size of something.
func overCollection(cond *node) bool {
	found := false
	cond.walk(func(k *node) bool {
		switch strings.ToLower(k.name) {
		case "length", "len", "size", "count", "l", "n":
			found = found || k.op == opMember || k.op == opName
		}
		return !found
	})
	return found
}

// waitsForOthers: the call takes from a queue or waits for another thread: no
// dependency is called again.
func waitsForOthers(low, path string) bool {
	switch low {
	case "get", "take", "poll", "join", "await":
	default:
		return false
	}
	owner, _, _ := strings.Cut(path, "."+low)
	owner = owner[strings.LastIndexByte(owner, '.')+1:]
	for _, w := range []string{"waiter", "latch", "barrier", "queue", "future"} {
		if strings.HasSuffix(owner, w) {
			return true
		}
	}
	return false
}

// onlyShows: a timer that sets a flag, draws or asks for a state again, and so
// repeats no work on a dependency.
func onlyShows(targets []string) bool {
	if len(targets) == 0 {
		return false
	}
	for _, t := range targets {
		low := strings.ToLower(t)
		shows := finding.PollWord(low) && !againWord(t)
		for _, stem := range []string{"set", "clear", "hide", "show", "resolve", "reject", "dismiss", "render", "update", "cancel"} {
			shows = shows || strings.HasPrefix(low, stem)
		}
		if !shows {
			return false
		}
	}
	return true
}
