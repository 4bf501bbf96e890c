package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"retrylab/engine/dist"
)

// Problem is one mistake in a model.
type Problem struct {
	Path string // of the field, e.g. services[2].servers
	Text string // what is wrong and what is expected
}

// String is "path: text".
func (p Problem) String() string { return p.Path + ": " + p.Text }

// longest is the longest duration a model may name: shorter than the clock's range.
const longest = 150 * time.Hour

// checker collects all mistakes of a model.
type checker struct {
	m        *Model
	services map[string]int
	problems []Problem
}

func (c *checker) add(path, format string, args ...any) {
	c.problems = append(c.problems, Problem{path, fmt.Sprintf(format, args...)})
}

func (c *checker) between(path string, v, low, high float64) {
	if !(v >= low && v <= high) {
		c.add(path, "must be between %v and %v, got %v", low, high, v)
	}
}

func (c *checker) duration(path string, d, low time.Duration) {
	if d < low || d > longest {
		c.add(path, "must be between %v and %v, got %v", low, longest, d)
	}
}

func (c *checker) oneOf(path, v string, allowed ...string) {
	for _, a := range allowed {
		if v == a {
			return
		}
	}
	c.add(path, "unknown %q, expected one of %s", v, strings.Join(allowed, ", "))
}

func (c *checker) law(path string, l dist.Law) {
	for _, p := range l.Problems() {
		c.add(path+"."+p.Field, "%s", p.Text)
	}
}

func (c *checker) check() {
	m := c.m
	c.duration("duration", m.Duration, time.Nanosecond)
	c.duration("drain", m.Drain, 0)
	c.duration("warmup", m.Warmup, 0)
	c.duration("window", m.Window, 0)
	if m.Duration+m.Drain > longest {
		c.add("duration", "with drain must be at most %v, got %v", longest, m.Duration+m.Drain)
	}
	if m.Warmup > 0 && (m.Warmup >= m.Duration || m.Window > 0 && m.Warmup%m.Window != 0) {
		c.add("warmup", "must be shorter than duration and a whole number of windows, got %v", m.Warmup)
	}
	if m.Window > 0 && int64(m.Duration+m.Drain)/int64(m.Window) > 1_000_000 {
		c.add("window", "makes more than 1000000 windows, expected a longer one")
	}
	c.names()
	if len(m.Clients) == 0 {
		c.add("clients", "must name at least one client")
	}
	for i := range m.Clients {
		c.client(fmt.Sprintf("clients[%d]", i), &m.Clients[i])
	}
	if len(m.Services) == 0 {
		c.add("services", "must name at least one service")
	}
	for i := range m.Services {
		c.service(fmt.Sprintf("services[%d]", i), &m.Services[i])
	}
	for i := range m.Faults {
		c.fault(fmt.Sprintf("faults[%d]", i), &m.Faults[i])
	}
	c.graph()
}

// names checks that stations can be told apart and that edges' names are clear.
func (c *checker) names() {
	seen := map[string]string{}
	name := func(path, n string) {
		switch at, twice := seen[n]; {
		case n == "":
			c.add(path, "must not be empty")
		case len(n) > 200:
			c.add(path, "must be at most 200 bytes long, got %d", len(n))
		case strings.ContainsRune(n, '>') || strings.ContainsFunc(n, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }):
			c.add(path, "must be printable, without '>' and spaces, got %q", n)
		case twice:
			c.add(path, "%q is already the name of %s", n, at)
		}
		seen[n] = path
	}
	for i := range c.m.Clients {
		name(fmt.Sprintf("clients[%d].name", i), c.m.Clients[i].Name)
	}
	for i := range c.m.Services {
		name(fmt.Sprintf("services[%d].name", i), c.m.Services[i].Name)
		c.services[c.m.Services[i].Name] = i
	}
}

