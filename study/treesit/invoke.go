//go:build cgo

package treesit

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
