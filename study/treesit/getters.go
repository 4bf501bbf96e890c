//go:build cgo

package treesit

import (
	"strings"
)

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
