package goscan

import (
	"go/ast"
	"go/token"
	"maps"
	"math"
	"slices"
	"strconv"

	"retrylab/study/finding"
)

// value is a number known from the source; durations are in nanoseconds.
type value struct {
	n      float64
	source string // finding.SourceLiteral or SourceConstant
}

func (v value) int() int64 {
	if math.Abs(v.n) > 1e18 {
		return math.MaxInt64
	}
	return int64(v.n)
}

// fn is the function being scanned with the values its variables are given.
type fn struct {
	name    string
	params  map[string]bool
	assigns map[string][]assign
	body    *ast.BlockStmt
	names   []string // the keys of assigns, sorted: iterate over these
}

// assign is one value given to a variable.
type assign struct {
	tok token.Token // := = += *= and so on, or INC, DEC
	rhs ast.Expr    // nil for INC and DEC
	pos token.Pos
}

func newFn(name string, typ *ast.FuncType, body *ast.BlockStmt) *fn {
	f := &fn{name: name, params: map[string]bool{}, assigns: map[string][]assign{}, body: body}
	f.addParams(typ)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			f.addParams(n.Type)
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				rhs := n.Rhs[0]
				if len(n.Lhs) == len(n.Rhs) {
					rhs = n.Rhs[i]
				}
				f.assign(l, assign{n.Tok, rhs, n.Pos()})
			}
		case *ast.IncDecStmt:
			f.assign(n.X, assign{n.Tok, nil, n.Pos()})
		case *ast.ValueSpec:
			for i, name := range n.Names {
				switch {
				case i < len(n.Values):
					f.assign(name, assign{token.DEFINE, n.Values[i], n.Pos()})
				case len(n.Values) == 0:
					f.assign(name, assign{token.DEFINE, zeroValue, n.Pos()})
				}
			}
		}
		return true
	})
	f.names = slices.Sorted(maps.Keys(f.assigns))
	return f
}

// zeroValue stands for the value of a variable declared without one.
var zeroValue ast.Expr = &ast.BasicLit{Kind: token.INT, Value: "0"}

func (f *fn) addParams(typ *ast.FuncType) {
	if typ == nil || typ.Params == nil {
		return
	}
	for _, p := range typ.Params.List {
		for _, name := range p.Names {
			f.params[name.Name] = true
		}
	}
}

func (f *fn) assign(l ast.Expr, a assign) {
	if name := dotted(l); name != "" && name != "_" {
		f.assigns[name] = append(f.assigns[name], a)
	}
}

// dotted is the written form of x or x.y.z; "" for anything else.
func dotted(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if q := dotted(x.X); q != "" {
			return q + "." + x.Sel.Name
		}
	case *ast.StarExpr:
		return dotted(x.X)
	}
	return ""
}

// maxDepth limits the chain of names followed to a value.
const maxDepth = 8

// eval returns the number an expression stands for, when the source says.
func (u *unit) eval(e ast.Expr) (value, bool) { return u.evalIn(e, u.pkg, u.fn, 0) }

func (u *unit) evalIn(e ast.Expr, p *pkg, f *fn, depth int) (value, bool) {
	if e == nil || depth > maxDepth {
		return value{}, false
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return u.evalIn(x.X, p, f, depth)
	case *ast.BasicLit:
		n, err := strconv.ParseFloat(x.Value, 64)
		if i, ierr := strconv.ParseInt(x.Value, 0, 64); ierr == nil {
			n, err = float64(i), nil
		}
		return value{n, finding.SourceLiteral}, err == nil && (x.Kind == token.INT || x.Kind == token.FLOAT)
	case *ast.UnaryExpr:
		v, ok := u.evalIn(x.X, p, f, depth+1)
		if x.Op == token.SUB {
			v.n = -v.n
		}
		return v, ok && (x.Op == token.SUB || x.Op == token.ADD)
	case *ast.BinaryExpr:
		return u.evalBinary(x, p, f, depth)
	case *ast.CallExpr:
		return u.evalCall(x, p, f, depth)
	case *ast.Ident:
		return u.evalName(x.Name, p, f, depth)
	case *ast.SelectorExpr:
		return u.evalSelector(x, p, f, depth)
	}
	return value{}, false
}

func (u *unit) evalBinary(x *ast.BinaryExpr, p *pkg, f *fn, depth int) (value, bool) {
	a, ok := u.evalIn(x.X, p, f, depth+1)
	b, ok2 := u.evalIn(x.Y, p, f, depth+1)
	if !ok || !ok2 {
		return value{}, false
	}
	out := value{source: stronger(a.source, b.source)}
	switch x.Op {
	case token.ADD:
		out.n = a.n + b.n
	case token.SUB:
		out.n = a.n - b.n
	case token.MUL:
		out.n = a.n * b.n
	case token.QUO:
		if b.n == 0 {
			return value{}, false
		}
		out.n = a.n / b.n
	case token.SHL:
		if b.n < 0 || b.n > 62 {
			return value{}, false
		}
		out.n = a.n * math.Pow(2, b.n)
	default:
		return value{}, false
	}
	return out, true
}

