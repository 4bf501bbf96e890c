package experiments

import (
	"fmt"
	"slices"

	"retrylab/engine"
	"retrylab/engine/rng"
)

// Topology writes the services of a model by a rule, all alike. The first service is the entry.
type Topology struct {
	// Kind is chain, tree, fan_out, diamond or random. Default chain.
	Kind string `yaml:"kind"`
	// Depth is the number of tiers of chain, tree and random. Default 5; with Names, chain has one tier each.
	Depth int `yaml:"depth"`
	// Width is the number of children of each inner service of tree, of leaves of fan_out, and of
	// middle services of diamond. Default 2.
	Width int `yaml:"width"`
	// Services is the number of services of random. Default 10.
	Services int `yaml:"services"`
	// Extra is the mean number of further calls of each service of random, beyond those that make
	// every service reachable; they go to the next tier. Default 0.5.
	Extra float64 `yaml:"extra"`
	// Seed chooses the graph of random. Default 1.
	Seed uint64 `yaml:"seed"`
	// Names of the services in order; without, they are S1, S2 and so on.
	Names []string `yaml:"names"`
	// Service is what every service is like; its name and calls come from the rule.
	Service engine.Service `yaml:"service"`
	// Call is what every call between them is like; its callee comes from the rule.
	Call engine.Call `yaml:"call"`
}

// maxServices bounds what a topology may write.
const maxServices = 10_000

// DefaultTopology is a chain of five services at the engine's defaults.
func DefaultTopology() Topology {
	return Topology{Kind: "chain", Depth: 5, Width: 2, Services: 10, Extra: 0.5, Seed: 1,
		Service: engine.DefaultService(), Call: engine.DefaultCall()}
}

// topologyKinds are the rules; each gives, for every service, those that it calls.
var topologyKinds = []struct {
	kind  string
	calls func(*Topology) [][]int
}{
	{"chain", (*Topology).chain},
	{"tree", (*Topology).tree},
	{"fan_out", (*Topology).fanOut},
	{"diamond", (*Topology).diamond},
	{"random", (*Topology).random},
}

// Build writes the services out, or says what is wrong, by field of the topology.
func (t Topology) Build() ([]engine.Service, []engine.Problem) {
	if t.Kind == "chain" && len(t.Names) > 0 {
		t.Depth = len(t.Names)
	}
	problems := t.check()
	if len(problems) > 0 {
		return nil, problems
	}
	var calls [][]int
	for _, k := range topologyKinds {
		if k.kind == t.Kind {
			calls = k.calls(&t)
		}
	}
	if len(t.Names) > 0 && len(t.Names) != len(calls) {
		return nil, []engine.Problem{{Path: "names", Text: fmt.Sprintf("must name all %d services or none, got %d names", len(calls), len(t.Names))}}
	}
	services := make([]engine.Service, len(calls))
	for i := range services {
		services[i] = t.Service
		services[i].Name = t.name(i)
		services[i].Calls = nil
		for _, j := range calls[i] {
			call := t.Call
			call.To = t.name(j)
			services[i].Calls = append(services[i].Calls, call)
		}
	}
	return services, nil
}

func (t *Topology) name(i int) string {
	if len(t.Names) > 0 {
		return t.Names[i]
	}
	return fmt.Sprintf("S%d", i+1)
}

// check lists what is wrong with the fields that the kind uses.
func (t *Topology) check() []engine.Problem {
	var ps []engine.Problem
	add := func(path, format string, args ...any) {
		ps = append(ps, engine.Problem{Path: path, Text: fmt.Sprintf(format, args...)})
	}
	between := func(path string, v, low, high int) {
		if v < low || v > high {
			add(path, "must be between %d and %d, got %d", low, high, v)
		}
	}
	switch t.Kind {
	case "chain":
		between("depth", t.Depth, 1, 200)
	case "tree":
		between("depth", t.Depth, 1, 200)
		between("width", t.Width, 1, maxServices)
		if len(ps) == 0 && t.treeSize() > maxServices {
			add("depth", "makes more than %d services with width %d", maxServices, t.Width)
		}
	case "fan_out", "diamond":
		between("width", t.Width, 1, maxServices-2)
	case "random":
		between("depth", t.Depth, 1, 200)
		between("services", t.Services, max(t.Depth, 1), maxServices)
		if t.Depth == 1 && t.Services > 1 {
			add("depth", "must be at least 2 with more than one service, got 1")
		}
		if !(t.Extra >= 0 && t.Extra <= 100) {
			add("extra", "must be between 0 and 100, got %v", t.Extra)
		}
	default:
		add("kind", "unknown %q, expected one of chain, tree, fan_out, diamond, random", t.Kind)
	}
	for i, name := range t.Names {
		if j := slices.Index(t.Names, name); j < i {
			add(fmt.Sprintf("names[%d]", i), "%q is already names[%d]", name, j)
		}
	}
	if t.Service.Name != "" {
		add("service.name", "must not be given, the names come from names")
	}
	if len(t.Service.Calls) > 0 {
		add("service.calls", "must not be given, the calls come from kind and call")
	}
	if t.Call.To != "" {
		add("call.to", "must not be given, the callees come from kind")
	}
	return ps
}

func (t *Topology) chain() [][]int {
	calls := make([][]int, t.Depth)
	for i := range t.Depth - 1 {
		calls[i] = []int{i + 1}
	}
	return calls
}

// treeSize is the number of services of tree, or some number above maxServices.
func (t *Topology) treeSize() int {
	size, tier := 0, 1
	for range t.Depth {
		size += tier
		if size > maxServices {
			break
		}
		tier *= t.Width
	}
	return size
}

// tree numbers the services tier by tier.
func (t *Topology) tree() [][]int {
	calls := make([][]int, t.treeSize())
	for i := 1; i < len(calls); i++ {
		parent := (i - 1) / t.Width
		calls[parent] = append(calls[parent], i)
	}
	return calls
}

func (t *Topology) fanOut() [][]int {
	calls := make([][]int, t.Width+1)
	for i := range t.Width {
		calls[0] = append(calls[0], i+1)
	}
	return calls
}

func (t *Topology) diamond() [][]int {
	calls := t.fanOut()
	calls = append(calls, nil)
	for i := range t.Width {
		calls[i+1] = []int{t.Width + 1}
	}
	return calls
}

// random spreads the services over the tiers, one in the first and at least one in each. Each service
// has one caller in the tier above, and each pair of neighbouring tiers further calls with a
// probability that makes Extra of them per service on average.
func (t *Topology) random() [][]int {
	s := rng.New(rng.Key(t.Seed, uint64(t.Services), uint64(t.Depth)))
	below := func(n int) int { return int(s.Float64() * float64(n)) }
	size := make([]int, t.Depth)
	for i := range size {
		size[i] = 1
	}
	for range t.Services - t.Depth {
		size[1+below(t.Depth-1)]++
	}
	calls := make([][]int, t.Services)
	upper := 0 // first service of the tier above
	for tier := 1; tier < t.Depth; tier++ {
		first := upper + size[tier-1]
		for j := first; j < first+size[tier]; j++ {
			parent := upper + below(size[tier-1])
			for i := upper; i < first; i++ {
				if i == parent || s.Float64() < t.Extra/float64(size[tier]) {
					calls[i] = append(calls[i], j)
				}
			}
		}
		upper = first
	}
	return calls
}
