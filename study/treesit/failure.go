//go:build cgo

package treesit

import "strings"

// failureRegion returns the code around k, inside fn, that only runs when
// something failed: an exception handler, a rejection or error-event handler, a
// branch of a test for failure. nil when k also runs without a failure.
func (s *scan) failureRegion(k, fn *node) *node { return s.region(k, fn, 0) }

// region also looks at the callers of a named helper inside fn, some steps deep.
func (s *scan) region(k, fn *node, depth int) *node {
	child := k
	for p := k.parent; p != nil; child, p = p, p.parent {
		switch p.op {
		case opHandler:
			return p
		case opIf:
			side := failureSide(p.a)
			if child == p.b && side > 0 || child == p.c && side < 0 {
				return p
			}
		case opBlock: // if (ok) return; ... again
			for _, st := range p.list {
				if st == child {
					break
				}
				if st.op == opIf && st.c == nil && failureSide(st.a) < 0 && plainLeaves(st.b) {
					return child
				}
			}
		case opFunc:
			if p == fn {
				return nil
			}
			if s.failureHandler(p) {
				return p
			}
			if name := funcName(p); name != "" && fn != nil && depth < 3 {
				for _, c := range s.u.callsOf(name) {
					if !c.within(p) && c.within(fn) {
						if r := s.region(c, fn, depth+1); r != nil {
							return r
						}
					}
				}
			}
		}
	}
	return nil
}

// plainLeaves: the block ends in return, throw or break, whatever the construct.
func plainLeaves(n *node) bool {
	if n == nil {
		return false
	}
	if n.op == opBlock && len(n.list) > 0 {
		n = n.list[len(n.list)-1]
	}
	return n.op == opReturn || n.op == opThrow || n.op == opBreak
}

// failureHandler: a function that is called when something failed, because it is
// passed to catch, as second handler to then, or to an error event, or its first
// parameter is an error, or its name says so.
func (s *scan) failureHandler(f *node) bool {
	if p := f.parent; p != nil && p.op == opCall && p.a != f && failureArg(p, f) {
		return true
	}
	name := f.name
	if name == "" {
		name = boundName(f)
	}
	if name == "" {
		return false
	}
	low := strings.ToLower(name)
	if strings.Contains(low, "onerror") || strings.Contains(low, "on_error") || strings.Contains(low, "errorhandler") || strings.Contains(low, "onfail") || strings.Contains(low, "on_fail") || strings.Contains(low, "ondisconnect") || strings.Contains(low, "onclose") || strings.Contains(low, "handleerror") || strings.Contains(low, "connection_lost") || strings.Contains(low, "disconnectcallback") {
		return true
	}
	for _, c := range s.u.refs(name) {
		if p := c.parent; p != nil && p.op == opCall && p.a != c && failureArg(p, c) {
			return true
		}
	}
	return false
}

// failureArg: argument arg of the call runs on failure.
func failureArg(call, arg *node) bool {
	switch call.a.last() {
	case "catch", "exceptionally", "onErrorResume", "catchError", "addErrback", "add_errback", "errback":
		return true
	case "then":
		return len(call.list) > 1 && call.list[1] == arg
	case "on", "once", "addEventListener", "addListener":
		if e := call.pos(0); e != nil && e.op == opStr {
			switch e.name {
			case "error", "close", "disconnect", "end", "timeout", "disconnected", "closed", "failed":
				return true
			}
		}
	}
	return false
}

// refs lists the uses of a name other than as a call's target.
func (u *unit) refs(name string) []*node {
	if u.names == nil {
		u.names = map[string][]*node{}
		u.root.walk(func(k *node) bool {
			if (k.op == opName || k.op == opMember) && k.name != "" {
				u.names[k.name] = append(u.names[k.name], k)
			}
			return true
		})
	}
	return u.names[name]
}

// funcName is the name other code knows a function by.
func funcName(f *node) string {
	if f.name != "" {
		return f.name
	}
	return boundName(f)
}

// callsFunc reports whether a call's target is the function f: by its bare name
// or as a member of the same object.
func callsFunc(k, f *node) bool {
	if k.op != opCall || k.a == nil {
		return false
	}
	name := funcName(f)
	if name == "" || name == "<init>" {
		return false
	}
	return refersTo(k.a, name)
}

// refersTo: "name", "this.name", "self.name", "this::name", "this.name.bind(this)".
func refersTo(n *node, name string) bool {
	switch n.op {
	case opName:
		return n.name == name
	case opMember:
		return n.name == name && (isSelf(n.a) || n.a == nil) || n.name == "bind" && refersTo(n.a, name)
	case opCall:
		return n.a.last() == "bind" && n.a.op == opMember && refersTo(n.a.a, name)
	}
	return false
}
