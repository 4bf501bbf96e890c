package queueing_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"retrylab/analysis/queueing"
)

// tape plays one request out coin by coin and remembers the coins, so that the
// next play can change the last one: a depth-first walk over every outcome.
// It shares nothing with the recursion but the meaning of the model.
type tape struct {
	coins  []bool
	at     int
	weight float64
	counts []float64
}

func (t *tape) flip(p float64) bool {
	if p <= 0 || p >= 1 { // no branch: keeps the tree small
		return p >= 1
	}
	if t.at == len(t.coins) {
		t.coins = append(t.coins, true)
	}
	head := t.coins[t.at]
	t.at++
	if head {
		t.weight *= p
	} else {
		t.weight *= 1 - p
	}
	return head
}

// next turns to the following branch; false after the last.
func (t *tape) next() bool {
	for n := len(t.coins) - 1; n >= 0; n-- {
		if t.coins[n] {
			t.coins = t.coins[:n+1]
			t.coins[n] = false
			return true
		}
	}
	return false
}

func (t *tape) call(g queueing.Graph, callee, maxRetries int) bool {
	for attempt := 1; attempt <= maxRetries+1; attempt++ {
		if t.attempt(g, callee) {
			return true
		}
	}
	return false
}

func (t *tape) attempt(g queueing.Graph, v int) bool {
	t.counts[v]++
	s := g.Services[v]
	if t.flip(s.Failure) {
		return false
	}
	ok := true
	for _, c := range s.Calls {
		if s.Mode == queueing.Sequential && !ok {
			break
		}
		if t.flip(c.Probability) && !t.call(g, c.Callee, c.MaxRetries) {
			ok = false
		}
	}
	return ok
}

// enumerate walks the whole tree; false when it has more than maxOutcomes.
func enumerate(g queueing.Graph, maxOutcomes int) (attempts []float64, success float64, complete bool) {
	attempts = make([]float64, len(g.Services))
	for _, e := range g.Entries {
		t := &tape{}
		for more := true; more; more = t.next() {
			if maxOutcomes--; maxOutcomes < 0 {
				return nil, 0, false
			}
			t.at, t.weight, t.counts = 0, e.Share, make([]float64, len(g.Services))
			if t.call(g, e.Service, e.MaxRetries) {
				success += t.weight
			}
			for v, n := range t.counts {
				attempts[v] += t.weight * n
			}
		}
	}
	return attempts, success, true
}

func compareWithEnumeration(t *testing.T, name string, g queueing.Graph, maxOutcomes int) bool {
	t.Helper()
	attempts, success, complete := enumerate(g, maxOutcomes)
	if !complete {
		return false
	}
	got, err := g.Solve()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	near(t, name+": success", got.Success, success, 1e-11)
	for v := range attempts {
		relative(t, fmt.Sprintf("%s: attempts at %d", name, v), got.Services[v].Attempts, attempts[v], 1e-11)
	}
	return true
}

func TestExactAgainstEnumerationOfDiamond(t *testing.T) {
	diamond := func(mode queueing.Mode) queueing.Graph {
		return queueing.Graph{
			Services: []queueing.Service{
				{Failure: 0.1, Mode: mode, Calls: []queueing.Call{
					{Callee: 1, MaxRetries: 1, Probability: 1}, {Callee: 2, MaxRetries: 0, Probability: 0.7}}},
				{Failure: 0.3, Calls: []queueing.Call{{Callee: 3, MaxRetries: 1, Probability: 1}}},
				{Failure: 0.2, Calls: []queueing.Call{{Callee: 3, MaxRetries: 2, Probability: 1}}},
				{Failure: 0.4},
			},
			Entries: []queueing.Entry{{Service: 0, MaxRetries: 1, Share: 0.75}, {Service: 2, MaxRetries: 2, Share: 0.25}},
		}
	}
	for _, mode := range []queueing.Mode{queueing.Sequential, queueing.Parallel} {
		if !compareWithEnumeration(t, fmt.Sprintf("diamond, mode %d", mode), diamond(mode), 2_000_000) {
			t.Fatalf("the diamond of mode %d has too many outcomes to enumerate", mode)
		}
	}
}

// Random graphs: every feature mixed. Those too large to enumerate are drawn
// again; most are not.
func TestExactAgainstEnumerationOfRandomGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(20260826, 3))
	compared := 0
	for try := 0; compared < 300 && try < 3000; try++ {
		if compareWithEnumeration(t, fmt.Sprintf("random graph %d", try), randomGraph(random), 20_000) {
			compared++
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	if compared < 300 {
		t.Fatalf("only %d random graphs were small enough", compared)
	}
}

func randomGraph(random *rand.Rand) queueing.Graph {
	coin := func() float64 { return []float64{0, 0.1, 0.5, random.Float64(), 1}[random.IntN(5)] }
	n := 1 + random.IntN(5)
	g := queueing.Graph{Services: make([]queueing.Service, n)}
	for v := range g.Services {
		s := &g.Services[v]
		s.Failure, s.Mode = coin(), queueing.Mode(random.IntN(2))
		if s.Failure == 1 && random.IntN(3) > 0 {
			s.Failure = 0.25
		}
		for range random.IntN(3) {
			if v+1 < n {
				s.Calls = append(s.Calls, queueing.Call{
					Callee: v + 1 + random.IntN(n-v-1), MaxRetries: random.IntN(3), Probability: 1 - coin()/2})
			}
		}
	}
	// Indices need not be in calling order: reverse half of the graphs.
	if random.IntN(2) == 0 {
		g = reversed(g)
	}
	share := random.Float64()
	g.Entries = []queueing.Entry{
		{Service: random.IntN(n), MaxRetries: random.IntN(3), Share: share},
		{Service: random.IntN(n), MaxRetries: random.IntN(2), Share: 1 - share},
	}
	return g
}

func reversed(g queueing.Graph) queueing.Graph {
	n := len(g.Services)
	turned := queueing.Graph{Services: make([]queueing.Service, n)}
	for v, s := range g.Services {
		for i := range s.Calls {
			s.Calls[i].Callee = n - 1 - s.Calls[i].Callee
		}
		turned.Services[n-1-v] = s
	}
	return turned
}
