package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/policy"
)

// published is one known result, see testdata/cases.jsonl: where it comes from, its setup, what must come out.
type published struct {
	ID       string
	Kind     string
	Source   []string
	Setup    map[string]any
	Expected map[string]any
	Note     string
	// NotRun says why the simulator cannot express the case; empty if it can.
	NotRun string `json:"not_run"`
}

func (c *published) setup(key string) float64    { return c.Setup[key].(float64) }
func (c *published) want(key string) float64     { return c.Expected[key].(float64) }
func (c *published) setups(key string) []float64 { return numbers(c.Setup[key]) }
func (c *published) wants(key string) []float64  { return numbers(c.Expected[key]) }

func numbers(list any) (out []float64) {
	for _, x := range list.([]any) {
		out = append(out, x.(float64))
	}
	return out
}

var cases = map[string]func(*testing.T, *published){
	"sre-64":                            func(t *testing.T, c *published) { certainChain(t, c, int(c.setup("max_attempts_per_edge"))-1) },
	"pmd-27":                            func(t *testing.T, c *published) { certainChain(t, c, int(c.setup("max_retries_per_edge"))) },
	"exp12-81-wrong":                    func(t *testing.T, c *published) { certainChain(t, c, int(c.setup("max_retries_per_edge"))) },
	"nested-leaf-partial":               func(t *testing.T, c *published) { randomChain(t, c, int(c.setup("max_attempts_per_edge"))-1) },
	"paper-eq2":                         func(t *testing.T, c *published) { randomChain(t, c, int(c.setup("max_retries_per_edge"))) },
	"paper-s1-exact":                    paperS1,
	"brooker-n-retries":                 brookerRetries,
	"brooker-token-bucket-call-deposit": brookerBucket,
	"hotos-280-300":                     outageWithRetries,
	"hotos-no-retry-control":            outageWithoutRetries,
	"grpc-a6-throttle-trace":            grpcTrace,
	"grpc-a6-breakeven":                 grpcBreakEven,
	"istio-default-retries":             istioDefault,
	"spring-retry-1":                    springOneAttempt,
	"k8s-87915-herd":                    herd,
	"envoy-budget-20pct":                envoyBudget,
	"linkerd-finagle-budget":            finagleBudget,
}

// TestPublishedCases: every case is run, or its line says why it cannot be.
func TestPublishedCases(t *testing.T) {
	data, err := os.ReadFile("testdata/cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range bytes.Lines(data) {
		c := &published{}
		if err := json.Unmarshal(line, c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c.ID)
		run, ok := cases[c.ID]
		if ok == (c.NotRun != "") {
			t.Errorf("%s: must be run or say why not, and not both", c.ID)
		}
		if ok {
			t.Run(c.ID, func(t *testing.T) { run(t, c) })
		}
	}
	for id := range cases {
		if !slices.Contains(all, id) {
			t.Errorf("%s is run, but not among the cases", id)
		}
	}
}

// chain is the client before services in a row, all of which are called with so many retries; the last one fails.
func chain(edges, maxRetries int, p float64) *engine.Model {
	policies := retries(maxRetries, 0)
	m := system(10*time.Second, poisson(100, "s0"))
	m.Clients[0].Call.Policy, m.Drain = policies, time.Second
	for i := range edges {
		s := takes(fmt.Sprint("s", i), 0, 0)
		if i < edges-1 {
			s.Calls = []engine.Call{calls(fmt.Sprint("s", i+1), policies)}
		} else {
			s.Failure = p
		}
		m.Services = append(m.Services, s)
	}
	return m
}

// certainChain: at p = 1 every request costs the same number of attempts.
func certainChain(t *testing.T, c *published, maxRetries int) {
	y := once(t, chain(int(c.setup("chain_edges")), maxRetries, c.setup("leaf_failure_prob")))
	leaf := y.Services[len(y.Services)-1]
	equal(t, "attempts at the leaf", leaf.Attempts, int64(c.want("raf_leaf"))*y.Clients[0].Requests)
	equal(t, "failed requests", y.Clients[0].Ended[policy.Failed], y.Clients[0].Requests)
}

func randomChain(t *testing.T, c *published, maxRetries int) {
	edges := int(c.setup("chain_edges"))
	v := measured(t, chain(edges, maxRetries, c.setup("leaf_failure_prob")), 60, perRequest(edges-1), successShare)
	agrees(t, "RAF at the leaf", v[0], c.want("raf_leaf"))
	agrees(t, "success", v[1], c.want("success"))
}

func perRequest(service int) func(*engine.Tally) float64 {
	return func(y *engine.Tally) float64 {
		return float64(y.Services[service].Attempts) / float64(y.Clients[0].Requests)
	}
}

func successShare(y *engine.Tally) float64 {
	return float64(y.Clients[0].Ended[policy.Success]) / float64(y.Clients[0].Requests)
}

// paperS1 is the chain of five of which the third fails; the client does not retry.
func paperS1(t *testing.T, c *published) {
	build := func(maxRetries int) *engine.Model {
		m := chain(5, maxRetries, 0)
		m.Clients[0].Call.Policy = none
		for i, p := range c.setups("own_failure") {
			m.Services[i].Failure = p
		}
		return m
	}
	base := measured(t, build(0), 60, successShare)
	agrees(t, "success without retries", base[0], c.want("no_retry_success"))
	measures := []func(*engine.Tally) float64{}
	for i := range 5 {
		measures = append(measures, perRequest(i))
	}
	v := measured(t, build(int(c.setup("max_retries_per_edge"))), 60, measures...)
	for i, want := range c.wants("raf_per_tier") {
		if i > 2 { // half of the requests come here without retries
			want *= c.want("no_retry_success")
		}
		if i > 2 { // nearly certain: no trial may show a failure at all
			mean, _ := meanSE(v[i])
			near(t, fmt.Sprint("tier ", i+1), mean, want, 1e-4)
			continue
		}
		agrees(t, fmt.Sprint("tier ", i+1), v[i], want)
	}
}

