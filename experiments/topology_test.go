package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"retrylab/engine"
	"retrylab/experiments"
)

// edges writes a topology as "S1>S2 S1>S3".
func edges(services []engine.Service) string {
	var list []string
	for _, s := range services {
		for _, c := range s.Calls {
			list = append(list, s.Name+">"+c.To)
		}
	}
	return strings.Join(list, " ")
}

func TestTopologies(t *testing.T) {
	for _, c := range []struct {
		change func(*experiments.Topology)
		want   string
	}{
		{func(t *experiments.Topology) { t.Depth = 3 }, "S1>S2 S2>S3"},
		{func(t *experiments.Topology) { t.Names = []string{"a", "b"} }, "a>b"},
		{func(t *experiments.Topology) { t.Kind, t.Depth, t.Width = "tree", 3, 2 }, "S1>S2 S1>S3 S2>S4 S2>S5 S3>S6 S3>S7"},
		{func(t *experiments.Topology) { t.Kind, t.Width = "fan_out", 3 }, "S1>S2 S1>S3 S1>S4"},
		{func(t *experiments.Topology) { t.Kind, t.Width = "diamond", 2 }, "S1>S2 S1>S3 S2>S4 S3>S4"},
	} {
		top := experiments.DefaultTopology()
		c.change(&top)
		services, problems := top.Build()
		if got := edges(services); got != c.want || len(problems) > 0 {
			t.Errorf("%+v: got %s, want %s; %v", top.Kind, got, c.want, problems)
		}
	}
}

// A random topology is a model that compiles (no cycle, all reached), of the size and depth asked for, the same
// for the same seed and another for another.
func TestRandomTopology(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := experiments.DefaultTopology()
		top.Kind = "random"
		top.Depth = rapid.IntRange(2, 12).Draw(t, "depth")
		top.Services = rapid.IntRange(top.Depth, 80).Draw(t, "services")
		top.Extra = rapid.Float64Range(0, 3).Draw(t, "extra")
		top.Seed = rapid.Uint64().Draw(t, "seed")
		services, problems := top.Build()
		if len(problems) > 0 || len(services) != top.Services {
			t.Fatal(problems, len(services))
		}
		m := engine.DefaultModel()
		c := engine.DefaultClient()
		c.Call.To = services[0].Name
		m.Clients, m.Services = []engine.Client{c}, services
		if _, problems := engine.Compile(&m); len(problems) > 0 {
			t.Fatal(problems)
		}
		if got := depth(services); got != top.Depth {
			t.Fatalf("depth %d, want %d", got, top.Depth)
		}
		again, _ := top.Build()
		if edges(again) != edges(services) {
			t.Fatal("the same seed gives another graph")
		}
	})
}

func TestRandomTopologyHasTheExtraCalls(t *testing.T) {
	top := experiments.DefaultTopology()
	top.Kind, top.Depth, top.Services, top.Extra = "random", 8, 800, 1.5
	seen := map[string]bool{}
	calls := 0
	for seed := range uint64(20) {
		top.Seed = seed
		services, _ := top.Build()
		text := edges(services)
		if seen[text] {
			t.Error("two seeds give one graph")
		}
		seen[text] = true
		calls += strings.Count(text, ">")
	}
	// 799 calls make every service reachable, and each of the about 700 services above the last tier
	// has 1.5 further ones on average; 20 graphs have a standard deviation of about 150 calls, and
	// the last tier's size adds some.
	if got := float64(calls)/20 - 799; got < 1.5*640 || got > 1.5*720 {
		t.Errorf("%.0f extra calls", got)
	}
}

// depth is the number of services on the longest path from the first.
func depth(services []engine.Service) int {
	at := map[string]int{}
	for i, s := range services {
		at[s.Name] = i
	}
	var below func(i int) int
	below = func(i int) int {
		deepest := 0
		for _, c := range services[i].Calls {
			deepest = max(deepest, below(at[c.To]))
		}
		return deepest + 1
	}
	return below(0)
}

func ExampleTopology_Build() {
	t := experiments.DefaultTopology()
	t.Kind, t.Width = "diamond", 2
	services, _ := t.Build()
	fmt.Println(edges(services))
	// Output: S1>S2 S1>S3 S2>S4 S3>S4
}
