package experiments

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"retrylab/experiments/design"
	"retrylab/internal/yamldoc"
)

// override takes over one --sweep.
func (b *sweepBuilder) override(text string) {
	name, spec, ok := strings.Cut(text, "=")
	at := place{&yamldoc.Node{File: "--sweep " + text}, ""}
	if !ok || name == "" || strings.TrimSpace(spec) == "" {
		b.wrong(at, "expected name=levels, e.g. p=0.1..0.7:7 or servers=5,10,20")
		return
	}
	if other, twice := b.swept[name]; twice {
		b.wrong(at, "%q has levels by %v already, expected one --sweep of each", name, other)
		return
	}
	levels := b.parseLevels(at, spec)
	if levels == nil {
		return
	}
	if found := b.find(name); len(found) > 0 {
		b.share(at, found, levels)
	} else if b.known(at, name) {
		f := factorFile{Name: nameOfPath(name), Path: name, Times: 1, List: levels}
		if len(b.find(f.Name)) > 0 {
			f.Name = nameOf(name)
		}
		b.flags[fmt.Sprintf("factors[%d]", len(b.file.Factors))] = at
		b.file.Factors = append(b.file.Factors, f)
	}
	b.swept[name] = at
}

// parseLevels reads levels with commas between them, or from..to:n.
func (b *sweepBuilder) parseLevels(at place, spec string) []*yamldoc.Node {
	from, to, n, ok := parseSpace(spec)
	if !ok {
		list, problems := yamldoc.ParseValue(at.node.File, "["+spec+"]")
		b.problems = append(b.problems, problems...)
		if len(problems) == 0 && len(list.Items) == 0 {
			b.wrong(at, "is empty, expected at least one level")
		}
		if len(problems) > 0 {
			return nil
		}
		return list.Items
	}
	numbers, err := design.Linspace(from, to, n)
	if err != nil {
		b.wrong(at, "%v", err)
		return nil
	}
	var levels []*yamldoc.Node
	for _, x := range numbers {
		levels = append(levels, &yamldoc.Node{File: at.node.File, Kind: yamldoc.Scalar, Tag: "!!float", Text: formatNumber(x)})
	}
	return levels
}

// known tells whether something that is no factor can be swept: a field of the model. Whether a path of several parts
// exists, only a model shows.
func (b *sweepBuilder) known(at place, name string) bool {
	var names []string
	for _, e := range b.entries() {
		if together := e.file.inner(); slices.Contains(together, name) {
			b.wrong(at, "%q is varied together with others in %s, expected a factor of its own", name, e.path)
			return false
		}
		if e.file.Name != "" && !slices.Contains(names, e.file.Name) {
			names = append(names, e.file.Name)
		}
	}
	if strings.ContainsAny(name, ".[") || fileTypes.Set(&yamldoc.Node{Kind: yamldoc.Map}, modelFile{}, name, yamldoc.String("")) == nil {
		return true
	}
	hint := yamldoc.Suggest(name, names)
	if hint == "" {
		hint = ", expected " + strings.Join(append(names, "a path such as services.API.servers"), ", ")
	}
	b.wrong(at, "no factor and no field of the model is called %q%s", name, hint)
	return false
}

// entry is a factor's entry in the file.
type entry struct {
	file  *factorFile
	path  string
	block int // -1 of the common factors
}

// entries are all of the file but those inside others.
func (b *sweepBuilder) entries() []entry {
	var list []entry
	for i := range b.file.Factors {
		list = append(list, entry{&b.file.Factors[i], fmt.Sprintf("factors[%d]", i), -1})
	}
	for k := range b.file.Blocks {
		for i := range b.file.Blocks[k].Factors {
			list = append(list, entry{&b.file.Blocks[k].Factors[i], fmt.Sprintf("blocks[%d].factors[%d]", k, i), k})
		}
	}
	return list
}

// find is every entry of a factor of that name.
func (b *sweepBuilder) find(name string) []entry {
	return slices.DeleteFunc(b.entries(), func(e entry) bool { return e.file.Name != name })
}

// inner are the names of the factors in an entry of several.
func (f *factorFile) inner() []string {
	var names []string
	for _, z := range f.Zip {
		names = append(names, z.Name)
	}
	for _, s := range []*sampleFile{f.LHS, f.Sobol} {
		if s != nil {
			for _, d := range s.Factors {
				names = append(names, d.Name)
			}
		}
	}
	return names
}

// share gives a factor other levels, each to its takers. A block that gets none drops out.
func (b *sweepBuilder) share(at place, found []entry, levels []*yamldoc.Node) {
	reader := newSweepBuilder(b.source, b.dir, SweepChanges{}) // mistakes in the levels are reported when they are used
	own := make([][]string, len(found))
	for i, e := range found {
		if len(e.file.given()) == 1 {
			for _, l := range reader.levels(at, e.file) {
				own[i] = append(own[i], l.Text)
			}
		}
	}
	gets := make([][]*yamldoc.Node, len(found))
	for _, n := range levels {
		text := reader.listed("", n, nil, 1, "").Text
		to := takers(found, own, text)
		if len(to) == 0 {
			known := slices.Compact(slices.Sorted(slices.Values(slices.Concat(own...))))
			b.wrong(at, "unknown level %q%s", text, cmp.Or(yamldoc.Suggest(text, known), ", expected one of "+strings.Join(known, ", ")))
			return
		}
		for _, i := range to {
			gets[i] = append(gets[i], n)
		}
	}
	for i, e := range found {
		if len(gets[i]) == 0 {
			b.dropped[e.block] = true
			continue
		}
		b.flags[e.path] = at
		e.file.replace(gets[i])
	}
}

// takers are the entries of a factor that get a level: those that have it. A level that none has is new, and goes to those
// with several levels, or if there are none to all. Named levels cannot be new.
func takers(found []entry, own [][]string, text string) []int {
	for _, takes := range []func(i int) bool{
		func(i int) bool { return slices.Contains(own[i], text) },
		func(i int) bool { return found[i].file.Levels == nil && len(own[i]) > 1 },
		func(i int) bool { return found[i].file.Levels == nil },
	} {
		var list []int
		for i := range found {
			if takes(i) {
				list = append(list, i)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// replace gives a factor other levels: of named ones a choice, of others a list.
func (f *factorFile) replace(levels []*yamldoc.Node) {
	named := f.Levels
	f.List, f.Range, f.Linspace, f.Logspace, f.Levels = nil, nil, nil, nil, nil
	if named == nil {
		f.List = levels
		return
	}
	f.Levels = &yamldoc.Node{File: named.File, Line: named.Line, Kind: yamldoc.Map}
	for _, n := range levels {
		f.Levels.Put(n.Text, named.Get(n.Text))
	}
}

// checkDropped reports that the levels of several --sweep are in no block together.
func (b *sweepBuilder) checkDropped() {
	if n := len(b.file.Blocks); n > 0 && len(b.dropped) == n {
		b.add(b.source.tree.Locate("blocks"), "blocks", "none has the levels of every --sweep, expected levels that are in one block together")
	}
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

var notInName = regexp.MustCompile(`[^a-z0-9_]+`)

// nameOfPath makes a factor's name of the last part of a path.
func nameOfPath(path string) string { return nameOf(path[strings.LastIndexByte(path, '.')+1:]) }

// nameOf makes a factor's name of a text.
func nameOf(text string) string {
	name := strings.Trim(notInName.ReplaceAllString(strings.ToLower(text), "_"), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' || reserved[name] {
		return "factor_" + name
	}
	return name
}
