package goscan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"

	"retrylab/study/finding"
)

// pkg is what is remembered of one package of the repository: constants,
// values given to fields, and the functions that may compute a wait.
type pkg struct {
	consts  map[string]ast.Expr      // package constants and variables with their value
	iota    map[string]int64         // position in a const group, for iota
	fields  map[string][]ast.Expr    // field name to values given in literals and assignments
	funcs   map[string]*ast.FuncDecl // functions that may compute or make a wait
	methods map[string]*ast.FuncDecl // the same for methods, by name alone
	imports map[string]string        // local names to import paths, over all its files
	uses    map[string]int           // how often a name occurs, for dead constants
}

// maxPackageBytes limits how much of one directory is parsed for constants.
const maxPackageBytes = 4 << 20

// packageOf returns the package of a file: of its whole directory when the
// tree can list it, of the file alone otherwise.
func packageOf(f *finding.File, tree *ast.File) *pkg {
	p := packageIn(f.Tree, path.Dir(f.Path))
	if len(p.uses) == 0 || strings.HasSuffix(f.Path, "_test.go") {
		own := newPkg()
		own.addFile(tree)
		for name, e := range p.consts {
			if _, ok := own.consts[name]; !ok {
				own.consts[name] = e
			}
		}
		return own
	}
	return p
}

func newPkg() *pkg {
	return &pkg{consts: map[string]ast.Expr{}, iota: map[string]int64{}, fields: map[string][]ast.Expr{},
		funcs: map[string]*ast.FuncDecl{}, methods: map[string]*ast.FuncDecl{}, uses: map[string]int{}, imports: map[string]string{}}
}

// packageIn parses the non-test Go files of a directory once per repository.
func packageIn(tree finding.Tree, dir string) *pkg {
	if dir == "." {
		dir = ""
	}
	return tree.Memo("goscan.pkg:"+dir, func() any {
		p := newPkg()
		size := 0
		for _, name := range tree.Dir(dir) {
			if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".pb.go") {
				continue
			}
			text, err := tree.Read(name)
			if err != nil || size+len(text) > maxPackageBytes {
				continue
			}
			size += len(text)
			// A half-readable file still gives its constants.
			parsed, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
			if parsed != nil {
				p.addFile(parsed)
			}
		}
		return p
	}).(*pkg)
}

func (p *pkg) addFile(tree *ast.File) {
	for local, path := range importsOf(tree) {
		p.imports[local] = path
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			switch {
			case d.Body == nil || !waitName(d.Name.Name):
			case d.Recv != nil:
				p.methods[d.Name.Name] = d
			default:
				p.funcs[d.Name.Name] = d
			}
		case *ast.GenDecl:
			p.addConsts(d)
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			p.uses[n.Name]++
		case *ast.KeyValueExpr:
			if k, ok := n.Key.(*ast.Ident); ok && retryField(k.Name) {
				p.fields[k.Name] = append(p.fields[k.Name], n.Value)
			}
		case *ast.AssignStmt:
			p.addAssign(n)
		}
		return true
	})
}

func (p *pkg) addAssign(n *ast.AssignStmt) {
	if len(n.Lhs) != len(n.Rhs) || n.Tok != token.ASSIGN {
		return
	}
	for i, l := range n.Lhs {
		if s, ok := l.(*ast.SelectorExpr); ok && retryField(s.Sel.Name) {
			p.fields[s.Sel.Name] = append(p.fields[s.Sel.Name], n.Rhs[i])
		}
	}
}

func (p *pkg) addConsts(d *ast.GenDecl) {
	if d.Tok != token.CONST && d.Tok != token.VAR {
		return
	}
	var last []ast.Expr
	for i, s := range d.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		values := v.Values
		if d.Tok == token.CONST {
			if len(values) == 0 {
				values = last
			}
			last = values
		}
		for k, name := range v.Names {
			if k < len(values) {
				p.consts[name.Name] = values[k]
				p.iota[name.Name] = int64(i)
			}
		}
	}
}

// function returns the declaration behind a call: a function for a plain or
// package-qualified name, a method for a name on a value.
func (p *pkg) function(onValue bool, name string) *ast.FuncDecl {
	if onValue {
		return p.methods[name]
	}
	return p.funcs[name]
}

// retryField limits the remembered fields to those that can bound or delay.
func retryField(name string) bool {
	s := strings.ToLower(name)
	return finding.RetryWord(name) || finding.ParamOf(name) != finding.ParamNone ||
		strings.Contains(s, "delay") || strings.Contains(s, "wait") || strings.Contains(s, "interval") || strings.Contains(s, "limit")
}

// waitName says whether a function may compute or perform a wait.
func waitName(name string) bool {
	s := strings.ToLower(name)
	for _, w := range []string{"retr", "backoff", "delay", "jitter", "stagger", "sleep", "wait", "interval", "timeout", "pause", "duration", "exponential", "do"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// importOf resolves a package name used in this file or, for code of another
// file or package, in package p.
func (u *unit) importOf(p *pkg, local string) (string, bool) {
	if imp, known := u.imports[local]; known && p == u.pkg {
		return imp, true
	}
	imp, known := p.imports[local]
	return imp, known
}

// imported returns the package of an import path when it belongs to a module
// of the same repository.
func (u *unit) imported(importPath string) *pkg {
	tree := u.file.Tree
	modules := tree.Memo("goscan.modules", func() any {
		m := map[string]string{} // module path to directory
		for _, p := range tree.Named("go.mod") {
			text, err := tree.Read(p)
			if err != nil {
				continue
			}
			for line := range strings.Lines(string(text)) {
				if rest, ok := strings.CutPrefix(line, "module "); ok {
					m[strings.Trim(strings.TrimSpace(rest), `"`)] = strings.TrimPrefix(path.Dir(p), ".")
					break
				}
			}
		}
		return m
	}).(map[string]string)
	best := ""
	for mod := range modules {
		if (importPath == mod || strings.HasPrefix(importPath, mod+"/")) && len(mod) > len(best) {
			best = mod
		}
	}
	if best == "" {
		return nil
	}
	dir := path.Join(modules[best], strings.TrimPrefix(importPath, best))
	return packageIn(tree, strings.TrimPrefix(dir, "/"))
}
