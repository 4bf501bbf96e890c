//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// match lists the rows that a call may be by its imported path, the likeliest
// first; libraries whose methods share a name are told apart by their arguments.
func (s *scan) match(n *node) (out []*api) {
	name := n.a.last()
	if n.a.op == opIndex {
		return nil
	}
	var rows []apiMatch
	table := s.u.lang.apis.rows
	if n.a.op == opName {
		if imp, ok := s.u.imports[name]; ok && imp.name != "" && imp.name != "default" {
			rows = table[imp.name] // under an alias
		} else if ok {
			rows = append(table["default"], table[name]...)
		}
	}
	if rows == nil {
		rows = table[name]
	}
	module, known := s.module(n.a)
	if len(rows) == 0 && n.name == "new" && strings.Contains(module, "@aws-sdk/client-") {
		rows = table["@aws-sdk/client"] // every service has a class of its own
	}
	if len(rows) == 0 {
		return nil
	}
	for _, r := range rows {
		switch {
		case r.method:
			if n.a.op == opMember && (r.module == "" || s.importsAny(strings.TrimPrefix(r.module, "^"))) {
				out = append(out, r.row)
			}
		case r.module == "":
			if _, own := s.u.classes()[name]; !own || known {
				out = append(out, r.row)
			}
		case known && fits(module, r.module):
			out = append(out, r.row)
		case n.a.op == opMember && n.a.a.last() == r.module: // RetryConfig.custom()
			out = append(out, r.row)
		case !known && s.starImports(strings.TrimPrefix(r.module, "^")):
			out = append(out, r.row)
		}
	}
	return out
}

// origin is the name under which a library knows what is named or called here,
// whatever it was imported as.
func (s *scan) origin(n *node) string {
	if n.op == opCall {
		n = n.a
	}
	if n.op == opName {
		if imp, ok := s.u.imports[n.name]; ok && imp.name != "" && imp.name != "default" {
			return imp.name
		}
	}
	return n.last()
}

// fits: the wanted part is in the import path; "^" ties it to the start.
func fits(module, want string) bool {
	if top, ok := strings.CutPrefix(want, "^"); ok {
		rest, ok := strings.CutPrefix(module, top)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '/')
	}
	return strings.Contains(module, want)
}

// module is the import path behind a callee, without the callee's own name.
func (s *scan) module(n *node) (string, bool) {
	var parts []string
	root := n
	for root.op == opMember || root.op == opCall {
		if root.op == opMember {
			parts = append([]string{root.name}, parts...)
		}
		root = root.a
		if root == nil {
			return "", false
		}
	}
	if root.op != opName {
		return "", false
	}
	imp, ok := s.u.imports[root.name]
	if !ok {
		if rhs := s.u.globals[root.name]; rhs != nil && len(parts) == 0 && (rhs.op == opName || rhs.op == opMember) && rhs.last() != root.name {
			return s.module(rhs)
		}
		if s.u.lang.name == finding.LangJava && len(parts) > 1 { // spelled out: io.github...Retry.of
			return n.path(), true
		}
		return "", false
	}
	path := imp.module
	if len(parts) > 0 {
		if imp.name != "" {
			path += "." + imp.name
		}
		if parts = parts[:len(parts)-1]; len(parts) > 0 {
			path += "." + strings.Join(parts, ".")
		}
	}
	return path, true
}

func (s *scan) importsAny(module string) bool {
	for _, imp := range s.u.imports {
		if strings.Contains(imp.module+"."+imp.name, module) {
			return true
		}
	}
	for m := range s.u.modules {
		if strings.Contains(m, module) {
			return true
		}
	}
	return s.starImports(module)
}

func (s *scan) starImports(module string) bool {
	for _, st := range s.u.stars {
		if strings.Contains(st, module) || strings.Contains(module, st) && strings.Contains(st, ".") {
			return true
		}
	}
	return false
}
