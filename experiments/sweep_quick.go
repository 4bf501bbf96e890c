package experiments

import (
	"fmt"
	"slices"

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

// kept tells whether a quick run has a point: all its levels are among those to keep, where there are any and --sweep gives no others.
func (b *sweepBuilder) kept(p design.Point) bool {
	if b.keep == nil {
		return true
	}
	all := true
	for i, name := range b.keep.Keys {
		level, ok := p.Get(name)
		if _, swept := b.swept[name]; !ok || swept {
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
		if _, swept := b.swept[name]; swept {
			continue
		}
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
