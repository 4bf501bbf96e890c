//go:build cgo

package treesit

import "strings"

// lowerJS turns one node of tree-sitter-javascript, -typescript or -tsx into
// neutral form; types are dropped.
func lowerJS(b *builder, c *cst) *node {
	switch c.kind {
	case "program", "statement_block", "class_body", "class_static_block":
		n := b.node(opBlock, c)
		n.list = b.lows(c)
		return n
	case "function_declaration", "generator_function_declaration", "function_expression", "generator_function", "arrow_function", "method_definition":
		return jsFunc(b, c)
	case "class_declaration", "class", "abstract_class_declaration":
		n := b.leaf(opClass, c, b.text0(c.child("name")))
		n.a = b.field(c, "body")
		if h := c.kid("class_heritage"); h != nil {
			n.list = b.lows(h)
		}
		for i := range c.kids {
			if c.kids[i].kind == "decorator" {
				n.marks = append(n.marks, b.other(&c.kids[i]))
			}
		}
		return n
	case "field_definition", "public_field_definition":
		n := b.leaf(opAssign, c, "=")
		n.a = b.field(c, "property")
		if n.a == nil {
			n.a = b.field(c, "name")
		}
		n.b = b.field(c, "value")
		return n
	case "lexical_declaration", "variable_declaration":
		out := b.node(opOther, c)
		for _, d := range c.nameds() {
			if d.kind == "variable_declarator" {
				out.list = append(out.list, jsDeclarator(b, d))
			}
		}
		if len(out.list) == 1 {
			out.list[0].line = out.line
			return out.list[0]
		}
		return out
	case "comment", "type_annotation", "type_arguments", "type_parameters", "interface_declaration", "type_alias_declaration",
		"ambient_declaration", "empty_statement", "hash_bang_line", "implements_clause":
		return nil
	case "import_statement":
		jsImport(b, c)
		return nil
	case "if_statement", "while_statement", "do_statement", "for_statement", "for_in_statement", "try_statement", "switch_statement",
		"return_statement", "throw_statement", "break_statement", "continue_statement", "labeled_statement":
		return jsStatement(b, c)
	}
	return jsExpr(b, c)
}

func jsFunc(b *builder, c *cst) *node {
	n := b.leaf(opFunc, c, strings.TrimPrefix(b.text0(c.child("name")), "#"))
	if n.name == "constructor" {
		n.name = "<init>"
	}
	n.async = c.kid("async") != nil
	if p := c.child("parameter"); p != nil {
		n.list = append(n.list, b.leaf(opParam, p, b.str(p)))
	}
	if ps := c.child("parameters"); ps != nil {
		for _, p := range ps.nameds() {
			if q := jsParam(b, p); q != nil {
				n.list = append(n.list, q)
			}
		}
	}
	body := c.child("body")
	n.a = b.low(body)
	if body != nil && body.kind != "statement_block" {
		n.a = &node{op: opReturn, a: n.a, line: n.line, end: n.end}
	}
	return n
}

func jsParam(b *builder, p *cst) *node {
	q := b.node(opParam, p)
	pattern, value := p, (*cst)(nil)
	switch p.kind {
	case "assignment_pattern":
		pattern, value = p.child("left"), p.child("right")
	case "required_parameter", "optional_parameter":
		pattern, value = p.child("pattern"), p.child("value")
	case "decorator", "comment":
		return nil
	}
	q.a = b.low(value)
	if pattern == nil {
		return nil
	}
	if pattern.kind == "object_pattern" { // { retries = 3, delay } : keep the defaults in a dictionary
		q.b = b.low(pattern)
		return q
	}
	q.name = b.str(pattern)
	return q
}

func jsDeclarator(b *builder, d *cst) *node {
	n := b.leaf(opAssign, d, "=")
	n.a, n.b = b.field(d, "name"), b.field(d, "value")
	m := requiredModule(n.b)
	if m == "" || n.a == nil {
		return n
	}
	if n.a.op == opName {
		b.u.imports[n.a.name] = imported{module: m}
	}
	if n.a.op == opDict {
		for _, p := range n.a.list {
			if p.op == opPair && p.a != nil && p.a.op == opName {
				b.u.imports[p.a.name] = imported{m, p.name}
			}
		}
	}
	return n
}

