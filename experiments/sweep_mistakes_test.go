package experiments_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"retrylab/experiments"
)

// idsOf are the cells of a sweep, without the model, scenario and strategy that all of sweepHead have.
func idsOf(s *experiments.Sweep) string {
	var ids []string
	for _, c := range s.Cells {
		ids = append(ids, strings.TrimPrefix(c.ID(), "x/model/model/"))
	}
	return strings.Join(ids, " ")
}

// Nothing that would give two cells one id, or a factor no effect, is accepted.
func TestAmbiguousSweepsAreRefused(t *testing.T) {
	for name, c := range map[string][2]string{
		"strategy by name":     {"strategies: [NR, SR, NR]", `x.yaml:6: strategies[2]: has the name "NR", as strategies[0] (line 6) has`},
		"strategies of a name": {"strategies:\n  - {name: A, policy: none}\n  - {name: A, policy: {kind: retry}}", `x.yaml:8: strategies[1]: has the name "A", as strategies[0] (line 7) has`},
		"level of a list":      {"factors:\n  - name: a\n    path: services.A.servers\n    list:\n      - 1\n      - 2\n      - 1.0", `x.yaml:12: factors[0].list[2]: the level 1 is that of factors[0].list[0] (line 10) too`},
		"level of a space":     {"factors:\n  - {name: a, path: services.A.servers, linspace: {from: 3, to: 3, n: 2}}", `x.yaml:7: factors[0].linspace: makes the level 3 twice`},
		"points of a zip":      {"factors:\n  - zip: [{name: a, path: services.A.servers, list: [1, 1]}]", `x.yaml:7: factors[0].zip: makes the point a=1 twice`},
		"points of a sample":   {"factors:\n  - lhs: {n: 9, factors: [{name: a, path: services.A.servers, from: 1, to: 8, whole: true}]}", `x.yaml:7: factors[0].lhs: makes the point a=`},
		"names": {"factors:\n  - {name: a, path: services.A.servers, list: [1]}\nblocks:\n  - factors:\n      - zip: [{name: a, path: services.A.limit.max, list: [1]}]",
			`x.yaml:10: blocks[0].factors[0].zip[0]: the name "a" is that of factors[0] (line 7) too`},
		"cells of two blocks": {"blocks:\n  - factors:\n      - {name: a, path: services.A.servers, list: [1]}\n  - factors:\n      - {name: a, path: services.A.servers, list: [2, 1]}",
			`x.yaml:9: blocks[1]: makes the point a=1, as blocks[0] (line 7) does`},
		"levels that differ in spaces":          {"factors:\n  - {name: a, levels: {x y: {services.A.servers: 1}, xy: {services.A.servers: 2}}}", `x.yaml:7: factors[0].levels: the levels "x y" and "xy" are one in the ids of cells`},
		"levels of a zip that differ in spaces": {"factors:\n  - zip: [{name: a, levels: {x y: {services.A.servers: 1}, xy: {services.A.servers: 2}}}]", `x.yaml:6: factors: makes the point a=xy`},
		"field twice": {"factors:\n  - {name: b, path: services.A.servers, list: [1, 2]}\n  - {name: a, path: \"services[0].servers\", list: [1, 2]}",
			`x.yaml:7: factors[0]: the factor "b" sets services.A.servers, which the factor "a" at factors[1] (line 8) sets too`},
		"field and all of them": {"factors:\n  - {name: a, path: services.A.servers, list: [1, 2]}\n  - {name: b, path: \"services[*].servers\", list: [1, 2]}",
			`x.yaml:8: factors[1]: the factor "b" sets services[*].servers, which the factor "a" at factors[0] (line 7)`},
		"field and what holds it": {"factors:\n  - {name: a, path: services.A.limit.max, list: [1, 2]}\n  - {name: b, levels: {x: {services.A.limit: {max: 5}}, y: {}}}",
			`x.yaml:8: factors[1]: the factor "b" sets services.A.limit, which the factor "a"`},
		"empty zip":           {"factors:\n  - zip: []", "x.yaml:7: factors[0].zip: is empty, expected at least one factor"},
		"empty in zip":        {"factors:\n  - zip:\n      - {name: a, path: services.A.servers, list: []}", "x.yaml:8: factors[0].zip[0].list: is empty, expected at least one level"},
		"empty levels":        {"factors:\n  - {name: a, levels: {}}", "x.yaml:7: factors[0].levels: is empty, expected at least one level"},
		"nothing":             {"factors:\n  - {name: a, path: services.A.servers}", "x.yaml:7: factors[0]: has 0 of list"},
		"scenario":            {"scenario: S9", `x.yaml:6: scenario: "S9": unknown scenario`},
		"collapse of nothing": {"until:\n  success: 0.1\n  collapse: 0.1", `x.yaml:8: until.collapse: the model has no faults`},
		"too many": {"factors:\n  - {name: a, path: services.A.servers, range: {from: 1, to: 9000, step: 1}}\n  - {name: b, path: services.A.limit.max, range: {from: 1, to: 9000, step: 1}}",
			"x.yaml:6: factors: makes more than 1000000 points"},
	} {
		_, err := experiments.ParseSweep("x.yaml", ".", []byte(sweepHead+c[0]), experiments.SweepChanges{})
		if err == nil || !strings.Contains(err.Error(), c[1]) || strings.Contains(err.Error(), "\n") && name != "points of a sample" {
			t.Errorf("%s:\ngot  %v\nwant %s", name, err, c[1])
		}
	}
	// A factor may refine what another one has set before it.
	s := parseSweep(t, sweepHead+"factors:\n  - {name: a, levels: {x: {services.A.limit: {max: 5}}, y: {services.A.limit: {max: 6}}}}\n  - {name: b, path: services.A.limit.counts, list: [in_system, waiting]}")
	if len(s.Cells) != 4 {
		t.Errorf("%d cells, want 4", len(s.Cells))
	}
}

