//go:build cgo

package treesit

import "strings"

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

func (w *world) bindPattern(p *node, from value, e *env) {
	for _, k := range p.list {
		if k.op != opPair || k.a == nil || k.a.op != opName {
			continue
		}
		v, ok := w.pick(from, k.name)
		if !ok {
			v = hole(k.a.name)
			if k.b != nil {
				v = w.eval(k.b, e)
				v.flags |= fRuntime
			}
		}
		e.vars[k.a.name] = v
	}
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

// fieldValue is what the file assigns to a member of that name, preferring
// numbers; a parameter of the constructor counts with its default.
func (w *world) fieldValue(name string) (value, bool) {
	key := cacheKey{w.u, name}
	if c, ok := w.load.fields[key]; ok && w.vary == 0 {
		return c.v, c.ok
	}
	hits := w.hits
	v, ok := w.fieldOf(name)
	if w.hits == hits && w.vary == 0 && w.override == nil {
		w.load.fields[key] = cached{v, ok}
	}
	return v, ok
}

func (w *world) fieldOf(name string) (value, bool) {
	best, ok, open := value{}, false, false
	for _, rhs := range w.u.fields[name] {
		if w.busy[rhs] {
			w.hits++
			continue
		}
		w.busy[rhs] = true
		v := w.eval(rhs, nil)
		delete(w.busy, rhs)
		v.flags |= fNamed
		open = open || v.flags&fHole != 0
		if !ok || rank(v) > rank(best) {
			best, ok = v, true
		}
	}
	if open && best.kind == vNum && best.num <= 0 { // 0 until a caller sets it
		return hole(name), true
	}
	return best, ok
}

func rank(v value) int {
	switch {
	case v.kind == vNum && v.flags&fHole == 0:
		return 3
	case v.kind == vNode || v.kind == vFunc || v.kind == vRange:
		return 2
	case v.kind == vNum:
		return 1
	}
	return 0
}

// global is a name at file level or imported.
func (w *world) global(name string) value {
	if rhs := w.u.globals[name]; rhs != nil && !w.busy[rhs] {
		w.busy[rhs] = true
		v := w.eval(rhs, nil)
		delete(w.busy, rhs)
		v.flags |= fNamed
		return v
	}
	if fs := w.u.funcs[name]; len(fs) == 1 && fs[0].up(opFunc) == nil {
		return value{kind: vFunc, node: fs[0], unit: w.u}
	}
	if imp, ok := w.u.imports[name]; ok {
		if v, ok := w.imported(imp); ok {
			return v
		}
		return hole(name)
	}
	for _, s := range w.u.stars {
		if v, ok := w.imported(imported{s, name}); ok && v.kind != vUnknown {
			return v
		}
	}
	return hole(name)
}

// imported evaluates a name of another file of the repository.
func (w *world) imported(imp imported) (value, bool) {
	if w.depth > 4 {
		return value{}, false
	}
	u := w.load.module(w.u, imp)
	if u == nil || u == w.u {
		return value{}, false
	}
	old := w.u
	w.u = u
	w.depth++
	defer func() { w.u = old; w.depth-- }()
	if imp.name == "" || imp.name == "default" {
		return unknown(0), true
	}
	if rhs := u.globals[imp.name]; rhs != nil {
		v := w.eval(rhs, nil)
		v.flags |= fNamed
		return v, true
	}
	if fs := u.funcs[imp.name]; len(fs) > 0 {
		return value{kind: vFunc, node: fs[0], unit: u}, true
	}
	if v, ok := w.fieldValue(imp.name); ok {
		return v, true
	}
	if next, ok := u.imports[imp.name]; ok { // re-exported
		return w.imported(next)
	}
	return value{}, false
}

// member evaluates obj.name.
func (w *world) member(n *node, e *env) value {
	path := n.path()
	if v, ok := w.fields[path]; ok && path != "" {
		return v
	}
	if v, ok := w.varied(n.name); ok {
		return v
	}
	if w.mode != static && n.a != nil && n.a.op == opCall {
		w.eval(n.a, e)
		if w.thrown {
			return unknown(0)
		}
	}
	if serverWord(n.name) {
		return value{kind: vNum, num: 1, flags: fServer | fRuntime | fHole}
	}
	if n.name == "MAX_VALUE" || n.name == "MAX_SAFE_INTEGER" || n.name == "maxsize" || n.name == "POSITIVE_INFINITY" {
		return number(1<<31, 0)
	}
	if isSelf(n.a) {
		if v, ok := w.fieldValue(n.name); ok {
			return v
		}
		if fs := w.u.funcs[n.name]; len(fs) > 0 {
			f := value{kind: vFunc, node: fs[0], unit: w.u}
			if isProperty(fs[0]) {
				if v := w.invoke(f, nil); v.kind == vNum {
					return v
				}
				return hole(n.name)
			}
			return f
		}
		return hole(n.name)
	}
	if n.a != nil && n.a.op == opName {
		if imp, ok := w.u.imports[n.a.name]; ok {
			if _, shadow := e.find(n.a.name); !shadow {
				if v, ok := w.importedMember(imp, n.name); ok {
					return v
				}
			}
		}
		if v, ok := w.classMember(n.a.name, n.name); ok {
			return v
		}
	}
	obj := w.quiet(n.a, e)
	if v, ok := w.pick(obj, n.name); ok {
		return v
	}
	if obj.kind == vUnknown && n.a != nil && n.a.op == opName {
		if v, ok := e.find(n.a.name); ok && v.kind == vUnknown {
			return unknown(v.flags) // part of an answer or error
		}
	}
	if w.counters[path] { // a counter nobody sets starts at zero
		return number(0, 0)
	}
	if v, ok := w.fieldValue(n.name); ok && v.kind == vNum && obj.kind != vNode {
		v.flags |= fRuntime // the default of the class that declares it
		return v
	}
	h := hole(n.name)
	h.flags |= obj.flags & (fServer | fRandom)
	return h
}

func isProperty(f *node) bool {
	for _, m := range f.marks {
		if l := m.last(); l == "property" || l == "cached_property" {
			return true
		}
	}
	return false
}

// quiet evaluates a receiver without running what it calls.
func (w *world) quiet(n *node, e *env) value {
	if n == nil || n.op == opCall && w.mode != static {
		return unknown(0)
	}
	return w.eval(n, e)
}

// classMember is Class.NAME of this file.
func (w *world) classMember(class, name string) (value, bool) {
	if !w.u.classes()[class] {
		if w.u.lang.bareFields && upperName(class) && w.load.tree != nil { // Java: same package
			return w.imported(imported{w.u.pkg + "." + class, name})
		}
		return value{}, false
	}
	return w.fieldValue(name)
}

func upperName(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

func (u *unit) classes() map[string]bool {
	if u.classNames == nil {
		u.classNames = map[string]bool{}
		u.root.walk(func(k *node) bool {
			if k.op == opClass && k.name != "" {
				u.classNames[k.name] = true
			}
			return true
		})
	}
	return u.classNames
}

func (w *world) importedMember(imp imported, name string) (value, bool) {
	if v, ok := w.imported(imported{join(imp.module, imp.name), name}); ok {
		return v, true
	}
	return w.imported(imported{imp.module, name})
}

func join(module, name string) string {
	if name == "" || name == "default" {
		return module
	}
	if module != "" && module[len(module)-1] == '.' { // from . import x
		return module + name
	}
	return module + "." + name
}

// assign runs an assignment and returns the new value (the old one for x++).
func (w *world) assign(n *node, e *env) value {
	switch n.name {
	case "++", "--", "post++", "post--":
		old := w.eval(n.a, e)
		if old.kind == vUnknown && w.counters[n.a.path()] {
			old = hole(n.a.last()) // counted down from a number that could not be read
		}
		v := unknown(old.flags)
		if old.numeric() {
			step := 1.0
			if n.name[len(n.name)-1] == '-' {
				step = -1
			}
			v = number(old.num+step, old.flags)
		}
		w.store(n.a, v, e)
		if len(n.name) > 2 {
			return old
		}
		return v
	case "=":
		if n.b == nil {
			if n.a != nil && n.a.op == opName && e != nil {
				e.vars[n.a.name] = value{kind: vNull}
			}
			return unknown(0)
		}
		v := w.eval(n.b, e)
		if !w.thrown {
			w.store(n.a, v, e)
		}
		return v
	}
	v := w.binary(&node{op: opBinary, name: n.name[:max(len(n.name)-1, 0)], a: n.a, b: n.b}, e)
	w.store(n.a, v, e)
	return v
}

func (w *world) store(target *node, v value, e *env) {
	if target == nil || e == nil {
		return
	}
	if w.sinks != nil && v.kind == vNum && waitWord(strings.ToLower(target.last())) {
		if w.soft == nil {
			w.soft, w.softFirst = map[string][]value{}, target.last()
		}
		w.soft[target.last()] = append(w.soft[target.last()], inSeconds(v, w.u.lang.waitUnit))
	}
	switch target.op {
	case opName:
		if w.u.lang.bareFields {
			if _, ok := e.find(target.name); !ok {
				if _, ok := w.u.fields[target.name]; ok {
					w.fields[target.name] = v
					return
				}
			}
		}
		e.set(target.name, v)
	case opMember, opIndex:
		if p := target.path(); p != "" {
			w.fields[p] = v
		}
	case opList:
		for _, k := range target.list {
			w.store(k, unknown(v.flags), e)
		}
	case opDict:
		w.bindPattern(target, v, e)
	case opSpread:
		w.store(target.a, unknown(0), e)
	}
}

// callee finds the function a call runs.
func (w *world) callee(n *node, e *env) (value, bool) {
	switch n.a.op {
	case opFunc:
		return value{kind: vFunc, node: n.a, env: e, unit: w.u}, true
	case opName:
		v := w.eval(n.a, e)
		if v.kind == vFunc {
			return v, true
		}
		if fs := w.u.funcs[n.a.name]; w.u.lang.bareFields && len(fs) == 1 {
			return value{kind: vFunc, node: fs[0], unit: w.u}, true
		}
	case opMember:
		if isSelf(n.a.a) {
			if fs := w.u.funcs[n.a.name]; len(fs) == 1 {
				return value{kind: vFunc, node: fs[0], unit: w.u}, true
			}
			return value{}, false
		}
		if n.a.a != nil && n.a.a.op == opName {
			if obj, ok := e.find(n.a.a.name); ok && obj.kind == vNode {
				return w.method(obj, n.a.name)
			}
			if imp, ok := w.u.imports[n.a.a.name]; ok {
				if v, ok := w.importedMember(imp, n.a.name); ok && v.kind == vFunc {
					return v, true
				}
			} else if w.u.classes()[n.a.a.name] {
				if fs := w.u.funcs[n.a.name]; len(fs) == 1 {
					return value{kind: vFunc, node: fs[0], unit: w.u}, true
				}
			} else if upperName(n.a.a.name) && w.u.lang.bareFields {
				if v, ok := w.imported(imported{w.u.pkg + "." + n.a.a.name, n.a.name}); ok && v.kind == vFunc {
					return v, true
				}
			}
		}
	}
	return value{}, false
}
