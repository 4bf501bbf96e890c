package policy_test

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"retrylab/policy"
)

// TestBackoffUnderContention is case aws-backoff-occ: a hundred clients each want to write one row
// under optimistic concurrency control once, over a network of N(10, 2) ms a way. A conflict backs off and
// reads again. The simulation is of its own because the failures depend on what others do; the backoff
// is ours. Published there: mean calls, and mean time until the last client is done.
func TestBackoffUnderContention(t *testing.T) {
	exponential := policy.Backoff{Kind: "exponential", Base: 10 * time.Millisecond, Multiplier: 2, Cap: 2 * time.Second, Jitter: "none"}
	jittered := func(kind string) policy.Backoff {
		b := exponential
		b.Jitter = kind
		return b
	}
	decorrelated := jittered("decorrelated")
	decorrelated.Base = 5 * time.Millisecond
	for _, c := range []struct {
		name      string
		backoff   policy.Backoff
		calls, ms float64
	}{
		{"none", policy.Backoff{Kind: "none"}, 2418, 2029},
		{"exponential", exponential, 1862, 63779},
		{"equal", jittered("equal"), 813, 6671},
		{"full", jittered("full"), 797, 5004},
		{"decorrelated", decorrelated, 1008, 4498},
	} {
		const trials = 100
		calls, ms := 0.0, 0.0
		for trial := range trials {
			n, end := contend(c.backoff, 100, rand.New(rand.NewPCG(1, uint64(trial))))
			calls += float64(n) / trials
			ms += float64(end) / 1e6 / trials
		}
		if math.Abs(calls/c.calls-1) > 0.05 || math.Abs(ms/c.ms-1) > 0.10 {
			t.Errorf("%s: %.0f calls in %.0f ms, published %.0f in %.0f", c.name, calls, ms, c.calls, c.ms)
		}
	}
}

// move is what a client does next: its read or its write arrives at the row, or the answer to either at it.
type move struct {
	at, prev int64
	kind     int // 0 read arrives, 1 version arrives, 2 write arrives, 3 refusal arrives
	version  int
	tries    int
}

type moves []move

func (s moves) Len() int           { return len(s) }
func (s moves) Less(i, j int) bool { return s[i].at < s[j].at }
func (s moves) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *moves) Push(x any)        { *s = append(*s, x.(move)) }
func (s *moves) Pop() any          { last := len(*s) - 1; x := (*s)[last]; *s = (*s)[:last]; return x }

// contend gives the number of writes tried, and when the last client was done.
func contend(b policy.Backoff, clients int, r *rand.Rand) (calls int, end int64) {
	network := func() int64 { return int64(math.Max(0, r.NormFloat64()*2e6+10e6)) }
	var pending moves
	for range clients {
		heap.Push(&pending, move{at: network()})
	}
	for version := 0; len(pending) > 0; {
		s := heap.Pop(&pending).(move)
		switch s.kind {
		case 0:
			s.version = version
		case 2:
			calls++
			if s.version == version {
				version++
				end = max(end, s.at+network())
				continue
			}
		case 3:
			s.tries++
			s.prev = b.Delay(s.tries, s.prev, r.Float64())
			s.at += s.prev
		}
		s.kind = (s.kind + 1) % 4
		s.at += network()
		heap.Push(&pending, s)
	}
	return calls, end
}