func (c *checker) client(path string, cl *Client) {
	a := &cl.Arrivals
	p := path + ".arrivals"
	c.oneOf(p+".kind", a.Kind, "poisson", "constant", "on_off", "piecewise", "closed")
	if a.Kind == "closed" {
		c.between(p+".users", float64(a.Users), 1, 1e6)
		c.law(p+".think", a.Think)
		if !(a.Think.MeanNs() >= 1000) {
			c.add(p+".think", "must have a mean of at least 1µs, got %vns", a.Think.MeanNs())
		}
	} else {
		low := 1e-9
		if a.Kind == "piecewise" || a.Kind == "on_off" {
			low = 0
		}
		c.between(p+".rate", a.Rate, low, 1e9)
	}
	if a.Kind == "on_off" {
		c.between(p+".off_rate", a.OffRate, 0, 1e9)
		c.duration(p+".on", a.On, 1)
		c.duration(p+".off", a.Off, 1)
	}
	for i, s := range a.Steps {
		c.between(fmt.Sprintf("%s.steps[%d].rate", p, i), s.Rate, 0, 1e9)
		c.duration(fmt.Sprintf("%s.steps[%d].at", p, i), s.At, 0)
		if i > 0 && s.At <= a.Steps[i-1].At {
			c.add(fmt.Sprintf("%s.steps[%d].at", p, i), "must be later than the step before (%v), got %v", a.Steps[i-1].At, s.At)
		}
	}
	c.duration(path+".deadline", cl.Deadline, 0)
	c.call(path+".call", &cl.Call)
	if cl.Call.Probability != 1 {
		c.add(path+".call.probability", "must be 1 for a client, got %v", cl.Call.Probability)
	}
}

func (c *checker) service(path string, s *Service) {
	c.between(path+".servers", float64(s.Servers), 0, 1e9)
	c.law(path+".time", s.Time)
	c.between(path+".limit.max", float64(s.Limit.Max), 0, 1e9)
	c.oneOf(path+".limit.counts", s.Limit.Counts, "waiting", "in_system")
	c.between(path+".failure", s.Failure, 0, 1)
	c.between(path+".failure_cost", s.FailureCost, 0, 1)
	if s.Hold.Backoff && !s.Hold.Downstream {
		c.add(path+".hold.backoff", "needs hold.downstream")
	}
	if s.Parallel && s.Hold.Downstream && !s.Hold.Backoff {
		c.add(path+".hold.backoff", "must be true with hold.downstream and parallel: one call may sleep while another runs")
	}
	if len(s.Calls) > 10000 {
		c.add(path+".calls", "must be at most 10000, got %d", len(s.Calls))
	}
	for i := range s.Calls {
		c.call(fmt.Sprintf("%s.calls[%d]", path, i), &s.Calls[i])
		for j := range i {
			if s.Calls[j].To == s.Calls[i].To {
				c.add(fmt.Sprintf("%s.calls[%d].to", path, i), "%q is already called by calls[%d]", s.Calls[i].To, j)
			}
		}
	}
	c.signal(path+".signal", s)
}

func (c *checker) signal(path string, s *Service) {
	o := &s.Signal
	c.between(path+".queue", o.Queue, 0, 1)
	if o.Queue > 0 && s.Limit.Max == 0 {
		c.add(path+".queue", "needs limit.max: it is a share of it")
	}
	c.oneOf(path+".counts", o.Counts, "waiting", "in_system")
	c.between(path+".cpu", o.CPU, 0, 1)
	if o.CPU > 0 && s.Servers == 0 {
		c.add(path+".cpu", "needs servers: without limit no share of them is busy")
	}
	c.duration(path+".cpu_window", o.CPUWindow, 1)
	c.between(path+".arrivals", o.Arrivals, 0, 1e9)
	if o.Urgent != 0 {
		c.between(path+".urgent", o.Urgent, 1, 1e9)
	}
	c.between(path+".relay_hops", float64(o.RelayHops), 0, 200)
	c.duration(path+".expiry", o.Expiry, 0)
}

func (c *checker) call(path string, k *Call) {
	if _, ok := c.services[k.To]; !ok {
		c.add(path+".to", "no service %q", k.To)
	}
	c.between(path+".probability", k.Probability, 0, 1)
	if k.Policy == nil {
		c.add(path+".policy", "must be set, for example none")
	} else {
		for _, p := range k.Policy.Problems() {
			c.add(path+".policy."+p.Field, "%s", p.Text)
		}
	}
	c.between(path+".instances", float64(k.Instances), 1, 1e5)
	c.duration(path+".timeout", k.Timeout, 0)
	c.oneOf(path+".abandoned", k.Abandoned, "goes_on", "cancelled")
	c.duration(path+".latency", k.Latency, 0)
}

