//go:build cgo

package treesit

// name looks a name up: variables of the run, then what the program says.
func (w *world) name(n *node, e *env) value {
	if v, ok := e.find(n.name); ok {
		return v
	}
	if v, ok := w.varied(n.name); ok {
		return v
	}
	if w.u.lang.bareFields {
		if v, ok := w.fields[n.name]; ok {
			return v
		}
	}
	return w.static(n)
}

// static is the value of a name by the program text around it.
func (w *world) static(n *node) value {
	if w.guard[n] {
		w.hits++
		return hole(n.name)
	}
	w.guard[n] = true
	defer delete(w.guard, n)
	for fn := n.up(opFunc); fn != nil; fn = fn.up(opFunc) {
		if v, ok := w.local(n, fn); ok {
			return v
		}
	}
	if w.u.lang.bareFields {
		if v, ok := w.fieldValue(n.name); ok {
			return v
		}
	}
	return w.global(n.name)
}

// local finds a name among a function's variables and parameters.
func (w *world) local(n, fn *node) (value, bool) {
	idx := w.load.index(fn)
	var best *node
	for _, k := range idx.assigns[n.name] {
		if (best == nil || k.line <= n.line) && !n.within(k) {
			best = k
		}
	}
	if best != nil {
		v := w.eval(best.b, nil)
		v.flags |= fNamed
		if v.kind == vUnknown && v.flags == 0 {
			h := hole(n.name)
			h.flags &^= fHole // it exists but is no number that could be read
			return value{str: v.str, flags: fRuntime}, true
		}
		return v, true
	}
	if v, ok := w.localPattern(n, fn); ok {
		return v, true
	}
	if fnDef := idx.funcs[n.name]; fnDef != nil {
		return value{kind: vFunc, node: fnDef, unit: w.u}, true
	}
	for i, p := range fn.list {
		if p.b != nil { // destructured
			if d, ok := patternDefault(p.b, n.name); ok {
				if d == nil {
					return hole(n.name), true
				}
				v := w.eval(d, nil)
				v.flags |= fNamed
				return v, true
			}
		}
		if p.name != n.name {
			continue
		}
		return w.param(fn, p, i), true
	}
	return value{}, false
}

// localPattern: const { retries = 3 } = options
func (w *world) localPattern(n, fn *node) (value, bool) {
	var found value
	ok := false
	for _, k := range w.load.index(fn).patterns {
		d, has := patternDefault(k.a, n.name)
		if !has || n.within(k) || ok {
			continue
		}
		ok = true
		if v, in := w.pick(w.eval(k.b, nil), n.name); in {
			found = v
		} else if d != nil {
			found = w.eval(d, nil)
			found.flags |= fRuntime
		} else {
			found = hole(n.name)
		}
	}
	return found, ok
}

// patternDefault finds a name in a destructuring pattern and its default.
func patternDefault(p *node, name string) (def *node, ok bool) {
	for _, k := range p.list {
		if k.op == opPair && k.a != nil && k.a.op == opName && k.a.name == name {
			return k.b, true
		}
	}
	return nil, false
}

// param is the value of a parameter: what all callers in the file pass, else its
// default, else a run-time number.
func (w *world) param(fn, p *node, i int) value {
	if v, ok := w.override[fn][p.name]; ok {
		return v
	}
	if v, ok := w.fromCallers(fn, p, i); ok {
		return v
	}
	if p.a != nil {
		v := w.eval(p.a, nil)
		v.flags |= fNamed
		if v.kind == vNull {
			v = hole(p.name)
		}
		return v
	}
	return hole(p.name)
}

// fromCallers looks at the calls of fn in its file: when they agree on a plain
// number for the parameter, that is its value.
func (w *world) fromCallers(fn, p *node, i int) (value, bool) {
	name := fn.name
	if c := fn.up(opClass); c != nil && (name == "<init>" || name == "__init__") {
		name = c.name
	} else if len(w.u.funcs[name]) != 1 {
		return value{}, false
	}
	if name == "" || w.mode == static && w.depth > 3 {
		return value{}, false
	}
	offset := 0
	if len(fn.list) > 0 && (fn.list[0].name == "self" || fn.list[0].name == "cls") {
		offset = 1
	}
	var got value
	calls, agree := 0, true
	for _, c := range w.u.callsOf(name) {
		if c.within(fn) {
			continue
		}
		a := c.arg(p.name)
		if a == nil && i >= offset {
			a = c.pos(i - offset)
		}
		if a == nil {
			a = p.a
		}
		calls++
		if a == nil || w.busy[a] {
			w.hits++
			agree = false
			break
		}
		w.busy[a] = true
		w.depth++
		v := w.eval(a, nil)
		w.depth--
		delete(w.busy, a)
		if v.kind != vNum || v.flags&fHole != 0 || calls > 1 && v.num != got.num {
			agree = false
			break
		}
		got = v
	}
	got.flags |= fNamed
	return got, agree && calls > 0
}

// callsOf lists the calls of a name in the file.
func (u *unit) callsOf(name string) []*node {
	if u.calls == nil {
		u.calls = map[string][]*node{}
		u.root.walk(func(k *node) bool {
			if k.op == opCall && k.a != nil {
				u.calls[k.a.last()] = append(u.calls[k.a.last()], k)
			}
			return true
		})
	}
	return u.calls[name]
}