func stronger(a, b string) string {
	if a == finding.SourceConstant || b == finding.SourceConstant {
		return finding.SourceConstant
	}
	return a
}

// evalCall sees through conversions and address helpers with one argument.
func (u *unit) evalCall(x *ast.CallExpr, p *pkg, f *fn, depth int) (value, bool) {
	_, name := callee(x.Fun)
	switch name {
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float64", "float32",
		"Duration", "Int", "Int32", "Int64", "Ptr", "To", "Uint", "Uint64", "Float64", "ToPtr", "Of":
		if len(x.Args) == 1 {
			return u.evalIn(x.Args[0], p, f, depth+1)
		}
	}
	return value{}, false
}

// evalName resolves a local variable that is given one known value, then a
// package constant or variable.
func (u *unit) evalName(name string, p *pkg, f *fn, depth int) (value, bool) {
	if f != nil {
		if list := f.assigns[name]; len(list) > 0 {
			v, ok := u.evalIn(list[0].rhs, p, f, depth+1)
			if _, isCall := list[0].rhs.(*ast.CallExpr); isCall && !ok {
				return value{}, false // computed first: what is set later is an exception
			}
			for _, a := range list[1:] {
				if a.tok != token.ASSIGN || a.rhs == nil {
					return value{}, false
				}
				// A default set before or after a test for zero: the
				// last known non-zero number is the default.
				if w, wok := u.evalIn(a.rhs, p, f, depth+1); wok && w.n != 0 && (!ok || v.n == 0) {
					v, ok = w, true
				} else if !ok {
					return value{}, false
				}
			}
			v.source = finding.SourceConstant
			return v, ok
		}
		if f.params[name] {
			return value{}, false
		}
	}
	e, ok := p.consts[name]
	if !ok {
		return value{}, false
	}
	if id, isIdent := e.(*ast.Ident); isIdent && id.Name == "iota" {
		return value{float64(p.iota[name]), finding.SourceConstant}, true
	}
	v, ok := u.evalIn(e, p, nil, depth+1)
	v.source = finding.SourceConstant
	return v, ok
}

var timeUnits = map[string]float64{
	"Nanosecond": 1, "Microsecond": 1e3, "Millisecond": 1e6, "Second": 1e9, "Minute": 60e9, "Hour": 3600e9,
}

// evalSelector resolves time units, constants of imported packages of the same
// module, local assignments to the field, and fields that the package gives
// exactly one known value.
func (u *unit) evalSelector(x *ast.SelectorExpr, p *pkg, f *fn, depth int) (value, bool) {
	if q, ok := x.X.(*ast.Ident); ok {
		if q.Name == "time" {
			if n, ok := timeUnits[x.Sel.Name]; ok {
				return value{n, finding.SourceLiteral}, true
			}
		}
		if q.Name == "math" && (x.Sel.Name == "MaxInt" || x.Sel.Name == "MaxInt32" || x.Sel.Name == "MaxInt64" || x.Sel.Name == "MaxUint32") {
			return value{math.MaxInt32, finding.SourceLiteral}, true
		}
		if imp, ok := u.importOf(p, q.Name); ok {
			if other := u.imported(imp); other != nil {
				return u.evalName(x.Sel.Name, other, nil, depth+1)
			}
			return value{}, false
		}
	}
	if f != nil {
		if list := f.assigns[dotted(x)]; len(list) == 1 && list[0].rhs != nil {
			if v, ok := u.evalIn(list[0].rhs, p, f, depth+1); ok {
				v.source = finding.SourceConstant
				return v, true
			}
		}
	}
	return u.evalField(x.Sel.Name, p, depth)
}

// evalField looks for the one value a field gets in this package, then in the
// imported packages of the same module.
func (u *unit) evalField(name string, p *pkg, depth int) (value, bool) {
	if v, ok := u.onlyField(name, p, depth); ok {
		return v, true
	}
	if p != u.pkg {
		return value{}, false
	}
	for _, im := range u.tree.Imports {
		path, err := strconv.Unquote(im.Path.Value)
		if err != nil {
			continue
		}
		if other := u.imported(path); other != nil {
			if v, ok := u.onlyField(name, other, depth); ok {
				return v, true
			}
		}
	}
	return value{}, false
}

func (u *unit) onlyField(name string, p *pkg, depth int) (value, bool) {
	var found value
	known := false
	for _, e := range p.fields[name] {
		v, ok := u.evalIn(e, p, nil, depth+2)
		if !ok || v.n == 0 {
			continue
		}
		if known && v.n != found.n {
			return value{}, false
		}
		found, known = v, true
	}
	found.source = finding.SourceConstant
	return found, known
}
