//go:build cgo

package treesit

import "strings"

// lowerJava turns one node of tree-sitter-java into neutral form.
func lowerJava(b *builder, c *cst) *node {
	switch c.kind {
	case "program", "block", "class_body", "interface_body", "constructor_body", "enum_body", "enum_body_declarations", "annotation_type_body":
		n := b.node(opBlock, c)
		n.list = b.lows(c)
		return n
	case "package_declaration":
		if k := c.nameds(); len(k) > 0 {
			b.u.pkg = b.str(k[len(k)-1])
		}
		return nil
	case "import_declaration":
		javaImport(b, c)
		return nil
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
		n := b.leaf(opClass, c, b.text0(c.child("name")))
		for _, f := range []string{"superclass", "interfaces"} {
			if s := c.child(f); s != nil {
				n.list = append(n.list, b.leaf(opName, s, javaType(b.str(s))))
			}
		}
		n.a, n.marks = b.field(c, "body"), javaMarks(b, c)
		return n
	case "method_declaration", "constructor_declaration", "lambda_expression":
		return javaFunc(b, c)
	case "field_declaration", "constant_declaration", "local_variable_declaration":
		return javaVariables(b, c)
	case "enum_constant":
		n := b.leaf(opAssign, c, "=")
		n.a = b.leaf(opName, c, b.text0(c.child("name")))
		call := b.leaf(opCall, c, "new")
		call.a = b.leaf(opName, c, "enum")
		if args := c.child("arguments"); args != nil {
			call.list = b.lows(args)
		}
		n.b = call
		return n
	case "if_statement", "while_statement", "do_statement", "for_statement", "enhanced_for_statement", "try_statement",
		"try_with_resources_statement", "switch_expression", "return_statement", "throw_statement", "break_statement",
		"continue_statement", "labeled_statement", "synchronized_statement":
		return javaStatement(b, c)
	case "modifiers", "superclass", "type_parameters", "type_arguments", "line_comment", "block_comment", "comment", "dimensions", "throws",
		"type_identifier", "integral_type", "floating_point_type", "boolean_type", "void_type", "generic_type", "scoped_type_identifier", "array_type":
		return nil
	}
	return javaExpr(b, c)
}

// javaType strips type arguments and the qualifier's keyword.
func javaType(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "extends "), "implements ")
	s, _, _ = strings.Cut(s, "<")
	return strings.TrimSpace(s)
}

func javaMarks(b *builder, c *cst) []*node {
	m := c.kid("modifiers")
	if m == nil {
		return nil
	}
	var out []*node
	for _, k := range m.nameds() {
		if k.kind != "annotation" && k.kind != "marker_annotation" {
			continue
		}
		n := b.node(opCall, k)
		n.a = b.field(k, "name")
		if args := k.child("arguments"); args != nil {
			n.list = b.lows(args)
		}
		out = append(out, n)
	}
	return out
}

func javaFunc(b *builder, c *cst) *node {
	n := b.leaf(opFunc, c, b.text0(c.child("name")))
	if c.kind == "constructor_declaration" {
		n.name = "<init>"
	}
	if ps := c.child("parameters"); ps != nil {
		if ps.kind == "identifier" {
			n.list = append(n.list, b.leaf(opParam, ps, b.str(ps)))
		}
		for _, p := range ps.nameds() {
			name := p.child("name")
			if p.kind == "identifier" {
				name = p
			}
			if name != nil {
				n.list = append(n.list, b.leaf(opParam, p, b.str(name)))
			}
		}
	}
	n.a, n.marks = b.field(c, "body"), javaMarks(b, c)
	if c.kind == "lambda_expression" && n.a != nil && n.a.op != opBlock {
		n.a = &node{op: opReturn, a: n.a, line: n.line, end: n.end}
	}
	return n
}

func javaVariables(b *builder, c *cst) *node {
	out := b.node(opOther, c)
	for i := range c.kids {
		d := &c.kids[i]
		if d.field != "declarator" {
			continue
		}
		n := b.leaf(opAssign, d, "=")
		n.line = out.line
		n.a, n.b = b.field(d, "name"), b.field(d, "value")
		out.list = append(out.list, n)
	}
	if len(out.list) == 1 {
		out.list[0].marks = javaMarks(b, c)
		return out.list[0]
	}
	return out
}

