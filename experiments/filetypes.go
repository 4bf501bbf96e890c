package experiments

import (
	"retrylab/engine"
	"retrylab/internal/yamldoc"
	"retrylab/policy"
)

// modelFile is what a model file may hold: the model's fields, and some that are resolved
// before the model is complete.
type modelFile struct {
	engine.Model `yaml:",inline"`
	// About says in one line what the model is; for people.
	About string `yaml:"about"`
	// StrategyAt says where a strategy's policy is put: client (the clients' calls), hops
	// (the services' calls) or all. Default client.
	StrategyAt string `yaml:"strategy_at"`
	// Topology writes the services by a rule; instead of services.
	Topology *Topology `yaml:"topology"`
	// Set changes single fields, by path, after the topology is written out.
	Set *yamldoc.Node `yaml:"set"`
}

// scenarioFile is a scenario: faults that are added to a model's own.
type scenarioFile struct {
	Name   string         `yaml:"name"`
	About  string         `yaml:"about"`
	Faults []engine.Fault `yaml:"faults"`
}

// strategyFile is a strategy: one policy, put where the model says.
type strategyFile struct {
	Name   string      `yaml:"name"`
	About  string      `yaml:"about"`
	Policy policy.Spec `yaml:"policy"`
}

func defaultModelFile() modelFile {
	return modelFile{Model: engine.DefaultModel(), StrategyAt: atClient}
}

// fileTypes knows how model files are written: the engine's defaults and the catalog of policies.
var fileTypes = newFileTypes()

func newFileTypes() *yamldoc.Types {
	t := yamldoc.NewTypes()
	t.Default(defaultModelFile())
	t.Default(engine.DefaultModel())
	t.Default(engine.DefaultClient())
	t.Default(engine.DefaultService())
	t.Default(engine.DefaultCall())
	t.Default(engine.DefaultFault())
	t.Default(DefaultTopology())
	var kinds []string
	var defaults []policy.Spec
	for _, e := range policy.Catalog() {
		kinds = append(kinds, e.Kind)
		defaults = append(defaults, e.Default)
	}
	yamldoc.Union(t, "policy", kinds, defaults, policy.Spec.Kind)
	return t
}

// PolicyYAML writes a policy with the fields that differ from the catalog's default, or with all.
func PolicyYAML(s policy.Spec, all bool) string {
	encode := fileTypes.Encode
	if all {
		encode = fileTypes.EncodeAll
	}
	return string(encode(strategyFile{Policy: s}).Get("policy").YAML())
}

// ModelYAML writes a model as a file that runs alone. Fields at their defaults are left out.
func ModelYAML(m *engine.Model) []byte { return fileTypes.Encode(*m).YAML() }

// Field reads a field of a model by path, e.g. services.API.servers.
func Field(m *engine.Model, path string) (any, error) { return yamldoc.Get(m, path) }
