//go:build cgo

package treesit

import "strings"

func jsExpr(b *builder, c *cst) *node {
	switch c.kind {
	case "identifier", "property_identifier", "this", "super", "shorthand_property_identifier_pattern":
		if c.kind == "shorthand_property_identifier_pattern" {
			n := b.leaf(opPair, c, b.str(c))
			n.a = b.leaf(opName, c, n.name)
			return n
		}
		return b.leaf(opName, c, b.str(c))
	case "private_property_identifier":
		return b.leaf(opName, c, strings.TrimPrefix(b.str(c), "#"))
	case "import":
		return b.leaf(opName, c, "import")
	case "number":
		return b.leaf(opNum, c, b.str(c))
	case "true", "false":
		return b.leaf(opBool, c, c.kind)
	case "null", "undefined":
		return b.node(opNull, c)
	case "string":
		return b.leaf(opStr, c, unquote(b.str(c)))
	case "template_string":
		n := b.leaf(opStr, c, unquote(b.str(c)))
		for _, k := range c.nameds() {
			if k.kind == "template_substitution" {
				n.list = append(n.list, b.other(k))
			}
		}
		return n
	case "assignment_expression", "augmented_assignment_expression":
		n := b.leaf(opAssign, c, "=")
		if o := c.child("operator"); o != nil {
			n.name = b.str(o)
		}
		n.a, n.b = b.field(c, "left"), b.field(c, "right")
		return n
	case "update_expression":
		return updateExpr(b, c)
	case "call_expression", "new_expression":
		n := b.node(opCall, c)
		n.a = b.field(c, "function")
		if c.kind == "new_expression" {
			n.name, n.a = "new", b.field(c, "constructor")
		}
		if args := c.child("arguments"); args != nil {
			n.list = b.lows(args)
		}
		if m := requiredModule(n); m != "" {
			b.u.modules[m] = true
		}
		return n
	case "member_expression":
		n := b.leaf(opMember, c, strings.TrimPrefix(b.text0(c.child("property")), "#"))
		n.a = b.field(c, "object")
		return n
	case "subscript_expression":
		n := b.node(opIndex, c)
		n.a, n.b = b.field(c, "object"), b.field(c, "index")
		return n
	}
	return jsOperation(b, c)
}

// jsOperation lowers operators and collections.
func jsOperation(b *builder, c *cst) *node {
	switch c.kind {
	case "binary_expression":
		n := b.binary(c, "left", "operator", "right")
		n.name = strings.TrimSuffix(strings.Replace(n.name, "===", "==", 1), "")
		if n.name == "!==" {
			n.name = "!="
		}
		return n
	case "unary_expression":
		n := b.leaf(opUnary, c, b.text0(c.child("operator")))
		n.a = b.field(c, "argument")
		return n
	case "ternary_expression":
		n := b.node(opCond, c)
		n.a, n.b, n.c = b.field(c, "condition"), b.field(c, "consequence"), b.field(c, "alternative")
		return n
	case "as_expression", "satisfies_expression", "non_null_expression", "type_assertion":
		if k := c.nameds(); len(k) > 0 {
			if c.kind == "type_assertion" {
				return b.low(k[len(k)-1])
			}
			return b.low(k[0])
		}
		return nil
	case "object", "object_pattern":
		return jsObject(b, c)
	case "array", "array_pattern":
		n := b.node(opList, c)
		n.list = b.lows(c)
		return n
	case "spread_element", "rest_pattern":
		n := b.leaf(opSpread, c, "*")
		if k := c.nameds(); len(k) > 0 {
			n.a = b.low(k[0])
		}
		return n
	}
	return b.other(c)
}

// jsObject reads object literals and patterns; a pattern's default is the pair's
// second part.
func jsObject(b *builder, c *cst) *node {
	n := b.node(opDict, c)
	for _, k := range c.nameds() {
		switch k.kind {
		case "pair", "pair_pattern":
			p := b.leaf(opPair, k, "")
			p.a = b.field(k, "value")
			if key := k.child("key"); key != nil && key.kind != "computed_property_name" {
				p.name = unquote(b.str(key))
			}
			n.list = append(n.list, p)
		case "shorthand_property_identifier":
			p := b.leaf(opPair, k, b.str(k))
			p.a = b.leaf(opName, k, p.name)
			n.list = append(n.list, p)
		case "object_assignment_pattern": // { retries = 3 }
			p := b.leaf(opPair, k, b.text0(k.child("left")))
			p.a = b.leaf(opName, k, p.name)
			p.b = b.field(k, "right")
			n.list = append(n.list, p)
		default:
			if x := b.low(k); x != nil {
				n.list = append(n.list, x)
			}
		}
	}
	return n
}
