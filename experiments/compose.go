package experiments

import (
	"fmt"
	"strings"

	"retrylab/internal/yamldoc"
)

// Parts are what a cell is made of.
type Parts struct {
	Model    *Source   // required
	Scenario *Source   // its faults are added to the model's; nil: none
	Strategy *Source   // its policy is put where the model says; nil: the model's own policies stay
	Set      []Setting // applied last, in order; they are the cell's factors
}

// Setting changes one field of a model.
type Setting struct {
	Path  string // e.g. services.API.servers, or services[*].servers for all
	Value string // as it would stand in a model file
}

// String is path=value without white space.
func (s Setting) String() string { return s.Path + "=" + withoutSpace(s.Value) }

// withoutSpace is a text as ids of cells show it.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

// ParseSetting reads path=value.
func ParseSetting(text string) (Setting, error) {
	path, value, ok := strings.Cut(text, "=")
	if !ok || path == "" {
		return Setting{}, fmt.Errorf("setting %q: expected path=value, e.g. services.API.servers=25", text)
	}
	return Setting{path, value}, nil
}

// Where a strategy's policy is put.
const (
	atClient = "client"
	atHops   = "hops"
	atAll    = "all"
)

// Compose joins the parts, checks the result, and makes it ready to run. The error is
// yamldoc.Problems with everything wrong in any of the parts.
func Compose(p Parts) (*Cell, error) {
	c := &composer{parts: p, tree: p.Model.tree.Clone()}
	c.problems = append(c.problems, p.Model.problems...)
	settings := c.settings()
	c.apply(settings, beforeTopology)
	c.expand()
	c.apply(settings, ofModel)
	c.scenario()
	c.strategy()
	c.apply(settings, ofCell)
	m := c.decode()
	program := c.compile(&m.Model)
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return newCell(p, &m.Model, program), nil
}

// composer holds a cell in the making.
type composer struct {
	parts    Parts
	tree     *yamldoc.Node // the model so far
	topology *yamldoc.Node // as the file has it; nil without
	faults   int           // faults of the model itself
	broken   bool          // parts are missing, so that checking the rest would report nonsense
	problems yamldoc.Problems
}

// written marks the services that a topology wrote.
const written = "\x00topology"

// setting is a change of the tree at some stage.
type setting struct {
	stage stage
	path  string
	value *yamldoc.Node
}

type stage uint8

const (
	beforeTopology stage = iota // changes of the topology itself
	ofModel                     // the model file's own
	ofCell                      // after scenario and strategy
)

// settings collects those of the file and those of the cell.
func (c *composer) settings() []setting {
	var all []setting
	if set := c.tree.Take("set"); set != nil {
		if set.Kind != yamldoc.Map {
			c.add(set, "set", "expected a mapping of paths to values")
			return nil
		}
		for i, path := range set.Keys {
			all = append(all, setting{ofModel, path, set.Items[i]})
		}
	}
	for _, s := range c.parts.Set {
		value, problems := yamldoc.ParseValue("set "+s.String(), s.Value)
		c.problems = append(c.problems, problems...)
		if len(problems) == 0 {
			all = append(all, setting{ofCell, s.Path, value})
		}
	}
	for i := range all {
		if first, _, _ := strings.Cut(all[i].path, "."); first == "topology" || first == "strategy_at" {
			all[i].stage = beforeTopology
		}
	}
	return all
}

// apply makes the changes of one stage.
func (c *composer) apply(settings []setting, at stage) {
	for _, s := range settings {
		if s.stage != at {
			continue
		}
		if err := fileTypes.Set(c.tree, modelFile{}, s.path, s.value); err != nil {
			c.add(s.value, "", "%v", err)
		}
	}
}

