package experiments

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"retrylab/experiments/design"
	"retrylab/internal/yamldoc"
)

// quick takes over what the file's key quick changes.
func (b *sweepBuilder) quick() {
	q := b.file.Quick
	if !b.changes.Quick || q == nil {
		return
	}
	if q.Trials > 0 && b.changes.Trials == 0 {
		b.changes.Trials = q.Trials
	}
	if q.Keep != nil && q.Keep.Kind != yamldoc.Map {
		b.add(q.Keep, "quick.keep", "expected a mapping from factors to the levels to keep")
		return
	}
	b.keep = q.Keep
}

// kept tells whether a quick run has a point: all its levels are among those to keep, where there are any.
func (b *sweepBuilder) kept(p design.Point) bool {
	if b.keep == nil {
		return true
	}
	all := true
	for i, name := range b.keep.Keys {
		level, ok := p.Get(name)
		if !ok {
			continue
		}
		found := slices.IndexFunc(b.keep.Items[i].Items, func(n *yamldoc.Node) bool { return n.Text == level.Text })
		if found < 0 {
			all = false
			continue
		}
		b.used[[2]int{i, found}] = true
	}
	return all
}

// checkKeep reports what key quick keeps and no cell has.
func (b *sweepBuilder) checkKeep() {
	if b.keep == nil {
		return
	}
	var names []string
	for _, c := range b.columns {
		names = append(names, c.Name)
	}
	for i, name := range b.keep.Keys {
		path := "quick.keep." + name
		if !slices.Contains(names, name) {
			b.add(b.keep.Items[i], path, "no factor has this name%s", yamldoc.Suggest(name, names))
			continue
		}
		if b.keep.Items[i].Kind != yamldoc.List {
			b.add(b.keep.Items[i], path, "expected a list of levels")
		}
		for k, n := range b.keep.Items[i].Items {
			if !b.used[[2]int{i, k}] {
				b.add(n, fmt.Sprintf("%s[%d]", path, k), "no cell has this level, got %s", n.Text)
			}
		}
	}
}

// override takes over one --sweep.
func (b *sweepBuilder) override(text string) {
	name, spec, ok := strings.Cut(text, "=")
	n := &yamldoc.Node{File: "--sweep " + text}
	if !ok || name == "" || spec == "" {
		b.add(n, "", "expected name=levels, e.g. p=0.1..0.7:7 or servers=5,10,20")
		return
	}
	levels, problems := yamldoc.ParseValue(n.File, "["+spec+"]")
	if from, to, steps, ok := parseSpace(spec); ok {
		levels = spaceNode(n, from, to, steps)
	} else if len(problems) > 0 {
		b.problems = append(b.problems, problems...)
		return
	}
	found := b.find(name)
	if found == nil {
		b.file.Factors = append(b.file.Factors, factorFile{Name: nameOfPath(name), Path: name, Times: 1})
		found = []*factorFile{&b.file.Factors[len(b.file.Factors)-1]}
	}
	b.replace(found, levels, "")
}

// find is every plain factor of that name.
func (b *sweepBuilder) find(name string) []*factorFile {
	var found []*factorFile
	for i := range b.file.Factors {
		if b.file.Factors[i].Name == name {
			found = append(found, &b.file.Factors[i])
		}
	}
	for k := range b.file.Blocks {
		for i := range b.file.Blocks[k].Factors {
			if f := &b.file.Blocks[k].Factors[i]; f.Name == name {
				found = append(found, f)
			}
		}
	}
	return found
}

// replace gives factors other levels: of named levels a choice, of others a list or a space.
func (b *sweepBuilder) replace(factors []*factorFile, levels *yamldoc.Node, path string) {
	if levels.Kind == yamldoc.Scalar {
		if from, to, steps, ok := parseSpace(levels.Text); ok {
			levels = spaceNode(levels, from, to, steps)
		}
	}
	for _, f := range factors {
		named := f.Levels
		f.List, f.Range, f.Linspace, f.Logspace, f.Levels = nil, nil, nil, nil, nil
		switch {
		case levels.Kind == yamldoc.Map:
			f.Linspace = &spaceFile{}
			b.problems = append(b.problems, sweepTypes.Decode(levels, f.Linspace)...)
		case levels.Kind != yamldoc.List:
			b.add(levels, path, "expected a list of levels or from..to:n")
		case named != nil:
			f.Levels = b.choose(named, levels, path)
		default:
			f.List = levels.Items
		}
	}
}

// choose keeps some of the named levels.
func (b *sweepBuilder) choose(named, names *yamldoc.Node, path string) *yamldoc.Node {
	kept := &yamldoc.Node{File: named.File, Line: named.Line, Kind: yamldoc.Map}
	for _, n := range names.Items {
		value := named.Get(n.Text)
		if value == nil {
			b.add(n, path, "unknown level %q%s", n.Text, yamldoc.Suggest(n.Text, named.Keys))
			continue
		}
		kept.Put(n.Text, value)
	}
	return kept
}

var spaceText = regexp.MustCompile(`^([^.,]+(?:\.\d+)?)\.\.([^,:]+):(\d+)$`)

// parseSpace reads from..to:n.
func parseSpace(text string) (from, to float64, n int, ok bool) {
	m := spaceText.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return 0, 0, 0, false
	}
	from, err1 := strconv.ParseFloat(m[1], 64)
	to, err2 := strconv.ParseFloat(m[2], 64)
	n, err3 := strconv.Atoi(m[3])
	return from, to, n, err1 == nil && err2 == nil && err3 == nil
}

func spaceNode(at *yamldoc.Node, from, to float64, n int) *yamldoc.Node {
	node, problems := yamldoc.ParseValue(at.File, fmt.Sprintf("{from: %s, to: %s, n: %d}", formatNumber(from), formatNumber(to), n))
	if len(problems) > 0 {
		panic(problems) // it was just written
	}
	return node
}

var notInName = regexp.MustCompile(`[^a-z0-9_]+`)

// nameOfPath makes a factor's name of the last part of a path.
func nameOfPath(path string) string {
	last := path[strings.LastIndexByte(path, '.')+1:]
	name := strings.Trim(notInName.ReplaceAllString(strings.ToLower(last), "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' || reserved[name] {
		return "factor_" + name
	}
	return name
}
