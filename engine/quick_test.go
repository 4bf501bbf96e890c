package engine

import (
	"fmt"
	"testing"
	"time"

	"retrylab/engine/dist"
	"retrylab/policy"
)

func refModel(client policy.Spec, faults []Fault, workers int) *Model {
	m := DefaultModel()
	m.Duration = 55 * time.Second
	c := DefaultClient()
	c.Arrivals.FirstAtZero = true
	c.Call.To = "API"
	c.Call.Policy = client
	m.Clients = []Client{c}
	names := []string{"API", "Auth", "Catalog", "Inventory", "Database"}
	for i, n := range names {
		s := DefaultService()
		s.Name, s.Servers, s.Time = n, workers, dist.Uniform(4*time.Millisecond, 6*time.Millisecond)
		s.Limit = Limit{1000, "in_system"}
		s.Hold = Hold{true, true}
		if i < 4 {
			k := DefaultCall()
			k.To = names[i+1]
			s.Calls = []Call{k}
		}
		m.Services = append(m.Services, s)
	}
	m.Faults = faults
	return &m
}

func fl(p, pe float64, s ...string) Fault {
	f := DefaultFault()
	f.Services, f.From, f.To, f.P, f.PEnd = s, 5*time.Second, 25*time.Second, p, pe
	return f
}

func TestRef(t *testing.T) {
	sr := policy.Retry{MaxRetries: 2, Backoff: policy.Backoff{Kind: "exponential", Base: 200 * time.Millisecond, Multiplier: 2, Jitter: "one_sided", JitterFraction: .5}, RetryOn: policy.RetryOn{Failed: true}}
	for _, workers := range []int{10, 25} {
		for _, pol := range []policy.Spec{policy.None{}, sr} {
			for i, f := range [][]Fault{{fl(.5, 0, "Catalog")}, {fl(.1, .7, "Inventory", "Database")}, {fl(.6, 0, "Catalog", "Inventory", "Database")}} {
				p, probs := Compile(refModel(pol, f, workers))
				if probs != nil {
					t.Fatal(probs)
				}
				s := NewSim()
				sa, raf, sreq := 0., 0., 0.
				var ev int64
				const n = 10
				t0 := time.Now()
				for k := range n {
					y := s.Run(p, Key{1, 2, uint64(k)})
					e := y.Edges[0]
					sa += float64(e.Ended[0]) / float64(sum(e.Ended[:])) / n
					raf += float64(sum(e.Ended[:])) / float64(e.EndedFirst) / n
					sreq += float64(y.Clients[0].Ended[0]) / float64(y.Clients[0].Requests) / n
					ev += y.Events
				}
				fmt.Println(workers, pol.Kind(), i+1, sa*100, raf, sreq*100, ev, time.Since(t0).Nanoseconds()/ev)
			}
		}
	}
}
