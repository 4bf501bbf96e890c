package finding_test

import (
	"strings"
	"testing"

	"retrylab/study/finding"
)

func TestGateFindsStemsInAnyCaseAndAcrossFalseStarts(t *testing.T) {
	for text, want := range map[string]bool{
		"x = MaxRETRies":   true,
		"rretr":            true,
		"recon reconnect":  true,
		"back_back_off":    true,
		"ret ry, attem pt": false,
		"":                 false,
		"print('hello')":   false,
	} {
		if got := finding.Gate([]byte(text)); got != want {
			t.Errorf("Gate(%q) = %v, want %v", text, got, want)
		}
	}
	if !finding.NewGate("istio")([]byte("networking.ISTIO.io")) || finding.NewGate("istio")([]byte("retry")) {
		t.Error("NewGate must match its own words only")
	}
}

func TestGateAgreesWithContains(t *testing.T) {
	words := []string{"abab", "ba", "abc"}
	g := finding.NewGate(words...)
	for n := range 3 * 3 * 3 * 3 * 3 * 3 {
		var b strings.Builder
		for k := n; b.Len() < 6; k /= 3 {
			b.WriteByte("abc"[k%3])
		}
		want := false
		for _, w := range words {
			want = want || strings.Contains(b.String(), w)
		}
		if got := g([]byte(b.String())); got != want {
			t.Fatalf("gate(%q) = %v, want %v", b.String(), got, want)
		}
	}
}

func TestCountRuleNormalisesToTotalAttempts(t *testing.T) {
	for _, c := range []struct {
		name      string
		rule      finding.CountRule
		raw       int64
		total     int64
		unlimited bool
		disabled  bool
	}{
		{"retries", finding.CountRule{}, 3, 4, false, false},
		{"total", finding.CountRule{Total: true}, 3, 3, false, false},
		{"no retries", finding.CountRule{}, 0, 1, false, true},
		{"one attempt", finding.CountRule{Total: true}, 1, 1, false, true},
		{"minus one for ever", finding.CountRule{Unlimited: []int64{-1}}, -1, 0, true, false},
		{"zero for ever", finding.CountRule{Total: true, Unlimited: []int64{0}}, 0, 0, true, false},
		{"huge", finding.CountRule{}, 999999999, 0, true, false},
		{"zero is the default", finding.CountRule{Total: true, Default: []int64{0}}, 0, 7, false, false},
	} {
		f := finding.Finding{TotalAttempts: 7}
		c.rule.Apply(&f, c.raw, finding.SourceLiteral)
		if f.TotalAttempts != c.total || f.Unlimited != c.unlimited || f.Disabled != c.disabled {
			t.Errorf("%s: got total %d unlimited %v disabled %v", c.name, f.TotalAttempts, f.Unlimited, f.Disabled)
		}
	}
}

// A default of no retries that a later setting overrides is no longer off.
func TestALaterBoundSwitchesOnAgain(t *testing.T) {
	for name, set := range map[string]func(*finding.Finding){
		"unlimited": func(f *finding.Finding) { f.SetUnlimited(finding.BoundNone, finding.SourceLiteral) },
		"runtime":   (*finding.Finding).SetRuntime,
		"count":     func(f *finding.Finding) { f.SetTotal(3, finding.SourceLiteral) },
	} {
		var f finding.Finding
		f.SetTotal(1, finding.SourceDefault)
		if !f.Disabled {
			t.Fatal("one attempt is no retry")
		}
		if set(&f); f.Disabled {
			t.Errorf("%s: still switched off", name)
		}
	}
}

func TestLoopCounts(t *testing.T) {
	for _, c := range []struct{ got, want int64 }{
		{finding.CountUp(0, 5, 1, false), 5},
		{finding.CountUp(0, 5, 1, true), 6},
		{finding.CountUp(1, 5, 1, true), 5},
		{finding.CountUp(0, 10, 3, false), 4},
		{finding.CountUp(5, 5, 1, false), 0},
		{finding.CountDown(3, 0, 1, false), 3},
		{finding.CountDown(3, 0, 1, true), 4},
	} {
		if c.got != c.want {
			t.Errorf("got %d passes, want %d", c.got, c.want)
		}
	}
}

func TestProductionLooksAtSegmentsNotSubstrings(t *testing.T) {
	for p, want := range map[string]bool{
		"dask/distributed/comm/core.py": true,
		"src/latest/contest.go":         true,
		"tests/unit/a.py":               false,
		"pkg/retry_test.go":             false,
		"src/a.spec.ts":                 false,
		"sentinel-demo/src/A.java":      false,
		"src/main/java/ClientIT.java":   false,
		"src/main/java/Audit.java":      true,
		"src/main/java/TestClient.java": false,
		"src/main/java/Testable.java":   true,
		"server/common/testing.go":      false,
		"util/test_tools/network.py":    false,
		"core/nottesting.go":            true,
		"docs/client.py":                false,
		"core/src/it/java/Util.java":    false,
		"t/a.py":                        false,
		"src/main.go":                   true,
	} {
		if got := finding.Production(p); got != want {
			t.Errorf("Production(%q) = %v, want %v", p, got, want)
		}
	}
}

