package experiments

import (
	"fmt"
	"slices"
	"strings"

	"retrylab/experiments/design"
	"retrylab/internal/yamldoc"
	"retrylab/results"
)

// sweepBuilder makes a sweep of its file.
type sweepBuilder struct {
	source   *Source
	dir      string
	changes  SweepChanges
	file     sweepFile
	problems yamldoc.Problems
	others   []error          // other errors than mistakes in files
	setBy    map[string]place // of what makes a setting
	columns  []results.ExtraColumn
	keep     *yamldoc.Node    // levels that a quick run keeps, by factor; nil is all
	used     map[[2]int]bool  // of keep: factor and level that some cell has
	flags    map[string]place // the --sweep that gave levels, by the path of the factor's entry
	swept    map[string]place // the same by name
	dropped  map[int]bool     // blocks that have none of the levels that --sweep gave
}

func newSweepBuilder(src *Source, dir string, changes SweepChanges) *sweepBuilder {
	return &sweepBuilder{source: src, dir: dir, changes: changes, problems: slices.Clone(src.problems), setBy: map[string]place{}, used: map[[2]int]bool{},
		flags: map[string]place{}, swept: map[string]place{}, dropped: map[int]bool{}}
}

// place is where something was written: at a path of the file, or on the command line, where the path is empty.
type place struct {
	node *yamldoc.Node
	path string
}

// inside is the place of a key, or of an item as [2], of what is written there.
func (p place) inside(key string) place {
	path := p.path + "." + key
	if p.path == "" || strings.HasPrefix(key, "[") {
		path = p.path + key
	}
	return place{p.node.Locate(key), path}
}

// String names the place in a message about another one.
func (p place) String() string {
	if p.path == "" {
		return p.node.File
	}
	return fmt.Sprintf("%s (line %d)", p.path, p.node.Line)
}

// add notes a mistake, once.
func (b *sweepBuilder) add(n *yamldoc.Node, path, format string, args ...any) {
	if p := n.Problem(path, fmt.Sprintf(format, args...)); !slices.Contains(b.problems, p) {
		b.problems = append(b.problems, p)
	}
}

func (b *sweepBuilder) wrong(at place, format string, args ...any) {
	b.add(at.node, at.path, format, args...)
}

// maxReported bounds the mistakes that are listed.
const maxReported = 30

func (b *sweepBuilder) build() *Sweep {
	b.file = sweepFile{Name: strings.ReplaceAll(b.source.Name, "-", "_"), Seed: PaperSeed, Windows: -1}
	b.problems = append(b.problems, sweepTypes.Decode(b.source.tree, &b.file)...)
	if len(b.problems) > 0 {
		return nil
	}
	b.quick()
	for _, text := range b.changes.Sweep {
		b.override(text)
	}
	b.checkDropped()
	s := b.settings()
	points := b.points()
	if len(b.problems) > 0 {
		return nil
	}
	b.cells(s, points)
	return s
}

// settings takes over what is not the design.
func (b *sweepBuilder) settings() *Sweep {
	f, tree := &b.file, b.source.tree
	s := &Sweep{Name: f.Name, About: f.About, Trials: f.Trials, Seed: f.Seed, Sources: []*Source{b.source}, Quick: b.changes.Quick}
	if !factorName.MatchString(f.Name) {
		b.add(tree.Locate("name"), "name", "%q, expected lower-case letters, digits and underscores", f.Name)
	}
	if f.Until != nil {
		s.Until = b.until(f.Until)
		if f.Trials != 0 {
			b.add(tree.Locate("trials"), "trials", "cannot be given with until")
		}
	}
	if b.changes.Trials > 0 {
		s.Trials, s.Until = b.changes.Trials, nil
	}
	if b.changes.Seed != nil {
		s.Seed = *b.changes.Seed
	}
	if s.Until == nil && s.Trials == 0 && tree.Get("trials") == nil {
		s.Trials = defaultSweepTrials
	}
	if s.Until == nil && (s.Trials < 1 || s.Trials > 1<<31) {
		b.add(tree.Locate("trials"), "trials", "must be between 1 and %d, got %d", 1<<31, s.Trials)
	}
	for i, t := range f.Tables {
		switch t {
		case "services":
			s.Services = true
		case "edges":
			s.Edges = true
		case "windows":
			s.Windows = true
		default:
			b.add(tree.Locate(fmt.Sprintf("tables[%d]", i)), fmt.Sprintf("tables[%d]", i), "unknown %q, expected one of services, edges, windows", t)
		}
	}
	if s.Windows {
		s.WindowTrials = f.Windows
		if f.Windows < 0 {
			s.WindowTrials = 1 << 31
		}
	}
	return s
}