func javaStatement(b *builder, c *cst) *node {
	switch c.kind {
	case "if_statement":
		n := b.node(opIf, c)
		n.a, n.b, n.c = b.field(c, "condition"), b.block(c.child("consequence")), b.block(c.child("alternative"))
		return n
	case "while_statement", "do_statement":
		n := b.leaf(opLoop, c, strings.TrimSuffix(c.kind, "_statement"))
		n.b, n.d = b.field(c, "condition"), b.block(c.child("body"))
		return n
	case "for_statement":
		n := b.leaf(opLoop, c, "for")
		n.a, n.c = b.fieldList(c, "init"), b.fieldList(c, "update")
		n.b, n.d = b.field(c, "condition"), b.block(c.child("body"))
		return n
	case "enhanced_for_statement":
		n := b.leaf(opLoop, c, "each")
		n.a, n.b, n.d = b.field(c, "name"), b.field(c, "value"), b.block(c.child("body"))
		return n
	case "try_statement", "try_with_resources_statement":
		return javaTry(b, c)
	case "switch_expression":
		return javaSwitch(b, c)
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
		n := b.node(opBreak, c)
		if c.kind == "continue_statement" {
			n.op = opContinue
		}
		if k := c.kid("identifier"); k != nil {
			n.name = b.str(k)
		}
		return n
	case "synchronized_statement":
		return b.field(c, "body")
	}
	k := c.nameds() // labeled_statement
	return labelled(b, k[0], k[len(k)-1])
}

// labelled lowers a statement with a label; only loops keep it.
func labelled(b *builder, label, body *cst) *node {
	n := b.low(body)
	if n != nil && n.op == opLoop && label != nil {
		n.label = b.str(label)
	}
	return n
}

// fieldList lowers all children in a field into one node.
func (b *builder) fieldList(c *cst, field string) *node {
	n := b.node(opOther, c)
	for i := range c.kids {
		if c.kids[i].field == field {
			if k := b.low(&c.kids[i]); k != nil {
				n.list = append(n.list, k)
			}
		}
	}
	switch len(n.list) {
	case 0:
		return nil
	case 1:
		return n.list[0]
	}
	return n
}

func javaTry(b *builder, c *cst) *node {
	n := b.node(opTry, c)
	n.a = b.field(c, "body")
	if r := c.child("resources"); r != nil && n.a != nil {
		n.a.list = append(b.lows(r), n.a.list...)
	}
	for i := range c.kids {
		k := &c.kids[i]
		switch k.kind {
		case "catch_clause":
			h := b.node(opHandler, k)
			h.a = b.field(k, "body")
			if p := k.kid("catch_formal_parameter"); p != nil {
				h.name = b.text0(p.child("name"))
				if t := p.kid("catch_type"); t != nil {
					for _, x := range strings.Split(b.str(t), "|") {
						h.list = append(h.list, b.leaf(opName, t, strings.TrimSpace(x)))
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

func javaSwitch(b *builder, c *cst) *node {
	n := b.node(opSwitch, c)
	n.a = b.field(c, "condition")
	body := c.child("body")
	if body == nil {
		return n
	}
	for _, g := range body.nameds() {
		x := b.node(opCase, g)
		x.b = b.node(opBlock, g)
		for _, k := range g.nameds() {
			if k.kind == "switch_label" {
				if v := k.nameds(); len(v) > 0 {
					x.a = b.low(v[0])
				}
				continue
			}
			if s := b.low(k); s != nil {
				x.b.list = append(x.b.list, s)
			}
		}
		n.list = append(n.list, x)
	}
	return n
}

func javaImport(b *builder, c *cst) {
	k := c.nameds()
	if len(k) == 0 {
		return
	}
	full := b.str(k[0])
	if c.kid("asterisk") != nil {
		b.u.stars = append(b.u.stars, full)
		return
	}
	if i := strings.LastIndexByte(full, '.'); i > 0 {
		b.u.imports[full[i+1:]] = imported{full[:i], full[i+1:]}
	}
}
