//go:build cgo

package treesit

import (
	"path"
	"strings"

	"retrylab/study/finding"
)

// maxLoads limits the other files read for one file.
const maxLoads = 60

// loader reads other files of the repository on demand, for constants and helper
// functions. Files are parsed once per repository.
type loader struct {
	tree finding.Tree
	seen map[string]bool

	// Caches of one scan; see newWorld.
	fields  map[cacheKey]cached
	indexes map[*node]*funcIndex
	worth   map[*node]bool
}

type cacheKey struct {
	u    *unit
	name string
}

type cached struct {
	v  value
	ok bool
}

// funcIndex lists what a function assigns and declares, by name.
type funcIndex struct {
	assigns  map[string][]*node
	patterns []*node
	funcs    map[string]*node
}

func (l *loader) index(fn *node) *funcIndex {
	if idx := l.indexes[fn]; idx != nil {
		return idx
	}
	idx := &funcIndex{assigns: map[string][]*node{}, funcs: map[string]*node{}}
	l.indexes[fn] = idx
	fn.a.walk(func(k *node) bool {
		switch k.op {
		case opFunc:
			if k.name != "" {
				idx.funcs[k.name] = k
			}
			return false
		case opClass:
			return false
		case opAssign:
			switch {
			case k.name != "=" || k.a == nil || k.b == nil:
			case k.a.op == opName:
				idx.assigns[k.a.name] = append(idx.assigns[k.a.name], k)
			case k.a.op == opDict:
				idx.patterns = append(idx.patterns, k)
			}
		}
		return true
	})
	return idx
}

// worthRunning is the size up to which a helper function is run for its waits or
// its result.
const worthRunning = 250

// worth reports whether running a function can tell something: it waits, or it
// is small and returns a value.
func (w *world) worth(fn *node) bool {
	if v, ok := w.load.worth[fn]; ok {
		return v
	}
	size, returns := 0, false
	fn.walk(func(k *node) bool {
		size++
		returns = returns || k.op == opReturn && k.a != nil
		return size <= worthRunning
	})
	v := size <= worthRunning && (returns || fn.name == "__init__" || fn.name == "<init>" || w.hasWait(fn.a))
	w.load.worth[fn] = v
	return v
}

// module finds the file that an import names; nil when it is not in the repository.
func (l *loader) module(from *unit, imp imported) *unit {
	if l == nil || l.tree == nil {
		return nil
	}
	var candidates []string
	switch {
	case from.lang.js:
		candidates = jsModule(from.path, imp.module)
	case from.lang.name == finding.LangJava:
		candidates = l.javaModule(imp)
	default:
		candidates = l.pythonModule(from.path, imp)
	}
	for _, p := range candidates {
		if p == from.path {
			continue
		}
		if u := l.unit(p); u != nil {
			return u
		}
	}
	return nil
}

// unit parses a file of the repository, once.
func (l *loader) unit(p string) *unit {
	if !l.seen[p] {
		if len(l.seen) >= maxLoads {
			return nil
		}
		l.seen[p] = true
	}
	u, _ := l.tree.Memo("treesit:"+p, func() any {
		lang := langOf(p)
		if lang == nil {
			return (*unit)(nil)
		}
		text, err := l.tree.Read(p)
		if err != nil || len(text) > maxBytes/4 {
			return (*unit)(nil)
		}
		u, err := lang.read(p, text, false)
		if err != nil {
			return (*unit)(nil)
		}
		u.callsOf("") // build the indexes before the unit is shared
		u.refs("")
		u.classes()
		return u
	}).(*unit)
	return u
}

func jsModule(from, module string) []string {
	if !strings.HasPrefix(module, ".") {
		return nil
	}
	p := path.Join(path.Dir(from), module)
	if strings.HasPrefix(p, "..") {
		return nil
	}
	out := []string{}
	if langOf(p) != nil {
		out = append(out, p)
		if stem, ok := strings.CutSuffix(p, ".js"); ok {
			out = append(out, stem+".ts", stem+".tsx")
		}
	}
	for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx"} {
		out = append(out, p+ext)
	}
	for _, ext := range []string{".js", ".ts", ".mjs"} {
		out = append(out, p+"/index"+ext)
	}
	return out
}

// pythonModule lists the files "a.b" or ".b" can mean, with "from a import b" also
// taken as the module a.b.
func (l *loader) pythonModule(from string, imp imported) []string {
	base := ""
	mod := imp.module
	if strings.HasPrefix(mod, ".") {
		base = path.Dir(from)
		mod = strings.TrimPrefix(mod, ".")
		for strings.HasPrefix(mod, ".") {
			base, mod = path.Dir(base), mod[1:]
		}
		p := path.Join(base, strings.ReplaceAll(mod, ".", "/"))
		return []string{p + ".py", p + "/__init__.py"}
	}
	rel := strings.ReplaceAll(mod, ".", "/")
	return append(l.suffixed(path.Base(rel)+".py", rel+".py", from), l.suffixed("__init__.py", rel+"/__init__.py", from)...)
}

// suffixed lists files with a name whose path ends in suffix, the one that shares
// most with from first.
func (l *loader) suffixed(name, suffix, from string) []string {
	var out []string
	best := -1
	for _, p := range l.tree.Named(name) {
		if above, found := strings.CutSuffix(p, suffix); !found || above != "" && above[len(above)-1] != '/' {
			continue
		}
		n := 0
		for n < len(p) && n < len(from) && p[n] == from[n] {
			n++
		}
		if n > best {
			best, out = n, append([]string{p}, out...)
		} else {
			out = append(out, p)
		}
		if len(out) > 4 {
			break
		}
	}
	return out
}

// javaModule: package and class, or (static imports) package.Class and member.
func (l *loader) javaModule(imp imported) []string {
	class, _, _ := strings.Cut(imp.name, ".")
	dir := imp.module
	if i := strings.LastIndexByte(dir, '.'); i >= 0 && upperName(dir[i+1:]) {
		class, dir = dir[i+1:], dir[:i]
	}
	if class == "" || dir == "" {
		return nil
	}
	return l.suffixed(class+".java", strings.ReplaceAll(dir, ".", "/")+"/"+class+".java", "")
}
