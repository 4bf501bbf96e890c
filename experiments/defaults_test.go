package experiments

import (
	"os"
	"testing"

	"retrylab/engine"
)

// Hashes and published draws leave defaults out (docs/adr/0011-cells.md), so a default must not change
// unnoticed. A new field may be added to the golden file; a changed line needs a decision.
func TestDefaultsAreFrozen(t *testing.T) {
	m := engine.DefaultModel()
	c := engine.DefaultClient()
	c.Arrivals.Steps = []engine.RateStep{{}}
	s := engine.DefaultService()
	s.Calls = []engine.Call{engine.DefaultCall()}
	m.Clients, m.Services, m.Faults = []engine.Client{c}, []engine.Service{s}, []engine.Fault{engine.DefaultFault()}
	got := fileTypes.EncodeAll(m).YAML()
	want, err := os.ReadFile("testdata/defaults.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The published experiment's keys: if these change, so do all published rows.
func TestPaperKeysAreFrozen(t *testing.T) {
	s, err := Paper()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]uint64{"S1": 6788496833421085335, "S2": 1646938503267240471, "S3": 15063254070986724973}
	for _, c := range s.Cells {
		if c.Environment != want[c.Scenario] {
			t.Errorf("%s: environment %d, want %d", c.ID(), c.Environment, want[c.Scenario])
		}
	}
	if len(s.Cells) != 12 || s.Trials != 100 || s.Seed != PaperSeed {
		t.Errorf("%d cells, %d trials, seed %d", len(s.Cells), s.Trials, s.Seed)
	}
}
