package experiments

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"retrylab/engine"
	"retrylab/policy"
)

// Cell is one point of a design: a complete model, ready to run. It is read-only.
type Cell struct {
	Experiment string    // name of the experiment it belongs to; its model's unless a sweep says otherwise
	Model      string    // name of the model
	Scenario   string    // name of the scenario; "model" if the model file has it all
	Strategy   string    // name of the strategy; "model" if the model file's own policies stay
	Factors    []Setting // what was changed in the files, sorted by path
	Spec       engine.Model
	Program    *engine.Program
	// SHA256 is the hash of the composed model, in hexadecimal. It does not depend on how the files were
	// written, nor on fields that are at their defaults.
	SHA256 string
	// MaxTrials is the most trials of this cell; 0 is as many as the run has.
	MaxTrials int
	// MaxWindows is the most trials whose windows are recorded; 0 is as many as the run has, negative is none.
	MaxWindows int
	// MaxDetails is the most trials whose rows of tables services and edges are recorded; 0 is all.
	MaxDetails int
	// Environment is the key that cells share if they must face the same arrivals, service times and
	// faults: a hash of the model without its policies and signals.
	Environment uint64

	id string // if it was read from a row; otherwise made from the parts
}

// OwnParts stands for a scenario or strategy that the model file itself holds.
const OwnParts = "model"

func newCell(p Parts, m *engine.Model, program *engine.Program) *Cell {
	c := &Cell{Experiment: p.Model.Name, Model: p.Model.Name, Scenario: OwnParts, Strategy: OwnParts, Spec: *m, Program: program}
	if p.Scenario != nil {
		c.Scenario = p.Scenario.Name
	}
	if p.Strategy != nil {
		c.Strategy = p.Strategy.Name
	}
	c.Factors = slices.Clone(p.Set)
	slices.SortStableFunc(c.Factors, func(a, b Setting) int { return cmp.Compare(a.Path, b.Path) })
	sum := sha256.Sum256(fileTypes.Encode(*m).Canonical())
	c.SHA256 = hex.EncodeToString(sum[:])
	c.Environment = environment(m)
	return c
}

// ID is model/scenario/strategy, and the factors if there are any. It does not depend on the order of
// the cells or factors.
func (c *Cell) ID() string {
	if c.id != "" {
		return c.id
	}
	id := c.Model + "/" + c.Scenario + "/" + c.Strategy
	if len(c.Factors) > 0 {
		id += "/" + c.factors(",")
	}
	return id
}

func (c *Cell) factors(separator string) string {
	texts := make([]string, len(c.Factors))
	for i, f := range c.Factors {
		texts[i] = f.String()
	}
	return strings.Join(texts, separator)
}

// trials is the number of trials in a run of that many.
func (c *Cell) trials(run int) int {
	if c.MaxTrials > 0 {
		return min(c.MaxTrials, run)
	}
	return run
}

// windows is the number of trials with windows in a run that records that many.
func (c *Cell) windows(run int) int {
	switch {
	case c.MaxWindows < 0:
		return 0
	case c.MaxWindows > 0:
		return min(c.MaxWindows, run)
	}
	return run
}

// YAML is the composed model as a file that runs alone.
func (c *Cell) YAML() []byte { return ModelYAML(&c.Spec) }

// environment hashes what the world does to the requests: everything but what callers decide (policies),
// what services tell them (signals), and what is only observed (name, windows).
func environment(m *engine.Model) uint64 {
	e := *m
	e.Name, e.Window = "", 0
	e.Clients = slices.Clone(m.Clients)
	for i := range e.Clients {
		e.Clients[i].Call.Policy = policy.None{}
	}
	e.Services = slices.Clone(m.Services)
	for i := range e.Services {
		s := &e.Services[i]
		s.Signal = engine.DefaultService().Signal
		s.Calls = slices.Clone(s.Calls)
		for j := range s.Calls {
			s.Calls[j].Policy = policy.None{}
		}
	}
	sum := sha256.Sum256(fileTypes.Encode(e).Canonical())
	return binary.LittleEndian.Uint64(sum[:])
}
