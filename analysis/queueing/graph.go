package queueing

import (
	"errors"
	"fmt"
	"strings"
)

// Mode says how a service makes its downstream calls.
type Mode int

const (
	// Sequential calls are made one after the other; the first one that fails,
	// all its retries included, ends the attempt as failed.
	Sequential Mode = iota
	// Parallel calls are all made; the attempt succeeds if every one does.
	Parallel
)

// Call is an edge of a [Graph].
type Call struct {
	// Callee is the index of the called service in Graph.Services.
	Callee int
	// MaxRetries is the number of attempts after the first; at least 0.
	MaxRetries int
	// Probability is the chance that an attempt of the caller, once it comes to
	// this call, makes it, 0 to 1. There is no default: 0 means never. A call
	// that is not made counts as succeeded.
	Probability float64
}

// Service is a vertex of a [Graph].
type Service struct {
	// Name is used in error messages only; may be empty.
	Name string
	// Failure is the chance that an attempt fails at this service by itself.
	// The coin is drawn after the service's own work and before its calls, so
	// an attempt that fails here calls nobody.
	Failure float64
	// Mode says how Calls are made; Sequential unless set.
	Mode Mode
	// Calls are made in this order. A service may be called more than once.
	Calls []Call
}

// Entry is a service that clients call.
type Entry struct {
	// Service is its index in Graph.Services.
	Service int
	// MaxRetries is the client's own number of retries; at least 0.
	MaxRetries int
	// Share is the share of requests that come in here. The shares of all
	// entries add up to 1.
	Share float64
}

// Graph is a directed acyclic graph of services whose callers retry every
// failure they see, with infinite capacity and without timeouts: time and load
// then have no influence, and [Graph.Solve] is exact.
type Graph struct {
	// Services in any order; no service may reach itself.
	Services []Service
	// Entries are where requests come in; at least one.
	Entries []Entry
}

// Chain returns a graph in which service i calls service i+1 with
// edgeRetries[i] retries, and the client calls service 0 with clientRetries.
// It needs len(failure) == len(edgeRetries)+1 and panics otherwise.
func Chain(failure []float64, edgeRetries []int, clientRetries int) Graph {
	if len(failure) != len(edgeRetries)+1 {
		panic(fmt.Sprintf("queueing: a chain of %d services has %d edges, got %d",
			len(failure), len(failure)-1, len(edgeRetries)))
	}
	services := make([]Service, len(failure))
	for i, p := range failure {
		services[i].Failure = p
		if i < len(edgeRetries) {
			services[i].Calls = []Call{{Callee: i + 1, MaxRetries: edgeRetries[i], Probability: 1}}
		}
	}
	return Graph{Services: services, Entries: []Entry{{Service: 0, MaxRetries: clientRetries, Share: 1}}}
}

// Validate reports everything that is wrong with the graph, joined into one
// error, each with its path, or nil.
func (g Graph) Validate() error {
	var problems []error
	report := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf(format, args...))
	}
	for i, s := range g.Services {
		at := fmt.Sprintf("services[%d]", i)
		checkProbability(report, at+".failure", s.Failure)
		if s.Mode != Sequential && s.Mode != Parallel {
			report("%s.mode: expected Sequential or Parallel, got %d", at, s.Mode)
		}
		for j, c := range s.Calls {
			at := fmt.Sprintf("%s.calls[%d]", at, j)
			g.checkTarget(report, at+".callee", c.Callee)
			checkRetries(report, at, c.MaxRetries)
			checkProbability(report, at+".probability", c.Probability)
		}
	}
	var shares float64
	for i, e := range g.Entries {
		at := fmt.Sprintf("entries[%d]", i)
		g.checkTarget(report, at+".service", e.Service)
		checkRetries(report, at, e.MaxRetries)
		checkProbability(report, at+".share", e.Share)
		shares += e.Share
	}
	if !(shares > 1-1e-9 && shares < 1+1e-9) {
		report("entries: shares must add up to 1, got %v", shares)
	}
	if len(problems) == 0 { // callees must exist before cycles can be sought
		if _, err := g.calleesFirst(); err != nil {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

type reporter func(format string, args ...any)

func (g Graph) checkTarget(report reporter, path string, target int) {
	if target < 0 || target >= len(g.Services) {
		report("%s: must be the index of one of %d services, got %d", path, len(g.Services), target)
	}
}

func checkRetries(report reporter, path string, n int) {
	if n < 0 {
		report("%s.max_retries: must be at least 0, got %d", path, n)
	}
}

func checkProbability(report reporter, path string, p float64) {
	if !(p >= 0 && p <= 1) {
		report("%s: must be between 0 and 1, got %v", path, p)
	}
}

// calleesFirst returns the services ordered so that each comes after all that
// it calls, or an error that names the services of a cycle.
func (g Graph) calleesFirst() ([]int, error) {
	const unseen, open, done = 0, 1, 2
	state := make([]int, len(g.Services))
	var order, path []int
	var visit func(v int) error
	visit = func(v int) error {
		path = append(path, v)
		switch state[v] {
		case open:
			return g.cycleError(path)
		case unseen:
			state[v] = open
			for _, c := range g.Services[v].Calls {
				if err := visit(c.Callee); err != nil {
					return err
				}
			}
			state[v] = done
			order = append(order, v)
		}
		path = path[:len(path)-1]
		return nil
	}
	for v := range g.Services {
		if err := visit(v); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// cycleError names the cycle that ends path: its last service occurs earlier.
func (g Graph) cycleError(path []int) error {
	last := path[len(path)-1]
	start := len(path) - 2
	for path[start] != last {
		start--
	}
	names := make([]string, 0, len(path)-start)
	for _, v := range path[start:] {
		name := fmt.Sprintf("services[%d]", v)
		if n := g.Services[v].Name; n != "" {
			name += " (" + n + ")"
		}
		names = append(names, name)
	}
	return fmt.Errorf("services: must not call themselves, directly or in a circle, got %s", strings.Join(names, " -> "))
}
