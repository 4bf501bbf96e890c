package engine_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/engine/dist"
	"retrylab/policy"
)

const ms = time.Millisecond

// none never retries.
var none = policy.None{}

// system is a model with the given services, without windows, and a client at the first service.
func system(duration time.Duration, client engine.Client, services ...engine.Service) *engine.Model {
	m := engine.DefaultModel()
	m.Duration, m.Window = duration, 0
	m.Clients = []engine.Client{client}
	m.Services = services
	return &m
}

// poisson is a client that sends rate requests per second to a service and does not retry.
func poisson(rate float64, to string) engine.Client {
	c := engine.DefaultClient()
	c.Arrivals.Rate = rate
	c.Call.To = to
	return c
}

// steady is a client that sends a request every gap, from time 0 on.
func steady(gap time.Duration, to string) engine.Client {
	c := poisson(1e9/float64(gap), to)
	c.Arrivals.Kind, c.Arrivals.FirstAtZero = "constant", true
	return c
}

func service(name string, servers int, law dist.Law, calls ...engine.Call) engine.Service {
	s := engine.DefaultService()
	s.Name, s.Servers, s.Time, s.Calls = name, servers, law, calls
	return s
}

// takes is a service whose attempts take exactly d.
func takes(name string, servers int, d time.Duration, calls ...engine.Call) engine.Service {
	return service(name, servers, dist.Constant(d), calls...)
}

func calls(to string, p policy.Spec) engine.Call {
	c := engine.DefaultCall()
	c.To, c.Policy = to, p
	return c
}

// retries retries everything n times after a constant wait.
func retries(n int, wait time.Duration) policy.Retry {
	r := policy.DefaultRetry()
	r.MaxRetries = n
	r.Backoff = policy.Backoff{Kind: "constant", Base: wait, Multiplier: 2, Jitter: "none"}
	return r
}

// failing is a failure fault with probability p between two times (to 0: the end).
func failing(p float64, from, to time.Duration, services ...string) engine.Fault {
	f := engine.DefaultFault()
	f.Services, f.From, f.To, f.P = services, from, to, p
	return f
}

func fault(kind string, from, to time.Duration, services ...string) engine.Fault {
	f := failing(0, from, to, services...)
	f.Kind = kind
	return f
}

func compile(t testing.TB, m *engine.Model) *engine.Program {
	t.Helper()
	p, problems := engine.Compile(m)
	if len(problems) > 0 {
		t.Fatalf("model does not compile: %v", problems)
	}
	return p
}

// once runs one trial of a model.
func once(t testing.TB, m *engine.Model) *engine.Tally {
	t.Helper()
	return engine.NewSim().Run(compile(t, m), engine.Key{Seed: 1})
}

// measured runs trials and gives each measure's value in each of them.
func measured(t testing.TB, m *engine.Model, trials int, measures ...func(*engine.Tally) float64) [][]float64 {
	t.Helper()
	p, s := compile(t, m), engine.NewSim()
	values := make([][]float64, len(measures))
	for trial := range trials {
		y := s.Run(p, engine.Key{Seed: 20260826, Environment: 7, Trial: uint64(trial)})
		for i, f := range measures {
			values[i] = append(values[i], f(y))
		}
	}
	return values
}

// meanSE is the mean of independent trials and its standard error.
func meanSE(xs []float64) (mean, se float64) {
	for _, x := range xs {
		mean += x
	}
	mean /= float64(len(xs))
	for _, x := range xs {
		se += (x - mean) * (x - mean)
	}
	n := float64(len(xs))
	return mean, math.Sqrt(se / (n - 1) / n)
}

// agrees fails if the mean of independent trials is 4 standard errors or more from the truth, or
// if the trials say so little that this would prove nothing: a standard error above 5% of it.
func agrees(t testing.TB, what string, trials []float64, truth float64) {
	t.Helper()
	if len(trials) < 30 {
		t.Fatalf("%s: %d trials, expected at least 30", what, len(trials))
	}
	mean, se := meanSE(trials)
	if se > 0.05*math.Abs(truth) && truth != 0 {
		t.Errorf("%s: standard error %.3g is too large beside %.6g", what, se, truth)
	}
	if se == 0 {
		if math.Abs(mean-truth) > 1e-9*math.Abs(truth) {
			t.Errorf("%s: always %.9g, theory %.9g", what, mean, truth)
		}
		return
	}
	if z := (mean - truth) / se; math.Abs(z) >= 4 {
		t.Errorf("%s: %.6g +- %.2g, theory %.6g, z = %.2f", what, mean, se, truth, z)
	}
}

// transcript runs one trial of a model and writes down what happened to its requests.
func transcript(t testing.TB, m *engine.Model) (string, *engine.Tally) {
	t.Helper()
	p, s := compile(t, m), engine.NewSim()
	names, b := p.Edges(), &strings.Builder{}
	s.Trace(func(e engine.TraceEvent) {
		fmt.Fprintf(b, "%gms %d ", float64(e.Now)/1e6, e.Request)
		switch e.Kind {
		case engine.TraceRequest:
			fmt.Fprintln(b, "arrives")
		case engine.TraceSent:
			fmt.Fprintf(b, "%s #%d sent\n", names[e.Edge], e.Attempt)
		case engine.TraceEnded:
			fmt.Fprintf(b, "%s #%d %s\n", names[e.Edge], e.Attempt, e.Outcome)
		case engine.TraceRetry:
			fmt.Fprintf(b, "%s #%d waited\n", names[e.Edge], e.Attempt)
		case engine.TraceRequestEnded:
			fmt.Fprintln(b, e.Outcome)
		}
	})
	y := s.Run(p, engine.Key{Seed: 1})
	return b.String(), y
}

// happens compares a model's transcript, line by line, with what must happen.
func happens(t *testing.T, m *engine.Model, want string) *engine.Tally {
	t.Helper()
	got, y := transcript(t, m)
	g, w := lines(got), lines(want)
	for i := range max(len(g), len(w)) {
		a, b := "", ""
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Fatalf("line %d is %q, expected %q; whole:\n%s", i+1, a, b, got)
		}
	}
	return y
}

// outcomes is the part of a transcript that tells how requests ended.
func outcomes(t *testing.T, m *engine.Model, want string) *engine.Tally {
	t.Helper()
	whole, y := transcript(t, m)
	var got []string
	for _, l := range lines(whole) {
		if f := strings.Fields(l); len(f) == 3 && f[2] != "arrives" {
			got = append(got, l)
		}
	}
	if g, w := strings.Join(got, "\n"), strings.Join(lines(want), "\n"); g != w {
		t.Fatalf("requests ended\n%s\nexpected\n%s\nwhole:\n%s", g, w, whole)
	}
	return y
}

func lines(text string) []string {
	var out []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// equal fails unless a count is what it must be.
func equal[T comparable](t testing.TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, expected %v", what, got, want)
	}
}
