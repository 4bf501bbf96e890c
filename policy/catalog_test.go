package policy_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab/policy"
)

func TestCatalog(t *testing.T) {
	var kinds []string
	for _, e := range policy.Catalog() {
		check(t, "kind of "+e.Kind, e.Default.Kind(), e.Kind)
		if slices.Contains(kinds, e.Kind) {
			t.Errorf("%s is there twice", e.Kind)
		}
		kinds = append(kinds, e.Kind)
		if p := e.Default.Problems(); len(p) > 0 {
			t.Errorf("default of %s: %v", e.Kind, p)
		}
		found, ok := policy.Find(e.Kind)
		if !ok || found.Default != e.Default { // also panics if a spec is not comparable
			t.Errorf("%s: found %v", e.Kind, found.Default)
		}
	}
	if _, ok := policy.Find("nonesuch"); ok {
		t.Error("found what is not there")
	}
}

// Every field of every spec has a yaml name, and a type that a model file can hold.
func TestSpecFields(t *testing.T) {
	for _, e := range policy.Catalog() {
		wrongFields(t, e.Kind, reflect.TypeOf(e.Default))
	}
}

func wrongFields(t *testing.T, path string, typ reflect.Type) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		at := path + "." + f.Name
		if tag := f.Tag.Get("yaml"); tag == "" || tag != strings.ToLower(tag) {
			t.Errorf("%s: yaml name %q", at, tag)
		}
		switch f.Type.Kind() {
		case reflect.Struct:
			wrongFields(t, at, f.Type)
		case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64, reflect.String:
		default:
			t.Errorf("%s: type %s", at, f.Type)
		}
	}
}

// Each field, made impossible by itself, is told by its path; all at once are told all at once.
func TestProblemsNameTheField(t *testing.T) {
	for _, e := range policy.Catalog() {
		fields := map[string]string{}
		leaves(reflect.ValueOf(e.Default), "", fields)
		all := reflect.New(reflect.TypeOf(e.Default)).Elem()
		all.Set(reflect.ValueOf(e.Default))
		wrong := 0
		for path := range fields {
			one := reflect.New(reflect.TypeOf(e.Default)).Elem()
			one.Set(reflect.ValueOf(e.Default))
			if !spoil(one, path) {
				continue
			}
			wrong++
			spoil(all, path)
			got := one.Interface().(policy.Spec).Problems()
			if !slices.ContainsFunc(got, func(p policy.Problem) bool { return p.Field == path }) {
				t.Errorf("%s: %s spoilt: %v", e.Kind, path, got)
			}
		}
		told := map[string]bool{}
		for _, p := range all.Interface().(policy.Spec).Problems() {
			told[p.Field] = true
			if !strings.Contains(p.Text, "must be") && !strings.Contains(p.Text, "expected") {
				t.Errorf("%s.%s: %q does not say what is expected", e.Kind, p.Field, p.Text)
			}
		}
		check(t, e.Kind+": fields told", len(told), wrong)
	}
}

// spoil sets a field to what it can never be; a truth value is never wrong.
func spoil(v reflect.Value, path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("yaml") == name {
				v = v.Field(i)
				break
			}
		}
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(-7)
	case reflect.Float64:
		v.SetFloat(math.NaN())
	case reflect.String:
		v.SetString("nonesuch")
	default:
		return false
	}
	return true
}

// event is one thing that happens to a policy in a random script.
type event struct {
	verb    int // 0 fresh, 1 start, 2 end, 3 end and retry, 4 call
	after   int64
	attempt policy.Attempt
	draws   policy.Draws
}

func events() *rapid.Generator[[]event] {
	one := rapid.Custom(func(t *rapid.T) event {
		return event{
			verb:  rapid.IntRange(0, 4).Draw(t, "verb"),
			after: rapid.SampledFrom([]int64{0, 1e6, 30e6, 1e9, 7e9, 31e9}).Draw(t, "after"),
			attempt: policy.Attempt{
				Number:   rapid.IntRange(1, 5).Draw(t, "number"),
				Outcome:  policy.Outcome(rapid.IntRange(int(policy.Failed), int(policy.Shed)).Draw(t, "outcome")),
				Signal:   policy.Signal(rapid.IntRange(0, 2).Draw(t, "signal")),
				RTT:      rapid.SampledFrom([]int64{0, 5e6, 2e9}).Draw(t, "rtt"),
				Pushback: -1,
			},
			draws: policy.Draws{Coin: rapid.Float64Range(0, 0.999).Draw(t, "coin"), Jitter: rapid.Float64Range(0, 0.999).Draw(t, "jitter")},
		}
	})
	return rapid.SliceOfN(one, 1, 120)
}

// decisions plays a random script. Extra is called before each event.
func decisions(p policy.Policy, script []event, extra func(now int64)) []policy.Decision {
	var out []policy.Decision
	now := int64(0)
	watches := p.Watches()
	for i := range script {
		e := &script[i]
		now += e.after
		extra(now)
		ended := e.attempt
		if e.verb == 2 {
			ended.Outcome = policy.Success
		}
		switch e.verb {
		case 0:
			if !p.AllowFresh(now, e.draws.Coin) {
				out = append(out, policy.Decision{Delay: -1})
			}
		case 1:
			if watches&policy.WatchStart != 0 {
				p.AttemptStart(now, ended.Number)
			}
		case 2, 3:
			if watches&policy.WatchEnd != 0 {
				p.AttemptEnd(now, &ended)
			}
			if e.verb == 3 {
				out = append(out, p.Retry(now, &ended, e.draws))
			}
		case 4:
			if watches&policy.WatchCall != 0 {
				p.CallEnd(now, ended.Outcome, ended.Number)
			}
		}
	}
	return out
}

