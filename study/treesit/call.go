//go:build cgo

package treesit

import (
	"math"
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
	if v.kind == vNode && v.node.op == opDict { // sleep({seconds: 3})
		v = unknown(0)
	}
	return inSeconds(v, scale), true
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

// getter evaluates what looks like reading a setting with a default, as in
// get("retries", 3) or env("RETRIES", "3"); everything else is not known.
func (w *world) getter(n *node, name string, args []value, recv value, e *env) value {
	f := flags(0)
	for _, a := range args {
		f |= a.flags & (fRandom | fServer)
	}
	low := strings.ToLower(name)
	if len(args) > 0 && args[0].kind == vStr && serverWord(args[0].str) {
		return value{kind: vNum, num: 1, flags: fServer | fRuntime | fHole}
	}
	if d := n.arg("default"); d != nil {
		if v := w.eval(d, e); v.kind == vNum {
			v.flags |= fRuntime
			return v
		}
	}
	if n.a.op == opMember && len(args) == 1 && settingName(low) && args[0].kind == vStr {
		if v, ok := w.pick(recv, args[0].str); ok {
			v.flags |= fRuntime
			return v
		}
	}
	if len(args) == 0 && strings.HasPrefix(low, "get") {
		h := hole(name)
		h.flags |= f
		return h
	}
	if waitWord(low) {
		return value{flags: f | fOpaque, str: name}
	}
	return value{flags: f, str: name}
}

// settingDefault is the last argument of get("retries", 3), env("RETRIES", "3").
func (w *world) settingDefault(n *node, name string, args []value) (value, bool) {
	low := strings.ToLower(name)
	if len(args) < 2 || n.name == "new" || !settingName(low) || waitWord(low) {
		return value{}, false
	}
	key := keyLike(n.list[0], args[0])
	for i, v := range args[1:] {
		if !key {
			key = keyLike(n.list[i+1], v)
			continue
		}
		if v.kind == vStr {
			v = literal(v.str)
		}
		if v.kind == vNum && v.flags&fHole == 0 {
			v.flags |= fRuntime
			return v, true
		}
	}
	return value{}, false
}

// keyLike: a string, or a constant that stands for one.
func keyLike(n *node, v value) bool {
	return v.kind == vStr || (n.op == opName || n.op == opMember) && n.name != "" && strings.ToUpper(n.name) == n.name
}

func settingName(low string) bool {
	return strings.Contains(low, "get") || strings.Contains(low, "param") || strings.Contains(low, "conf") || strings.Contains(low, "env") ||
		strings.Contains(low, "option") || strings.Contains(low, "setting") || strings.Contains(low, "prop") || strings.Contains(low, "default") ||
		low == "pop" || low == "int" || low == "field" || low == "valueof" || low == "integer" || low == "intflag" || low == "or"
}

// enumDefault reads the number an enumeration constant was made with.
func (w *world) enumDefault(obj value) (value, bool) {
	if obj.kind != vNode || obj.node.op != opCall || obj.node.a.name != "enum" {
		return value{}, false
	}
	for _, a := range obj.node.list {
		if v := w.inUnit(obj.unit, a, obj.env); v.kind == vNum {
			v.flags |= fRuntime
			return v, true
		}
	}
	return value{}, false
}

// instance makes an object of a class of the file: its constructor is run, so
// that its members have values when its methods are called.
func (w *world) instance(n *node, args []value) (value, bool) {
	if n.a.op != opName || !w.u.classes()[n.a.name] || w.mode == static {
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
