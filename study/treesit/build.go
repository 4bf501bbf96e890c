//go:build cgo

package treesit

import "strings"

// builder makes neutral nodes while a concrete tree is read. All languages use
// its helpers; lower is the language's own function.
type builder struct {
	*parsed
	u     *unit
	lower func(b *builder, c *cst) *node
}

func (b *builder) node(o op, c *cst) *node {
	return &node{op: o, line: b.line(c.start), end: b.line(max(c.end, c.start+1) - 1)}
}

// low lowers one node; nil stays nil.
func (b *builder) low(c *cst) *node {
	if c == nil {
		return nil
	}
	return b.lower(b, c)
}

// field lowers the child in a field.
func (b *builder) field(c *cst, name string) *node { return b.low(c.child(name)) }

// lows lowers the named children, leaving out what lowers to nothing.
func (b *builder) lows(c *cst) []*node {
	var out []*node
	for _, k := range c.nameds() {
		if n := b.low(k); n != nil {
			out = append(out, n)
		}
	}
	return out
}

// other keeps the children of a node that has no meaning of its own; a single
// child stands for it.
func (b *builder) other(c *cst) *node {
	kids := b.lows(c)
	if len(kids) == 1 {
		return kids[0]
	}
	n := b.node(opOther, c)
	n.list = kids
	return n
}

// block makes a block of a node's named children, or of one statement.
func (b *builder) block(c *cst, kinds ...string) *node {
	if c == nil {
		return nil
	}
	n := b.node(opBlock, c)
	for _, k := range kinds {
		if c.kind == k {
			n.list = b.lows(c)
			return n
		}
	}
	if k := b.low(c); k != nil {
		if k.op == opBlock {
			return k
		}
		n.list = []*node{k}
	}
	return n
}

func (b *builder) binary(c *cst, left, operator, right string) *node {
	n := b.node(opBinary, c)
	n.a, n.b = b.field(c, left), b.field(c, right)
	if o := c.child(operator); o != nil {
		n.name = b.str(o)
	}
	return n
}

func (b *builder) leaf(o op, c *cst, name string) *node {
	n := b.node(o, c)
	n.name = name
	return n
}

// unquote strips prefixes and quotes of a string literal; escapes stay as written
// except escaped quotes, which matter for JSON inside strings.
func unquote(s string) string {
	if i := strings.IndexAny(s, "\"'`"); i > 0 && i <= 3 && strings.Trim(s[:i], "rRbBuUfF") == "" {
		s = s[i:]
	}
	for _, q := range []string{`"""`, "'''", `"`, "'", "`"} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			s = s[len(q) : len(s)-len(q)]
			break
		}
	}
	if strings.Contains(s, `\`) {
		s = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\n`, "\n", `\t`, "\t", "\\\n", "").Replace(s)
	}
	return s
}

// index collects what other stages look up by name.
func (u *unit) index() {
	u.funcs, u.globals, u.fields = map[string][]*node{}, map[string]*node{}, map[string][]*node{}
	u.root.link()
	u.root.walk(func(n *node) bool {
		switch n.op {
		case opFunc:
			name := n.name
			if name == "" {
				name = boundName(n)
			}
			if name != "" {
				u.funcs[name] = append(u.funcs[name], n)
			}
		case opAssign:
			u.indexAssign(n)
		}
		return true
	})
}

func (u *unit) indexAssign(n *node) {
	if n.b == nil || n.name != "=" || n.a == nil {
		return
	}
	scope := n.up(opFunc, opClass)
	switch {
	case n.a.op == opName && scope == nil:
		u.globals[n.a.name] = n.b
	case n.a.op == opName && scope.op == opClass:
		u.fields[n.a.name] = append(u.fields[n.a.name], n.b)
	case n.a.op == opMember && isSelf(n.a.a):
		u.fields[n.a.name] = append(u.fields[n.a.name], n.b)
	case n.a.op == opName && scope.op == opFunc && u.lang.bareFields && scope.name == "<init>":
		u.fields[n.a.name] = append(u.fields[n.a.name], n.b)
	}
}

func isSelf(n *node) bool {
	return n != nil && n.op == opName && (n.name == "self" || n.name == "this" || n.name == "cls")
}

// boundName is the name a function expression is bound to by an assignment or as
// the value of a key.
func boundName(f *node) string {
	p := f.parent
	for p != nil && p.op == opCall { // wrappers such as useCallback(() => ...)
		if p.a == f {
			return ""
		}
		p = p.parent
	}
	if p == nil {
		return ""
	}
	if p.op == opAssign && p.a != nil {
		return p.a.last()
	}
	if p.op == opPair {
		return p.name
	}
	return ""
}
