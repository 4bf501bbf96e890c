package experiments_test

import (
	"strings"
	"testing"

	"retrylab/experiments"
)

// Everything that is wrong with a model, its scenario and its strategy comes in one go, each at its line.
func TestEveryMistakeAtItsLine(t *testing.T) {
	got := problemsOf(t, experiments.Parts{
		Model: source(t, "m.yaml", `name: m
duraton: 55s
clients:
  - arrivals: {kind: poisson, rate: -5}
    call: {to: A, policy: rety}
services:
  - name: A
    servers: many
    failure: 1.5
    calls: [{to: B, policy: {kind: retry, max_retries: -1}}, {to: D}]
  - name: B
    time: {kind: uniform, low: 6ms, high: 4}
    calls:
      - to: A
  - {name: C, hold: {backoff: true}}
set:
  services.E.servers: 3
`),
		Scenario: source(t, "f.yaml", `name: F
faults:
  - {services: [B], p: 0.5}
  - {services: [X], p: 1.5, from: 5s, to: 2s}
`),
		Strategy: source(t, "s.yaml", `name: S
policy:
  kind: retry
  max_retries: 1
  backoff: {jitter: some}
`),
	})
	compareText(t, got, `
m.yaml:2: duraton: unknown key, did you mean "duration"?
m.yaml:4: clients[0].arrivals.rate: must be between 1e-09 and 1e+09, got -5
m.yaml:5: clients[0].call.policy: unknown policy "rety", did you mean "retry"? expected one of `+catalogKinds()+`
m.yaml:8: services[0].servers: got the text "many", expected a whole number
m.yaml:9: services[0].failure: must be between 0 and 1, got 1.5
m.yaml:10: services[0].calls[0].policy.max_retries: must be between 0 and 32768, got -1
m.yaml:10: services[0].calls[1].to: no service "D", expected one of A, B, C
m.yaml:12: services[1].time.high: got the bare number 4, expected a duration with its unit such as "100ms", "1.5s" or "0s"
m.yaml:14: services[1].calls[0].to: makes a cycle: A>B>A
m.yaml:15: services[2].hold.backoff: needs hold.downstream
m.yaml:15: services[2]: "C" is called by nobody
m.yaml:17: path "services.E": no item has this name, did you mean "A"?
s.yaml:5: policy.backoff.jitter: unknown "some", expected one of [none full equal decorrelated proportional one_sided]
f.yaml:4: faults[1].services[0]: no service "X", expected one of A, B, C
f.yaml:4: faults[1].to: must be later than from (5s) or 0s for the end, got 2s
f.yaml:4: faults[1].p: must be between 0 and 1, got 1.5`)
}

func TestMistakesInATopology(t *testing.T) {
	model := func(topology string) experiments.Parts {
		return experiments.Parts{Model: source(t, "m.yaml", "clients: [{name: c}]\ntopology:\n"+topology)}
	}
	for _, c := range []struct{ topology, want string }{
		{"  kind: ring", `m.yaml:3: topology.kind: unknown "ring", expected one of chain, tree, fan_out, diamond, random`},
		{"  depth: 0", `m.yaml:3: topology.depth: must be between 1 and 200, got 0`},
		{"  kind: tree\n  depth: 30", `m.yaml:4: topology.depth: makes more than 10000 services with width 2`},
		{"  kind: diamond\n  names: [a]", `m.yaml:4: topology.names: must name all 4 services or none, got 1 names`},
		{"  depth: 3\n  service: {servers: -1}\n  call: {probability: 2}",
			"m.yaml:4: topology.service.servers: must be between 0 and 1e+09, got -1\nm.yaml:5: topology.call.probability: must be between 0 and 1, got 2"},
		{"  service: {nmae: x, calls: [{to: y}]}\n  call: {to: z}",
			`m.yaml:3: topology.service.nmae: unknown key, did you mean "name"?
m.yaml:3: topology.service.calls: must not be given, the calls come from kind and call
m.yaml:4: topology.call.to: must not be given, the callees come from kind`},
		{"  kind: random\n  depth: 5\n  services: 4\n  extra: .inf", `m.yaml:5: topology.services: must be between 5 and 10000, got 4
m.yaml:6: topology.extra: got the number .inf, expected a finite number in decimal digits`},
		{"  names: [a, a]", `m.yaml:3: topology.names[1]: "a" is already names[0]`},
	} {
		t.Run(strings.Fields(c.topology)[1], func(t *testing.T) { compareText(t, problemsOf(t, model(c.topology)), c.want) })
	}
}