// twenty is twenty client instances that share 200 requests per second.
func twenty(p float64, spec policy.Spec, perClient int) *engine.Model {
	m := system(time.Duration(perClient)*100*ms, poisson(200, "a"), takes("a", 0, 0))
	m.Clients[0].Call.Policy, m.Clients[0].Call.Instances = spec, 20
	m.Services[0].Failure = p
	return m
}

func brookerRetries(t *testing.T, c *published) {
	for i, p := range c.setups("leaf_failure_prob") {
		v := measured(t, twenty(p, retries(int(c.setup("max_retries")), 0), 200), 40, perRequest(0), successShare)
		agrees(t, fmt.Sprint("RAF at ", p), v[0], c.wants("raf")[i])
		if want := c.wants("success")[i]; want < 0.999 {
			agrees(t, fmt.Sprint("success at ", p), v[1], want)
		}
		if mean, _ := meanSE(v[0]); mean < c.wants("ref_run_raf")[i]-0.04 || mean > c.wants("ref_run_raf")[i]+0.04 {
			t.Errorf("RAF at %v is %.4f, the source's run gave %.4f", p, mean, c.wants("ref_run_raf")[i])
		}
	}
}

// bucket is Brooker's token bucket: a first attempt adds a tenth, a retry takes one, and is made while there is
// more than one; at most five. Tenths are counted.
type bucket struct{}

func (bucket) Kind() string               { return "bucket" }
func (bucket) Problems() []policy.Problem { return nil }
func (bucket) New() policy.Policy         { return &bucketState{tenths: 50} }

type bucketState struct {
	policy.Base
	tenths int
}

func (b *bucketState) Reset(policy.Env)       { b.tenths = 50 }
func (b *bucketState) Watches() policy.Events { return policy.WatchStart }
func (b *bucketState) AttemptStart(_ int64, n int) {
	if n == 1 {
		b.tenths = min(b.tenths+1, 50)
	}
}
func (b *bucketState) Retry(int64, *policy.Attempt, policy.Draws) policy.Decision {
	if b.tenths <= 10 {
		return policy.Decision{Deny: policy.BudgetEmpty}
	}
	b.tenths -= 10
	return policy.Decision{}
}

func brookerBucket(t *testing.T, c *published) {
	for i, p := range c.setups("p") {
		v := measured(t, twenty(p, bucket{}, 4000), 30, perRequest(0), successShare)
		raf, _ := meanSE(v[0])
		success, _ := meanSE(v[1])
		near(t, fmt.Sprint("RAF at ", p), raf, c.want("raf_long_run"), 0.01)
		near(t, fmt.Sprint("success at ", p), success, c.wants("success_long_run")[i], 0.01)
		short, _ := meanSE(measured(t, twenty(p, bucket{}, 200), 30, perRequest(0))[0])
		near(t, fmt.Sprint("RAF of 200 calls each at ", p), short, c.wants("raf_200_calls")[i], 0.005)
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(got >= want-tolerance && got <= want+tolerance) {
		t.Errorf("%s: got %.5g, expected %.5g within %.2g", what, got, want, tolerance)
	}
}

// outage is one server that loses its capacity for ten seconds.
func outage(c *published, retry int) *engine.Model {
	m := system(200*time.Second, poisson(280, "a"), service("a", 1, exponential))
	m.Clients[0].Arrivals.Rate = c.setup("lambda_")
	m.Services[0].Time.Mean = time.Duration(1e9 / c.setup("mu"))
	m.Clients[0].Call.Timeout, m.Clients[0].Call.Policy = time.Second, retries(retry, 0)
	m.Faults = []engine.Fault{fault("capacity", 20*time.Second, 30*time.Second, "a")}
	m.Window = time.Second
	return m
}

// perSecond gives goodput and attempts per second between two seconds.
func perSecond(from, to int32) (goodput, attempts func(*engine.Tally) float64) {
	of := func(f func(*engine.Window) int64) func(*engine.Tally) float64 {
		return func(y *engine.Tally) (x float64) {
			for i := range y.Windows {
				if w := &y.Windows[i]; w.Station == 0 && w.Index >= from && w.Index < to {
					x += float64(f(w)) / float64(to-from)
				}
			}
			return x
		}
	}
	return of(func(w *engine.Window) int64 { return w.Succeeded }), of(func(w *engine.Window) int64 { return w.Attempts })
}

// outageWithRetries: the retries of what timed out keep the server busy with what nobody waits for, for good.
func outageWithRetries(t *testing.T, c *published) {
	before, _ := perSecond(0, 20)
	good, attempts := perSecond(170, 200)
	v := measured(t, outage(c, int(c.setup("max_retries"))), 30, before, good, attempts)
	mean, _ := meanSE(v[0])
	near(t, "goodput before", mean, c.want("goodput_before"), 0.03*c.want("goodput_before"))
	for trial := range v[1] {
		equal(t, "goodput at the end", v[1][trial], c.want("goodput_last30s"))
	}
	agrees(t, "attempts offered at the end", v[2], c.want("offered_last30s"))
}

// outageWithoutRetries: the same backlog drains. Half of the trials at least are back before the last 30 s.
func outageWithoutRetries(t *testing.T, c *published) {
	m := outage(c, int(c.setup("max_retries")))
	good, _ := perSecond(170, 200)
	v := measured(t, m, 31, good)[0]
	slices.Sort(v)
	near(t, "goodput at the end, median trial", v[15], c.want("goodput_last30s"), 0.03*c.want("goodput_last30s"))
}
