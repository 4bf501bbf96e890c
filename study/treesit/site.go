//go:build cgo

package treesit

import (
	"math"
	"retrylab/study/finding"
	"strings"
)

func (t *site) hasAny(names string) bool {
	for _, name := range strings.Fields(names) {
		if t.given[name] != nil {
			return true
		}
	}
	return false
}

// collect gathers the arguments by name: keywords, positions, dictionaries and
// the calls of a chain.
func (t *site) collect() {
	names := strings.Fields(t.row.args)
	i := 0
	for _, a := range t.call.list {
		switch {
		case a.op == opArg:
			t.given[a.name] = a.a
		case a.op == opSpread:
			t.dict(a.a)
		default:
			if i < len(names) && names[i] == "{" {
				t.dict(a)
			} else if i < len(names) && names[i] != "-" {
				t.given[names[i]] = a
			}
			i++
		}
	}
	if t.row.builder {
		t.chain()
	}
}

// dict reads a dictionary's keys as arguments; also through a variable and what
// is assigned to its keys.
func (t *site) dict(a *node) {
	if a == nil {
		return
	}
	if a.op == opName {
		for _, k := range keyAssignments(a) {
			t.given[k.a.last()] = k.b
		}
	}
	v := t.w.eval(a, nil)
	if v.kind != vNode {
		t.spread = true
		return
	}
	for _, k := range v.node.list {
		switch k.op {
		case opPair, opArg:
			if t.given[k.name] == nil && k.name != "" {
				t.given[k.name] = k.a
			}
		case opFunc:
			t.given[k.name] = k
		case opSpread:
			t.dict(k.a)
		case opDict, opName:
			if v.node.op == opCall { // Object.assign({}, defaults)
				t.dict(k)
			}
		}
	}
}

// keyAssignments finds d["x"] = v in the function around a use of d.
func keyAssignments(use *node) []*node {
	top := use.up(opFunc, opFile)
	if top == nil {
		return nil
	}
	var out []*node
	top.walk(func(k *node) bool {
		if k.op == opAssign && k.name == "=" && k.a != nil && k.a.op == opIndex && k.a.a != nil && k.a.a.op == opName && k.a.a.name == use.name &&
			k.a.b != nil && k.a.b.op == opStr {
			out = append(out, k)
		}
		return true
	})
	return out
}

// chain reads the calls that follow on the row's call: .maxAttempts(3).build().
func (t *site) chain() {
	n := t.call
	for {
		m := n.parent
		if m == nil || m.op != opMember || m.a != n || m.parent == nil || m.parent.op != opCall || m.parent.a != m {
			break
		}
		n = m.parent
		key := m.name
		if len(n.list) > 0 {
			t.given[key] = n.list[0]
			for i, a := range n.list[1:] {
				t.given[key+"@"+string(rune('2'+i))] = a
			}
		} else {
			t.given[key] = &node{op: opBool, name: "true", line: m.line}
		}
		t.f.SpanEnd = n.end
	}
}

// value evaluates an argument. Expressions that count attempts are of no use here.
func (t *site) value(n *node) value {
	if n == nil {
		return unknown(0)
	}
	return t.w.eval(n, nil)
}

// meaning of an argument's name.
func (t *site) meaning(name string) finding.Param {
	for _, p := range strings.Fields(t.row.params) {
		if k, v, ok := strings.Cut(p, "="); ok && k == name {
			return paramNames[v]
		}
	}
	return finding.ParamOf(strings.TrimPrefix(name, "_"))
}

// seconds reads an argument as a duration.
func (t *site) seconds(v value) float64 {
	unit := t.row.unit
	if unit == 0 {
		unit = t.s.u.lang.waitUnit
	}
	return inSeconds(v, unit).num
}

func (t *site) read() {
	for _, name := range sortedKeys(t.given) {
		n := t.given[name]
		if strings.Contains(name, "@") {
			continue
		}
		switch t.meaning(name) {
		case finding.ParamCount:
			t.count(t.value(n))
		case finding.ParamBase:
			t.baseWait(n)
		case finding.ParamCap:
			if v := t.value(n); v.kind == vNum && v.flags&fHole == 0 {
				t.f.Cap = seconds(t.seconds(v))
			}
		case finding.ParamFactor:
			if v := t.value(n); v.kind == vNum {
				t.factor = v.num
				if v.flags&fHole != 0 {
					t.factor = 2
				}
			}
		case finding.ParamJitter:
			t.jitter(t.value(n))
		case finding.ParamElapsed:
			if v := t.value(n); v.kind != vNull {
				t.elapsed = true
			}
		}
	}
}

// count records a count argument.
func (t *site) count(v value) {
	t.f.Disabled = false
	switch {
	case v.kind == vNum && v.flags&fHole == 0:
		t.counted = true
		raw := int64(math.Max(math.Min(v.num, finding.Huge), -1))
		t.row.Count.Apply(&t.f, raw, source(v.flags))
	case v.kind == vNull:
		if t.row.nullUnlimited {
			t.counted = true
			t.f.SetUnlimited(finding.BoundNone, finding.SourceLiteral)
		}
	case v.kind == vBool && v.num == 0:
		t.counted = true
		t.f.SetTotal(1, finding.SourceLiteral)
	case v.kind == vNode || v.kind == vFunc:
	default:
		t.counted = true
		t.f.SetRuntime()
	}
}

func (t *site) baseWait(n *node) {
	v := t.value(n)
	if v.kind == vFunc || v.kind == vNode && v.node.op != opDict {
		t.schedule(n)
		return
	}
	if v.kind != vNum {
		return
	}
	t.hasBase = true
	t.base = v.num
	t.f.Base = 0
	if v.flags&fHole == 0 {
		t.f.Base = seconds(t.seconds(v))
	}
	if v.flags&fRandom != 0 {
		t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceFlow
	}
}

func (t *site) jitter(v value) {
	t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceLiteral
	if v.kind == vNull || v.kind == vBool && v.num == 0 || v.kind == vNum && v.num == 0 {
		t.f.Jitter = finding.No
	}
}

// schedule reads a function of the attempt that gives the wait.
func (t *site) schedule(n *node) {
	w := t.s.series(n)
	w.apply(&t.f)
	t.explicit = true
}

// settle derives the kind of backoff from what was given.
func (t *site) settle() {
	if t.elapsed && !t.counted && t.f.Unlimited {
		t.f.Bound = finding.BoundElapsed
	}
	if t.spread && !t.counted {
		t.f.SetRuntime()
	}
	if t.explicit {
		return
	}
	if t.hasBase && t.row.withBase != "" {
		t.f.Backoff = t.row.withBase
	}
	switch {
	case t.factor > 1 && (t.row.withFactor != "" || t.f.Backoff != finding.BackoffNone || t.hasBase):
		t.f.Backoff = finding.BackoffExponential
		if t.row.withFactor != "" {
			t.f.Backoff = t.row.withFactor
		}
	case t.factor > 0 && t.factor <= 1 && t.f.Backoff == finding.BackoffExponential:
		t.f.Backoff = finding.BackoffConstant
	}
	if t.hasBase && t.base == 0 && t.f.Backoff != finding.BackoffLinear {
		t.f.Backoff, t.f.Base, t.f.Cap = finding.BackoffNone, 0, 0
		if t.f.JitterSource == finding.SourceDefault {
			t.f.Jitter = finding.No
		}
	}
}

func sortedKeys(m map[string]*node) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sortStrings(out)
	return out
}