func TestMistakesInSettings(t *testing.T) {
	got := problemsOf(t, experiments.Parts{
		Model:    source(t, "m.yaml", small),
		Strategy: load(t, experiments.LoadStrategy, "NR"),
		Set: []experiments.Setting{
			{"services.A.serves", "3"}, {"services.A.servers", "x"}, {"clients.client.call.policy.max_retries", "3"},
			{"services.B.failure", "-1"}, {"duration", "["},
		},
	})
	compareText(t, got, `
set duration=[: is not valid YAML: did not find expected node content
set services.A.serves=3: path "services.A.serves": does not exist, did you mean "servers"?
set clients.client.call.policy.max_retries=3: path "clients.client.call.policy.max_retries": does not exist, there is nothing to set here (the policy is "none")
set services.A.servers=x: services[0].servers: got the text "x", expected a whole number
set services.B.failure=-1: services[1].failure: must be between 0 and 1, got -1`)
}

func TestMistakesInNames(t *testing.T) {
	s := &experiments.Set{}
	err := s.Add([]string{"refrence", "missing/file.yaml"}, []string{"S4"}, []string{"XYZ"}, nil)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`refrence: unknown model, did you mean "reference"?`, "missing/file.yaml: there is no such file", `S4: unknown scenario, did you mean "S`,
		"XYZ: unknown strategy, expected one of " + strings.Join(experiments.Strategies(), ", ") + " or a file that ends in .yaml",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in\n%v", want, err)
		}
	}
}

func FuzzCompose(f *testing.F) {
	f.Add(small)
	for _, name := range experiments.Models() {
		s, err := experiments.LoadModel(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(s.Bytes))
	}
	f.Add("topology: {kind: random}\nclients: [{}]\nset: {services[*].calls[*].policy: retry}")
	f.Add("services: 3\nclients: {}\nfaults: [1]\nstrategy_at: nowhere\nset: []")
	scenario, err := experiments.LoadScenario("S1")
	if err != nil {
		f.Fatal(err)
	}
	strategy, err := experiments.LoadStrategy("SR")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := experiments.ParseSource("m.yaml", []byte(text))
		if err != nil {
			return
		}
		c, err := experiments.Compose(experiments.Parts{Model: s, Scenario: scenario, Strategy: strategy})
		if err == nil && c.Program == nil {
			t.Fatal("neither a program nor an error")
		}
		if c, err := experiments.Compose(experiments.Parts{Model: s}); err == nil {
			again, err := experiments.ParseSource("again.yaml", c.YAML())
			if err != nil {
				t.Fatal(err)
			}
			b, err := experiments.Compose(experiments.Parts{Model: again})
			if err != nil || b.SHA256 != c.SHA256 {
				t.Fatalf("%v\n%s", err, c.YAML())
			}
		}
	})
}

// A service or an edge that is not there is answered with the one that is probably meant.
func TestNearestServiceAndEdge(t *testing.T) {
	got := problemsOf(t, experiments.Parts{Model: source(t, "m.yaml", `name: m
clients:
  - name: web
    arrivals: {rate: 5}
    call: {to: store}
  - {name: app, arrivals: {rate: 5}, call: {to: stor}}
services:
  - {name: store, calls: [{to: stock}, {to: "entirely else"}]}
  - {name: stock}
faults:
  - {services: [sotck], p: 0.5}
  - {edges: ["store>stok", "wed>store"], p: 0.5}
`)})
	compareText(t, got, `
m.yaml:6: clients[1].call.to: no service "stor", did you mean "store"?
m.yaml:8: services[0].calls[1].to: no service "entirely else", expected one of store, stock
m.yaml:11: faults[0].services[0]: no service "sotck", did you mean "stock"?
m.yaml:12: faults[1].edges[0]: no edge "store>stok", did you mean "store>stock"? expected caller>callee
m.yaml:12: faults[1].edges[1]: no edge "wed>store", did you mean "web>store"? expected caller>callee`)
}
