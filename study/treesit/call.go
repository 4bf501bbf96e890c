//go:build cgo

package treesit

import "strings"

// call evaluates a call: the operation under study, a wait, a timer, a promise's
// handlers, arithmetic helpers, or a function of the program.
func (w *world) call(n *node, e *env) value {
	name := n.a.last()
	if w.ops[n] {
		return w.operation(n, e)
	}
	if w.sinks[n] {
		return w.sink(n, e)
	}
	if n.name == "new" && n.a.name == "enum" {
		return value{kind: vNode, node: n, unit: w.u}
	}
	if n.name == "new" && name == "Promise" && len(n.list) == 1 && n.list[0].op == opFunc && w.mode != static {
		w.invoke(w.eval(n.list[0], e), []value{{kind: vNull}})
		return unknown(0)
	}
	if w.later(n, e) {
		return unknown(0)
	}
	if d, ok := w.wait(n, e); ok {
		w.delays = append(w.delays, d)
		return unknown(0)
	}
	if n.a.op == opMember && w.mode != static {
		if v, ok := w.promise(n, e); ok {
			return v
		}
	}
	if v, ok := w.counterCall(n, e); ok {
		return v
	}
	recv := unknown(0)
	if n.a.op == opMember { // a chain runs its receiver first
		recv = w.eval(n.a.a, e)
		if w.thrown {
			return unknown(0)
		}
	}
	var args []value
	for _, a := range n.list {
		args = append(args, w.eval(a, e))
		if w.thrown {
			return unknown(0)
		}
	}
	if v, ok := w.builtin(n, name, args, recv, e); ok {
		return v
	}
	if v, ok := w.instance(n, args); ok {
		return v
	}
	if v, ok := w.settingDefault(n, name, args); ok {
		return v
	}
	if v, ok := w.enumDefault(recv); ok {
		return v
	}
	if v, ok := w.user(n, args, e); ok {
		return v
	}
	return w.getter(n, name, args, recv, e)
}

func (w *world) operation(n *node, e *env) value {
	for _, a := range n.list {
		if a.op != opFunc {
			w.eval(a, e)
		}
	}
	w.attempts++
	if w.mode == failing && w.throws {
		w.thrown = true
		return unknown(0)
	}
	for _, a := range n.list { // callbacks: (err, result) => ...
		if a.op == opFunc && len(a.list) > 0 && errorName(a.list[0].name) {
			arg := value{kind: vNull}
			if w.mode == failing {
				arg = boolean(true, 0)
			}
			w.invoke(value{kind: vFunc, node: a, env: e, unit: w.u}, []value{arg})
		}
	}
	return unknown(0)
}

// sink is a timer or queue that starts the construct again.
func (w *world) sink(n *node, e *env) value {
	w.again++
	if d, ok := w.timerDelay(n, e); ok {
		w.delays = append(w.delays, d)
		return unknown(0)
	}
	if f, ok := w.callee(n, e); ok { // a helper that sets the timer
		f.node.walk(func(k *node) bool {
			if _, d, scale, ok := timerCall(w.u.lang, k); ok && d != nil {
				w.delays = append(w.delays, inSeconds(w.quietly(func(q *world) value { return q.eval(d, nil) }), scale))
				return false
			}
			return true
		})
	}
	return unknown(0)
}

// wait recognises calls that sleep and returns how long, in seconds when the unit
// is known.
func (w *world) wait(n *node, e *env) (value, bool) {
	arg, scale := waitArg(w.u.lang, n)
	if arg == nil {
		return value{}, false
	}
	v := w.eval(arg, e)
	if v.kind == vFunc || v.kind == vStr {
		return value{}, false
	}
	if v.kind == vUnknown && v.flags&fOpaque == 0 && arg.path() != "" && !w.changed(arg.last()) {
		h := hole(arg.last()) // some length, but always the same
		h.flags |= v.flags
		v = h
	}
	if v.kind == vNode && v.node.op == opDict { // sleep({seconds: 3})
		v = unknown(0)
	}
	return inSeconds(v, scale), true
}

// changed reports whether the construct assigns a name.
func (w *world) changed(name string) bool {
	found := false
	w.top.walk(func(k *node) bool {
		found = found || k.op == opAssign && k.a != nil && k.a.last() == name
		return !found
	})
	return found
}

func inSeconds(v value, scale float64) value {
	if v.kind == vNum && v.flags&fSeconds == 0 {
		v.num *= scale
		v.flags |= fSeconds
	}
	return v
}

// counterCall evaluates atomic counters and iterators kept in variables.
func (w *world) counterCall(n *node, e *env) (value, bool) {
	step := stepCall(n)
	if step == 0 {
		return value{}, false
	}
	target := n.a.a
	if n.a.op == opName {
		target = n.list[0]
	}
	old := w.eval(target, e)
	if old.kind == vRange {
		v := number(old.num, old.flags)
		old.num += old.step
		w.store(target, old, e)
		return v, true
	}
	if !old.numeric() {
		return value{}, false
	}
	after := number(old.num+float64(step), old.flags)
	w.store(target, after, e)
	if strings.HasPrefix(n.a.last(), "getAnd") {
		return old, true
	}
	return after, true
}
