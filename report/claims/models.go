package claims

import "strings"

// Model is a model of the same paper, with the strategies that fit it.
type Model struct {
	// Name is the experiment's.
	Name string
	// About says in a few words what it is.
	About string
	// Strategies are its names for NR, SR, CB and ARB, in this order.
	Strategies [4]string
	// Hops says that services retry their downstream calls, and not the client.
	Hops bool
}

// Strategies are the paper's, in its order.
var Strategies = [4]string{"NR", "SR", "CB", "ARB"}

// Scenarios are the paper's.
var Scenarios = [3]string{"S1", "S2", "S3"}

var textNames = [4]string{"NR", "SR-text", "CB-text", "ARB-text"}

// Models are the models of the paper that are set side by side.
var Models = []Model{
	{"reference", "the authors' program: entry loaded to 125%, the client retries twice", Strategies, false},
	{"reference-3", "the same with three retries", [4]string{"NR", "SR-3", "CB-3", "ARB-3"}, false},
	{"reference-25", "the same with 25 workers: entry loaded to 50%", Strategies, false},
	{"reference-hop", "the authors' chain, every service retries, the client does not", Strategies, true},
	{"text-released", "the text: 50% load, every service retries, workers released while waiting", textNames, true},
	{"text-held", "the text: 50% load, every service retries, workers held while waiting", textNames, true},
}

// Key is a cell of the model; scenario and strategy as the paper names them. The NR of a strategy that is
// not among the paper's four is that name itself.
func (m Model) Key(strategy, scenario string) Key {
	for i, s := range Strategies {
		if s == strategy {
			strategy = m.Strategies[i]
			break
		}
	}
	return Key{Experiment: m.Name, Scenario: scenario, Strategy: strategy}
}

// model finds a model by name.
func model(name string) Model {
	for _, m := range Models {
		if m.Name == name {
			return m
		}
	}
	panic("claims: no model " + name)
}

// decides says whether a strategy decides about the retries of an edge.
func decides(experiment, edge string) bool {
	hops := experiment == "reference-hop" || strings.HasPrefix(experiment, "text-") || experiment == "transient"
	return strings.HasPrefix(edge, "client>") != hops
}
