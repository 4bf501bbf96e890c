package experiments

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"retrylab/experiments/design"
	"retrylab/internal/yamldoc"
	"retrylab/results"
)

var factorName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// axes makes the axis of every factor of a list.
func (b *sweepBuilder) axes(at place, files []factorFile) []axis {
	var list []axis
	for i := range files {
		item := at.inside(fmt.Sprintf("[%d]", i))
		if flag, ok := b.flags[item.path]; ok {
			item = flag
		}
		list = append(list, b.axis(item, &files[i]))
	}
	return list
}

// axis makes the points of one entry.
func (b *sweepBuilder) axis(at place, f *factorFile) axis {
	given := f.given()
	if b.notOne(at, given) {
		return axis{}
	}
	switch given[0] {
	case "zip":
		return b.zip(at.inside("zip"), f)
	case "lhs":
		return b.sample(at.inside("lhs"), "lhs", f.LHS)
	case "sobol":
		return b.sample(at.inside("sobol"), "sobol", f.Sobol)
	}
	factor, a := b.factor(at, f)
	b.checkLevels(at, given[0], f, factor.Levels)
	return axis{factor.Points(), []axisFactor{a}}
}

// notOne reports an entry without levels, or with several ways to give them. An empty list was read as none.
func (b *sweepBuilder) notOne(at place, given []string) bool {
	for _, key := range []string{"list", "zip"} {
		if n := at.node.Get(key); n != nil && n.Kind == yamldoc.List && len(n.Items) == 0 {
			b.wrong(at.inside(key), "is empty, expected at least one %s", map[string]string{"list": "level", "zip": "factor"}[key])
			return true
		}
	}
	if len(given) != 1 {
		b.wrong(at, "has %d of %s, expected exactly one", len(given), strings.Join(waysOfLevels, ", "))
	}
	return len(given) != 1
}

// checkLevels reports levels that come twice, which would make the same cell twice. Spaces do not count, as ids of cells have none.
func (b *sweepBuilder) checkLevels(at place, key string, f *factorFile, levels []design.Level) {
	seen := map[string]int{}
	for i, l := range levels {
		id := withoutSpace(l.Text)
		first, twice := seen[id]
		switch {
		case !twice:
			seen[id] = i
		case key == "list":
			b.wrong(place{f.List[i], at.inside(key).path + fmt.Sprintf("[%d]", i)}, "the level %s is that of %v too, expected each once",
				l.Text, place{f.List[first], at.inside(key).path + fmt.Sprintf("[%d]", first)})
		case l.Text != levels[first].Text:
			b.wrong(at.inside(key), "the levels %q and %q are one in the ids of cells, which have no spaces, expected names that differ in more",
				levels[first].Text, l.Text)
		default:
			b.wrong(at.inside(key), "makes the level %s twice, expected each once", l.Text)
		}
	}
}

// checkPoints reports points of one entry that come twice.
func (b *sweepBuilder) checkPoints(at place, points []design.Point) {
	for i, id := range design.Repeated(points) {
		if i == maxReported {
			return
		}
		b.wrong(at, "makes the point %s twice, expected each once", id)
	}
}

// waysOfLevels are the keys of an entry of which exactly one gives the levels.
var waysOfLevels = []string{"list", "range", "linspace", "logspace", "levels", "zip", "lhs", "sobol"}

// given lists those that an entry has.
func (f *factorFile) given() []string {
	var list []string
	for i, is := range []bool{f.List != nil, f.Range != nil, f.Linspace != nil, f.Logspace != nil, f.Levels != nil, f.Zip != nil, f.LHS != nil, f.Sobol != nil} {
		if is {
			list = append(list, waysOfLevels[i])
		}
	}
	return list
}

// zip joins factors level by level.
func (b *sweepBuilder) zip(at place, f *factorFile) axis {
	var out axis
	var factors []design.Factor
	for i := range f.Zip {
		item := at.inside(fmt.Sprintf("[%d]", i))
		given := f.Zip[i].given()
		if b.notOne(item, given) {
			return axis{}
		}
		if slices.Contains([]string{"zip", "lhs", "sobol"}, given[0]) {
			b.wrong(item, "expected exactly one of list, range, linspace, logspace, levels")
			return axis{}
		}
		factor, a := b.factor(item, &f.Zip[i])
		factors, out.factors = append(factors, factor), append(out.factors, a)
	}
	points, err := design.Zip(factors...)
	if err != nil {
		b.wrong(at, "%v", err)
		return out
	}
	b.checkPoints(at, points)
	out.points = points
	return out
}

// factor makes one factor.
func (b *sweepBuilder) factor(at place, f *factorFile) (design.Factor, axisFactor) {
	b.checkFactor(at, f.Name, f.allPaths(), f.Levels != nil)
	out := design.Factor{Name: f.Name, Levels: b.levels(at, f)}
	a := axisFactor{at: at, paths: f.allPaths(),
		column: results.ExtraColumn{Name: f.Name, Kind: results.Float64, Unit: cmp.Or(f.Unit, f.Suffix), Doc: cmp.Or(f.About, "factor "+f.Name)}}
	if !numeric(out) {
		a.column.Kind = results.String
	}
	for _, l := range out.Levels {
		for _, c := range l.Changes {
			if !slices.Contains(a.paths, c.Path) {
				a.paths = append(a.paths, c.Path)
			}
		}
	}
	return out, a
}

func (f *factorFile) allPaths() []string {
	if f.Path == "" {
		return slices.Clone(f.Paths)
	}
	return append(slices.Clone(f.Paths), f.Path)
}

