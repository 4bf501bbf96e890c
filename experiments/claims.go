package experiments

import "slices"

// group is a part of the claims' set: all its models, scenarios and strategies with each other.
type group struct {
	experiment string // name of the experiment; empty is the model's
	models     []string
	scenarios  []string
	strategies []string
	set        []Setting
	trials     int // per cell, at most
	windows    int // trials whose windows are recorded; negative is none
}

// How much of the claims' set is run. A comparison of the paper gets as many trials as the paper gave it; what
// only varies one of them gets fewer, since common random numbers make its differences sharp.
const (
	allTrials   = 100
	someTrials  = 25
	lensWindows = 5
	noWindows   = -1
	quickTrials = 8
)

var (
	paperScenarios  = []string{"S1", "S2", "S3"}
	sharedScenarios = []string{"S1-shared", "S2-shared", "S3-shared"}
	steadyScenarios = []string{"P1", "P2-low", "P2-high", "P3"}
	programStrategy = []string{"NR", "SR", "CB", "ARB"}
	textStrategies  = []string{"NR", "SR-text", "CB-text", "ARB-text"}
	textBudgets     = []string{"B10-text", "B20-text"}
	relayAll        = []Setting{{"services[*].signal.relay_hops", "4"}}
)

// claimsGroups is what the ledger of claims rests on besides the paper's own cells.
func claimsGroups() []group {
	groups := []group{
		{"reference-budgets", []string{"reference"}, paperScenarios, []string{"B10", "B20"}, nil, allTrials, lensWindows},
		{"", []string{"reference-25"}, paperScenarios, programStrategy, nil, allTrials, noWindows},
		{"", []string{"reference-25"}, paperScenarios, []string{"B10", "B20"}, nil, someTrials, noWindows},
		{"", []string{"reference-hop"}, paperScenarios, programStrategy, nil, allTrials, noWindows},
		{"", []string{"reference-3"}, paperScenarios, []string{"NR", "SR-3", "CB-3", "ARB-3"}, nil, allTrials, noWindows},
		{"", []string{"text-released"}, paperScenarios, textStrategies, nil, allTrials, lensWindows},
		{"", []string{"text-released"}, paperScenarios, textBudgets, nil, someTrials, lensWindows},
		{"", []string{"text-released"}, paperScenarios, []string{"ARB-text"}, relayAll, someTrials, noWindows},
		{"", []string{"text-held"}, paperScenarios, textStrategies, nil, allTrials, noWindows},
		{"", []string{"text-held"}, paperScenarios, []string{"ARB-text"}, relayAll, someTrials, noWindows},
		{"", []string{"text-released", "text-held"}, sharedScenarios, textStrategies, nil, someTrials, noWindows},
		{"", []string{"transient"}, []string{"T1", "T5", "blips"}, []string{"ARB-text"}, nil, someTrials, lensWindows},
		{"", []string{"transient"}, []string{"T1", "T5", "blips"}, []string{"NR", "SR-text", "CB-text", "ARB", "B10-text", "B20-text"}, nil, someTrials, noWindows},
		{"", []string{"text-free"}, steadyScenarios, []string{"NR", "SR-text"}, nil, someTrials, noWindows},
		{"", []string{"text-released"}, steadyScenarios, []string{"NR", "SR-text"}, []Setting{{"duration", "20s"}}, someTrials, noWindows},
	}
	for _, room := range []string{"50", "1000"} {
		groups = append(groups, group{"", []string{"text-released"}, paperScenarios, textStrategies,
			[]Setting{{"services[*].limit.max", room}}, someTrials, noWindows})
	}
	for _, room := range []string{"100", "1000"} {
		for _, timeout := range []string{"0.5s", "1s", "2s"} {
			groups = append(groups, group{"", []string{"reference-25"}, []string{"S3"}, []string{"NR", "SR-text"},
				[]Setting{{"clients.client.call.timeout", timeout}, {"services[*].limit.max", room}}, someTrials, noWindows})
		}
	}
	return groups
}

// AddClaims adds the cells that the ledger of claims needs: other models of the same paper beside the
// reference, static budgets, what shows each claim's cause by itself.
func (s *Set) AddClaims() error {
	for _, g := range claimsGroups() {
		before := len(s.Cells)
		if err := s.Add(g.models, g.scenarios, g.strategies, g.set); err != nil {
			return err
		}
		for _, c := range s.Cells[before:] {
			c.MaxTrials, c.MaxWindows, c.MaxDetails = g.trials, g.windows, someTrials
			if g.experiment != "" {
				c.Experiment = g.experiment
			}
		}
	}
	s.Files = distinct(s.Files)
	return nil
}

// Quick cuts the trials of the cells that AddClaims added, for a look that takes seconds.
func (s *Set) Quick() {
	for _, c := range s.Cells {
		if c.MaxTrials > 0 {
			c.MaxTrials = min(c.MaxTrials, quickTrials)
		}
	}
}

// distinct keeps the first of the sources of each file.
func distinct(files []*Source) []*Source {
	seen := map[string]bool{}
	return slices.DeleteFunc(files, func(f *Source) bool {
		twice := seen[f.File]
		seen[f.File] = true
		return twice
	})
}