const twoBlocks = sweepHead + `
blocks:
  - factors:
      - {name: size, levels: {one: {services.A.limit.max: 1}}}
      - {name: n, path: services.A.servers, list: [0]}
  - factors:
      - {name: size, levels: {two: {services.A.limit.max: 2}, three: {services.A.limit.max: 3}}}
      - {name: n, path: services.A.servers, list: [1, 2, 4]}
`

// Levels of the command line go to the blocks that have them, new ones to those that vary the factor.
func TestSweepFlagOverBlocks(t *testing.T) {
	const three = sweepHead + `
blocks:
  - factors: [{name: n, path: services.A.servers, list: [1, 2]}]
  - factors: [{name: n, path: services.A.servers, list: [3, 4]}]
`
	for _, c := range []struct{ file, flags, want string }{
		{twoBlocks, "n=2", "n=2,size=two n=2,size=three"},
		{twoBlocks, "n=3", "n=3,size=two n=3,size=three"},
		{twoBlocks, "n=0,3", "n=0,size=one n=3,size=two n=3,size=three"},
		{twoBlocks, "n=1.0", "n=1,size=two n=1,size=three"},
		{twoBlocks, "size=three", "n=1,size=three n=2,size=three n=4,size=three"},
		{twoBlocks, "size=one", "n=0,size=one"},
		{twoBlocks, "n=1..2:2 size=two", "n=1,size=two n=2,size=two"},
		{three, "n=5", "n=5"}, // both blocks make it
		{three, "n=2,4", "n=2 n=4"},
		{sweepHead, "services.A.servers=1,2 clients.client.call.timeout=1s", "servers=1,timeout=1s servers=2,timeout=1s"},
		{sweepHead, "duration=10s", "duration=10s"},
	} {
		s, err := experiments.ParseSweep("x.yaml", ".", []byte(c.file), experiments.SweepChanges{Sweep: strings.Fields(c.flags)})
		if err != nil {
			t.Errorf("--sweep %s: %v", c.flags, err)
		} else if got := idsOf(s); got != c.want {
			t.Errorf("--sweep %s:\ngot  %s\nwant %s", c.flags, got, c.want)
		}
	}
	for flag, want := range map[string]string{"timeout_s=0.5": "[0.5]", "timeout_s=0": "[0]", "timeout_s=0.3": "[0.3]", "abandoned=cancelled": "[0.1 0.2 0.5 1 2]"} {
		s, err := experiments.LoadSweep("harm-map", experiments.SweepChanges{Sweep: []string{flag, "p=0.5", "utilization=0.6", "room=100", "workers=held", "retries_at=hops"}})
		if err != nil {
			t.Errorf("harm-map --sweep %s: %v", flag, err)
			continue
		}
		if got := levelsOf(s, "timeout_s"); got != want {
			t.Errorf("harm-map --sweep %s has timeouts %s, want %s", flag, got, want)
		}
	}
	s, err := experiments.LoadSweep("amplification", experiments.SweepChanges{Sweep: []string{"calls=3 calls"}})
	if err != nil || len(s.Cells) != 30 || levelsOf(s, "calls") != "[3 calls]" {
		t.Errorf("amplification with 3 calls: %v", err)
	}
}

