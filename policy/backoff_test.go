package policy_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab/policy"
)

func TestBackoffVectors(t *testing.T) {
	runVectors(t, "backoff.json", map[string]func(*testing.T, *vector){
		"aws-jitter-01": awsJitter, "polly-03": pollyDelay, "cenkalti-01": cenkalti, "mongo-backpressure-01": mongo,
	})
}

func milliseconds(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }

func delayMs(b policy.Backoff, k int, prev, u float64) float64 {
	return float64(b.Delay(k, int64(milliseconds(prev)), u)) / 1e6
}

// awsJitter numbers from n = 1 with twice the base; here that is retry n+1.
func awsJitter(t *testing.T, v *vector) {
	b := policy.Backoff{Kind: "exponential", Base: milliseconds(v.param("base")), Multiplier: 2, Cap: milliseconds(v.param("cap"))}
	for _, s := range v.Steps {
		var n, u, prev float64
		for key, to := range map[string]*float64{"n": &n, "u": &u, "prev": &prev} {
			if s.has(key) {
				*to = s.in(key)
			}
		}
		b.Jitter = s.In.(map[string]any)["kind"].(string)
		near(t, b.Jitter, delayMs(b, int(n)+1, prev, u), s.Expect.(float64), 1e-5)
	}
}

func pollyDelay(t *testing.T, v *vector) {
	for _, s := range v.Steps {
		in := s.In.(map[string]any)
		b := policy.Backoff{Kind: in["type"].(string), Base: seconds(s.in("base_s")), Multiplier: 2, Jitter: "none", JitterFraction: 0.25}
		k, u := 1, 0.0
		if s.has("attempt") {
			k = int(s.in("attempt")) + 1
		}
		if in["jitter"].(bool) {
			b.Jitter, u = "proportional", s.in("u")
		}
		near(t, b.Kind, delayMs(b, k, 0, u)/1000, s.Expect.(float64), v.Tolerance)
	}
}

func cenkalti(t *testing.T, v *vector) {
	b := policy.Backoff{
		Kind: "exponential", Base: milliseconds(v.param("initial_ms")), Multiplier: v.param("multiplier"),
		Cap: milliseconds(v.param("max_ms")), Jitter: "proportional", JitterFraction: v.param("randomization"),
	}
	for _, s := range v.Steps {
		near(t, "delay", delayMs(b, int(s.in("n"))+1, 0, s.in("u")), s.want("delay_ms").(float64), v.Tolerance)
	}
}

// mongo doubles before its first wait: base 2^k for retry k, full jitter.
func mongo(t *testing.T, v *vector) {
	for _, s := range v.Steps {
		base := v.param("base_ms")
		if s.has("baseBackoffMS") {
			base = s.in("baseBackoffMS")
		}
		b := policy.Backoff{Kind: "exponential", Base: milliseconds(2 * base), Multiplier: 2, Cap: milliseconds(v.param("max_ms")), Jitter: "full"}
		near(t, "delay", delayMs(b, int(s.in("retry")), 0, s.in("u")), s.want("delay_ms").(float64), 1e-6)
	}
}

// The waits of the paper's section V and of its program.
func TestPaperDelays(t *testing.T) {
	text := policy.DefaultRetry()
	for k, want := range []float64{100, 200, 400} {
		near(t, "text", delayMs(text.Backoff, k+1, 0, 0.5), want, 1e-6)
		near(t, "text, least", delayMs(text.Backoff, k+1, 0, 0), 0.75*want, 1e-6)
	}
	program := policy.DefaultBreakerAuthors().Retry
	for k, want := range []float64{200, 400} {
		near(t, "program, least", delayMs(program.Backoff, k+1, 0, 0), want, 1e-6)
		near(t, "program, most", delayMs(program.Backoff, k+1, 0, 1), 1.5*want, 1e-6)
	}
}

// The first decorrelated wait has no wait before it and draws up to three times the base.
func TestFirstDecorrelatedDelay(t *testing.T) {
	b := policy.Backoff{Kind: "exponential", Base: milliseconds(100), Multiplier: 2, Jitter: "decorrelated"}
	near(t, "least", delayMs(b, 1, 0, 0), 100, 1e-6)
	near(t, "most", delayMs(b, 1, 0, 1), 300, 1e-6)
}

// Each jitter stays within its stated bounds, and no number of retries overflows.
func TestBackoffBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := policy.Backoff{
			Kind:           rapid.SampledFrom([]string{"none", "constant", "linear", "exponential"}).Draw(t, "kind"),
			Base:           time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "base")),
			Multiplier:     rapid.Float64Range(1, 1000).Draw(t, "multiplier"),
			Cap:            time.Duration(rapid.SampledFrom([]int64{0, 1e6, 1e9, 1e11}).Draw(t, "cap")),
			Jitter:         rapid.SampledFrom([]string{"none", "full", "equal", "decorrelated", "proportional", "one_sided"}).Draw(t, "jitter"),
			JitterFraction: rapid.Float64Range(0, 1).Draw(t, "fraction"),
		}
		k := rapid.SampledFrom([]int{1, 2, 3, 40, 1 << 15}).Draw(t, "retry")
		u := rapid.Float64Range(0, math.Nextafter(1, 0)).Draw(t, "u")
		prev := rapid.Int64Range(0, 1e12).Draw(t, "previous")
		d := b.Delay(k, prev, u)
		if d < 0 {
			t.Fatalf("%+v: retry %d waits %d", b, k, d)
		}
		if most := map[string]float64{
			"none": 1, "full": 1, "equal": 1, "decorrelated": 1, "proportional": 1 + b.JitterFraction, "one_sided": 1 + b.JitterFraction,
		}[b.Jitter] * float64(b.Cap); b.Cap > 0 && float64(d) > most+1 {
			t.Fatalf("%+v: retry %d waits %d, at most %v", b, k, d, most)
		}
	})
}
