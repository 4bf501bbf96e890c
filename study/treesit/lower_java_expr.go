//go:build cgo

package treesit

func javaExpr(b *builder, c *cst) *node {
	switch c.kind {
	case "identifier", "this", "super":
		return b.leaf(opName, c, b.str(c))
	case "scoped_identifier":
		n := b.leaf(opMember, c, b.text0(c.child("name")))
		n.a = b.field(c, "scope")
		return n
	case "decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal", "octal_integer_literal", "binary_integer_literal":
		return b.leaf(opNum, c, b.str(c))
	case "true", "false":
		return b.leaf(opBool, c, c.kind)
	case "null_literal":
		return b.node(opNull, c)
	case "string_literal", "character_literal":
		return b.leaf(opStr, c, unquote(b.str(c)))
	case "assignment_expression":
		n := b.leaf(opAssign, c, b.text0(c.child("operator")))
		n.a, n.b = b.field(c, "left"), b.field(c, "right")
		return n
	case "update_expression":
		return updateExpr(b, c)
	case "method_invocation":
		n := b.node(opCall, c)
		n.a = b.leaf(opName, c, b.text0(c.child("name")))
		if o := b.field(c, "object"); o != nil {
			n.a.op, n.a.a = opMember, o
		}
		if args := c.child("arguments"); args != nil {
			n.list = b.lows(args)
		}
		return n
	case "object_creation_expression":
		n := b.leaf(opCall, c, "new")
		n.a = b.leaf(opName, c, javaType(b.text0(c.child("type"))))
		if args := c.child("arguments"); args != nil {
			n.list = b.lows(args)
		}
		if body := c.kid("class_body"); body != nil {
			k := b.node(opClass, body)
			k.a = b.low(body)
			n.list = append(n.list, k)
		}
		return n
	case "method_reference":
		n := b.leaf(opMember, c, "")
		if k := c.nameds(); len(k) > 0 {
			n.a = b.low(k[0])
			n.name = b.str(k[len(k)-1])
		}
		return n
	case "field_access":
		n := b.leaf(opMember, c, b.text0(c.child("field")))
		n.a = b.field(c, "object")
		return n
	case "array_access":
		n := b.node(opIndex, c)
		n.a, n.b = b.field(c, "array"), b.field(c, "index")
		return n
	}
	return javaOperator(b, c)
}

// javaOperator lowers operators, annotations and initialisers.
func javaOperator(b *builder, c *cst) *node {
	switch c.kind {
	case "binary_expression":
		return b.binary(c, "left", "operator", "right")
	case "unary_expression":
		n := b.leaf(opUnary, c, b.text0(c.child("operator")))
		n.a = b.field(c, "operand")
		return n
	case "ternary_expression":
		n := b.node(opCond, c)
		n.a, n.b, n.c = b.field(c, "condition"), b.field(c, "consequence"), b.field(c, "alternative")
		return n
	case "cast_expression":
		return b.field(c, "value")
	case "element_value_pair":
		n := b.leaf(opArg, c, b.text0(c.child("key")))
		n.a = b.field(c, "value")
		return n
	case "annotation", "marker_annotation":
		n := b.node(opCall, c)
		n.a = b.field(c, "name")
		if args := c.child("arguments"); args != nil {
			n.list = b.lows(args)
		}
		return n
	case "array_initializer", "element_value_array_initializer":
		n := b.node(opList, c)
		n.list = b.lows(c)
		return n
	case "resource":
		n := b.leaf(opAssign, c, "=")
		n.a, n.b = b.field(c, "name"), b.field(c, "value")
		return n
	}
	return b.other(c)
}

// updateExpr reads ++ and --; the name keeps whether the operator comes first,
// because the value of the expression depends on it.
func updateExpr(b *builder, c *cst) *node {
	n := b.leaf(opAssign, c, "++")
	for i := range c.kids {
		k := &c.kids[i]
		if k.named {
			n.a = b.low(k)
			continue
		}
		n.name = b.str(k)
		if n.a != nil {
			n.name = "post" + n.name
		}
	}
	return n
}
