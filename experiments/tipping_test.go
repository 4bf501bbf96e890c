package experiments_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"retrylab/analysis"
	"retrylab/experiments"
)

// hotos is the metastable system of Bronson et al., Metastable Failures in Distributed Systems, HotOS 2021, as later
// write-ups have it: one server of 300/s without a limit, clients that give up after 1 s and retry once, and an outage
// of 10 s. Work that nobody waits for is done all the same, so it stays down from 300/(1+1) = 150 requests/s on.
const hotos = `
name: hotos
base:
  duration: 200s
  clients:
    - {arrivals: {rate: 280}, call: {to: db, timeout: 1s}}
  services: [{name: db, time: {kind: exponential, mean: 3333333ns}}]
  faults: [{kind: capacity, services: [db], from: 20s, to: 30s, capacity: 0}]
strategies: [NR, {name: SR, policy: {kind: retry, max_retries: 1, backoff: {kind: none, jitter: none}}}]
factors: [{name: lambda, path: clients.client.arrivals.rate, list: [280]}]
`

func hotosFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "hotos.yaml")
	if err := os.WriteFile(path, []byte(hotos), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTippingOfTheHotOSSystem(t *testing.T) {
	find := experiments.Tipping{Sweep: hotosFile(t), Factor: "lambda", From: 100, To: 250, Width: 15, Quantity: "staying_down", Target: 0.5,
		MinTrials: 20, MaxTrials: 1000}
	at, probes, err := find.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Close to 150 a backlog of 10 s of requests drains too slowly to be back within the trial: 140 recovers and 160 does not.
	if at.Low < 125 || at.High > 165 || at.High-at.Low > 20 {
		t.Errorf("it tips at %v, expected about 150", at)
	}
	total := 0
	for _, p := range probes {
		total += p.At.N
	}
	if total != at.N {
		t.Errorf("%d trials were run, the interval says %d", total, at.N)
	}
	again, _, err := find.Find(t.Context())
	if err != nil || again.String() != at.String() {
		t.Errorf("again: %v, %v", again, err)
	}
	// Without retries it recovers at any rate below 300/s.
	find.Strategy, find.From, find.To = "NR", 100, 250
	if at, _, err := find.Find(t.Context()); err != nil || at.Estimate == at.Estimate {
		t.Errorf("without retries it tips at %v, %v", at, err)
	}
}

// The same system by the difference that one retry makes after the outage: nothing at 100/s, almost all at 250/s.
func TestTippingOfADifference(t *testing.T) {
	find := experiments.Tipping{Sweep: hotosFile(t), Factor: "lambda", From: 100, To: 250, Width: 15, Quantity: "after", Target: -0.5,
		MinTrials: 10, MaxTrials: 400}
	at, probes, err := find.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if at.Low < 125 || at.High > 165 || at.High-at.Low > 15 {
		t.Errorf("retries cost half of the requests after the outage at %v, expected about 150", at)
	}
	if probes[0].Side != 1 || probes[1].Side != -1 {
		t.Errorf("the ends are %v and %v", probes[0], probes[1])
	}
}

// Along a factor that only says how rows are written all values have the same draws. Trials of two values must be
// independent all the same, or the interval would count each of them as often as there are values.
func TestTippingNeverRepeatsATrial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "windows.yaml")
	text := strings.Replace(hotos, "{name: lambda, path: clients.client.arrivals.rate, list: [280]}", "{name: length, path: window, list: [1], suffix: s}", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	find := experiments.Tipping{Sweep: path, Factor: "length", From: 1, To: 2, Width: 0.5, Quantity: "success", Target: 0.5, MinTrials: 3, MaxTrials: 6}
	at, probes, err := find.Find(t.Context())
	if err != nil || len(probes) != 2 || !slices.Contains(at.Warnings, analysis.WarnNoCrossing) {
		t.Fatalf("%v, %v, %v", at, probes, err)
	}
	if probes[0].At.Estimate == probes[1].At.Estimate {
		t.Errorf("the same trials at two values: %v", probes)
	}
}

// The case as published: at 280/s goodput is nothing and offered load 560/s for good; without retries it comes back.
func TestHotOSAsASweep(t *testing.T) {
	dir := t.TempDir()
	runSweep(t, hotos+"trials: 5\ntables: [windows]\n", dir, experiments.SweepOptions{})
	for _, r := range readTrials(t, dir) {
		switch r.Strategy {
		case "SR":
			if after := float64(r.SucceededAfter); after > 0.01*float64(r.RequestsAfter) || r.Recovered {
				t.Errorf("trial %d: %v requests after the outage succeeded", r.Trial, after)
			}
		case "NR":
			if !r.Recovered {
				t.Errorf("trial %d without retries never recovered", r.Trial)
			}
		}
	}
	attempts, succeeded, seconds := 0.0, 0.0, 0.0
	for _, w := range readWindows(t, dir) {
		if w.Strategy == "SR" && w.IsClient && w.Window >= 170 {
			attempts += float64(w.Attempts)
			succeeded += float64(w.Succeeded)
			seconds++
		}
	}
	if rate := attempts / seconds; rate < 560*0.97 || rate > 560*1.03 || succeeded != 0 {
		t.Errorf("in the last 30 s %.1f attempts/s were offered and %v requests succeeded, want 560 and none", rate, succeeded)
	}
}

