package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	where    map[string]place // of each factor
	setBy    map[string]place // of the factor that sets a path
	columns  []results.ExtraColumn
	keep     *yamldoc.Node   // levels that a quick run keeps, by factor; nil is all
	used     map[[2]int]bool // of keep: factor and level that some cell has
}

// place is where something was written.
type place struct {
	node *yamldoc.Node
	path string
}

func (b *sweepBuilder) add(n *yamldoc.Node, path, format string, args ...any) {
	b.problems = append(b.problems, n.Problem(path, fmt.Sprintf(format, args...)))
}

// maxReported bounds the mistakes that are listed.
const maxReported = 30

// sweepPoint is a point of the design with what its block sets.
type sweepPoint struct {
	point design.Point
	set   []Setting
}

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
	if u.Min < 2 || u.Max < u.Min {
		b.add(n, "until", "min must be at least 2 and max at least min, got %d and %d", u.Min, u.Max)
	}
	return &u
}

// points are those of all blocks, each with the common factors.
func (b *sweepBuilder) points() []sweepPoint {
	f, tree := &b.file, b.source.tree
	common := b.axes(tree, "factors", f.Factors)
	blocks := f.Blocks
	if len(blocks) == 0 {
		blocks = []blockFile{{}}
	}
	outer := settingsOf(b.changesAt("set", f.Set))
	var all []sweepPoint
	var ids []design.Point
	for i := range blocks {
		at := fmt.Sprintf("blocks[%d]", i)
		own := b.axes(tree, at+".factors", blocks[i].Factors)
		set := slices.Concat(outer, settingsOf(b.changesAt(at+".set", blocks[i].Set)))
		var lists [][]design.Point
		for _, a := range slices.Concat(common, own) {
			lists = append(lists, a.points)
			b.addColumns(a.columns)
		}
		b.checkTwice(at, common, own)
		for _, p := range design.Product(lists...) {
			if !b.kept(p) {
				continue
			}
			all = append(all, sweepPoint{p, set})
			ids = append(ids, p)
		}
		if len(all) > design.MaxLevels*10 {
			b.add(tree, at, "makes more than %d points", design.MaxLevels*10)
			return nil
		}
	}
	b.checkKeep()
	repeated := design.Repeated(ids)
	for i, id := range repeated {
		if i == maxReported {
			break
		}
		b.add(tree, "factors", "the point %s comes twice, expected each cell once", orElse(id, "without factors"))
	}
	return all
}

func settingsOf(changes []design.Change) []Setting {
	var list []Setting
	for _, c := range changes {
		list = append(list, Setting(c))
	}
	return list
}

// checkTwice reports a factor that a block has twice.
func (b *sweepBuilder) checkTwice(at string, common, own []axis) {
	seen := map[string]bool{}
	for _, a := range slices.Concat(common, own) {
		for _, c := range a.columns {
			if seen[c.Name] {
				b.add(b.source.tree.Locate(at), at, "has the factor %q twice", c.Name)
			}
			seen[c.Name] = true
		}
	}
}

// addColumns adds the columns that are new. A factor that is a number in one block and a text in another
// is a column of texts.
func (b *sweepBuilder) addColumns(columns []results.ExtraColumn) {
	for _, c := range columns {
		i := slices.IndexFunc(b.columns, func(o results.ExtraColumn) bool { return o.Name == c.Name })
		switch {
		case i < 0:
			b.columns = append(b.columns, c)
		case c.Kind == results.String:
			b.columns[i].Kind = results.String
		}
	}
}

// cells composes the cells.
func (b *sweepBuilder) cells(s *Sweep, points []sweepPoint) {
	model, scenario, strategies := b.parts(s)
	if len(b.problems) > 0 || len(b.others) > 0 {
		return
	}
	s.Columns = b.columns
	for _, p := range points {
		set := slices.Clone(p.set)
		for _, c := range p.point {
			set = append(set, settingsOf(c.Level.Changes)...)
			for _, change := range c.Level.Changes {
				b.setBy[change.Path] = b.where[c.Factor]
			}
		}
		set = append(set, b.changes.Set...)
		for _, strategy := range strategies {
			c, err := Compose(Parts{model, scenario, strategy, set})
			if err != nil {
				b.fromCell(err)
				continue
			}
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

// fromCell takes over the mistakes of a cell and puts those of a factor at the factor's line.
func (b *sweepBuilder) fromCell(err error) {
	problems, ok := err.(yamldoc.Problems)
	if !ok {
		b.others = append(b.others, err)
		return
	}
	for _, p := range problems {
		if setting, ok := strings.CutPrefix(p.File, "set "); ok {
			path, _, _ := strings.Cut(setting, "=")
			at, ok := b.setBy[path]
			if !ok {
				at = place{b.source.tree, "set"}
			}
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
	for i, n := range f.Strategies {
		path := fmt.Sprintf("strategies[%d]", i)
		switch n.Kind {
		case yamldoc.Scalar:
			strategies = append(strategies, b.load(s, LoadStrategy, n, path, n.Text))
		case yamldoc.Map:
			strategies = append(strategies, b.inline(n))
		default:
			b.add(n, path, "expected a name or a mapping of name and policy")
		}
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
	if isFile(name) && !filepath.IsAbs(name) {
		name = filepath.Join(b.dir, name)
		if !isFile(name) {
			name = "./" + name
		}
	}
	if _, err := os.Stat(name); isFile(name) && errors.Is(err, fs.ErrNotExist) {
		b.add(n, path, "there is no file %s", name)
		return nil
	}
	src, err := load(name)
	if err != nil {
		if problems, ok := err.(yamldoc.Problems); ok {
			b.problems = append(b.problems, problems...)
		} else {
			b.add(n, path, "%v", err)
		}
		return nil
	}
	s.Sources = append(s.Sources, src)
	return src
}