func (b *sweepBuilder) until(f *untilFile) *Until {
	u := Until(*f)
	n := b.source.tree.Locate("until")
	if u.Success <= 0 && u.RAF <= 0 && u.Collapse <= 0 {
		b.add(n, "until", "asks for nothing, expected success, raf or collapse with a half-width above 0")
	}
	if u.Success < 0 || u.RAF < 0 || u.Collapse < 0 {
		b.add(n, "until", "half-widths must be at least 0, got %v, %v and %v", u.Success, u.RAF, u.Collapse)
	}
	if u.Min < 2 || u.Max < u.Min {
		b.add(n, "until", "min must be at least 2 and max at least min, got %d and %d", u.Min, u.Max)
	}
	return &u
}

// cells composes the cells.
func (b *sweepBuilder) cells(s *Sweep, points []sweepPoint) {
	model, scenario, strategies := b.parts(s)
	if len(b.problems) > 0 || len(b.others) > 0 {
		return
	}
	s.Columns = b.columns
	for _, p := range points {
		set := b.settingsOf(p)
		for _, strategy := range strategies {
			c, err := Compose(Parts{model, scenario, strategy, set})
			if err != nil {
				b.fromCell(err)
				continue
			}
			b.checkCell(s, p.block, c)
			c.Experiment = s.Name
			c.Factors = nil
			for _, choice := range p.point {
				c.Factors = append(c.Factors, Setting{choice.Factor, choice.Level.Text})
			}
			c.id = c.ID()
			s.Cells = append(s.Cells, c)
			s.Values = append(s.Values, b.values(p.point))
		}
		if len(b.problems) > maxReported || len(b.others) > 0 {
			return
		}
	}
}

// settingsOf is all that a point's cells change in the model. It notes who is to blame for each.
func (b *sweepBuilder) settingsOf(p sweepPoint) []Setting {
	var set []Setting
	put := func(s Setting, at place) {
		set = append(set, s)
		b.setBy[s.String()] = at
	}
	for _, s := range p.block.set {
		put(s.Setting, s.at)
	}
	for _, c := range p.point {
		for _, change := range c.Level.Changes {
			put(Setting(change), p.block.factors[c.Factor].at)
		}
	}
	for _, s := range b.changes.Set {
		put(s, placeOfSet(s))
	}
	return set
}

// placeOfSet is that of a --set on the command line.
func placeOfSet(s Setting) place {
	return place{&yamldoc.Node{File: "--set " + s.Path + "=" + s.Value}, ""}
}

// checkCell looks at what only a whole model shows.
func (b *sweepBuilder) checkCell(s *Sweep, block *sweepBlock, c *Cell) {
	if !block.checked {
		block.checked = true
		b.checkOverwritten(block, &c.Spec)
	}
	if s.Until != nil && s.Until.Collapse > 0 && len(c.Spec.Faults) == 0 {
		b.wrong(place{b.source.tree, ""}.inside("until.collapse"), "the model has no faults, without which no trial collapses, expected a model or scenario with faults, or another quantity")
	}
}

// values are a point's values in the columns.
func (b *sweepBuilder) values(p design.Point) []results.Value {
	list := make([]results.Value, len(b.columns))
	for i, c := range b.columns {
		level, ok := p.Get(c.Name)
		switch {
		case c.Kind == results.Float64:
			list[i].Float = level.Number
		case ok:
			list[i].Text = level.Text
		}
	}
	return list
}

// fromCell takes over the mistakes of a cell and puts those of a setting where it was written.
func (b *sweepBuilder) fromCell(err error) {
	problems, ok := err.(yamldoc.Problems)
	if !ok {
		b.others = append(b.others, err)
		return
	}
	for _, p := range problems {
		if setting, ok := strings.CutPrefix(p.File, "set "); ok {
			at := b.setBy[setting]
			text := p.Text
			if p.Path != "" {
				text = p.Path + ": " + text
			}
			p = at.node.Problem(at.path, text)
		}
		if !slices.Contains(b.problems, p) {
			b.problems = append(b.problems, p)
		}
	}
}
