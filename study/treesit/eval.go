//go:build cgo

package treesit

import (
	"math"
	"strconv"
	"strings"
)

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

// literal reads a number of any of the languages (0x10, 1_000, 5L, 2.5f, 10n).
func literal(s string) value {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	if s == "inf" || s == "infinity" || s == "+inf" {
		return number(math.Inf(1), 0)
	}
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0b") || strings.HasPrefix(s, "0o") {
		if i, err := strconv.ParseInt(strings.TrimRight(s, "l"), 0, 64); err == nil {
			return number(float64(i), 0)
		}
		return unknown(0)
	}
	if x, err := strconv.ParseFloat(strings.TrimRight(s, "lfdnj"), 64); err == nil {
		return number(x, 0)
	}
	return unknown(0)
}

func (w *world) unary(n *node, e *env) value {
	v := w.eval(n.a, e)
	switch n.name {
	case "!":
		if yes, known := v.truth(); known {
			return boolean(!yes, v.flags)
		}
	case "-":
		if v.numeric() {
			v.num = -v.num
			return v
		}
	case "+":
		return v
	}
	return unknown(v.flags)
}

func (w *world) binary(n *node, e *env) value {
	switch n.name {
	case "and", "&&", "or", "||", "??":
		return w.logic(n, e)
	case "<", "<=", ">", ">=", "==", "!=":
		return w.compare(n, e)
	}
	x, y := w.eval(n.a, e), w.eval(n.b, e)
	f := x.flags | y.flags
	if f&fClock != 0 && f&fRandom == 0 {
		return unknown(f)
	}
	if x.kind == vStr || y.kind == vStr || !x.numeric() && !y.numeric() {
		return unknown(f)
	}
	// One side unknown: keep the shape by a neutral stand-in.
	if !x.numeric() {
		x = number(neutral(n, n.a), f|fHole|fRuntime|fOpaque&x.flags)
	}
	if !y.numeric() {
		y = number(neutral(n, n.b), f|fHole|fRuntime|fOpaque&y.flags)
	}
	x.num, y.num = factor(n, n.a, x), factor(n, n.b, y)
	return arithmetic(n.name, x.num, y.num, x.flags|y.flags)
}

func arithmetic(op string, x, y float64, f flags) value {
	r := 0.0
	switch strings.TrimSuffix(op, "=") {
	case "+":
		r = x + y
	case "-":
		r = x - y
	case "*":
		r = x * y
	case "/":
		r = x / y
	case "//":
		r = math.Floor(x / y)
	case "%":
		r = math.Mod(x, y)
	case "**":
		r = math.Pow(x, y)
	case "<<":
		r = x * math.Exp2(min(y, 60))
	case ">>", ">>>":
		r = math.Floor(x / math.Exp2(min(y, 60)))
	default:
		return unknown(f)
	}
	if math.IsNaN(r) || math.IsInf(r, 0) && op != "+" {
		return unknown(f)
	}
	return number(r, f)
}

// neutral is the stand-in for an operand whose value is not known: one that does
// not change the shape of the rest.
func neutral(n, operand *node) float64 {
	if n.name == "**" && operand == n.a || growthName(operand.last()) {
		return 2
	}
	if n.name == "+" || n.name == "-" {
		return 0
	}
	return 1
}

// factor replaces the stand-in of a run-time number where a count-sized one would
// distort a wait: "delay * backoff" with an unknown backoff still grows.
func factor(n, operand *node, v value) float64 {
	if v.num == 1 && v.flags&(fNamed|fRuntime) != 0 && growthName(operand.last()) {
		return 2 // a growth that is off by default is still what the code can do
	}
	if v.flags&fHole == 0 || v.num != standIn {
		return v.num
	}
	if n.name == "**" && operand == n.a || growthName(operand.last()) {
		return 2
	}
	return v.num
}

func growthName(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "factor") || strings.Contains(s, "multipl") || strings.Contains(s, "exponent") ||
		strings.HasSuffix(s, "backoff") || strings.HasSuffix(s, "_base") || strings.HasSuffix(s, "_rate") || s == "backoffs" || strings.HasSuffix(s, "coefficient")
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
