//go:build cgo

package treesit

import "strings"

// lowerPython turns one node of tree-sitter-python into neutral form.
func lowerPython(b *builder, c *cst) *node {
	switch c.kind {
	case "module", "block":
		n := b.node(opBlock, c)
		n.list = b.lows(c)
		return n
	case "function_definition", "lambda":
		return pyFunc(b, c)
	case "class_definition":
		n := b.leaf(opClass, c, b.text0(c.child("name")))
		if s := c.child("superclasses"); s != nil {
			n.list = b.lows(s)
		}
		n.a = b.field(c, "body")
		return n
	case "decorated_definition":
		n := b.field(c, "definition")
		if n == nil {
			return b.other(c)
		}
		for i := range c.kids {
			if c.kids[i].kind == "decorator" {
				n.marks = append(n.marks, b.other(&c.kids[i]))
			}
		}
		return n
	case "comment", "pass_statement", "global_statement", "nonlocal_statement", "type", "future_import_statement":
		return nil
	case "import_statement", "import_from_statement":
		pyImport(b, c)
		return nil
	case "while_statement", "for_statement", "if_statement", "try_statement", "with_statement", "match_statement",
		"return_statement", "raise_statement", "break_statement", "continue_statement":
		return pyStatement(b, c)
	}
	return pyExpr(b, c)
}

// text0 is the text of a node that may be missing.
func (b *builder) text0(c *cst) string {
	if c == nil {
		return ""
	}
	return b.str(c)
}

func pyFunc(b *builder, c *cst) *node {
	n := b.leaf(opFunc, c, b.text0(c.child("name")))
	n.async = len(c.kids) > 0 && c.kids[0].kind == "async"
	if ps := c.child("parameters"); ps != nil {
		for _, p := range ps.nameds() {
			q := b.node(opParam, p)
			switch p.kind {
			case "default_parameter", "typed_default_parameter":
				q.name, q.a = b.text0(p.child("name")), b.field(p, "value")
			case "typed_parameter":
				if len(p.kids) > 0 {
					q.name = strings.TrimLeft(b.str(&p.kids[0]), "*")
				}
			case "identifier":
				q.name = b.str(p)
			case "list_splat_pattern", "dictionary_splat_pattern":
				q.name = b.str(p)
			default:
				continue
			}
			n.list = append(n.list, q)
		}
	}
	n.a = b.field(c, "body")
	if c.kind == "lambda" {
		n.a = &node{op: opReturn, a: n.a, line: n.line, end: n.end}
	}
	return n
}

func pyStatement(b *builder, c *cst) *node {
	switch c.kind {
	case "while_statement":
		n := b.leaf(opLoop, c, "while")
		n.b, n.d, n.e = b.field(c, "condition"), b.field(c, "body"), pyElse(b, c)
		return n
	case "for_statement":
		n := b.leaf(opLoop, c, "each")
		n.a, n.b, n.d, n.e = b.field(c, "left"), b.field(c, "right"), b.field(c, "body"), pyElse(b, c)
		return n
	case "if_statement":
		n := b.node(opIf, c)
		n.a, n.b = b.field(c, "condition"), b.field(c, "consequence")
		last := n
		for i := range c.kids {
			switch k := &c.kids[i]; k.kind {
			case "elif_clause":
				e := b.node(opIf, k)
				e.a, e.b = b.field(k, "condition"), b.field(k, "consequence")
				last.c, last = e, e
			case "else_clause":
				last.c = b.field(k, "body")
			}
		}
		return n
	case "try_statement":
		return pyTry(b, c)
	case "with_statement":
		n := b.node(opBlock, c)
		n.list = b.lows(c)
		return n
	case "match_statement":
		return pyMatch(b, c)
	case "return_statement", "raise_statement":
		n := b.node(opReturn, c)
		if c.kind == "raise_statement" {
			n.op = opThrow
		}
		if k := c.nameds(); len(k) > 0 {
			n.a = b.low(k[0])
		}
		return n
	case "break_statement":
		return b.node(opBreak, c)
	}
	return b.node(opContinue, c)
}

func pyElse(b *builder, c *cst) *node {
	if k := c.kid("else_clause"); k != nil {
		return b.field(k, "body")
	}
	return nil
}

func pyTry(b *builder, c *cst) *node {
	n := b.node(opTry, c)
	n.a, n.b = b.field(c, "body"), pyElse(b, c)
	for i := range c.kids {
		k := &c.kids[i]
		switch k.kind {
		case "except_clause", "except_group_clause":
			h := b.node(opHandler, k)
			for _, p := range k.nameds() {
				switch p.kind {
				case "block":
					h.a = b.low(p)
				case "as_pattern":
					if x := p.nameds(); len(x) > 0 {
						h.list = append(h.list, b.low(x[0]))
						h.name = b.str(x[len(x)-1])
					}
				default:
					if t := b.low(p); t != nil {
						h.list = append(h.list, t)
					}
				}
			}
			n.list = append(n.list, h)
		case "finally_clause":
			if body := k.kid("block"); body != nil {
				n.c = b.low(body)
			}
		}
	}
	return n
}

func pyMatch(b *builder, c *cst) *node {
	n := b.node(opSwitch, c)
	n.a = b.field(c, "subject")
	body := c.child("body")
	if body == nil {
		return n
	}
	for _, k := range body.nameds() {
		if k.kind == "case_clause" {
			x := b.node(opCase, k)
			x.b = b.field(k, "consequence")
			n.list = append(n.list, x)
		}
	}
	return n
}

func pyImport(b *builder, c *cst) {
	from := ""
	if m := c.child("module_name"); m != nil {
		from = b.str(m)
	}
	if c.kid("wildcard_import") != nil {
		b.u.stars = append(b.u.stars, from)
		return
	}
	for i := range c.kids {
		k := &c.kids[i]
		if k.field != "name" {
			continue
		}
		name, local := b.str(k), ""
		if k.kind == "aliased_import" {
			name, local = b.text0(k.child("name")), b.text0(k.child("alias"))
		}
		switch {
		case from != "":
			if local == "" {
				local = name
			}
			b.u.imports[local] = imported{from, name}
		case local != "":
			b.u.imports[local] = imported{module: name}
		default: // "import a.b" binds a; "a.b.c" then spells its own path
			top, _, _ := strings.Cut(name, ".")
			b.u.imports[top] = imported{module: top}
		}
	}
}
