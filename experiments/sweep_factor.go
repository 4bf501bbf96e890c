package experiments

import (
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

// axis is what one entry of factors contributes: points, and the columns of the factors in them.
type axis struct {
	points  []design.Point
	columns []results.ExtraColumn
}

var factorName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// axes makes the axis of every factor of a list that stands at a path of the file.
func (b *sweepBuilder) axes(n *yamldoc.Node, at string, files []factorFile) []axis {
	var list []axis
	for i := range files {
		path := fmt.Sprintf("%s[%d]", at, i)
		list = append(list, b.axis(n.Locate(path), path, &files[i]))
	}
	return list
}

// axis makes the points of one entry.
func (b *sweepBuilder) axis(n *yamldoc.Node, path string, f *factorFile) axis {
	given := f.given()
	if len(given) != 1 {
		b.add(n, path, "has %d of list, range, linspace, logspace, levels, zip, lhs, sobol, expected exactly one", len(given))
		return axis{}
	}
	switch given[0] {
	case "zip":
		return b.zip(n, path, f)
	case "lhs", "sobol":
		return b.sample(n, path, given[0], f)
	}
	factor, column := b.factor(n, path, f)
	return axis{factor.Points(), []results.ExtraColumn{column}}
}

// given lists the ways in which levels are given.
func (f *factorFile) given() []string {
	var list []string
	for _, g := range []struct {
		key string
		is  bool
	}{
		{"list", f.List != nil}, {"range", f.Range != nil}, {"linspace", f.Linspace != nil}, {"logspace", f.Logspace != nil},
		{"levels", f.Levels != nil}, {"zip", f.Zip != nil}, {"lhs", f.LHS != nil}, {"sobol", f.Sobol != nil},
	} {
		if g.is {
			list = append(list, g.key)
		}
	}
	return list
}

// zip joins factors level by level.
func (b *sweepBuilder) zip(n *yamldoc.Node, path string, f *factorFile) axis {
	var factors []design.Factor
	var columns []results.ExtraColumn
	for i := range f.Zip {
		inner := fmt.Sprintf("%s.zip[%d]", path, i)
		at := n.Get("zip").Locate(fmt.Sprintf("[%d]", i))
		if given := f.Zip[i].given(); len(given) != 1 || slices.Contains([]string{"zip", "lhs", "sobol"}, given[0]) {
			b.add(at, inner, "expected exactly one of list, range, linspace, logspace, levels")
			return axis{}
		}
		factor, column := b.factor(at, inner, &f.Zip[i])
		factors, columns = append(factors, factor), append(columns, column)
	}
	points, err := design.Zip(factors...)
	if err != nil {
		b.add(n, path+".zip", "%v", err)
	}
	return axis{points, columns}
}

// factor makes one factor.
func (b *sweepBuilder) factor(n *yamldoc.Node, path string, f *factorFile) (design.Factor, results.ExtraColumn) {
	paths := f.Paths
	if f.Path != "" {
		paths = append(slices.Clone(paths), f.Path)
	}
	b.checkFactor(n, path, f.Name, paths, f.Levels != nil)
	out := design.Factor{Name: f.Name}
	var numbers []float64
	var err error
	key := ""
	switch {
	case f.Range != nil:
		key = "range"
		numbers, err = design.Range(f.Range.From, f.Range.To, f.Range.Step)
	case f.Linspace != nil:
		key = "linspace"
		numbers, err = design.Linspace(f.Linspace.From, f.Linspace.To, f.Linspace.N)
	case f.Logspace != nil:
		key = "logspace"
		numbers, err = design.Logspace(f.Logspace.From, f.Logspace.To, f.Logspace.N)
	case f.Levels != nil:
		key = "levels"
		out.Levels = b.named(path+".levels", f.Levels)
	default:
		key = "list"
		for i, item := range f.List {
			out.Levels = append(out.Levels, b.listed(fmt.Sprintf("%s.list[%d]", path, i), item, paths, f.Times, f.Suffix))
		}
	}
	if err != nil {
		b.add(n.Locate(key), path+"."+key, "%v", err)
	}
	for _, x := range numbers {
		out.Levels = append(out.Levels, numberLevel(x, paths, f.Times, f.Suffix))
	}
	if err == nil && len(out.Levels) == 0 {
		b.add(n.Locate(key), path+"."+key, "has no levels, expected at least one")
	}
	column := results.ExtraColumn{Name: f.Name, Kind: results.Float64, Unit: orElse(f.Unit, f.Suffix), Doc: orElse(f.About, "factor "+f.Name)}
	if !numeric(out) {
		column.Kind = results.String
	}
	b.where[f.Name] = place{n, path}
	return out, column
}

// checkFactor says what is wrong with a factor's name and paths.
func (b *sweepBuilder) checkFactor(n *yamldoc.Node, path, name string, paths []string, levels bool) {
	if !factorName.MatchString(name) {
		b.add(n, path+".name", "%q, expected a name of lower-case letters, digits and underscores", name)
	} else if reserved[name] {
		b.add(n, path+".name", "%q is a column of the tables already, expected another name", name)
	}
	switch {
	case levels && len(paths) > 0:
		b.add(n, path, "has levels and a path, expected one of them: levels name their own paths")
	case !levels && len(paths) == 0:
		b.add(n, path+".path", "is missing, expected the field of the model that the factor sets")
	}
}

// reserved are the names that factors cannot have, since tables cells and trials have them.
var reserved = reservedNames()

func reservedNames() map[string]bool {
	m := map[string]bool{}
	for _, c := range slices.Concat(results.ColumnsOf[results.Cell](), results.ColumnsOf[results.Trial]()) {
		m[c.Name] = true
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
	return strings.Join(strings.Fields(value), "")
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

// sample makes the points of a Latin hypercube or a Sobol sequence.
func (b *sweepBuilder) sample(n *yamldoc.Node, path, kind string, f *factorFile) axis {
	s := f.LHS
	if kind == "sobol" {
		s = f.Sobol
	}
	path += "." + kind
	at := n.Get(kind)
	before := len(b.problems)
	if s.N < 1 || s.N > design.MaxLevels {
		b.add(at, path+".n", "must be between 1 and %d, got %d", design.MaxLevels, s.N)
	}
	if len(s.Factors) == 0 || len(s.Factors) > design.MaxSobol {
		b.add(at, path+".factors", "must have between 1 and %d factors, got %d", design.MaxSobol, len(s.Factors))
	}
	var out axis
	for i, d := range s.Factors {
		inner := fmt.Sprintf("%s.factors[%d]", path, i)
		node := at.Locate(fmt.Sprintf("factors[%d]", i))
		b.checkFactor(node, inner, d.Name, d.allPaths(), false)
		if err := d.dimension().Check(); err != nil {
			b.add(node, inner, "%v", err)
		}
		b.where[d.Name] = place{node, inner}
		out.columns = append(out.columns, results.ExtraColumn{Name: d.Name, Kind: results.Float64, Unit: orElse(d.Unit, d.Suffix), Doc: orElse(d.About, "factor "+d.Name)})
	}
	if len(b.problems) > before {
		return axis{}
	}
	unit := design.Sobol
	if kind == "lhs" {
		unit = func(n, dimensions int) [][]float64 { return design.LatinHypercube(n, dimensions, s.Seed) }
	}
	for _, u := range unit(s.N, len(s.Factors)) {
		var each [][]design.Point
		for k, d := range s.Factors {
			level := numberLevel(d.dimension().At(u[k]), d.allPaths(), d.Times, d.Suffix)
			each = append(each, design.Factor{Name: d.Name, Levels: []design.Level{level}}.Points())
		}
		out.points = append(out.points, design.Product(each...)...)
	}
	return out
}

func (d *boxFile) allPaths() []string {
	if d.Path == "" {
		return d.Paths
	}
	return append(slices.Clone(d.Paths), d.Path)
}

func (d *boxFile) dimension() design.Dimension {
	return design.Dimension{From: d.From, To: d.To, Log: d.Log, Whole: d.Whole}
}

func numeric(f design.Factor) bool {
	return !slices.ContainsFunc(f.Levels, func(l design.Level) bool { return math.IsNaN(l.Number) })
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