func TestTippingMistakes(t *testing.T) {
	good := experiments.Tipping{Sweep: hotosFile(t), Factor: "lambda", From: 100, To: 250, Width: 10, Quantity: "after", MinTrials: 5, MaxTrials: 10}
	for _, c := range []struct {
		change func(*experiments.Tipping)
		want   string
	}{
		{func(t *experiments.Tipping) { t.Quantity = "collaps" }, "expected one of collapse"},
		{func(t *experiments.Tipping) { t.To = 50 }, "must be below to"},
		{func(t *experiments.Tipping) { t.MaxTrials = 9 }, "must be at least twice min-trials"},
		{func(t *experiments.Tipping) { t.Quantity, t.Target = "collapse", 1 }, "above 0 and below 1"},
		{func(t *experiments.Tipping) { t.Factor = "services.db.server" }, `did you mean "servers"?`},
		{func(t *experiments.Tipping) { t.Changes.Sweep = []string{"services.db.servers=1,2"} }, "leave the other factors one level each"},
	} {
		bad := good
		c.change(&bad)
		if _, _, err := bad.Find(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// What no trial has is not looked for: it would be told to stay below the target.
func TestTippingOfWhatIsNotThere(t *testing.T) {
	const faults = "  faults: [{kind: capacity, services: [db], from: 20s, to: 30s, capacity: 0}]\n"
	for _, c := range []struct{ quantity, faults, want string }{
		{"collapse", "", "the model has no faults"},
		{"staying_down", "", "the model has no faults"},
		{"after", "", "the model has no faults"},
		{"during", "", "the model has no faults"},
		{"success", "", ""},
		{"during", strings.Replace(faults, "30s", "200s", 1), ""},
		{"collapse", strings.Replace(faults, "30s", "200s", 1), "the faults last to the end"},
		{"staying_down", "  window: 30s\n" + faults, "window: 30s is too long"},
		{"collapse", "  window: 30s\n" + faults, ""},
		{"staying_down", strings.Replace(faults, "20s", "0s", 1), "no time before the faults"},
	} {
		path := filepath.Join(t.TempDir(), "a.yaml")
		if err := os.WriteFile(path, []byte(strings.Replace(hotos, faults, c.faults, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		err := experiments.Tipping{Sweep: path, Factor: "lambda", From: 100, To: 250, Width: 15, Quantity: c.quantity, Target: 0.5, MinTrials: 20, MaxTrials: 1000}.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s with %q: %v, expected %q", c.quantity, c.faults, err, c.want)
		}
	}
}

// Of more than two strategies a difference is that of the one that is named from the first.
func TestTippingOfOneOfManyStrategies(t *testing.T) {
	text := strings.Replace(hotos, "strategies: [NR, ", "strategies: [NR, ARB, ", 1)
	text = strings.NewReplacer("duration: 200s", "duration: 40s", "from: 20s", "from: 5s", "to: 30s", "to: 10s").Replace(text)
	path := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	find := experiments.Tipping{Sweep: path, Factor: "lambda", From: 100, To: 200, Width: 30, Quantity: "after", Target: -0.3, MinTrials: 10, MaxTrials: 200}
	for strategy, want := range map[string]string{"": "has 3 strategies", "NR": "has ARB, SR", "XX": "has ARB, SR", "SR": "", "ARB": ""} {
		find.Strategy = strategy
		if err := find.Check(); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("strategy %q: %v, expected %q", strategy, err, want)
		}
	}
	find.Strategy = "SR"
	sr, _, err := find.Find(t.Context())
	if err != nil || slices.Contains(sr.Warnings, analysis.WarnNoCrossing) || sr.Estimate < 105 || sr.Estimate > 150 {
		t.Errorf("SR: %v, %v", sr, err)
	}
	find.Strategy = "ARB" // it hardly retries, and loses little
	if arb, _, err := find.Find(t.Context()); err != nil || !slices.Contains(arb.Warnings, analysis.WarnNoCrossing) {
		t.Errorf("ARB: %v, %v", arb, err)
	}
}
