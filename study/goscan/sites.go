package goscan

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"retrylab/study/finding"
)

// sites finds uses of retry libraries and of retry helpers with telling names.
func (u *unit) sites(n ast.Node) {
	taken := map[ast.Node]bool{} // literals and calls that belong to a site already reported
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.CallExpr:
			u.callSite(m, taken)
		case *ast.CompositeLit:
			u.literalSite(m, taken)
		case *ast.AssignStmt:
			u.fieldSite(m)
		}
		return true
	})
}

// entriesFor lists the table's rows for the package a name stands for.
func (u *unit) entriesFor(local string) []*entry {
	return u.rows[local]
}

// prepareRows looks the file's imports up in the table once.
func (u *unit) prepareRows() {
	u.rows = map[string][]*entry{}
	for local, imp := range u.imports {
		if list := entriesOf(imp); list != nil {
			u.rows[local] = list
		}
	}
	for _, im := range u.tree.Imports {
		p, err := strconv.Unquote(im.Path.Value)
		if err == nil {
			u.allRows = append(u.allRows, entriesOf(p)...)
		}
	}
}

func entriesOf(imp string) (out []*entry) {
	p := unversioned(imp)
	for i := range entries {
		for pkg := range strings.FieldsSeq(entries[i].pkg) {
			if p == pkg || strings.HasSuffix(p, "/"+pkg) {
				out = append(out, &entries[i])
			}
		}
	}
	return out
}

// unversioned drops version elements: a/b/v4/c -> a/b/c, gopkg.in/x.v2 -> gopkg.in/x.
func unversioned(p string) string {
	var keep []string
	for s := range strings.SplitSeq(p, "/") {
		if isVersion(s) {
			continue
		}
		if i := strings.LastIndex(s, ".v"); i > 0 && isVersion(s[i+1:]) {
			s = s[:i]
		}
		keep = append(keep, s)
	}
	return strings.Join(keep, "/")
}

// callSite looks at a call, and at the calls it is chained to: a builder's
// settings follow the call that makes it.
func (u *unit) callSite(c *ast.CallExpr, taken map[ast.Node]bool) {
	if taken[c] {
		return
	}
	chain := chained(c)
	for _, m := range chain {
		if e := u.rowOf(m); e != nil && !taken[m] {
			for _, x := range chain {
				taken[x] = true
			}
			u.report(e, c, m, taken)
			return
		}
	}
	_, name := callee(c.Fun)
	u.ownHelper(c, name, taken)
}

// chained lists a call and the calls it is chained to, the outermost first.
func chained(c *ast.CallExpr) []*ast.CallExpr {
	list := []*ast.CallExpr{c}
	for {
		s, isSel := plainFun(c).(*ast.SelectorExpr)
		if !isSel {
			return list
		}
		inner, isCall := ast.Unparen(s.X).(*ast.CallExpr)
		if !isCall {
			return list
		}
		list = append(list, inner)
		c = inner
	}
}

// plainFun is a call's function without type arguments.
func plainFun(c *ast.CallExpr) ast.Expr {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.IndexExpr:
		return f.X
	case *ast.IndexListExpr:
		return f.X
	default:
		return f
	}
}

// rowOf finds the table's row for a call.
func (u *unit) rowOf(c *ast.CallExpr) *entry {
	f, isSel := plainFun(c).(*ast.SelectorExpr)
	if !isSel {
		return nil
	}
	var rows []*entry
	if q, isIdent := f.X.(*ast.Ident); isIdent {
		rows = u.entriesFor(q.Name)
	}
	if rows == nil {
		rows = u.methodRows(f.Sel.Name)
	}
	for _, e := range rows {
		if slices.Contains(e.calls, f.Sel.Name) || slices.Contains(e.calls, "*"+f.Sel.Name) {
			return e
		}
	}
	return nil
}

// methodRows finds rows whose calls are methods on a value of the package.
func (u *unit) methodRows(name string) (out []*entry) {
	for _, e := range u.allRows {
		for _, c := range e.calls {
			if len(c) == len(name)+1 && c[0] == '*' && c[1:] == name {
				out = append(out, e)
			}
		}
	}
	return out
}