// levelsOf are the levels of a factor that some cell has, sorted.
func levelsOf(s *experiments.Sweep, factor string) string {
	seen := map[string]bool{}
	for _, c := range s.Cells {
		for _, f := range c.Factors {
			if f.Path == factor {
				seen[f.Value] = true
			}
		}
	}
	return fmt.Sprint(slices.Sorted(maps.Keys(seen)))
}

// What a flag has wrong is blamed on the flag, not on the file.
func TestMistakesOfFlagsNameTheFlag(t *testing.T) {
	factors := "factors:\n  - {name: utilization, path: clients.client.arrivals.rate, times: 10, list: [1, 2]}\n  - {name: n, path: services.A.servers, list: [1, 2]}\n" +
		"  - zip: [{name: q, path: services.A.limit.max, list: [5]}]\n"
	for _, c := range []struct{ file, flag, value, want string }{
		{factors, "set", "services.A.server=3", `--set services.A.server=3: path "services.A.server": does not exist, did you mean "servers"?`},
		{factors, "set", "services.A.limit.max=-3", "--set services.A.limit.max=-3: services[0].limit.max: "},
		{factors, "set", "services[*].servers=3", `--set services[*].servers=3: the factor "n" at factors[1] (line 8) sets this field, expected --sweep n=LEVEL`},
		{factors, "sweep", "utilisation=1", `--sweep utilisation=1: no factor and no field of the model is called "utilisation", did you mean "utilization"?`},
		{factors, "sweep", "n=-2", "--sweep n=-2: services[0].servers: "},
		{factors, "sweep", "n=1,1", "--sweep n=1,1: list[1]: the level 1 is that of list[0]"},
		{factors, "sweep", "n=0..1:0", "--sweep n=0..1:0: n must be between 1"},
		{factors, "sweep", "utilization=high", "--sweep utilization=high: list[0]: expected a number"},
		{factors, "sweep", "services.A.serves=1", `--sweep services.A.serves=1: path "services.A.serves": does not exist`},
		{factors, "sweep", "services.A.servers=1", `--sweep services.A.servers=1: the factor "servers" sets services.A.servers, which the factor "n" at factors[1] (line 8)`},
		{factors, "sweep", "q=1", `--sweep q=1: "q" is varied together with others in factors[2]`},
		{factors, "sweep", "n=1;n=2", `--sweep n=2: "n" has levels by --sweep n=1 already`},
		{strings.TrimPrefix(twoBlocks, sweepHead), "sweep", "size=tow", `--sweep size=tow: unknown level "tow", did you mean "two"?`},
		{strings.TrimPrefix(twoBlocks, sweepHead), "sweep", "size=one;n=2", "x.yaml:7: blocks: none has the levels of every --sweep"},
	} {
		var changes experiments.SweepChanges
		if c.flag == "sweep" {
			changes.Sweep = strings.Split(c.value, ";")
		} else {
			set, err := experiments.ParseSetting(c.value)
			if err != nil {
				t.Fatal(err)
			}
			changes.Set = []experiments.Setting{set}
		}
		_, err := experiments.ParseSweep("x.yaml", ".", []byte(sweepHead+c.file), changes)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("--%s %s:\ngot  %v\nwant %s", c.flag, c.value, err, c.want)
		}
	}
}

// A quick run keeps levels of the file; those of the command line are all meant.
func TestQuickKeepsWhatTheCommandLineSays(t *testing.T) {
	text := sweepHead + "factors: [{name: a, path: services.A.servers, list: [1, 2, 3]}, {name: r, path: clients.client.arrivals.rate, list: [1, 2]}]\nquick: {keep: {a: [1], r: [2]}}"
	s, err := experiments.ParseSweep("x.yaml", ".", []byte(text), experiments.SweepChanges{Quick: true, Sweep: []string{"a=3,4"}})
	if err != nil || idsOf(s) != "a=3,r=2 a=4,r=2" {
		t.Errorf("%v", err)
	}
}
