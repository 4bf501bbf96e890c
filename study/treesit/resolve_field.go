//go:build cgo

package treesit

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
