//go:build cgo

package treesit

import (
	"strings"
)

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

// instance makes an object of a class of the file: its constructor is run, so
// that its members have values when its methods are called.
func (w *world) instance(n *node, args []value) (value, bool) {
	if n.a.op != opName || !w.u.classes()[n.a.name] || w.top == nil {
		return value{}, false
	}
	for _, name := range []string{"__init__", "<init>"} {
		for _, f := range w.u.funcs[name] {
			if c := f.up(opClass); c != nil && c.name == n.a.name && w.worth(f) {
				w.invoke(value{kind: vFunc, node: f, unit: w.u}, args)
			}
		}
	}
	return value{kind: vNode, node: n, unit: w.u}, true
}

// method finds the method of an object made by instance.
func (w *world) method(obj value, name string) (value, bool) {
	if obj.kind != vNode || obj.node.op != opCall || obj.unit == nil {
		return value{}, false
	}
	for _, f := range obj.unit.funcs[name] {
		if c := f.up(opClass); c != nil && c.name == obj.node.a.last() {
			return value{kind: vFunc, node: f, unit: obj.unit}, true
		}
	}
	return value{}, false
}

// user runs a function of the program.
func (w *world) user(n *node, args []value, e *env) (value, bool) {
	f, ok := w.callee(n, e)
	if !ok || f.node != w.top && !w.worth(f.node) || f.node == w.top && w.mode == static {
		return value{}, false
	}
	if w.top != nil && f.node != w.top && w.top.within(f.node) {
		return value{}, false
	}
	vals := make([]value, 0, len(args))
	named := map[string]value{}
	for i, a := range n.list {
		switch {
		case a.op == opArg:
			named[a.name] = args[i]
		case a.op == opSpread:
		default:
			vals = append(vals, args[i])
		}
	}
	return w.invokeNamed(f, vals, named), true
}

func (w *world) invoke(f value, args []value) value { return w.invokeNamed(f, args, nil) }

// invokeNamed runs a function value. A name for a wait whose result stays unknown
// is kept, so that its shape can be guessed from the name.
func (w *world) invokeNamed(f value, args []value, named map[string]value) value {
	if f.kind != vFunc || f.node.a == nil {
		return unknown(0)
	}
	if w.depth >= w.deepest(f.node) {
		w.cut = w.cut || f.node == w.top
		return unknown(0)
	}
	w.depth++
	defer func() { w.depth-- }()
	oldUnit := w.u
	if f.unit != nil {
		w.u = f.unit
	}
	defer func() { w.u = oldUnit }()
	e := newEnv(f.env, f.node)
	params := f.node.list
	if len(params) > 0 && (params[0].name == "self" || params[0].name == "cls") && len(args) < len(params) {
		params = params[1:]
	}
	for i, p := range params {
		switch v, ok := named[p.name]; {
		case ok:
			e.vars[p.name] = v
		case i < len(args):
			e.vars[p.name] = args[i]
		case p.a != nil:
			v := w.eval(p.a, f.env)
			v.flags |= fNamed
			e.vars[p.name] = v
		case p.b != nil:
			w.bindPattern(p.b, unknown(0), e)
		default:
			e.vars[p.name] = hole(p.name)
		}
	}
	w.ret = unknown(0)
	sig := w.exec(f.node.a, e)
	ret := w.ret
	w.ret = unknown(0)
	if sig == sThrow {
		w.thrown = true
		return unknown(0)
	}
	if f.node.async && w.thrown {
		return unknown(0)
	}
	if sig != sReturn {
		return unknown(0)
	}
	return ret
}
