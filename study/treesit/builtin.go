//go:build cgo

package treesit

import (
	"math"
	"strings"
)

// builtin evaluates helpers every program knows.
func (w *world) builtin(n *node, name string, args []value, recv value, e *env) (value, bool) {
	if randomCall(n, name) {
		return randomValue(name, args), true
	}
	if v, ok := durationCall(n, name, args); ok {
		return v, true
	}
	if clockCall(n, name) {
		return unknown(fClock), true
	}
	if v, ok := w.arithmeticCall(n, name, args, e); ok {
		return v, true
	}
	switch name {
	case "round", "int", "float", "Number", "parseInt", "parseFloat", "abs", "Decimal", "valueOf", "toInt", "toLong", "humanize_seconds", "want_seconds",
		"AtomicInteger", "AtomicLong", "Integer", "Long", "Duration", "Double", "long", "bool", "Boolean":
		if len(args) == 1 {
			if args[0].kind == vStr {
				return literal(args[0].str), true
			}
			return args[0], true
		}
		if len(args) == 0 && strings.HasPrefix(name, "Atomic") {
			return number(0, 0), true
		}
	case "intValue", "longValue", "toMillis", "toSeconds", "toNanos", "getSeconds", "total_seconds", "get", "intdiv", "doubleValue", "asLong":
		if len(args) == 0 && n.a.op == opMember {
			if recv.kind == vNum {
				return recv, true
			}
		}
	case "getattr":
		if len(args) >= 2 && args[1].kind == vStr {
			if len(args) == 3 && args[2].kind == vNum {
				args[2].flags |= fRuntime
				return args[2], true
			}
			if serverWord(args[1].str) {
				return value{kind: vNum, num: 1, flags: fServer | fRuntime | fHole}, true
			}
			return hole(args[1].str), true
		}
	case "range", "xrange", "trange":
		return rangeValue(args), len(args) > 0
	case "count":
		if len(args) == 0 || args[0].kind == vNum && n.a.path() == "itertools.count" {
			start := 0.0
			if len(args) > 0 {
				start = args[0].num
			}
			return value{kind: vRange, num: start, stop: math.Inf(1), step: 1}, true
		}
	case "rangeClosed":
		if len(args) == 2 && args[1].kind == vNum {
			args[1].num++
			return rangeValue(args), true
		}
	case "len":
		if len(args) == 1 && args[0].kind == vNode && args[0].node.op == opList {
			return number(float64(len(args[0].node.list)), fNamed), true
		}
	case "dict", "assign", "defaults", "defaultsDeep", "merge", "freeze", "deepmerge", "extend":
		return value{kind: vNode, node: n, env: e, unit: w.u}, true
	}
	return value{}, false
}

// extreme is min or max; operands that are not known do not count.
func extreme(biggest bool, args []value) value {
	best, f, have := value{}, flags(0), false
	for _, v := range args {
		f |= v.flags &^ fHole
		if v.kind != vNum || !biggest && v.flags&fHole != 0 && v.num == standIn {
			continue
		}
		if !have || biggest == (v.num > best.num) {
			best, have = v, true
		}
	}
	if !have {
		for _, v := range args {
			if v.kind == vNum {
				v.flags |= f
				return v
			}
		}
		return unknown(f)
	}
	best.flags |= f
	return best
}

func rangeValue(args []value) value {
	r := value{kind: vRange, step: 1}
	switch len(args) {
	case 0:
		return unknown(0)
	case 1:
		r.stop, r.flags = args[0].num, args[0].flags
		if !args[0].numeric() {
			r.stop, r.flags = standIn, fHole|fRuntime|args[0].flags
		}
		return r
	}
	if !args[0].numeric() || !args[1].numeric() {
		return value{kind: vRange, stop: standIn, step: 1, flags: fHole | fRuntime}
	}
	r.num, r.stop, r.flags = args[0].num, args[1].num, args[0].flags|args[1].flags
	if len(args) > 2 && args[2].numeric() && args[2].num != 0 {
		r.step = args[2].num
	}
	return r
}

// arithmeticCall evaluates mathematical functions.
func (w *world) arithmeticCall(n *node, name string, args []value, e *env) (value, bool) {
	one := func(f func(float64) float64) (value, bool) {
		if len(args) > 0 && args[0].numeric() {
			return number(f(args[0].num), args[0].flags), true
		}
		if len(args) > 0 {
			return unknown(args[0].flags), true
		}
		return value{}, false
	}
	switch name {
	case "min", "max", "minimum", "clamp":
		return extreme(name == "max", args), len(args) > 0
	case "pow", "Pow":
		if len(args) == 2 {
			return w.binary(&node{op: opBinary, name: "**", a: n.list[0], b: n.list[1]}, e), true
		}
	case "exp":
		return one(math.Exp)
	case "floor", "trunc":
		return one(math.Floor)
	case "ceil":
		return one(math.Ceil)
	}
	return value{}, false
}
