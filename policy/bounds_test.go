package policy_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"retrylab/policy"
)

// A static budget's stated bound holds in every stretch of time as long as the window.
func TestBudgetBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := policy.DefaultBudget()
		s.Window = 10 * time.Second
		s.Ratio = rapid.SampledFrom([]float64{0, 0.1, 0.2, 0.3, 1, 1.5}).Draw(t, "ratio")
		s.MinPerSecond = rapid.SampledFrom([]float64{0, 0.5, 3}).Draw(t, "floor")
		slot := int64(s.Window) / int64(s.Slots)
		p := s.New()
		var calls, retries []int64 // when
		now := int64(0)
		steps := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 400).Draw(t, "steps")
		for _, step := range steps {
			switch step {
			case 0:
				now += 3e9
			case 1, 2:
				now += 310e6
			case 3, 4, 5:
				p.AttemptStart(now, 1)
				calls = append(calls, now)
			default:
				if ask(p, time.Duration(now), policy.Draws{}).Deny != policy.Allowed {
					continue
				}
				retries = append(retries, now)
				since := now - int64(s.Window)
				bound := s.Ratio*float64(after(calls, since-slot)) + s.MinPerSecond*s.Window.Seconds()
				if n := after(retries, since); float64(n) > bound+1e-9 {
					t.Fatalf("%d retries in the %v before %v, the bound is %v", n, s.Window, time.Duration(now), bound)
				}
			}
		}
	})
}

// after counts the times later than since.
func after(times []int64, since int64) int {
	n := 0
	for _, at := range times {
		if at > since {
			n++
		}
	}
	return n
}

// Algorithm 1 cannot spend more than B0 and what its adjustments can have added,
// and every draw at or above B0 is refused.
func TestARBBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lambda := rapid.SampledFrom([]float64{3, 20, 500}).Draw(t, "lambda")
		s := policy.DefaultARB()
		s.Load.Source, s.Load.Constant = "constant", lambda
		p := s.New()
		p.Reset(policy.Env{Phase: rapid.Float64Range(0, 0.99).Draw(t, "phase")})
		retries, now := 0, int64(0)
		for _, e := range events().Draw(t, "script") {
			now += e.after
			p.AttemptEnd(now, &e.attempt)
			for range 40 {
				d := p.Retry(now, &policy.Attempt{Number: 1, Outcome: policy.Failed}, policy.Draws{Coin: e.draws.Coin / 4})
				if d.Deny == policy.Allowed && e.draws.Coin/4 >= s.InitialBudget {
					t.Fatalf("a draw of %v is below B", e.draws.Coin/4)
				}
				if d.Deny == policy.Allowed {
					retries++
				}
			}
			b := p.State(now).Budget
			if b < 0 || b > s.InitialBudget {
				t.Fatalf("B = %v", b)
			}
			// An emptied budget has let its last retry be paid in part only, once per adjustment.
			ticks := math.Floor(float64(now)/1e9) + 1
			if most := lambda*(s.InitialBudget+s.Step*ticks) + ticks + 1; float64(retries) > most {
				t.Fatalf("%d retries until %v, at most %v", retries, time.Duration(now), most)
			}
		}
	})
}

// The authors' tokens limit a period to 500 B, rounded up, if no urgent signal refills them.
func TestARBAuthorsBound(t *testing.T) {
	s := policy.DefaultARBAuthors()
	s.BaseLoad = 7.5
	p := s.New()
	ends(p, 0, 100, policy.Success)
	check(t, "first period", drain(p, 999*time.Millisecond), 8)
	check(t, "second period", drain(p, time.Second), 8)
	check(t, "nothing in between", drain(p, 1999*time.Millisecond), 0)
}

// The breaker against a slow model that keeps every result and looks again each time.
func TestBreakerAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := policy.DefaultStopBreaker()
		s.Trip.Window, s.Trip.Slots = 10*time.Second, 10
		s.Trip.MinimumCalls = rapid.IntRange(1, 6).Draw(t, "minimum")
		s.Trip.FailureRatio = rapid.SampledFrom([]float64{0.25, 0.5, 0.6, 1}).Draw(t, "ratio")
		s.Trip.Open = 3 * time.Second
		s.Trip.Probes = rapid.IntRange(1, 3).Draw(t, "probes")
		s.Trip.ProbeWait = 0
		p, m := s.New(), model{trip: s.Trip}
		now := int64(0)
		for range rapid.IntRange(1, 200).Draw(t, "events") {
			now += rapid.SampledFrom([]int64{0, 1, 250e6, 1e9, 3e9}).Draw(t, "after")
			if rapid.Bool().Draw(t, "fresh") {
				if got, want := p.AllowFresh(now, 0), m.allow(now); got != want {
					t.Fatalf("at %v: sent %v, the model says %v", time.Duration(now), got, want)
				}
				continue
			}
			a := policy.Attempt{Number: 1, Outcome: policy.Success, RTT: rapid.SampledFrom([]int64{0, 1, 2e9}).Draw(t, "rtt")}
			if rapid.Bool().Draw(t, "bad") {
				a.Outcome = policy.Failed
			}
			p.AttemptEnd(now, &a)
			m.record(now, now-a.RTT, a.Outcome == policy.Failed)
			if got := p.State(now).Breaker; got != m.state {
				t.Fatalf("at %v: %v, the model says %v", time.Duration(now), got, m.state)
			}
		}
	})
}

type model struct {
	trip    policy.Trip
	state   policy.Breaker
	since   int64
	at      []int64 // of the results since the last change
	bad     []bool
	allowed int
}

func (m *model) enter(s policy.Breaker, now int64) { *m = model{trip: m.trip, state: s, since: now} }

func (m *model) allow(now int64) bool {
	if m.state == policy.Open && now > m.since+int64(m.trip.Open) {
		m.enter(policy.HalfOpen, now)
	}
	m.allowed++
	return m.state == policy.Closed || m.state == policy.HalfOpen && m.allowed <= m.trip.Probes
}

func (m *model) record(now, sent int64, bad bool) {
	if sent < m.since || m.state == policy.Open {
		return
	}
	m.at, m.bad = append(m.at, now), append(m.bad, bad)
	first := int64(0)
	if m.state == policy.Closed {
		first = (now/1e9 - 9) * 1e9 // the current second and nine before it
	}
	n, failed := 0, 0
	for i, at := range m.at {
		if at >= first {
			n++
			if m.bad[i] {
				failed++
			}
		}
	}
	tooMany := float64(failed)/float64(max(n, 1)) >= m.trip.FailureRatio
	switch {
	case m.state == policy.Closed && n >= m.trip.MinimumCalls && tooMany:
		m.enter(policy.Open, now)
	case m.state == policy.HalfOpen && n >= m.trip.Probes && tooMany:
		m.enter(policy.Open, now)
	case m.state == policy.HalfOpen && n >= m.trip.Probes:
		m.enter(policy.Closed, now)
	}
}
