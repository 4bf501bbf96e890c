//go:build cgo

package treesit

func pyExpr(b *builder, c *cst) *node {
	switch c.kind {
	case "identifier":
		return b.leaf(opName, c, b.str(c))
	case "integer", "float":
		return b.leaf(opNum, c, b.str(c))
	case "true", "false":
		return b.leaf(opBool, c, c.kind)
	case "none":
		return b.node(opNull, c)
	case "string", "concatenated_string":
		return pyString(b, c)
	case "assignment", "augmented_assignment", "named_expression":
		n := b.leaf(opAssign, c, "=")
		n.a, n.b = b.field(c, "left"), b.field(c, "right")
		if c.kind == "named_expression" {
			n.a, n.b = b.field(c, "name"), b.field(c, "value")
		}
		if o := c.child("operator"); o != nil {
			n.name = b.str(o)
		}
		return n
	case "call":
		n := b.node(opCall, c)
		n.a = b.field(c, "function")
		if args := c.child("arguments"); args != nil {
			if args.kind == "generator_expression" {
				n.list = []*node{b.low(args)}
			} else {
				n.list = b.lows(args)
			}
		}
		return n
	case "keyword_argument":
		n := b.leaf(opArg, c, b.text0(c.child("name")))
		n.a = b.field(c, "value")
		return n
	case "list_splat", "dictionary_splat":
		n := b.leaf(opSpread, c, "*")
		if c.kind == "dictionary_splat" {
			n.name = "**"
		}
		if k := c.nameds(); len(k) > 0 {
			n.a = b.low(k[0])
		}
		return n
	case "attribute":
		n := b.leaf(opMember, c, b.text0(c.child("attribute")))
		n.a = b.field(c, "object")
		return n
	case "subscript":
		n := b.node(opIndex, c)
		n.a, n.b = b.field(c, "value"), b.field(c, "subscript")
		return n
	}
	return pyOperation(b, c)
}

// pyOperation lowers operators and collections.
func pyOperation(b *builder, c *cst) *node {
	switch c.kind {
	case "binary_operator", "boolean_operator":
		return b.binary(c, "left", "operator", "right")
	case "comparison_operator":
		return pyCompare(b, c)
	case "not_operator", "unary_operator":
		n := b.leaf(opUnary, c, "!")
		n.a = b.field(c, "argument")
		if o := c.child("operator"); o != nil && c.kind == "unary_operator" {
			n.name = b.str(o)
		}
		return n
	case "conditional_expression":
		n := b.node(opCond, c)
		if k := c.nameds(); len(k) == 3 {
			n.b, n.a, n.c = b.low(k[0]), b.low(k[1]), b.low(k[2])
		}
		return n
	case "dictionary":
		n := b.node(opDict, c)
		n.list = b.lows(c)
		return n
	case "pair":
		n := b.leaf(opPair, c, "")
		n.a = b.field(c, "value")
		if k := b.field(c, "key"); k != nil && (k.op == opStr || k.op == opName) {
			n.name = k.last()
			if k.op == opStr {
				n.name = k.name
			}
		}
		return n
	case "list", "tuple", "set", "expression_list", "pattern_list", "tuple_pattern":
		n := b.node(opList, c)
		n.list = b.lows(c)
		return n
	}
	return b.other(c)
}

func pyString(b *builder, c *cst) *node {
	n := b.leaf(opStr, c, "")
	if c.kind == "concatenated_string" {
		for _, k := range c.nameds() {
			s := pyString(b, k)
			n.name += s.name
			n.list = append(n.list, s.list...)
		}
		return n
	}
	n.name = unquote(b.str(c))
	for i := range c.kids {
		if c.kids[i].kind == "interpolation" {
			n.list = append(n.list, b.other(&c.kids[i]))
		}
	}
	return n
}

// pyCompare reads a chain such as "0 < x <= 5" as a conjunction.
func pyCompare(b *builder, c *cst) *node {
	var operands []*node
	var operators []string
	for i := range c.kids {
		k := &c.kids[i]
		switch {
		case isComment(k.kind):
		case k.named:
			operands = append(operands, b.low(k))
		default:
			o := b.str(k)
			if k.kind == "is not" || k.kind == "not in" {
				o = k.kind
			}
			operators = append(operators, o)
		}
	}
	var all *node
	for i := 0; i < len(operators) && i+1 < len(operands); i++ {
		n := b.leaf(opBinary, c, pyOperator(operators[i]))
		n.a, n.b = operands[i], operands[i+1]
		if all == nil {
			all = n
			continue
		}
		and := b.leaf(opBinary, c, "and")
		and.a, and.b = all, n
		all = and
	}
	if all == nil {
		return b.other(c)
	}
	return all
}

func pyOperator(o string) string {
	switch o {
	case "is":
		return "=="
	case "is not", "<>":
		return "!="
	}
	return o
}
