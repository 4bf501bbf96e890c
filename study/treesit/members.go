//go:build cgo

package treesit

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
