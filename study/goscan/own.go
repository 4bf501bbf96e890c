package goscan

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"

	"retrylab/study/finding"
)

// ownRow describes helpers that no table knows: a function whose name speaks of
// retrying and that is handed the work as a function.
var ownRow = entry{API: finding.API{
	Name: "own helper", Mechanism: finding.MechLibrary, Rule: finding.RuleLibrary,
	Count: finding.CountRule{Total: true, Unlimited: []int64{-1}}, DefaultUnknown: true,
	Backoff: finding.BackoffUnknown, Jitter: finding.Unknown,
}, byName: true}

// ownHelper finds retry(ctx, func() error {...}, options) and option calls
// such as WithMaxRetries(5) of packages outside the table.
func (u *unit) ownHelper(c *ast.CallExpr, name string, taken map[ast.Node]bool) {
	qual, _ := callee(c.Fun)
	if !finding.RetryWord(name) && !(name == "Do" && finding.RetryWord(qual)) || lookup(name) || hook(name) {
		return
	}
	hasFunc := false
	for _, a := range c.Args {
		if _, isLit := a.(*ast.FuncLit); isLit {
			hasFunc = true
		}
	}
	option := !hasFunc && finding.ParamOf(name) == finding.ParamCount && len(c.Args) == 1 && isCountValue(c.Args[0]) && isMethodOrPackage(c)
	if !hasFunc && !option {
		return
	}
	f := ownRow.New(u.line(c.Pos()), u.line(c.End()))
	f.API = strings.TrimPrefix(qual+"."+name, ".")
	f.Confidence = finding.Medium
	s := &site{u: u, e: &ownRow, f: &f, taken: taken, seen: map[ast.Node]bool{}}
	s.collect(c, 0)
	if hasFunc {
		u.ownArguments(&f, c)
		u.ownDefinition(&f, qual, name)
		if f.TotalAttempts == 0 && f.CountSource == finding.SourceRuntime && !f.Unlimited {
			f.SetUnlimited(finding.BoundUnknown, finding.SourceUnknown)
			f.Unlimited = false
		}
	} else {
		v, _ := u.eval(c.Args[0])
		row := ownRow
		row.Count.Total = strings.Contains(strings.ToLower(name), "attempt") || strings.Contains(strings.ToLower(name), "tries")
		row.Count.Apply(&f, v.int(), v.source)
	}
	u.add(f)
}

// lookup rules out names that ask about or register retries.
func lookup(name string) bool {
	s := strings.ToLower(name)
	for _, p := range []string{"is", "should", "can", "get", "on", "test", "new", "parse", "count", "record", "log", "register", "add", "handle", "describe", "it"} {
		if strings.HasPrefix(s, p) && !strings.HasPrefix(s, "onerror") {
			return true
		}
	}
	return false
}

// hook: names of functions that are handed what is to happen beside a retry.
func hook(name string) bool {
	for _, end := range []string{"Handler", "Callback", "Hook", "Listener", "Observer", "CB", "Notify", "Condition", "Classifier", "If", "When"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

func isCountValue(e ast.Expr) bool {
	lit, isLit := e.(*ast.BasicLit)
	return isLit && lit.Kind == token.INT
}

func isMethodOrPackage(c *ast.CallExpr) bool {
	_, isSel := c.Fun.(*ast.SelectorExpr)
	return isSel
}

// ownArguments reads plain arguments: a small whole number is the count, a
// duration the wait.
func (u *unit) ownArguments(f *finding.Finding, c *ast.CallExpr) {
	for _, a := range c.Args {
		if _, isLit := a.(*ast.FuncLit); isLit {
			continue
		}
		v, known := u.eval(a)
		if !known {
			continue
		}
		switch {
		case v.n >= 1e6 && f.Base == 0:
			f.Base = durationOf(v.n)
			if f.Backoff == finding.BackoffUnknown {
				f.Backoff = finding.BackoffConstant
			}
		case v.n > 0 && v.n < 1000 && f.TotalAttempts == 0:
			f.SetTotal(v.int(), v.source)
			f.Disabled = false
		}
	}
}

// ownDefinition reads the wait out of the helper's own source when it is in the
// repository: the helper holds the loop that the call stands for.
func (u *unit) ownDefinition(f *finding.Finding, qual, name string) {
	p, onValue := u.pkg, qual != ""
	if imp, isImport := u.imports[qual]; isImport {
		onValue = false
		p = u.imported(imp)
		if p == nil {
			u.ownName(f, qual+name)
			return
		}
	}
	decl := p.function(onValue, name)
	if decl == nil {
		u.ownName(f, qual+name)
		return
	}
	d := &delayer{u: u, f: newFn(name, decl.Type, decl.Body), p: p, counter: u.movedIn(decl.Body), seen: map[ast.Expr]bool{}}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if c, isCall := n.(*ast.CallExpr); isCall {
			if dur, isWait := u.waitCall(c); isWait {
				d.out.Waits = true
				d.expr(dur, 0)
			}
		}
		return true
	})
	if d.out.Waits {
		jitter, source := f.Jitter, f.JitterSource
		d.out.Apply(f)
		if jitter == finding.Yes {
			f.Jitter, f.JitterSource = jitter, source
		}
	}
}

