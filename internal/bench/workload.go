package main

import (
	"fmt"
	"time"

	"retrylab/engine"
	"retrylab/engine/dist"
	"retrylab/policy"
)

// chains is the workload of ref.c: chains of five single-server tiers, exponential service at
// 1000/s, room for 100 waiting, Poisson arrivals at 500/s each; tier 3 fails half of its
// attempts and every hop retries three times.
func chains(n int, timeout, duration time.Duration) *engine.Program {
	m := engine.DefaultModel()
	m.Duration, m.Window = duration, 0
	for c := range n {
		client := engine.DefaultClient()
		client.Name = fmt.Sprintf("client%d", c)
		client.Call.To = fmt.Sprintf("tier%d.0", c)
		m.Clients = append(m.Clients, client)
		for tier := range 5 {
			s := engine.DefaultService()
			s.Name, s.Time = fmt.Sprintf("tier%d.%d", c, tier), dist.Exponential(time.Millisecond)
			s.Limit = engine.Limit{Max: 100, Counts: "waiting"}
			if tier == 2 {
				s.Failure = 0.5
			}
			if tier < 4 {
				call := engine.DefaultCall()
				call.To, call.Timeout = fmt.Sprintf("tier%d.%d", c, tier+1), timeout
				call.Policy = policy.DefaultRetry()
				s.Calls = []engine.Call{call}
			}
			m.Services = append(m.Services, s)
		}
	}
	p, problems := engine.Compile(&m)
	if problems != nil {
		panic(problems)
	}
	return p
}
