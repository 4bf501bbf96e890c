//go:build cgo

package treesit

import (
	"strings"
)

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