// requiredModule recognises require("x"), require("x").y and await import("x").
func requiredModule(n *node) string {
	for n != nil && n.op == opMember {
		n = n.a
	}
	if n != nil && n.op == opCall && n.a != nil && (n.a.name == "require" || n.a.name == "import" || n.a.name == "__importDefault") && len(n.list) == 1 {
		if n.list[0].op == opStr {
			return n.list[0].name
		}
		return requiredModule(n.list[0])
	}
	return ""
}

func jsImport(b *builder, c *cst) {
	module := unquote(b.text0(c.child("source")))
	clause := c.kid("import_clause")
	if module == "" || clause == nil {
		return
	}
	for _, k := range clause.nameds() {
		switch k.kind {
		case "identifier":
			b.u.imports[b.str(k)] = imported{module: module}
		case "namespace_import":
			if id := k.kid("identifier"); id != nil {
				b.u.imports[b.str(id)] = imported{module: module}
			}
		case "named_imports":
			for _, s := range k.nameds() {
				name := b.text0(s.child("name"))
				local := name
				if a := s.child("alias"); a != nil {
					local = b.str(a)
				}
				b.u.imports[local] = imported{module, name}
			}
		}
	}
}

func jsStatement(b *builder, c *cst) *node {
	switch c.kind {
	case "if_statement":
		n := b.node(opIf, c)
		n.a, n.b = b.field(c, "condition"), b.block(c.child("consequence"))
		if e := c.child("alternative"); e != nil {
			if k := e.nameds(); len(k) > 0 {
				n.c = b.block(k[0])
			}
		}
		return n
	case "while_statement", "do_statement":
		n := b.leaf(opLoop, c, strings.TrimSuffix(c.kind, "_statement"))
		n.b, n.d = b.field(c, "condition"), b.block(c.child("body"))
		return n
	case "for_statement":
		n := b.leaf(opLoop, c, "for")
		n.a, n.b, n.c, n.d = b.field(c, "initializer"), b.field(c, "condition"), b.field(c, "increment"), b.block(c.child("body"))
		return n
	case "for_in_statement":
		n := b.leaf(opLoop, c, "each")
		n.a, n.b, n.d = b.field(c, "left"), b.field(c, "right"), b.block(c.child("body"))
		return n
	case "try_statement":
		n := b.node(opTry, c)
		n.a = b.field(c, "body")
		if k := c.child("handler"); k != nil {
			h := b.leaf(opHandler, k, b.text0(k.child("parameter")))
			h.a = b.field(k, "body")
			n.list = append(n.list, h)
		}
		if k := c.child("finalizer"); k != nil {
			n.c = b.field(k, "body")
		}
		return n
	case "switch_statement":
		return jsSwitch(b, c)
	case "return_statement", "throw_statement":
		n := b.node(opReturn, c)
		if c.kind == "throw_statement" {
			n.op = opThrow
		}
		if k := c.nameds(); len(k) > 0 {
			n.a = b.low(k[0])
		}
		return n
	case "break_statement", "continue_statement":
		n := b.leaf(opBreak, c, b.text0(c.child("label")))
		if c.kind == "continue_statement" {
			n.op = opContinue
		}
		return n
	}
	return labelled(b, c.child("label"), c.child("body"))
}

func jsSwitch(b *builder, c *cst) *node {
	n := b.node(opSwitch, c)
	n.a = b.field(c, "value")
	body := c.child("body")
	if body == nil {
		return n
	}
	for _, g := range body.nameds() {
		x := b.node(opCase, g)
		x.b = b.node(opBlock, g)
		for i := range g.kids {
			k := &g.kids[i]
			switch {
			case k.field == "value":
				x.a = b.low(k)
			case k.named:
				if s := b.low(k); s != nil {
					x.b.list = append(x.b.list, s)
				}
			}
		}
		n.list = append(n.list, x)
	}
	return n
}
