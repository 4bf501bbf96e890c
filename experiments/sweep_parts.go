package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"retrylab/internal/yamldoc"
)

// parts reads the model, the scenario and the strategies.
func (b *sweepBuilder) parts(s *Sweep) (model, scenario *Source, strategies []*Source) {
	f, tree := &b.file, b.source.tree
	switch {
	case f.Base != nil && f.Model != "":
		b.add(tree.Locate("base"), "base", "cannot be given with model")
	case f.Base != nil && f.Base.Kind != yamldoc.Map:
		b.add(f.Base, "base", "expected a model: a mapping")
	case f.Base != nil:
		model = b.inline(f.Base)
	case f.Model == "":
		b.add(tree, "model", "is missing, expected the name of a model, or base")
	default:
		model = b.load(s, LoadModel, tree.Locate("model"), "model", f.Model)
	}
	if f.Scenario != "" {
		scenario = b.load(s, LoadScenario, tree.Locate("scenario"), "scenario", f.Scenario)
	}
	named := map[string]place{}
	for i, n := range f.Strategies {
		at := place{n, fmt.Sprintf("strategies[%d]", i)}
		var src *Source
		switch n.Kind {
		case yamldoc.Scalar:
			src = b.load(s, LoadStrategy, n, at.path, n.Text)
		case yamldoc.Map:
			src = b.inline(n)
		default:
			b.wrong(at, "expected a name or a mapping of name and policy")
		}
		if src == nil {
			continue
		}
		if other, taken := named[src.Name]; taken {
			b.wrong(at, "has the name %q, as %v has, expected names that differ", src.Name, other)
		}
		named[src.Name] = at
		strategies = append(strategies, src)
	}
	return model, scenario, orNone(strategies)
}

// inline is a part that is written in the sweep file.
func (b *sweepBuilder) inline(n *yamldoc.Node) *Source {
	s := &Source{Name: b.file.Name, File: b.source.File, tree: n}
	if name := n.Get("name"); name != nil && name.Kind == yamldoc.Scalar {
		s.Name = name.Text
	}
	return s
}

func (b *sweepBuilder) load(s *Sweep, load func(string) (*Source, error), n *yamldoc.Node, path, name string) *Source {
	if NamesFile(name) && !filepath.IsAbs(name) {
		name = filepath.Join(b.dir, name)
		if !NamesFile(name) {
			name = "./" + name
		}
	}
	if _, err := os.Stat(name); NamesFile(name) && errors.Is(err, fs.ErrNotExist) {
		b.add(n, path, "there is no file %s", name)
		return nil
	}
	src, err := load(name)
	if err != nil {
		problems, ok := err.(yamldoc.Problems)
		switch {
		case !ok:
			b.add(n, path, "%v", err)
		case !NamesFile(name): // no embedded file has a mistake: there is none of that name
			b.add(n, path, "%q: %s", name, problems[0].Text)
		default:
			b.problems = append(b.problems, problems...)
		}
		return nil
	}
	s.Sources = append(s.Sources, src)
	return src
}
