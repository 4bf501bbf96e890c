// Package goscan finds retry code in Go source by syntax (go/parser, no type
// information, so foreign repositories need neither their dependencies nor
// their build tags).
//
// Two engines work side by side: a table of library entry points (api.go,
// sites.go, own.go) whose defaults are filled in, and a structural matcher for
// hand-written retries (flow.go, cases.go, effects.go, shape.go, loop.go, header.go,
// otherwork.go, recursion.go) that follows which
// branches a failure takes and asks finding.Judge. Constants are resolved in
// the function, the package and the packages of the same module (values.go, pkgs.go).
package goscan

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"sort"
	"strings"

	"retrylab/study/finding"
)

// Detector is the finding.Detector for Go.
type Detector struct{}

// Name is "go".
func (Detector) Name() string { return "go" }

// Wants takes Go files except generated protocol buffers.
func (Detector) Wants(p string) bool {
	return path.Ext(p) == ".go" && !strings.HasSuffix(p, ".pb.go") && !strings.HasSuffix(p, ".pb.gw.go")
}

// Scan returns the retry findings of one Go file. A file with broken syntax
// gives what its readable part holds and an error.
func (Detector) Scan(f *finding.File) (list []finding.Finding, err error) {
	if !finding.Gate(f.Text) {
		return nil, nil
	}
	fset := token.NewFileSet()
	tree, perr := parser.ParseFile(fset, f.Path, f.Text, parser.SkipObjectResolution)
	if perr != nil {
		err = fmt.Errorf("%s: not fully readable: %w", f.Path, perr)
	}
	if tree == nil {
		return nil, err
	}
	u := newUnit(f, fset, tree)
	u.scan()
	sort.SliceStable(u.found, func(i, j int) bool { return u.found[i].Line < u.found[j].Line })
	return u.found, err
}

// unit is one file being scanned.
type unit struct {
	file    *finding.File
	fset    *token.FileSet
	tree    *ast.File
	imports map[string]string   // local name to import path
	rows    map[string][]*entry // table rows by the local name of their package
	allRows []*entry            // rows of every imported package
	pkg     *pkg                // this file's package as far as read
	fn      *fn                 // the function being scanned, nil at package level
	found   []finding.Finding
	weak    map[int]string  // lines of findings that a stronger one of the same package in the same function replaces
	strong  map[string]bool // package and function of the stronger ones
}

func newUnit(f *finding.File, fset *token.FileSet, tree *ast.File) *unit {
	u := &unit{file: f, fset: fset, tree: tree, imports: importsOf(tree), weak: map[int]string{}, strong: map[string]bool{}}
	u.pkg = packageOf(f, tree)
	u.prepareRows()
	return u
}

// scan visits the package level declarations, then every function.
func (u *unit) scan() {
	u.settings()
	u.configStrings()
	for _, d := range u.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			u.fn = newFn(d.Name.Name, d.Type, d.Body)
			u.sites(d.Body)
			u.structural(d.Body)
			u.fn = nil
		case *ast.GenDecl:
			u.sites(d)
			ast.Inspect(d, func(n ast.Node) bool {
				lit, ok := n.(*ast.FuncLit)
				if ok {
					u.fn = newFn("", lit.Type, lit.Body)
					u.structural(lit.Body)
					u.fn = nil
				}
				return !ok
			})
		}
	}
	u.found = u.dropShadowed(u.found)
}

func (u *unit) line(p token.Pos) int { return u.fset.Position(p).Line }

func (u *unit) add(f finding.Finding) {
	if u.fn != nil {
		f.Function = u.fn.name
	}
	u.found = append(u.found, f)
}

// dropShadowed removes findings that only prepare what another one in the same
// function starts, and repeated findings of one line.
func (u *unit) dropShadowed(list []finding.Finding) []finding.Finding {
	type key struct {
		line int
		rule string
	}
	seen := map[key]bool{}
	var out []finding.Finding
	for _, f := range list {
		k := key{f.Line, f.Rule}
		pkg, isWeak := u.weak[f.Line]
		if seen[k] || isWeak && f.Rule == finding.RuleLibrary && u.strong[pkg+" "+f.Function] {
			continue
		}
		seen[k] = true
		out = append(out, f)
	}
	return out
}

// importsOf maps the name each import has in the file to its path.
func importsOf(tree *ast.File) map[string]string {
	m := map[string]string{}
	for _, im := range tree.Imports {
		p := strings.Trim(im.Path.Value, `"`)
		name := importName(p)
		if im.Name != nil {
			name = im.Name.Name
		}
		m[name] = p
	}
	return m
}

// importName guesses a package's name from its path: the last element that is
// no version, without a go- prefix or a -go suffix.
func importName(p string) string {
	name := path.Base(p)
	if isVersion(name) {
		name = path.Base(path.Dir(p))
	}
	if i := strings.LastIndex(name, ".v"); i > 0 {
		name = name[:i]
	}
	name = strings.TrimPrefix(name, "go-")
	name = strings.TrimSuffix(name, "-go")
	name = strings.TrimSuffix(name, ".go")
	return strings.ReplaceAll(name, "-", "_")
}

func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// callee splits a call's function into the qualifier's last name and the name:
// pkg.F, x.y.M -> (y, M), F -> ("", F).
func callee(e ast.Expr) (qual, name string) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return "", x.Name
	case *ast.SelectorExpr:
		return lastName(x.X), x.Sel.Name
	case *ast.IndexExpr: // generic instantiation
		return callee(x.X)
	case *ast.IndexListExpr:
		return callee(x.X)
	}
	return "", ""
}

// lastName is the last identifier of x, x.y, x.y(), x[i].
func lastName(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.CallExpr:
		return lastName(x.Fun)
	case *ast.IndexExpr:
		return lastName(x.X)
	case *ast.StarExpr:
		return lastName(x.X)
	case *ast.UnaryExpr:
		return lastName(x.X)
	}
	return ""
}
