package experiments

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
		w.Text = withNearest(w.Text, m)
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

// notThere matches what the engine says of a service or an edge that a model names and does not have.
var notThere = regexp.MustCompile(`^no (service|edge) ("(?:[^"\\]|\\.)*")`)

// mostNames is how many names a message lists.
const mostNames = 12

// withNearest adds the name that is probably meant or, if no service is near, the services that there are.
func withNearest(text string, m *engine.Model) string {
	found := notThere.FindStringSubmatch(text)
	if found == nil {
		return text
	}
	word, err := strconv.Unquote(found[2])
	if err != nil {
		return text // it is not as the engine writes names
	}
	known := serviceNames(m)
	if found[1] == "edge" {
		known = edgeNames(m)
	}
	nearest := yamldoc.Suggest(word, known)
	if len(word) < 3 && !strings.Contains(strings.ToLower(nearest), `"`+strings.ToLower(word)+`"`) {
		nearest = "" // every name is near to a letter
	}
	if nearest == "" && found[1] == "service" && len(known) > 0 {
		nearest = ", expected one of " + strings.Join(known[:min(len(known), mostNames)], ", ")
		if len(known) > mostNames {
			nearest += fmt.Sprintf(" ... (%d in all)", len(known))
		}
	}
	return strings.Replace(strings.Replace(text, found[0], found[0]+nearest, 1), "?, expected", "? expected", 1)
}

// serviceNames are the names of a model's services.
func serviceNames(m *engine.Model) []string {
	var list []string
	for i := range m.Services {
		list = append(list, m.Services[i].Name)
	}
	return list
}

// edgeNames are the edges of a model that end at a service of it.
func edgeNames(m *engine.Model) []string {
	services := serviceNames(m)
	var list []string
	add := func(from, to string) {
		if slices.Contains(services, to) {
			list = append(list, from+">"+to)
		}
	}
	for i := range m.Clients {
		add(m.Clients[i].Name, m.Clients[i].Call.To)
	}
	for i := range m.Services {
		for k := range m.Services[i].Calls {
			add(m.Services[i].Name, m.Services[i].Calls[k].To)
		}
	}
	return list
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
