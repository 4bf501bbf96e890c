//go:build cgo

package treesit

// op is the kind of a node of the neutral tree.
type op uint8

const (
	opOther    op = iota // list: children in order
	opFile               // a: block
	opFunc               // name, list: params, a: body, marks: decorators
	opClass              // name, list: bases, a: body, marks
	opParam              // name, a: default or nil
	opBlock              // list
	opLoop               // name: while, do, for or each; a: init or target, b: condition or iterated, c: step, d: body, e: else
	opIf                 // a: condition, b: then, c: else
	opTry                // a: body, list: handlers, b: else, c: finally
	opHandler            // name: variable, list: types, a: body
	opSwitch             // a: subject, list: cases
	opCase               // a: value or nil, b: block
	opReturn             // a
	opThrow              // a
	opBreak              // name: label
	opContinue           // name: label
	opAssign             // name: operator, a: target, b: value or nil
	opCall               // name: "new" for constructors, a: callee, list: arguments
	opArg                // name, a: value (keyword argument)
	opName               // name
	opMember             // a: object, name
	opIndex              // a, b
	opNum                // name: text
	opStr                // name: value, list: interpolations
	opBool               // name: true or false
	opNull               //
	opBinary             // name: operator, a, b
	opUnary              // name: operator, a
	opCond               // a: condition, b: then, c: else
	opDict               // list: opPair, opSpread or opFunc
	opPair               // name: key ("" when computed), a: value
	opList               // list
	opSpread             // a; name: "**" for keyword spreads
)

// node is one node of the neutral tree. Which fields are used depends on the op.
type node struct {
	op            op
	name          string
	a, b, c, d, e *node
	list, marks   []*node
	line, end     int // lines from 1
	parent        *node
	label         string // of a loop
	async         bool
}

// each calls f for every child, in source order as far as it matters.
func (n *node) each(f func(*node)) {
	for _, k := range n.marks {
		f(k)
	}
	for _, k := range [...]*node{n.a, n.b, n.c, n.d, n.e} {
		if k != nil {
			f(k)
		}
	}
	for _, k := range n.list {
		if k != nil {
			f(k)
		}
	}
}

// walk visits n and what is below it; f returns false to stay out of a subtree.
func (n *node) walk(f func(*node) bool) {
	if n == nil || !f(n) {
		return
	}
	n.each(func(k *node) { k.walk(f) })
}

// walkHere is walk without the bodies of nested functions and classes.
func (n *node) walkHere(f func(*node) bool) {
	n.walk(func(k *node) bool {
		if k != n && (k.op == opFunc || k.op == opClass) {
			return false
		}
		return f(k)
	})
}

// link sets the parents below n.
func (n *node) link() {
	n.each(func(k *node) {
		k.parent = n
		k.link()
	})
}

// within reports whether n is top or below it.
func (n *node) within(top *node) bool {
	for ; n != nil; n = n.parent {
		if n == top {
			return true
		}
	}
	return false
}

// up returns the nearest node above n with one of the ops.
func (n *node) up(ops ...op) *node {
	for p := n.parent; p != nil; p = p.parent {
		for _, o := range ops {
			if p.op == o {
				return p
			}
		}
	}
	return nil
}

// path is the dotted text of a name or member chain ("self.max_retries"); "" for
// other expressions. Calls without arguments inside the chain are kept as "()".
func (n *node) path() string {
	if n == nil {
		return ""
	}
	switch n.op {
	case opName:
		return n.name
	case opMember:
		if p := n.a.path(); p != "" {
			return p + "." + n.name
		}
	case opCall:
		if p := n.a.path(); p != "" {
			return p + "()"
		}
	}
	return ""
}

// last is the last part of a name or member chain, also behind calls.
func (n *node) last() string {
	if n == nil {
		return ""
	}
	switch n.op {
	case opName, opMember:
		return n.name
	case opCall:
		return n.a.last()
	case opIndex:
		if n.b != nil && n.b.op == opStr {
			return n.b.name
		}
		return n.a.last()
	case opFunc:
		return n.name
	}
	return ""
}

// arg returns the value of the keyword argument, or nil.
func (n *node) arg(name string) *node {
	for _, k := range n.list {
		if k.op == opArg && k.name == name {
			return k.a
		}
	}
	return nil
}

// pos returns the i-th positional argument, or nil.
func (n *node) pos(i int) *node {
	for _, k := range n.list {
		if k.op == opArg || k.op == opSpread {
			continue
		}
		if i == 0 {
			return k
		}
		i--
	}
	return nil
}

// key returns the value of a dictionary's key, or nil.
func (n *node) key(names ...string) *node {
	if n == nil || n.op != opDict {
		return nil
	}
	for _, name := range names {
		for _, k := range n.list {
			if k.op == opPair && k.name == name {
				return k.a
			}
		}
	}
	return nil
}

// same reports whether two expressions are written alike.
func same(x, y *node) bool {
	if x == nil || y == nil {
		return x == y
	}
	if x.op != y.op || x.name != y.name || len(x.list) != len(y.list) {
		return false
	}
	for i := range x.list {
		if !same(x.list[i], y.list[i]) {
			return false
		}
	}
	return same(x.a, y.a) && same(x.b, y.b) && same(x.c, y.c) && same(x.d, y.d) && same(x.e, y.e)
}

// imported is one imported name.
type imported struct {
	module string // "tenacity", "org.apache.curator.retry", "./delay.js"
	name   string // the name inside the module; "" or "default" for the module itself
}

// unit is one lowered file.
type unit struct {
	path    string
	lang    *lang
	root    *node
	imports map[string]imported // by local name
	stars   []string            // modules imported whole ("from x import *")
	modules map[string]bool     // modules required anywhere in the file
	pkg     string              // Java package
	broken  int

	funcs   map[string][]*node // by simple name
	globals map[string]*node   // value of assignments at file level
	fields  map[string][]*node // values assigned to self.x, this.x and class attributes, by name

	names      map[string][]*node // by name; see refs
	calls      map[string][]*node // by the callee's last name; see callsOf
	classNames map[string]bool    // see classes
}