// variants are the catalog's defaults and settings that take other ways through the code.
func variants(t *testing.T) []policy.Spec {
	var specs []policy.Spec
	for _, e := range policy.Catalog() {
		specs = append(specs, e.Default)
	}
	for _, v := range [][]string{
		{"retry", "backoff.jitter=decorrelated", "backoff.cap=1s"},
		{"breaker", "trip.minimum_calls=2", "trip.open=1s", "trip.probes=3", "trip.probe_wait=2s"},
		{"breaker_retries", "trip.minimum_calls=2", "trip.open=1s", "trip.probes=2"},
		{"breaker_authors", "minimum_calls=2", "count_limit=7", "open=0s"},
		{"arb", "load.source=constant", "signal.cut=rising_edge", "failure_rate.order=decide_first", "charge=sent"},
		{"arb", "load.source=base", "budget_unit=fraction", "failure_rate.per=time", "signal.rule=share", "signal.cut=every"},
		{"arb", "failure_rate.counts=calls", "signal.ttl=0s", "hysteresis=0.1", "dead_zone_step=0.01"},
		{"arb_authors", "window=3", "base_load=2"},
		{"budget", "deposit_on=success", "min_per_second=1"},
		{"envoy_budget", "min_retry_concurrency=0"},
		{"sre_throttle", "k=1", "window=10s", "slots=10"},
	} {
		s, err := specOf(v[0], v[1:])
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, s)
	}
	return specs
}

// The same script gives the same decisions: after a Reset, whoever looks at the
// state in between, and without the events that the policy does not watch.
func TestDecisionsAreReproducible(t *testing.T) {
	for _, spec := range variants(t) {
		t.Run(spec.Kind(), rapid.MakeCheck(func(t *rapid.T) {
			script := events().Draw(t, "script")
			env := policy.Env{BaseRate: 50, Phase: 0.3}
			nothing := func(int64) {}
			p := spec.New()
			p.Reset(env)
			want := decisions(p, script, nothing)
			p.Reset(env)
			if got := decisions(p, script, nothing); !slices.Equal(got, want) {
				t.Fatalf("after Reset: %v, want %v", got, want)
			}
			p = spec.New()
			p.Reset(env)
			if got := decisions(p, script, func(now int64) { p.State(now) }); !slices.Equal(got, want) {
				t.Fatalf("looked at: %v, want %v", got, want)
			}
			p = spec.New()
			p.Reset(env)
			watches := p.Watches()
			unwatched := func(now int64) {
				if watches&policy.WatchStart == 0 {
					p.AttemptStart(now, 1)
				}
				if watches&policy.WatchEnd == 0 {
					p.AttemptEnd(now, &policy.Attempt{Number: 1, Outcome: policy.Failed})
				}
				if watches&policy.WatchCall == 0 {
					p.CallEnd(now, policy.Failed, 1)
				}
				if watches&policy.WatchFresh == 0 && !p.AllowFresh(now, 0.5) {
					t.Fatal("blocks without watching")
				}
			}
			if got := decisions(p, script, unwatched); !slices.Equal(got, want) {
				t.Fatalf("with unwatched events: %v, want %v", got, want)
			}
		}))
	}
}

// No retry past the limit, none of a success or of an outcome left out, and every wait a duration.
func TestLimitsHold(t *testing.T) {
	for _, spec := range variants(t) {
		limit := 0
		if f := reflect.ValueOf(spec).FieldByName("MaxRetries"); f.IsValid() {
			limit = int(f.Int())
		} else if f := reflect.ValueOf(spec).FieldByName("Retry"); f.IsValid() {
			limit = int(f.Field(0).Int())
		}
		t.Run(spec.Kind(), rapid.MakeCheck(func(t *rapid.T) {
			p := spec.New()
			now := int64(0)
			for _, e := range events().Draw(t, "script") {
				now += e.after
				p.AttemptEnd(now, &e.attempt)
				d := p.Retry(now, &e.attempt, e.draws)
				if d.Deny == policy.Allowed && e.attempt.Number > limit {
					t.Fatalf("attempt %d is retried, max_retries is %d", e.attempt.Number, limit)
				}
				if d.Delay < 0 || d.Deny != policy.Allowed && d.Delay != 0 {
					t.Fatalf("decision %+v", d)
				}
			}
		}))
	}
}

func TestNoAllocation(t *testing.T) {
	for _, spec := range variants(t) {
		p := spec.New()
		p.Reset(policy.Env{BaseRate: 100, Phase: 0.5})
		now := int64(0)
		a := policy.Attempt{Number: 1, Pushback: -1}
		n := testing.AllocsPerRun(200, func() {
			now += int64(137 * time.Millisecond)
			for o := policy.Success; o <= policy.Cancelled; o++ {
				a.Outcome, a.Signal = o, policy.Signal(o%3)
				p.AllowFresh(now, 0.5)
				p.AttemptStart(now, 1+int(o)%2)
				p.AttemptEnd(now, &a)
				p.Retry(now, &a, policy.Draws{Coin: 0.01, Jitter: 0.5})
				p.CallEnd(now, o, 1)
				p.State(now)
			}
		})
		check(t, spec.Kind()+": allocations", n, 0)
	}
}
