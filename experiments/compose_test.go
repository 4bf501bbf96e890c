package experiments_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/engine/dist"
	"retrylab/experiments"
	"retrylab/internal/yamldoc"
	"retrylab/policy"
)

// source is a file with the given text.
func source(t *testing.T, file, text string) *experiments.Source {
	t.Helper()
	s, err := experiments.ParseSource(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func load(t *testing.T, loader func(string) (*experiments.Source, error), name string) *experiments.Source {
	t.Helper()
	s, err := loader(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compose(t *testing.T, p experiments.Parts) *experiments.Cell {
	t.Helper()
	c, err := experiments.Compose(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The reference model, written out by hand from the facts: a changed file fails here.
func TestReferenceIsTheAuthorsProgram(t *testing.T) {
	want := engine.DefaultModel()
	want.Name, want.Duration = "reference", 55*time.Second
	client := engine.DefaultClient()
	client.Arrivals = engine.DefaultArrivals()
	client.Arrivals.FirstAtZero = true
	client.Call.To = "API"
	client.Call.Policy = policy.Retry{
		MaxRetries: 2,
		Backoff:    policy.Backoff{Kind: "exponential", Base: 200 * time.Millisecond, Multiplier: 2, Jitter: "one_sided", JitterFraction: 0.5},
		RetryOn:    policy.RetryOn{Failed: true},
	}
	want.Clients = []engine.Client{client}
	names := []string{"API", "Auth", "Catalog", "Inventory", "Database"}
	for i, name := range names {
		s := engine.DefaultService()
		s.Name, s.Servers = name, 10
		s.Time.Kind, s.Time.Low, s.Time.High = "uniform", 4*time.Millisecond, 6*time.Millisecond
		s.Limit = engine.Limit{Max: 1000, Counts: "in_system"}
		s.Hold = engine.Hold{Downstream: true, Backoff: true}
		if i+1 < len(names) {
			call := engine.DefaultCall()
			call.To = names[i+1]
			s.Calls = []engine.Call{call}
		}
		if name == "Auth" {
			s.Signal = engine.Overload{Queue: 0.8, Counts: "in_system", Arrivals: 800, Urgent: 1.125, RelayHops: 1, CPUWindow: time.Second, Expiry: 2 * time.Second}
		}
		want.Services = append(want.Services, s)
	}
	fault := engine.DefaultFault()
	fault.Services, fault.From, fault.To = []string{"Inventory", "Database"}, 5*time.Second, 25*time.Second
	fault.P, fault.PEnd = 0.1, 0.7
	want.Faults = []engine.Fault{fault}

	c := compose(t, experiments.Parts{
		Model:    load(t, experiments.LoadModel, "reference"),
		Scenario: load(t, experiments.LoadScenario, "S2"),
		Strategy: load(t, experiments.LoadStrategy, "SR"),
	})
	if !reflect.DeepEqual(c.Spec, want) {
		t.Errorf("got\n%s\nwant\n%s", c.YAML(), experiments.ModelYAML(&want))
	}
	if c.ID() != "reference/S2/SR" {
		t.Errorf("id %s", c.ID())
	}
}

func TestEveryCombinationOfFilesComposes(t *testing.T) {
	for _, m := range experiments.Models() {
		s := &experiments.Set{}
		if err := s.Add([]string{m}, experiments.Scenarios(), experiments.Strategies(), nil); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
}

// A composed cell written as one file is the same cell.
func TestComposedFileRunsAlone(t *testing.T) {
	paper, err := experiments.Paper()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range paper.Cells {
		again := compose(t, experiments.Parts{Model: source(t, "again.yaml", string(c.YAML()))})
		if !reflect.DeepEqual(again.Spec, c.Spec) || again.SHA256 != c.SHA256 || again.Environment != c.Environment {
			t.Errorf("%s differs after writing and reading:\n%s\n%s", c.ID(), c.YAML(), again.YAML())
		}
	}
}

// Every kind of policy in the catalog survives writing and reading, whatever its fields hold.
func TestPoliciesCompareEqualAfterYAML(t *testing.T) {
	for _, e := range policy.Catalog() {
		for _, spec := range []policy.Spec{e.Default, changed(e.Default)} {
			c := compose(t, experiments.Parts{
				Model:    source(t, "m.yaml", small),
				Strategy: source(t, "s.yaml", "policy:\n"+indent(experiments.PolicyYAML(spec, e.Kind == "retry"))),
			})
			if got := c.Spec.Clients[0].Call.Policy; got != spec {
				t.Errorf("%s: got %+v, want %+v", e.Kind, got, spec)
			}
		}
	}
}

// changed moves every number of a spec a little.
func changed(s policy.Spec) policy.Spec {
	v := reflect.New(reflect.TypeOf(s)).Elem()
	v.Set(reflect.ValueOf(s))
	nudge(v)
	if got := v.Interface().(policy.Spec); len(got.Problems()) == 0 {
		return got
	}
	return s
}

func nudge(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			nudge(v.Field(i))
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() * 0.9)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	}
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

const small = `
name: small
duration: 2s
clients:
  - arrivals: {rate: 50}
    call: {to: A}
services:
  - {name: A, servers: 2, calls: [{to: B}]}
  - {name: B}
`

func TestStrategyPlacement(t *testing.T) {
	strategy := source(t, "s.yaml", "name: X\npolicy: retry")
	for at, want := range map[string][2]string{"client": {"retry", "none"}, "hops": {"none", "retry"}, "all": {"retry", "retry"}} {
		c := compose(t, experiments.Parts{Model: source(t, "m.yaml", small+"strategy_at: "+at), Strategy: strategy})
		got := [2]string{c.Spec.Clients[0].Call.Policy.Kind(), c.Spec.Services[0].Calls[0].Policy.Kind()}
		if got != want {
			t.Errorf("%s: client and hop have %v, want %v", at, got, want)
		}
	}
}

func TestSettingsBecomeFactors(t *testing.T) {
	set := []experiments.Setting{
		{"services[*].time", "{kind: constant, mean: 2ms}"},
		{"clients.client.call.policy.max_retries", "7"},
		{"topology.depth", "3"},
		{"services.S2.servers", "4"},
	}
	model := source(t, "m.yaml", "clients: [{call: {timeout: 1s}}]\ntopology: {kind: chain, service: {servers: 9}, call: {latency: 1ms}}")
	c := compose(t, experiments.Parts{Model: model, Strategy: load(t, experiments.LoadStrategy, "SR"), Set: set})
	if n := len(c.Spec.Services); n != 3 {
		t.Fatalf("%d services", n)
	}
	s := c.Spec.Services[1]
	if s.Servers != 4 || c.Spec.Services[2].Servers != 9 || s.Time.Mean != 2*time.Millisecond || s.Time.Kind != dist.Constant(0).Kind || s.Calls[0].Latency != time.Millisecond {
		t.Errorf("got %+v", s)
	}
	if got := c.Spec.Clients[0].Call.Policy.(policy.Retry).MaxRetries; got != 7 {
		t.Errorf("max_retries %d", got)
	}
	if c.Spec.Clients[0].Call.To != "S1" {
		t.Errorf("the client enters at %q", c.Spec.Clients[0].Call.To)
	}
	want := "m/model/SR/clients.client.call.policy.max_retries=7,services.S2.servers=4,services[*].time={kind:constant,mean:2ms},topology.depth=3"
	if c.ID() != want {
		t.Errorf("id %s", c.ID())
	}
}

// Strategies face the same world; anything that changes the world changes its key.
func TestEnvironment(t *testing.T) {
	base := experiments.Parts{Model: source(t, "m.yaml", small)}
	env := func(change func(*experiments.Parts)) uint64 {
		p := base
		change(&p)
		return compose(t, p).Environment
	}
	set := func(path, value string) func(*experiments.Parts) {
		return func(p *experiments.Parts) { p.Set = []experiments.Setting{{path, value}} }
	}
	same := env(func(*experiments.Parts) {})
	for name, change := range map[string]func(*experiments.Parts){
		"strategy":  func(p *experiments.Parts) { p.Strategy = load(t, experiments.LoadStrategy, "ARB") },
		"hop":       set("services.A.calls.B.policy", "retry"),
		"signal":    set("services.B.signal.cpu", "0.5"),
		"name":      set("name", "other"),
		"window":    set("window", "500ms"),
		"a default": set("services.B.servers", "1"),
	} {
		if env(change) != same {
			t.Errorf("%s changes the environment", name)
		}
	}
	for name, change := range map[string]func(*experiments.Parts){
		"servers":  set("services.B.servers", "3"),
		"rate":     set("clients.client.arrivals.rate", "51"),
		"timeout":  set("clients.client.call.timeout", "1s"),
		"scenario": func(p *experiments.Parts) { p.Scenario = source(t, "f.yaml", "faults: [{services: [B], p: 0.5}]") },
	} {
		if env(change) == same {
			t.Errorf("%s does not change the environment", name)
		}
	}
}

// problemsOf composes and expects mistakes.
func problemsOf(t *testing.T, p experiments.Parts) string {
	t.Helper()
	_, err := experiments.Compose(p)
	var problems yamldoc.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got %v, want problems", err)
	}
	return problems.Error()
}