func (u *unit) literalSite(c *ast.CompositeLit, taken map[ast.Node]bool) {
	if taken[c] {
		return
	}
	qual, name := callee(typeExpr(c.Type))
	for _, e := range u.entriesFor(qual) {
		if !slices.Contains(e.literals, name) {
			continue
		}
		// Clients with many options count only when one of them is about retries.
		if wide[name] && !hasParam(c, e) {
			return
		}
		u.report(e, c, nil, taken)
		return
	}
	u.ownPolicy(c, qual, name, taken)
}

// wide are option structs that exist without any retry setting.
var wide = map[string]bool{"Options": true, "ClusterOptions": true, "UniversalOptions": true, "FailoverOptions": true, "RingOptions": true, "Writer": true, "WriterConfig": true, "ReaderConfig": true, "Client": true, "Config": true}

func hasParam(c *ast.CompositeLit, e *entry) bool {
	for _, el := range c.Elts {
		if kv, isKV := el.(*ast.KeyValueExpr); isKV {
			n := lastName(kv.Key)
			if finding.RetryWord(n) || e.param(n) == finding.ParamCount {
				return true
			}
		}
	}
	return false
}

func typeExpr(e ast.Expr) ast.Expr {
	if s, isStar := e.(*ast.StarExpr); isStar {
		return s.X
	}
	return e
}

// fieldSite finds x.Retry.Max = n in files that import the client's package.
func (u *unit) fieldSite(a *ast.AssignStmt) {
	if len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return
	}
	name := dotted(a.Lhs[0])
	if !strings.Contains(name, ".") {
		return
	}
	for _, e := range u.allRows {
		for _, field := range e.fields {
			if name != field && !strings.HasSuffix(name, "."+field) {
				continue
			}
			f := e.New(u.line(a.Pos()), u.line(a.End()))
			u.setting(&f, e, field, finding.ParamCount, a.Rhs[0])
			u.weak[f.Line] = e.pkg
			if u.fn != nil {
				u.fieldsOf(&f, e, strings.TrimSuffix(strings.TrimSuffix(name, field), "."))
			}
			u.add(f)
			return
		}
	}
}

// report makes a finding for a table row and fills it from everything that the
// site says: arguments, options, nested constructors, literals, chained
// methods and later assignments to the result.
func (u *unit) report(e *entry, n ast.Node, c *ast.CallExpr, taken map[ast.Node]bool) {
	f := e.New(u.line(n.Pos()), u.line(n.End()))
	if e.partial {
		u.weak[f.Line] = e.pkg
	} else {
		u.strong[e.pkg+" "+u.function()] = true
	}
	s := &site{u: u, e: e, f: &f, taken: taken, seen: map[ast.Node]bool{}}
	s.collect(n, 0)
	if c != nil {
		if e.count > 0 && len(c.Args) >= e.count {
			u.setting(&f, e, "", finding.ParamCount, c.Args[e.count-1])
		}
		if e.base > 0 && len(c.Args) >= e.base {
			u.setting(&f, e, "", finding.ParamBase, c.Args[e.base-1])
		}
	}
	if u.fn != nil {
		for _, v := range u.fn.names {
			for _, a := range u.fn.assigns[v] {
				if a.rhs != nil && a.rhs.Pos() <= n.Pos() && n.End() <= a.rhs.End() && !strings.Contains(v, ".") {
					u.fieldsOf(&f, e, v)
				}
			}
		}
	}
	if s.plus {
		applyWait(&f, "+")
	}
	u.add(f)
}

// function is the name of the function being scanned.
func (u *unit) function() string {
	if u.fn == nil {
		return ""
	}
	return u.fn.name
}

// fieldsOf reads assignments such as bo.MaxElapsedTime = 0 to a variable's fields.
func (u *unit) fieldsOf(f *finding.Finding, e *entry, v string) {
	for _, name := range u.fn.names {
		list := u.fn.assigns[name]
		field, isField := strings.CutPrefix(name, v+".")
		if !isField || v == "" {
			continue
		}
		for _, a := range list {
			if a.rhs == nil || a.tok != token.ASSIGN {
				continue
			}
			if _, name := callee(a.rhs); e.waits[name] != "" {
				applyWait(f, e.waits[name])
			} else if p := e.param(field); p != finding.ParamNone {
				u.setting(f, e, field, p, a.rhs)
			}
		}
	}
}

func (e *entry) param(name string) finding.Param {
	if p, known := e.params[name]; known {
		return p
	}
	return finding.ParamOf(name)
}
