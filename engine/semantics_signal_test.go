package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/policy"
)

// signals writes down what each answer on an edge told: 0 calm, 1 overloaded, 2 urgent.
func signals(p *probe) string {
	var b strings.Builder
	for _, a := range *p.ends {
		fmt.Fprint(&b, a.Signal)
	}
	return b.String()
}

// signalling is a client whose policy writes down signals, before service a.
func signalling(duration, gap time.Duration, a engine.Service, below ...engine.Service) (*engine.Model, *probe) {
	p := newProbe(policy.WatchEnd, none)
	m := system(duration, steady(gap, "a"), append([]engine.Service{a}, below...)...)
	m.Clients[0].Call.Policy, m.Drain = p, time.Second
	return m, p
}

// TestQueueSignal: one is served from 0, four wait, the sixth is rejected at 5; answers at 10, 20, 30, 40, 50
// leave 3, 2, 1, 0, 0 waiting. The threshold is two.
func TestQueueSignal(t *testing.T) {
	a := takes("a", 1, 10*ms)
	a.Limit = engine.Limit{Max: 4, Counts: "waiting"}
	a.Signal.Queue = 0.5
	m, p := signalling(6*ms, ms, a)
	y := once(t, m)
	equal(t, "signals", signals(p), "110000")
	equal(t, "signalling", y.Services[0].SignalNs, int64(15e6))
	equal(t, "answers with a signal", y.Edges[0].SignalledOn, 2)

	a.Signal.Urgent = 1.5
	m, p = signalling(6*ms, ms, a)
	once(t, m)
	equal(t, "signals of two levels", signals(p), "210000")

	a.Signal.Counts = "in_system"
	m, p = signalling(6*ms, ms, a)
	once(t, m)
	equal(t, "signals, who is served counted too", signals(p), "221000")
}

// TestCPUSignal: after t of full use the average is 1-exp(-t/window).
func TestCPUSignal(t *testing.T) {
	a := takes("a", 2, 10*ms)
	a.Signal.CPU, a.Signal.CPUWindow = 0.8, 10*ms
	m, p := signalling(1, 1, a)
	m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.Users, m.Clients[0].Arrivals.Together = "closed", 6, true
	m.Clients[0].Arrivals.Think.Mean = time.Hour
	once(t, m)
	equal(t, "signals", signals(p), "001111") // 0.632, 0.865, 0.950
}

// TestArrivalsSignal counts the last second, to a tenth.
func TestArrivalsSignal(t *testing.T) {
	a := takes("a", 0, 0)
	a.Signal.Arrivals = 3
	m, p := signalling(5*ms, ms, a)
	late := steady(time.Hour, "a")
	lateProbe := newProbe(policy.WatchEnd, none)
	late.Name, late.Call.Policy, late.Call.Latency = "late", lateProbe, 1950*ms
	m.Clients = append(m.Clients, late)
	m.Drain = 5 * time.Second
	once(t, m)
	equal(t, "signals", signals(p), "00011")
	equal(t, "a second later", signals(lateProbe), "0")
}

// relayModel is client > a > b > c, where c signals always.
func relayModel(hops int) (*engine.Model, [3]*probe) {
	var p [3]*probe
	for i := range p {
		p[i] = newProbe(policy.WatchEnd, none)
	}
	c := takes("c", 0, 0)
	c.Signal.Arrivals, c.Signal.RelayHops, c.Signal.Expiry = 0.5, hops, 3*ms
	m := system(5*ms, steady(ms, "a"), takes("a", 0, 0, calls("b", p[1])), takes("b", 0, 0, calls("c", p[2])), c)
	m.Services[0].Signal.Expiry, m.Services[1].Signal.Expiry = 3*ms, 3*ms
	m.Clients[0].Call.Policy = p[0]
	return m, p
}

// TestRelayHops: a signal goes as many services further up as it may.
func TestRelayHops(t *testing.T) {
	for hops := range 4 {
		m, p := relayModel(hops)
		y := once(t, m)
		for i := range p {
			want := "00000"
			if i >= 2-hops {
				want = "11111"
			}
			equal(t, fmt.Sprint("signals on edge ", i, " with hops ", hops), signals(p[i]), want)
		}
		equal(t, "time in which a relaying service signalled itself", y.Services[1].SignalNs, 0)
	}
}

// TestRelayExpires: a caller hands on what it heard until the expiry, and not what it did not hear.
func TestRelayExpires(t *testing.T) {
	m, p := relayModel(1)
	f := failing(1, ms, 0, "b")
	f.Before = true
	m.Faults = []engine.Fault{f}
	once(t, m)
	equal(t, "signals at a", signals(p[1]), "11100") // heard at 0, answers at 0..4
	equal(t, "signals at the client", signals(p[0]), "00000")
}

// TestNoSignalWithoutAnswer: a failure on the way and a timeout carry no signal of the callee.
func TestNoSignalWithoutAnswer(t *testing.T) {
	a := takes("a", 0, 0)
	a.Signal.Arrivals = 0.5
	m, p := signalling(4*ms, ms, a)
	f := failing(1, 2*ms, 0)
	f.Edges = []string{"client>a"}
	m.Faults = []engine.Fault{f}
	y := once(t, m)
	equal(t, "signals", signals(p), "1100")
	equal(t, "answers with a signal", y.Edges[0].SignalledOn, 2)
	m.Faults = nil
	m.Clients[0].Call.Timeout, m.Services[0].Time = 5*ms, takes("", 1, 10*ms).Time
	late := newProbe(policy.WatchEnd, none)
	m.Clients[0].Call.Policy = late
	once(t, m)
	equal(t, "signals with timeouts", signals(late), "0000")
}

// TestCPUSignalThroughWarmup: the average does not start anew when counting does.
func TestCPUSignalThroughWarmup(t *testing.T) {
	told := func(warmup time.Duration) string {
		a := service("a", 1, exponential)
		a.Signal.CPU, a.Signal.CPUWindow = 0.7, 50*ms
		m, p := signalling(time.Second, 1400*time.Microsecond, a)
		m.Warmup = warmup
		once(t, m)
		return signals(p)
	}
	cold := told(0)
	equal(t, "signals", told(500*ms), cold)
	if !strings.Contains(cold, "0") || !strings.Contains(cold, "1") {
		t.Errorf("signals %s do not vary", cold)
	}
}