// levels are those of a factor that has one way to give them.
func (b *sweepBuilder) levels(at place, f *factorFile) []design.Level {
	var levels []design.Level
	var numbers []float64
	var err error
	key := f.given()[0]
	paths := f.allPaths()
	switch key {
	case "range":
		numbers, err = design.Range(f.Range.From, f.Range.To, f.Range.Step)
	case "linspace":
		numbers, err = design.Linspace(f.Linspace.From, f.Linspace.To, f.Linspace.N)
	case "logspace":
		numbers, err = design.Logspace(f.Logspace.From, f.Logspace.To, f.Logspace.N)
	case "levels":
		levels = b.named(at.inside(key).path, f.Levels)
	default:
		for i, item := range f.List {
			levels = append(levels, b.listed(fmt.Sprintf("%s[%d]", at.inside(key).path, i), item, paths, f.Times, f.Suffix))
		}
	}
	if err != nil {
		b.wrong(at.inside(key), "%v", err)
	}
	for _, x := range numbers {
		levels = append(levels, numberLevel(x, paths, f.Times, f.Suffix))
	}
	if err == nil && len(levels) == 0 {
		b.wrong(at.inside(key), "is empty, expected at least one level")
	}
	return levels
}

// checkFactor says what is wrong with a factor's name and paths.
func (b *sweepBuilder) checkFactor(at place, name string, paths []string, levels bool) {
	if !factorName.MatchString(name) {
		b.wrong(at.inside("name"), "%q, expected a name of lower-case letters, digits and underscores", name)
	} else if reserved[name] {
		b.wrong(at.inside("name"), "%q is a column of the tables already, expected another name", name)
	}
	switch {
	case levels && len(paths) > 0:
		b.wrong(at, "has levels and a path, expected one of them: levels name their own paths")
	case !levels && len(paths) == 0:
		b.wrong(at.inside("path"), "is missing, expected the field of the model that the factor sets")
	}
}

// reserved are the names that factors cannot have, since tables cells and trials have them, or the report's tables of cells
// and pairs.
var reserved = reservedNames()

// reportColumns are those of the report's tables of cells and pairs, but for the ends of intervals.
var reportColumns = []string{"success", "raf_client", "wasted_share", "success_during", "success_after",
	"collapse", "staying_down", "recovery_s", "two_humps", "warnings",
	"baseline", "difference_success", "difference_during", "difference_after", "variance_ratio", "p_holm"}

func reservedNames() map[string]bool {
	m := map[string]bool{}
	for _, c := range slices.Concat(results.ColumnsOf[results.Cell](), results.ColumnsOf[results.Trial]()) {
		m[c.Name] = true
	}
	for _, name := range reportColumns {
		m[name], m[name+"_lo"], m[name+"_hi"] = true, true, true
	}
	return m
}

// listed is one level of a list: a number, or any other value of a model file.
func (b *sweepBuilder) listed(path string, n *yamldoc.Node, paths []string, times float64, suffix string) design.Level {
	if n.Kind == yamldoc.Scalar && (n.Tag == "!!int" || n.Tag == "!!float") {
		x, err := strconv.ParseFloat(strings.ReplaceAll(n.Text, "_", ""), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			b.add(n, path, "%q, expected a finite number in decimal digits", n.Text)
		}
		return numberLevel(x, paths, times, suffix)
	}
	if times != 1 || suffix != "" {
		b.add(n, path, "expected a number, since the factor has times or suffix")
	}
	value := strings.TrimSpace(string(n.YAML()))
	level := design.Level{Text: label(n, value), Number: math.NaN()}
	for _, p := range paths {
		level.Changes = append(level.Changes, design.Change{Path: p, Value: value})
	}
	return level
}

// label is how ids show a level: its text, or of a mapping its name, or all of it without white space.
func label(n *yamldoc.Node, value string) string {
	if n.Kind == yamldoc.Scalar {
		return n.Text
	}
	return withoutSpace(value)
}

func numberLevel(x float64, paths []string, times float64, suffix string) design.Level {
	level := design.Level{Text: formatNumber(x), Number: x}
	for _, p := range paths {
		level.Changes = append(level.Changes, design.Change{Path: p, Value: formatNumber(design.Round(x*times)) + suffix})
	}
	return level
}

func formatNumber(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// named are the levels of a mapping from names to settings.
func (b *sweepBuilder) named(path string, n *yamldoc.Node) []design.Level {
	if n.Kind != yamldoc.Map {
		b.add(n, path, "expected a mapping from names to the fields that they set")
		return nil
	}
	var levels []design.Level
	for i, name := range n.Keys {
		levels = append(levels, design.Level{Text: name, Number: math.NaN(), Changes: b.changesAt(path+"."+name, n.Items[i])})
	}
	return levels
}

// changesAt reads a mapping from paths to values.
func (b *sweepBuilder) changesAt(path string, n *yamldoc.Node) []design.Change {
	if n == nil || n.Kind == yamldoc.Null {
		return nil
	}
	if n.Kind != yamldoc.Map {
		b.add(n, path, "expected a mapping of paths to values")
		return nil
	}
	var list []design.Change
	for i, p := range n.Keys {
		list = append(list, design.Change{Path: p, Value: strings.TrimSpace(string(n.Items[i].YAML()))})
	}
	return list
}

func numeric(f design.Factor) bool {
	return !slices.ContainsFunc(f.Levels, func(l design.Level) bool { return math.IsNaN(l.Number) })
}
