//go:build cgo

package treesit

// eval is the value of an expression in the current world. Names are looked up
// in e, and beyond it where the program defines them.
func (w *world) eval(n *node, e *env) value {
	if n == nil || w.spent() {
		return unknown(0)
	}
	switch n.op {
	case opNum:
		return literal(n.name)
	case opStr:
		for _, k := range n.list {
			w.eval(k, e)
		}
		return value{kind: vStr, str: n.name}
	case opBool:
		return boolean(n.name == "true", 0)
	case opNull:
		return value{kind: vNull}
	case opName:
		return w.name(n, e)
	case opMember:
		return w.member(n, e)
	case opFunc:
		return value{kind: vFunc, node: n, env: e, unit: w.u}
	case opDict, opList:
		return value{kind: vNode, node: n, env: e, unit: w.u}
	case opUnary:
		return w.unary(n, e)
	case opBinary:
		return w.binary(n, e)
	case opCond:
		return w.cond(n, e)
	case opAssign:
		return w.assign(n, e)
	case opCall:
		return w.call(n, e)
	case opIndex:
		return w.index(n, e)
	case opSpread, opArg:
		return w.eval(n.a, e)
	case opOther:
		v := unknown(0)
		for _, k := range n.list {
			v = w.eval(k, e)
			if w.thrown {
				break
			}
		}
		if len(n.list) > 1 && v.kind != vNum {
			return unknown(v.flags)
		}
		return v
	}
	return unknown(0)
}

func (w *world) logic(n *node, e *env) value {
	x := w.eval(n.a, e)
	if w.thrown {
		return unknown(0)
	}
	yes, known := x.truth()
	switch n.name {
	case "and", "&&":
		if known && !yes {
			return x
		}
		y := w.eval(n.b, e)
		if yes2, known2 := y.truth(); known2 && !yes2 {
			return boolean(false, x.flags|y.flags)
		}
		if known {
			return y
		}
		return unknown(x.flags | y.flags)
	case "??":
		if x.kind == vNull || x.kind == vUnknown || x.flags&fHole != 0 {
			return orDefault(x, w.eval(n.b, e))
		}
		return x
	}
	if known && yes {
		return x
	}
	y := w.eval(n.b, e)
	if known {
		return y
	}
	if yes2, known2 := y.truth(); known2 && yes2 && y.kind == vBool {
		return boolean(true, x.flags|y.flags)
	}
	return orDefault(x, y)
}

// orDefault is "x or y" with x not known: y is the default.
func orDefault(x, y value) value {
	switch y.kind {
	case vNum, vStr, vNode, vFunc:
		y.flags |= fRuntime | x.flags&(fRandom|fServer|fOpaque)
		return y
	}
	if x.kind == vNum {
		return x
	}
	return unknown(x.flags | y.flags)
}

func (w *world) cond(n *node, e *env) value {
	c := w.eval(n.a, e)
	if yes, known := c.truth(); known {
		if yes {
			return w.eval(n.b, e)
		}
		return w.eval(n.c, e)
	}
	x, y := w.eval(n.b, e), w.eval(n.c, e)
	// The side that is a plain number is the default; of two, the one that is no
	// server's answer.
	if x.kind == vNum && x.flags&(fHole|fServer) == 0 || y.kind != vNum && x.kind != vNull {
		x.flags |= fRuntime
		return x
	}
	y.flags |= fRuntime
	return y
}

// index evaluates a[b]; a list of numbers indexed by a counter is a schedule.
func (w *world) index(n *node, e *env) value {
	obj, at := w.eval(n.a, e), w.eval(n.b, e)
	if obj.kind == vNode && obj.node.op == opList && at.kind == vNum && len(obj.node.list) > 0 {
		i := max(0, min(int(at.num), len(obj.node.list)-1))
		return w.inUnit(obj.unit, obj.node.list[i], obj.env)
	}
	if at.kind == vStr {
		if v, ok := w.varied(at.str); ok {
			return v
		}
		if v, ok := w.pick(obj, at.str); ok {
			return v
		}
		if serverWord(at.str) {
			return value{kind: vNum, num: 1, flags: fServer | fRuntime | fHole}
		}
		if obj.kind != vUnknown || n.a.path() != "" {
			return hole(at.str)
		}
	}
	return unknown(obj.flags)
}

// inUnit evaluates an expression of another file.
func (w *world) inUnit(u *unit, n *node, e *env) value {
	if u == nil || u == w.u {
		return w.eval(n, e)
	}
	old := w.u
	w.u = u
	v := w.eval(n, e)
	w.u = old
	return v
}

// pick reads a key of a dictionary value, also through spreads.
func (w *world) pick(obj value, key string) (value, bool) {
	if obj.kind != vNode {
		return value{}, false
	}
	list := obj.node.list
	for i := len(list) - 1; i >= 0; i-- {
		switch k := list[i]; {
		case k.op == opPair && k.name == key:
			return w.inUnit(obj.unit, k.a, obj.env), true
		case k.op == opArg && k.name == key: // dict(total=3)
			return w.inUnit(obj.unit, k.a, obj.env), true
		case k.op == opFunc && k.name == key:
			return value{kind: vFunc, node: k, env: obj.env, unit: obj.unit}, true
		case k.op == opSpread || obj.node.op == opCall && k.op != opArg:
			inner := w.inUnit(obj.unit, k, obj.env)
			if v, ok := w.pick(inner, key); ok {
				return v, true
			}
		}
	}
	return value{}, false
}