func (c *checker) fault(path string, f *Fault) {
	c.oneOf(path+".kind", f.Kind, "failure", "latency", "capacity", "crash")
	if len(f.Services)+len(f.Edges) == 0 {
		c.add(path+".services", "must name at least one service or edge")
	}
	for i, n := range f.Services {
		if _, ok := c.services[n]; !ok {
			c.add(fmt.Sprintf("%s.services[%d]", path, i), "no service %q", n)
		}
	}
	c.twice(path+".services", f.Services)
	c.twice(path+".edges", f.Edges)
	for i, n := range f.Edges {
		if !c.hasEdge(n) {
			c.add(fmt.Sprintf("%s.edges[%d]", path, i), "no edge %q, expected caller>callee", n)
		}
	}
	if len(f.Edges) > 0 && f.Kind != "failure" && f.Kind != "latency" {
		c.add(path+".edges", "only failure and latency act on edges, not %s", f.Kind)
	}
	c.faultTimes(path, f)
	switch f.Kind {
	case "failure":
		c.between(path+".p", f.P, 0, 1)
		if f.PEnd != NoRamp {
			c.between(path+".p_end", f.PEnd, 0, 1)
		}
		c.between(path+".rho", f.Rho, 0, 1)
	case "latency":
		c.law(path+".latency", f.Latency)
	case "capacity":
		c.between(path+".capacity", f.Capacity, 0, 1)
	}
}

// twice reports names that occur earlier in a list: a fault acts on each once.
func (c *checker) twice(path string, names []string) {
	for i, n := range names {
		if first := slices.Index(names, n); first < i {
			c.add(fmt.Sprintf("%s[%d]", path, i), "%q is already %s[%d]", n, path[strings.LastIndex(path, ".")+1:], first)
		}
	}
}

func (c *checker) faultTimes(path string, f *Fault) {
	c.duration(path+".from", f.From, 0)
	c.duration(path+".to", f.To, 0)
	if f.To != 0 && f.To <= f.From {
		c.add(path+".to", "must be later than from (%v) or 0s for the end, got %v", f.From, f.To)
	}
	if f.From > c.m.Duration+c.m.Drain {
		c.add(path+".from", "must be within the trial (%v), got %v", c.m.Duration+c.m.Drain, f.From)
	}
	if f.Period != 0 || f.On != 0 {
		c.duration(path+".period", f.Period, time.Microsecond)
		if f.On <= 0 || f.On >= f.Period {
			c.add(path+".on", "must be above 0s and below period (%v), got %v", f.Period, f.On)
		}
	}
	if f.MeanOn != 0 || f.MeanOff != 0 {
		c.duration(path+".mean_on", f.MeanOn, time.Microsecond)
		c.duration(path+".mean_off", f.MeanOff, time.Microsecond)
		if f.Period != 0 {
			c.add(path+".mean_on", "cannot be combined with period")
		}
	}
}

func (c *checker) hasEdge(name string) bool {
	from, to, ok := strings.Cut(name, ">")
	if !ok {
		return false
	}
	for i := range c.m.Clients {
		if c.m.Clients[i].Name == from {
			return c.m.Clients[i].Call.To == to
		}
	}
	if i, ok := c.services[from]; ok {
		for _, k := range c.m.Services[i].Calls {
			if k.To == to {
				return true
			}
		}
	}
	return false
}

// graph checks that calls form no cycle and that every service is reached.
func (c *checker) graph() {
	const unseen, open, done = 0, 1, 2
	state := make([]int, len(c.m.Services))
	var path []string
	var visit func(i int)
	visit = func(i int) {
		state[i] = open
		path = append(path, c.m.Services[i].Name)
		for k, call := range c.m.Services[i].Calls {
			j, ok := c.services[call.To]
			if !ok {
				continue
			}
			if state[j] == open {
				c.add(fmt.Sprintf("services[%d].calls[%d].to", i, k), "makes a cycle: %s>%s", strings.Join(from(path, call.To), ">"), call.To)
			} else if state[j] == unseen {
				visit(j)
			}
		}
		path = path[:len(path)-1]
		state[i] = done
	}
	for i := range c.m.Clients {
		if j, ok := c.services[c.m.Clients[i].Call.To]; ok && state[j] == unseen {
			visit(j)
		}
	}
	for i := range state {
		if state[i] == unseen && c.m.Services[i].Name != "" {
			c.add(fmt.Sprintf("services[%d]", i), "%q is called by nobody", c.m.Services[i].Name)
			visit(i)
		}
	}
}

// from is the part of a path that begins with a name.
func from(path []string, name string) []string {
	for i, n := range path {
		if n == name {
			return path[i:]
		}
	}
	return path
}
