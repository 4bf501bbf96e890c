package queueing_test

import (
	"math"
	"testing"

	"retrylab/analysis/queueing"
)

type equationRow struct {
	P, Value, Tolerance float64
	N, D                int
}

// Every value that the paper prints or implies for eq. 2, eq. 3 and Table II.
func TestPaperEquations(t *testing.T) {
	var facts struct {
		RAFSingle []equationRow `json:"raf_single"`
		RAFChain  []equationRow `json:"raf_chain"`
	}
	readJSON(t, "testdata/equations.json", &facts)
	for _, row := range facts.RAFSingle {
		near(t, "eq. 2", queueing.RAFSingle(row.P, row.N), row.Value, row.Tolerance)
	}
	for _, row := range facts.RAFChain {
		near(t, "eq. 3", queueing.RAFChain(row.P, row.N, row.D), row.Value, row.Tolerance)
	}
	if len(facts.RAFSingle) != 1 || len(facts.RAFChain) != 11 {
		t.Fatalf("testdata/equations.json was not read whole: %+v", facts)
	}
}

func TestRAFNestedLeaf(t *testing.T) {
	near(t, "introduction of the paper", queueing.RAFNestedLeaf(0.5, 3, 2), 1.99609375, 1e-15)
	near(t, "always failing", queueing.RAFNestedLeaf(1, 3, 2), 9, 0)
	near(t, "never failing", queueing.RAFNestedLeaf(0, 3, 2), 1, 0)
	near(t, "no edge", queueing.RAFNestedLeaf(0.5, 3, 0), 1, 0)
	for edges := range 12 {
		for _, p := range []float64{0.1, 0.5, 0.9, 0.99} {
			if got := queueing.RAFNestedLeaf(p, 4, edges); got > (1+1e-12)/(1-p) {
				t.Errorf("p=%v, %d edges: %v exceeds 1/(1-p)", p, edges, got)
			}
		}
	}
}

func exactLeaf(t *testing.T, failure []float64, retries []int) queueing.ServiceAmplification {
	t.Helper()
	solved, err := queueing.Chain(failure, retries, 0).Solve()
	if err != nil {
		t.Fatal(err)
	}
	return solved.Services[len(solved.Services)-1]
}

// Eq. 3 is called a bound. With failures at the leaf alone the truth is below
// it, by as much as one likes: that it is not the value.
func TestEquation3IsNotTheValue(t *testing.T) {
	for depth := 2; depth <= 6; depth++ {
		failure, retries := make([]float64, depth+1), make([]int, depth)
		failure[depth] = 0.5
		for i := range retries {
			retries[i] = 3
		}
		exact := exactLeaf(t, failure, retries).RAF
		relative(t, "nested leaf", exact, queueing.RAFNestedLeaf(0.5, 4, depth), 1e-12)
		if claimed := queueing.RAFChain(0.5, 3, depth); claimed < 1.7*exact {
			t.Errorf("depth %d: eq. 3 gives %v, exact is %v: expected far less", depth, claimed, exact)
		}
	}
}

// With failures at several tiers the truth exceeds it: that it is not a bound.
// The upper edges see what failed below, so they retry more often than p.
func TestEquation3IsNotABound(t *testing.T) {
	exceeded := 0
	for _, p := range []float64{0.1, 0.3, 0.5, 0.6, 0.7, 0.9} {
		for depth := 2; depth <= 4; depth++ {
			failure, retries := make([]float64, depth+1), make([]int, depth)
			for i := range retries {
				failure[i+1], retries[i] = p, 3
			}
			leaf, claimed := exactLeaf(t, failure, retries), queueing.RAFChain(p, 3, depth)
			if leaf.RAF > claimed {
				exceeded++
			} else {
				t.Errorf("p=%v depth=%d: exact %v does not exceed eq. 3's %v", p, depth, leaf.RAF, claimed)
			}
			// The other denominator, so that nobody confuses the two.
			if leaf.Attempts >= claimed {
				t.Errorf("p=%v depth=%d: %v attempts per request, expected less than %v", p, depth, leaf.Attempts, claimed)
			}
		}
	}
	if exceeded != 18 {
		t.Errorf("%d of 18 cases exceeded eq. 3", exceeded)
	}
}

// Two failing tiers below a client, one retry each, p = 1/2, by hand: the lower
// call fails with 1/4; an attempt above fails with 1 - 1/2 x 3/4 = 5/8, so it
// is made 13/8 times; half of these reach the lower tier, 3/2 attempts each:
// 39/32. Without retries the lower tier gets 1/2, so RAF = 39/16 > (3/2)^2.
func TestEquation3ExceededByHand(t *testing.T) {
	leaf := exactLeaf(t, []float64{0, 0.5, 0.5}, []int{1, 1})
	near(t, "attempts", leaf.Attempts, 39.0/32, 1e-15)
	near(t, "RAF", leaf.RAF, 39.0/16, 1e-15)
	near(t, "eq. 3", queueing.RAFChain(0.5, 1, 2), 9.0/4, 1e-15)
	if math.IsNaN(leaf.RAF) || leaf.RAF <= queueing.RAFChain(0.5, 1, 2) {
		t.Errorf("RAF %v should exceed eq. 3", leaf.RAF)
	}
}
