package experiments

import (
	"fmt"
	"regexp"
	"strings"

	"retrylab/engine"
	"retrylab/internal/yamldoc"
)

// decode reads the finished tree.
func (c *composer) decode() *modelFile {
	m := defaultModelFile()
	wrong := fileTypes.Decode(c.tree, &m)
	for _, p := range wrong {
		file, path := c.origin(p.File, p.Path)
		if n := c.topology; file == written && n != nil {
			p.File, p.Line = n.File, n.Line
		}
		p.Path = path
		c.problems = append(c.problems, p)
		// Without its services, or their names, a model's calls lead nowhere: that says nothing new.
		c.broken = c.broken || structural.MatchString(p.Path)
	}
	return &m
}

// structural matches the paths of values that other parts of a model refer to.
var structural = regexp.MustCompile(`^$|(^|\.)(services|clients|calls|faults|call)(\[\d+\])?$|\.(name|to|calls)$`)

// compile lets the engine check the model and puts its problems at their lines.
func (c *composer) compile(m *engine.Model) *engine.Program {
	if c.broken {
		c.problems.Sort()
		return nil
	}
	program, wrong := engine.Compile(m)
	found := c.problems
	seen := map[string]bool{}
	for _, w := range wrong {
		p := c.place(w)
		if covered(found, p.Path) || seen[p.String()] {
			continue
		}
		seen[p.String()] = true
		c.problems = append(c.problems, p)
	}
	c.problems.Sort()
	return program
}

// place finds where a problem of the whole model was written.
func (c *composer) place(w engine.Problem) yamldoc.Problem {
	n := c.tree.Locate(w.Path)
	file, path := c.origin(n.File, w.Path)
	if file == written {
		n = c.topology.Locate(strings.TrimPrefix(path, "topology."))
	}
	return n.Problem(path, w.Text)
}

var (
	writtenCall    = regexp.MustCompile(`^services\[\d+\]\.calls\[\d+\]\.?`)
	writtenService = regexp.MustCompile(`^services\[\d+\]\.?`)
	faultIndex     = regexp.MustCompile(`^faults\[(\d+)\]`)
	putPolicy      = regexp.MustCompile(`^(clients\[\d+\]\.call|services\[\d+\]\.calls\[\d+\])\.policy`)
)

// origin turns a path of the composed model into the path in the file that it came from.
func (c *composer) origin(file, path string) (string, string) {
	switch {
	case file == written && writtenCall.MatchString(path):
		return file, strings.TrimSuffix("topology.call."+writtenCall.ReplaceAllString(path, ""), ".")
	case file == written:
		return file, strings.TrimSuffix("topology.service."+writtenService.ReplaceAllString(path, ""), ".")
	case c.parts.Scenario != nil && file == c.parts.Scenario.File:
		if m := faultIndex.FindStringSubmatch(path); m != nil {
			var i int
			if _, err := fmt.Sscan(m[1], &i); err == nil && i >= c.faults {
				return file, fmt.Sprintf("faults[%d]", i-c.faults) + path[len(m[0]):]
			}
		}
	case c.parts.Strategy != nil && file == c.parts.Strategy.File:
		return file, putPolicy.ReplaceAllString(path, "policy")
	}
	return file, path
}

// covered tells whether a value at the path, above it or below it is already known to be wrong.
func covered(found yamldoc.Problems, path string) bool {
	for _, p := range found {
		if p.Path == path || below(p.Path, path) || below(path, p.Path) {
			return true
		}
	}
	return false
}

// below tells whether inner is inside outer.
func below(inner, outer string) bool {
	return outer != "" && len(inner) > len(outer) && strings.HasPrefix(inner, outer) && (inner[len(outer)] == '.' || inner[len(outer)] == '[')
}
