package queueing_test

import (
	"math"
	"strings"
	"testing"

	"retrylab/analysis/queueing"
)

// Published cases: chains whose attempts and success are known.
func TestKnownChains(t *testing.T) {
	var cases []struct {
		ID             string
		OwnFailure     []float64 `json:"own_failure"`
		EdgeMaxRetries []int     `json:"edge_max_retries"`
		LeafAttempts   float64   `json:"leaf_attempts"`
		RAF            []float64
		Success        float64
		SuccessNoRetry *float64 `json:"success_no_retry"`
		Tolerance      float64
	}
	readJSON(t, "testdata/cases.json", &cases)
	if len(cases) != 12 {
		t.Fatalf("expected 12 cases, got %d", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			got, err := queueing.Chain(c.OwnFailure, c.EdgeMaxRetries, 0).Solve()
			if err != nil {
				t.Fatal(err)
			}
			near(t, "success", got.Success, c.Success, c.Tolerance)
			if c.SuccessNoRetry != nil {
				near(t, "success without retries", got.SuccessNoRetry, *c.SuccessNoRetry, c.Tolerance)
			}
			if c.LeafAttempts > 0 {
				near(t, "leaf attempts", got.Services[len(c.OwnFailure)-1].Attempts, c.LeafAttempts, c.Tolerance)
			}
			for i, want := range c.RAF {
				near(t, "RAF", got.Services[i].RAF, want, c.Tolerance)
			}
		})
	}
}

// The client's retries act as one more edge.
func TestClientRetriesAreAnEdge(t *testing.T) {
	inner, err := queueing.Chain([]float64{0, 0.2, 0.4}, []int{2, 1}, 0).Solve()
	if err != nil {
		t.Fatal(err)
	}
	outer, err := queueing.Chain([]float64{0.2, 0.4}, []int{1}, 2).Solve()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "success", outer.Success, inner.Success, 1e-15)
	near(t, "first tier", outer.Services[0].Attempts, inner.Services[1].Attempts, 1e-15)
	near(t, "second tier", outer.Services[1].Attempts, inner.Services[2].Attempts, 1e-15)
	near(t, "client attempts", outer.ClientAttempts, outer.Services[0].Attempts, 0)
	near(t, "client attempts without client retries", inner.ClientAttempts, 1, 0)
}

// A service that is never reached has no RAF, rather than 0 or 1.
func TestUnreachedServiceHasNoRAF(t *testing.T) {
	got, err := queueing.Chain([]float64{1, 0}, []int{3}, 0).Solve()
	if err != nil {
		t.Fatal(err)
	}
	if raf := got.Services[1].RAF; !math.IsNaN(raf) {
		t.Errorf("RAF of a service nobody reaches: got %v, want NaN", raf)
	}
	near(t, "success", got.Success, 0, 0)
}

func TestGraphErrorsAllAtOnce(t *testing.T) {
	graph := queueing.Graph{
		Services: []queueing.Service{
			{Failure: 1.5, Mode: 7, Calls: []queueing.Call{{Callee: 9, MaxRetries: -1, Probability: -0.1}}},
		},
		Entries: []queueing.Entry{{Service: -1, MaxRetries: -2, Share: 0.5}},
	}
	_, err := graph.Solve()
	if err == nil {
		t.Fatal("expected errors")
	}
	for _, path := range []string{
		"services[0].failure", "services[0].mode", "services[0].calls[0].callee",
		"services[0].calls[0].max_retries", "services[0].calls[0].probability",
		"entries[0].service", "entries[0].max_retries", "entries: shares",
	} {
		if !strings.Contains(err.Error(), path) {
			t.Errorf("no error for %s in:\n%v", path, err)
		}
	}
}

func TestGraphNamesTheCycle(t *testing.T) {
	call := func(w int) []queueing.Call { return []queueing.Call{{Callee: w, Probability: 1}} }
	graph := queueing.Graph{
		Services: []queueing.Service{{Calls: call(1)}, {Calls: call(2)}, {Name: "db", Calls: call(1)}},
		Entries:  []queueing.Entry{{Share: 1}},
	}
	err := graph.Validate()
	want := "services[1] -> services[2] (db) -> services[1]"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
	if err := (queueing.Graph{}).Validate(); err == nil {
		t.Error("an empty graph has no entries and must be refused")
	}
	mustPanic(t, "chain of the wrong length", func() { queueing.Chain([]float64{0}, []int{1}, 0) })
}