func TestJudgeSeparatesRetryFromItsLookalikes(t *testing.T) {
	retry := finding.Shape{Operation: true, FailureRepeats: true, SuccessLeaves: true, Counted: true, Waits: true}
	for _, c := range []struct {
		name   string
		change func(*finding.Shape)
		want   bool
	}{
		{"counted loop with a wait", func(*finding.Shape) {}, true},
		{"no operation", func(s *finding.Shape) { s.Operation = false }, false},
		{"polling: no failure leads back", func(s *finding.Shape) { s.FailureRepeats, s.ValueRepeats, s.RetryWord = false, true, true }, false},
		{"pagination", func(s *finding.Shape) { s.Cursor = true }, false},
		{"loop over items", func(s *finding.Shape) { s.EachItem = true }, false},
		{"failover over servers", func(s *finding.Shape) { s.EachItem, s.RetryWord = true, true }, true},
		{"service loop", func(s *finding.Shape) { s.SuccessLeaves, s.Counted, s.Periodic = false, false, true }, false},
		{"service loop whose failure branch backs off", func(s *finding.Shape) { s.SuccessLeaves, s.Periodic, s.FailureWaits = false, true, true }, true},
		{"service loop that pauses after a failure only", func(s *finding.Shape) {
			*s = finding.Shape{Operation: true, FailureRepeats: true, Periodic: true, Waits: true, FailureWaits: true}
		}, true},
		{"periodic work that pauses shorter after a failure", func(s *finding.Shape) {
			*s = finding.Shape{Operation: true, FailureRepeats: true, Periodic: true, Waits: true, FailureWaits: true, SuccessWaits: true}
		}, false},
		{"bare repetition", func(s *finding.Shape) { s.Counted, s.Waits = false, false }, false},
	} {
		s := retry
		c.change(&s)
		if v := finding.Judge(s); v.Retry != c.want {
			t.Errorf("%s: %v (%s)", c.name, v.Retry, v.Why)
		}
	}
}

func TestServiceConfigReadsEveryPolicy(t *testing.T) {
	text := `{"methodConfig": [
  {"name": [{}], "timeout": "1s"},
  {"name": [{"service": "a"}],
   "RetryPolicy": {
     "MaxAttempts": 9, "InitialBackoff": ".1s", "MaxBackoff": "1s",
     "BackoffMultiplier": 2, "RetryableStatusCodes": ["UNAVAILABLE", 14]
   }},
  {"name": [{"service": "b"}], "retryPolicy": {"maxAttempts": 3, "initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 1}}
]}`
	got := finding.ServiceConfig(text, 10)
	if len(got) != 2 {
		t.Fatalf("got %d policies, want 2", len(got))
	}
	a, b := got[0], got[1]
	if a.Line != 13 || a.SpanEnd != 16 || a.TotalAttempts != 5 || a.Base.Milliseconds() != 100 || a.Jitter != finding.Yes || a.Failures != "UNAVAILABLE, 14" {
		t.Errorf("first policy: %+v", a)
	}
	if b.TotalAttempts != 3 || b.Backoff != finding.BackoffConstant || b.Line != 17 {
		t.Errorf("second policy: %+v", b)
	}
	if finding.ServiceConfig(`{"retryPolicy": "x"}`, 1) != nil || finding.ServiceConfig("retryPolicy {", 1) != nil {
		t.Error("text that is no service config must give nothing")
	}
}

func TestRetryWordIsNotFooledByWordsThatContainIt(t *testing.T) {
	for word, want := range map[string]bool{
		"maxRetries": true, "retry_count": true, "tryReconnect": true, "n_tries": true, "BackOff": true,
		"BeforeConnect": false, "retrieve": false, "directories": false, "entries": false,
	} {
		if finding.RetryWord(word) != want {
			t.Errorf("RetryWord(%q) = %v", word, !want)
		}
	}
}

func TestParamOfReadsAnyStyle(t *testing.T) {
	for name, want := range map[string]finding.Param{
		"MaxRetries": finding.ParamCount, "max_retries": finding.ParamCount, "WithMaxRetries": finding.ParamCount,
		"max-attempts": finding.ParamCount, "InitialBackoff": finding.ParamBase, "retry_wait_max": finding.ParamCap,
		"backoff_factor": finding.ParamFactor, "MaxJitter": finding.ParamJitter, "MaxElapsedTime": finding.ParamElapsed,
		"name": finding.ParamNone, "with": finding.ParamNone,
	} {
		if got := finding.ParamOf(name); got != want {
			t.Errorf("ParamOf(%q) = %v, want %v", name, got, want)
		}
	}
}

func TestDelayKind(t *testing.T) {
	for want, d := range map[string]finding.Delay{
		finding.BackoffNone:        {Power: true},
		finding.BackoffConstant:    {Waits: true},
		finding.BackoffLinear:      {Waits: true, Step: true},
		finding.BackoffExponential: {Waits: true, Power: true, Step: true},
		finding.BackoffServer:      {Waits: true, Server: true},
		finding.BackoffUnknown:     {Waits: true, Unresolved: true},
	} {
		if got, _ := d.Kind(); got != want {
			t.Errorf("%+v: %s, want %s", d, got, want)
		}
	}
}