// ownName guesses from the helper's name what its source cannot tell.
func (u *unit) ownName(f *finding.Finding, name string) {
	s := strings.ToLower(name)
	if f.Backoff == finding.BackoffUnknown && (strings.Contains(s, "exponential") || strings.Contains(s, "backoff") || strings.Contains(s, "decay")) {
		f.Backoff = finding.BackoffExponential
	}
}

// ownPolicy finds literals of policy types outside the table that set a count:
// RetryPolicy{MaxAttempts: 3}.
func (u *unit) ownPolicy(c *ast.CompositeLit, qual, name string, taken map[ast.Node]bool) {
	s := strings.ToLower(name)
	if !strings.Contains(s, "retr") && !strings.Contains(s, "backoff") || strings.Contains(s, "error") || strings.Contains(s, "request") || strings.Contains(s, "response") || strings.Contains(s, "event") {
		return
	}
	var count ast.Expr
	total := false
	for _, el := range c.Elts {
		kv, isKV := el.(*ast.KeyValueExpr)
		if !isKV || finding.ParamOf(lastName(kv.Key)) != finding.ParamCount {
			continue
		}
		count = kv.Value
		k := strings.ToLower(lastName(kv.Key))
		total = strings.Contains(k, "attempt") || strings.Contains(k, "tries") && !strings.Contains(k, "retries") || k == "steps"
	}
	if count == nil {
		return
	}
	if _, known := u.eval(count); !known {
		return
	}
	row := ownRow
	row.Count.Total = total
	f := row.New(u.line(c.Pos()), u.line(c.End()))
	f.API = strings.TrimPrefix(qual+"."+name, ".")
	f.Confidence = finding.Medium
	st := &site{u: u, e: &row, f: &f, taken: taken, seen: map[ast.Node]bool{}}
	st.literal(c)
	if f.Backoff == finding.BackoffUnknown && f.Cap > 0 && f.Base > 0 {
		f.Backoff = finding.BackoffExponential
	}
	u.add(f)
}

// settings finds defaults of a framework: package constants and variables
// such as DefaultRetries = 5 that the package itself reads.
func (u *unit) settings() {
	if !finding.Production(u.file.Path) {
		return
	}
	for _, d := range u.tree.Decls {
		g, isGen := d.(*ast.GenDecl)
		if !isGen || g.Tok != token.CONST && g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			v, isValue := spec.(*ast.ValueSpec)
			if !isValue {
				continue
			}
			for i, id := range v.Names {
				if i < len(v.Values) && strings.HasPrefix(strings.ToLower(id.Name), "default") && finding.ParamOf(id.Name) == finding.ParamCount && finding.RetryWord(id.Name) {
					u.setDefault(id, v.Values[i])
				}
			}
		}
	}
}

// setDefault reports a default that is really read: a constant nobody reads is
// dead, and one that a loop of this package reads is that loop's own finding.
func (u *unit) setDefault(id *ast.Ident, e ast.Expr) {
	n, known := u.eval(e)
	if !known || n.n <= 0 || u.pkg.uses[id.Name] < 2 && len(u.pkg.uses) > 0 {
		return
	}
	s := strings.ToLower(id.Name)
	row := ownRow
	row.Count.Total = !strings.Contains(s, "retr")
	f := row.New(u.line(id.Pos()), u.line(e.End()))
	f.API, f.Rule, f.Confidence = path.Base(path.Dir(u.file.Path))+"."+id.Name, finding.RuleSetting, finding.Medium
	row.Count.Apply(&f, n.int(), finding.SourceDefault)
	if e, isSet := u.pkg.consts["DefaultBackoff"]; isSet {
		u.defaultBackoff(&f, e)
	}
	u.add(f)
}

// defaultBackoff reads the kind out of DefaultBackoff = exponential.
func (u *unit) defaultBackoff(f *finding.Finding, e ast.Expr) {
	id, isIdent := e.(*ast.Ident)
	if !isIdent {
		return
	}
	d := &delayer{u: u, p: u.pkg, counter: map[string]bool{"attempt": true}, seen: map[ast.Expr]bool{}}
	d.out.Waits = true
	d.helper(&ast.CallExpr{Fun: id, Args: []ast.Expr{&ast.Ident{Name: "ctx"}, &ast.Ident{Name: "req"}, &ast.Ident{Name: "attempt"}}}, "", id.Name, 0)
	d.out.Apply(f)
}

// configStrings reads gRPC service configurations written as string literals.
func (u *unit) configStrings() {
	ast.Inspect(u.tree, func(n ast.Node) bool {
		lit, isLit := n.(*ast.BasicLit)
		if !isLit || lit.Kind != token.STRING || len(lit.Value) < 30 {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			return true
		}
		for _, f := range finding.ServiceConfig(text, u.line(lit.Pos())) {
			u.add(f)
		}
		return true
	})
}
