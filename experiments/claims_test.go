package experiments_test

import (
	"context"
	"slices"
	"testing"

	"retrylab/experiments"
)

// claims is the paper's set with the cells of the ledger.
func claims(t *testing.T) *experiments.Set {
	t.Helper()
	s, err := experiments.Paper()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddClaims(); err != nil {
		t.Fatal(err)
	}
	return s
}

// The cells of a comparison must face the same requests, or its differences are not the strategies' doing;
// and ids must not repeat, since rows are found by them.
func TestClaimsCellsAreComparable(t *testing.T) {
	environments := map[string]uint64{}
	seen := map[string]bool{}
	for _, c := range claims(t).Cells {
		id := c.Experiment + " " + c.ID()
		if seen[id] {
			t.Errorf("two cells %s", id)
		}
		seen[id] = true
		if len(c.Factors) > 0 && c.Strategy == "ARB-text" {
			continue // the relay of signals is a factor, and no part of the environment
		}
		key := c.Model + "/" + c.Scenario
		for _, f := range c.Factors {
			key += "/" + f.String()
		}
		if e, ok := environments[key]; ok && e != c.Environment {
			t.Errorf("%s: environment %d, other strategies have %d", id, c.Environment, e)
		}
		environments[key] = c.Environment
	}
	if environments["reference/S1"] != environments["reference-3/S1"] {
		t.Error("reference and reference-3 are the same system and must face the same requests")
	}
	if environments["reference/S1"] == environments["reference-25/S1"] {
		t.Error("another number of workers must be another environment")
	}
}

func TestClaimsLeaveThePapersCellsAlone(t *testing.T) {
	paper, err := experiments.Paper()
	if err != nil {
		t.Fatal(err)
	}
	all := claims(t)
	for i, c := range paper.Cells {
		if got := all.Cells[i]; got.ID() != c.ID() || got.SHA256 != c.SHA256 || got.MaxTrials != 0 {
			t.Errorf("cell %d is %s with at most %d trials, want %s with all", i, got.ID(), got.MaxTrials, c.ID())
		}
	}
}

// A cell with fewer trials has them in table cells, in table trials, and in the parts of a sharded run.
func TestCellsWithFewerTrials(t *testing.T) {
	s := &experiments.Set{Name: "few", Trials: 5, Seed: 3}
	if err := s.Add([]string{"text-free"}, []string{"P1"}, []string{"NR", "SR-text"}, nil); err != nil {
		t.Fatal(err)
	}
	s.Cells[1].MaxTrials, s.Cells[1].MaxWindows, s.Cells[1].MaxDetails = 2, -1, 1
	var got []int64
	for i := 1; i <= 3; i++ {
		r := experiments.Runner{Seed: 3, Trials: 5, Windows: 5, Shard: experiments.Shard{Index: i, Count: 3}}
		most := 0
		r.Progress = func(_, total int) { most = total }
		rows := 0
		err := r.Run(context.Background(), s.Cells, func(rs *experiments.Rows) error {
			rows++
			if rs.Cell == s.Cells[1] {
				got = append(got, rs.Trial.Trial)
			}
			if details := len(rs.Services) > 0 && len(rs.Edges) > 0; details != (rs.Cell == s.Cells[0] || rs.Trial.Trial == 0) {
				t.Errorf("%s trial %d: services and edges recorded: %t", rs.Trial.Cell, rs.Trial.Trial, details)
			}
			if hasWindows := len(rs.Windows) > 0; hasWindows != (rs.Cell == s.Cells[0]) {
				t.Errorf("%s trial %d: windows recorded: %t", rs.Trial.Cell, rs.Trial.Trial, hasWindows)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if rows > 0 && rows != most {
			t.Errorf("shard %d: %d trials, the progress says %d", i, rows, most)
		}
	}
	if !slices.Equal(got, []int64{0, 1}) {
		t.Errorf("trials %v of the cell with at most 2, want 0 and 1", got)
	}
}
