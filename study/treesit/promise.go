//go:build cgo

package treesit

// promise runs the handlers of then, catch, finally and event listeners the way
// the current world has them called.
func (w *world) promise(n *node, e *env) (value, bool) {
	name := n.a.name
	switch name {
	case "then", "catch", "finally", "except", "exceptionally", "onErrorResume", "catchError", "whenComplete", "handle", "addListener":
	case "on", "once", "addEventListener":
		return w.listener(n, e)
	default:
		return value{}, false
	}
	if !hasFunc(n) {
		return value{}, false
	}
	v := w.eval(n.a.a, e)
	call := func(i int, arg value) value {
		if f := n.pos(i); f != nil {
			if fv := w.eval(f, e); fv.kind == vFunc {
				return w.invoke(fv, []value{arg, arg})
			}
		}
		return unknown(0)
	}
	switch name {
	case "then":
		if w.thrown {
			if len(n.list) > 1 {
				w.thrown = false
				return call(1, unknown(0)), true
			}
			return unknown(0), true
		}
		return call(0, v), true
	case "catch", "exceptionally", "onErrorResume", "catchError":
		if w.thrown {
			w.thrown = false
			return call(0, unknown(0)), true
		}
		return v, true
	case "finally":
		failed := w.thrown
		w.thrown = false
		call(0, v)
		w.thrown = w.thrown || failed
		return v, true
	}
	failed := w.thrown // whenComplete((result, error) -> ...) and the like see both
	w.thrown = false
	r := call(0, unknown(0))
	_ = failed
	return r, true
}

// listener runs handlers of failure events in the failing world.
func (w *world) listener(n *node, e *env) (value, bool) {
	event := n.pos(0)
	if event == nil || event.op != opStr || w.mode != failing {
		return value{}, false
	}
	switch event.name {
	case "error", "close", "disconnect", "end", "timeout", "abort", "disconnected", "closed", "failed", "connectFailed":
	default:
		return unknown(0), true
	}
	if f := n.pos(1); f != nil {
		if fv := w.eval(f, e); fv.kind == vFunc && w.attempts > 0 && !w.heard() {
			w.invoke(fv, []value{unknown(0)})
		}
	}
	return unknown(0), true
}

// heard keeps one failure from being handled twice when several events have
// listeners.
func (w *world) heard() bool {
	if w.lastHeard == w.attempts {
		return true
	}
	w.lastHeard = w.attempts
	return false
}

func hasFunc(n *node) bool {
	for _, a := range n.list {
		if a.op == opFunc || a.op == opName || a.op == opMember {
			return true
		}
	}
	return false
}
