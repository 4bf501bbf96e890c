package policy_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"retrylab/policy"
)

// vector is one published or derived case of a mechanism: facts kept under
// testdata/vectors, each with where it comes from.
type vector struct {
	ID        string
	Mechanism string
	Source    struct{ Kind, Ref string }
	Params    map[string]any
	Note      string
	Tolerance float64
	Steps     []step
}

type step struct{ In, Expect any }

// in gives a number of the step's input.
func (s step) in(key string) float64 { return s.In.(map[string]any)[key].(float64) }

// has tells whether the step's input has that key.
func (s step) has(key string) bool {
	m, ok := s.In.(map[string]any)
	return ok && m[key] != nil
}

// want gives what is expected under that key, nil if nothing is.
func (s step) want(key string) any {
	m, _ := s.Expect.(map[string]any)
	return m[key]
}

func (v *vector) param(key string) float64 { return v.Params[key].(float64) }

// runVectors runs every vector of a file by its id; an id without a test and a
// test without an id both fail.
func runVectors(t *testing.T, file string, tests map[string]func(*testing.T, *vector)) {
	t.Helper()
	data, err := os.ReadFile("testdata/vectors/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var all []*vector
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		run := tests[v.ID]
		if run == nil {
			t.Errorf("no test for vector %s", v.ID)
			continue
		}
		t.Run(v.ID, func(t *testing.T) { run(t, v) })
	}
	for id := range tests {
		if !slices.ContainsFunc(all, func(v *vector) bool { return v.ID == id }) {
			t.Errorf("no vector for test %s", id)
		}
	}
}

// mustNew makes a policy of a spec that must be right.
func mustNew(t testing.TB, s policy.Spec) policy.Policy {
	t.Helper()
	if p := s.Problems(); len(p) > 0 {
		t.Fatalf("%s: %v", s.Kind(), p)
	}
	return s.New()
}

// end tells a policy that attempt 1 ended.
func end(p policy.Policy, now time.Duration, o policy.Outcome) {
	p.AttemptEnd(int64(now), &policy.Attempt{Number: 1, Outcome: o})
}

// ask asks for a retry of attempt 1.
func ask(p policy.Policy, now time.Duration, u policy.Draws) policy.Decision {
	return p.Retry(int64(now), &policy.Attempt{Number: 1, Outcome: policy.Failed}, u)
}

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
