//go:build cgo

package treesit

import "strings"

// Loops whose next pass is no repetition of the same work, although a failure
// leads to it: another fixed thing is asked, or a person.

// picksByPass: the number of the pass picks one of two fixed things to work on
// (pass == 0 ? NEW_TABLE : OLD_TABLE). With two passes in all the second is then a
// fallback.
func picksByPass(n *node, counters map[string]bool) bool {
	found := false
	n.d.walkHere(func(k *node) bool {
		if k.op == opCond && fixedThing(k.b) && fixedThing(k.c) && !same(k.b, k.c) && comparesPass(k.a, counters) && !said(k, n) {
			found = true
		}
		return !found
	})
	return found
}

// fixedThing: a constant by its spelling, or a text.
func fixedThing(n *node) bool {
	if n == nil {
		return false
	}
	if n.op == opStr {
		return n.name != ""
	}
	name := n.last()
	return (n.op == opName || n.op == opMember) && len(name) > 1 && name == strings.ToUpper(name)
}

// comparesPass: a counter of the loop is compared with a number.
func comparesPass(n *node, counters map[string]bool) bool {
	if n == nil || n.op != opBinary || n.a == nil || n.b == nil {
		return false
	}
	return comparison(n.name) && (n.b.op == opNum && counters[n.a.path()] || n.a.op == opNum && counters[n.b.path()])
}

// said: the expression is part of a message or of a wait.
func said(k, top *node) bool {
	for p := k.parent; p != nil && p != top; p = p.parent {
		if p.op != opCall || p.a == nil {
			continue
		}
		path := strings.ToLower(p.a.path())
		if aside(p) || strings.Contains(path, "log") || strings.Contains(path, "print") || strings.HasSuffix(path, "format") {
			return true
		}
	}
	return false
}

// asksPerson: the loop asks a person for input, who decides what is tried next
// and how often.
func asksPerson(body *node) bool {
	found := false
	body.walkHere(func(k *node) bool {
		if k.op != opCall || k.a == nil {
			return !found
		}
		path := k.a.path()
		switch k.a.last() {
		case "getpass", "raw_input", "readPassword", "nextLine":
			found = true
		case "input":
			found = k.a.op == opName
		case "prompt":
			found = k.a.op == opName || path == "click.prompt" || path == "inquirer.prompt"
		case "confirm":
			found = path == "click.confirm" || path == "window.confirm"
		case "ask":
			found = strings.HasSuffix(path, "Prompt.ask") || strings.HasSuffix(path, "Confirm.ask")
		}
		found = found || strings.HasPrefix(k.a.last(), "prompt_")
		return !found
	})
	return found
}

// endOfData: every handler is for the end of what is read, and only takes note of
// it: no failure of an operation.
func (s *scan) endOfData(t *node, loop *node) bool {
	w := s.light(loop)
	for _, h := range t.list {
		if h.op != opHandler || len(h.list) == 0 || h.a == nil || w.hasWait(h.a) || w.hasCount(h.a) {
			return false
		}
		for _, k := range h.list {
			switch k.last() {
			case "EOFException", "StopIteration", "NoSuchElementException", "IndexOutOfBoundsException", "IndexError":
			default:
				return false
			}
		}
	}
	return len(t.list) > 0
}

// ownPace: the operation is a function of this file that pauses by itself on its
// way through, so that success waits too.
func (s *scan) ownPace(op *node) bool {
	def := s.definition(op)
	if def == nil || def.a == nil || def.a.op != opBlock {
		return false
	}
	w := s.light(def)
	for _, st := range def.a.list {
		switch st.op {
		case opIf, opLoop, opTry, opSwitch, opFunc, opClass:
		default:
			if w.hasWait(st) {
				return true
			}
		}
	}
	return false
}

// definition is the only function of this file that a call can mean.
func (s *scan) definition(op *node) *node {
	if op == nil || op.a == nil || op.a.op != opName && !(op.a.op == opMember && isSelf(op.a.a)) {
		return nil
	}
	if list := s.u.funcs[op.a.last()]; len(list) == 1 {
		return list[0]
	}
	return nil
}
