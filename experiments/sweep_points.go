package experiments

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"retrylab/engine"
	"retrylab/experiments/design"
	"retrylab/internal/yamldoc"
	"retrylab/results"
)

// sweepPoint is a point of the design.
type sweepPoint struct {
	point design.Point
	block *sweepBlock
}

// sweepBlock is what the points of a block have in common; a file without blocks is one.
type sweepBlock struct {
	at      place
	set     []placedSetting
	axes    []axis
	factors map[string]axisFactor
	checked bool // whether the factors were compared with a composed model
}

// placedSetting is a setting of the file's key set or of a block's.
type placedSetting struct {
	Setting
	at place
}

// axis is what one entry of factors contributes: points, and the factors in them.
type axis struct {
	points  []design.Point
	factors []axisFactor
}

// axisFactor is a factor as the checks of a design see it.
type axisFactor struct {
	column results.ExtraColumn
	at     place
	paths  []string // the fields that any of its levels sets
}

// maxPoints bounds the points of a sweep.
const maxPoints = design.MaxLevels * 10

// points are those of all blocks, each with the common factors.
func (b *sweepBuilder) points() []sweepPoint {
	var all []sweepPoint
	seen := map[string]int{}
	blocks := b.blocks()
	clean := len(b.problems) == 0 // a level that comes twice is reported where it stands
	for _, block := range blocks {
		n := 1
		var lists [][]design.Point
		for _, a := range block.axes {
			lists = append(lists, a.points)
			n = min(n*len(a.points), maxPoints+1)
			b.addColumns(a.factors)
		}
		if len(all)+n > maxPoints {
			b.wrong(block.at, "makes more than %d points", maxPoints)
			return nil
		}
		if len(b.problems) > maxReported {
			return nil
		}
		for _, point := range design.Product(lists...) {
			if !b.kept(point) {
				continue
			}
			p := sweepPoint{point, block}
			id := withoutSpace(point.ID())
			if other, twice := seen[id]; !twice {
				seen[id] = len(all)
				all = append(all, p)
			} else if clean && len(b.problems) <= maxReported && (len(b.swept) == 0 || !sameModel(all[other], p)) {
				b.wrong(block.at, "makes the point %s, as %v does, expected each cell once", cmp.Or(id, "without factors"), all[other].block.at)
			}
		}
	}
	b.checkKeep()
	if len(all) == 0 && len(b.problems) == 0 {
		b.add(b.source.tree, "", "has no cells, expected at least one")
	}
	return all
}

// sameModel tells whether two points of the same id make the same cell. It happens where --sweep gives the same new level
// to several blocks.
func sameModel(a, b sweepPoint) bool {
	settings := func(p sweepPoint) (list []Setting) {
		for _, s := range p.block.set {
			list = append(list, s.Setting)
		}
		for _, c := range p.point {
			for _, change := range c.Level.Changes {
				list = append(list, Setting(change))
			}
		}
		return list
	}
	return reflect.DeepEqual(settings(a), settings(b))
}

// blocks are the parts of the design that have cells.
func (b *sweepBuilder) blocks() []*sweepBlock {
	root := place{b.source.tree, ""}
	common := b.axes(root.inside("factors"), b.file.Factors)
	outer := b.placed(root.inside("set"), b.file.Set)
	if len(b.file.Blocks) == 0 {
		block := &sweepBlock{at: root.inside("factors"), set: outer, axes: common}
		b.checkNames(block)
		return []*sweepBlock{block}
	}
	var list []*sweepBlock
	for i, f := range b.file.Blocks {
		if b.dropped[i] {
			continue
		}
		at := root.inside(fmt.Sprintf("blocks[%d]", i))
		block := &sweepBlock{at: at,
			set:  slices.Concat(outer, b.placed(at.inside("set"), f.Set)),
			axes: slices.Concat(common, b.axes(at.inside("factors"), f.Factors))}
		b.checkNames(block)
		list = append(list, block)
	}
	return list
}

// placed reads a mapping from paths to values.
func (b *sweepBuilder) placed(at place, n *yamldoc.Node) []placedSetting {
	var list []placedSetting
	for i, c := range b.changesAt(at.path, n) {
		list = append(list, placedSetting{Setting(c), place{n.Items[i], at.path + "." + c.Path}})
	}
	return list
}

// checkNames reports a factor that a block has twice.
func (b *sweepBuilder) checkNames(block *sweepBlock) {
	block.factors = map[string]axisFactor{}
	for _, a := range block.axes {
		for _, f := range a.factors {
			name := f.column.Name
			if other, twice := block.factors[name]; twice {
				b.wrong(f.at, "the name %q is that of %v too, expected names that differ", name, other.at)
			}
			block.factors[name] = f
		}
	}
}

// addColumns adds the columns that are new. A factor that is a number in one block and a text in another
// is a column of texts.
func (b *sweepBuilder) addColumns(factors []axisFactor) {
	for _, f := range factors {
		i := slices.IndexFunc(b.columns, func(o results.ExtraColumn) bool { return o.Name == f.column.Name })
		switch {
		case i < 0:
			b.columns = append(b.columns, f.column)
		case f.column.Kind == results.String:
			b.columns[i].Kind = results.String
		}
	}
}

// checkOverwritten reports a factor whose field another factor or --set, which is applied later, sets too: its levels
// would have no effect. Factors are applied in the order of their names; one that changes a part of what another has set is fine.
func (b *sweepBuilder) checkOverwritten(block *sweepBlock, m *engine.Model) {
	var factors []axisFactor
	for _, a := range block.axes {
		factors = append(factors, a.factors...)
	}
	slices.SortFunc(factors, func(x, y axisFactor) int { return strings.Compare(x.column.Name, y.column.Name) })
	for i, f := range factors {
		for _, g := range factors[i+1:] {
			if path := overwritten(f.paths, g.paths, m); path != "" {
				b.wrong(g.at, "the factor %q sets %s, which the factor %q at %v sets too and would have no effect, expected one factor for each field",
					g.column.Name, path, f.column.Name, f.at)
			}
		}
		for _, s := range b.changes.Set {
			if path := overwritten(f.paths, []string{s.Path}, m); path != "" {
				b.wrong(placeOfSet(s), "the factor %q at %v sets this field, expected --sweep %s=LEVEL", f.column.Name, f.at, f.column.Name)
			}
		}
	}
}

var pathStep = regexp.MustCompile(`[^.\[\]]+`)

// overwritten is the first of the later paths that sets all that one of the earlier ones has set, or empty.
func overwritten(earlier, later []string, m *engine.Model) string {
	for _, p := range earlier {
		inner := pathSteps(p, m)
		for _, q := range later {
			outer := pathSteps(q, m)
			if len(outer) <= len(inner) && slices.EqualFunc(outer, inner[:len(outer)], func(o, i string) bool { return o == i || o == "*" }) {
				return q
			}
		}
	}
	return ""
}

// pathSteps are the parts of a path, with items of lists by name where they have one.
func pathSteps(path string, m *engine.Model) []string {
	var steps []string
	for _, at := range pathStep.FindAllStringIndex(path, -1) {
		step := path[at[0]:at[1]]
		if strings.Trim(step, "0123456789") == "" {
			item := path[:at[1]]
			if strings.HasPrefix(path[at[1]:], "]") {
				item += "]"
			}
			for _, key := range []string{".name", ".to"} {
				if name, err := yamldoc.Get(*m, item+key); err == nil {
					step = fmt.Sprint(name)
					break
				}
			}
		}
		steps = append(steps, step)
	}
	return steps
}