// expand replaces the topology by the services that it writes.
func (c *composer) expand() {
	c.topology = c.tree.Take("topology")
	if c.topology == nil {
		return
	}
	if services := c.tree.Get("services"); services != nil {
		c.add(services, "services", "cannot be given with topology")
		return
	}
	t := DefaultTopology()
	problems := fileTypes.Decode(c.topology, &t)
	for _, p := range problems {
		p.Path = strings.TrimSuffix("topology."+p.Path, ".")
		c.problems = append(c.problems, p)
	}
	services, wrong := t.Build()
	for _, w := range wrong {
		if !covered(problems, w.Path) {
			c.add(c.topology.Locate(w.Path), "topology."+w.Path, "%s", w.Text)
		}
	}
	c.broken = c.broken || len(wrong) > 0
	list := &yamldoc.Node{Kind: yamldoc.List}
	for _, s := range services {
		list.Items = append(list.Items, fileTypes.Encode(s))
	}
	c.tree.Put("services", list.Moved(written, 0))
	if len(services) > 0 {
		c.enter(services[0].Name)
	}
}

// enter makes clients that do not say whom they call enter at a topology's first service.
func (c *composer) enter(first string) {
	clients := c.tree.Get("clients")
	for i, client := range items(clients) {
		if client.Kind != yamldoc.Map || client.Get("call").Get("to") != nil {
			continue
		}
		path := fmt.Sprintf("clients[%d].call.to", i)
		if err := fileTypes.Set(c.tree, modelFile{}, path, yamldoc.String(first).Moved(client.File, client.Line)); err != nil {
			c.broken = true // the call is something else; decoding will say so
		}
	}
}

// scenario adds the scenario's faults.
func (c *composer) scenario() {
	faults := c.tree.Get("faults")
	c.faults = len(items(faults))
	s := c.parts.Scenario
	if s == nil {
		return
	}
	c.problems = append(c.problems, s.problems...)
	var file scenarioFile
	if wrong := fileTypes.Decode(s.tree, &file); len(wrong) > 0 || len(s.problems) > 0 {
		c.problems = append(c.problems, wrong...)
		return
	}
	if faults == nil || faults.Kind != yamldoc.List {
		faults = &yamldoc.Node{File: s.File, Kind: yamldoc.List}
		c.tree.Put("faults", faults)
		c.faults = 0
	}
	for _, fault := range items(s.tree.Get("faults")) {
		faults.Items = append(faults.Items, fault.Clone())
	}
}

// strategy puts the strategy's policy on the calls that the model names.
func (c *composer) strategy() {
	at := atClient
	if n := c.tree.Get("strategy_at"); n != nil {
		at = n.Text
		if at != atClient && at != atHops && at != atAll {
			c.add(n, "strategy_at", "unknown %q, expected one of client, hops, all", at)
		}
	}
	s := c.parts.Strategy
	if s == nil {
		return
	}
	c.problems = append(c.problems, s.problems...)
	var file strategyFile
	wrong := fileTypes.Decode(s.tree, &file)
	c.problems = append(c.problems, wrong...)
	if file.Policy == nil {
		if !covered(wrong, "policy") {
			c.add(s.tree, "policy", "is missing, expected a policy, for example none")
		}
		return
	}
	bad := len(wrong) > 0
	for _, p := range file.Policy.Problems() {
		bad = true
		if path := "policy." + p.Field; !covered(wrong, path) {
			c.add(s.tree.Locate(path), path, "%s", p.Text)
		}
	}
	if !bad {
		c.put(s.tree.Get("policy"), at)
	}
}

// put puts a policy on the calls of clients, of services, or of both.
func (c *composer) put(policy *yamldoc.Node, at string) {
	if at == atClient || at == atAll {
		for _, client := range items(c.tree.Get("clients")) {
			if call := client.Get("call"); call != nil && call.Kind == yamldoc.Map {
				call.Put("policy", policy.Clone())
			}
		}
	}
	if at == atHops || at == atAll {
		for _, service := range items(c.tree.Get("services")) {
			for _, call := range items(service.Get("calls")) {
				if call.Kind == yamldoc.Map {
					call.Put("policy", policy.Clone())
				}
			}
		}
	}
}

// items are the items of a list; of anything else there are none.
func items(n *yamldoc.Node) []*yamldoc.Node {
	if n == nil || n.Kind != yamldoc.List {
		return nil
	}
	return n.Items
}

func (c *composer) add(n *yamldoc.Node, path, format string, args ...any) {
	c.problems = append(c.problems, n.Problem(path, fmt.Sprintf(format, args...)))
}
