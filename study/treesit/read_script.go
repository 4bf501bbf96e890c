//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

func forever(t *site) {
	if v := t.value(t.given["forever"]); v.kind == vBool && v.num == 1 {
		t.f.SetUnlimited(finding.BoundNone, finding.SourceLiteral)
	}
	if t.factor == 1 {
		t.f.Backoff, t.explicit = finding.BackoffConstant, true
	}
}

// axiosDelay reads retryDelay: one of the library's functions or the program's own.
func axiosDelay(t *site) {
	n := t.given["retryDelay"]
	if n == nil {
		return
	}
	t.explicit = true
	name := n.last()
	switch {
	case name == "exponentialDelay":
		t.f.Backoff, t.f.Jitter, t.f.JitterSource = finding.BackoffExponential, finding.Yes, finding.SourceDefault
	case name == "linearDelay" || name == "noDelay":
		t.f.Backoff = finding.BackoffLinear
		if name == "noDelay" {
			t.f.Backoff = finding.BackoffNone
		}
	default:
		t.explicit = false
		t.schedule(n)
		if hasCallNamed(n, "exponentialDelay") {
			t.f.Backoff, t.f.Jitter, t.f.JitterSource = finding.BackoffExponential, finding.Yes, finding.SourceDefault
		}
	}
}

func hasCallNamed(n *node, name string) bool {
	found := false
	n.walk(func(k *node) bool {
		found = found || k.op == opCall && k.a.last() == name
		return !found
	})
	return found
}

// sub reads a nested dictionary as if its keys were the use's own arguments.
func (t *site) sub(n *node, params string) {
	inner := &site{s: t.s, row: &api{API: t.row.API, params: params, unit: t.row.unit, withBase: t.row.withBase, withFactor: t.row.withFactor, nullUnlimited: t.row.nullUnlimited}, call: t.call, f: t.f, w: t.w, given: map[string]*node{}}
	inner.dict(n)
	inner.read()
	inner.settle()
	t.f, t.counted, t.given, t.explicit = inner.f, inner.counted, inner.given, true
}

// nestedRetry reads {retry: 3} and {retry: {limit: 3, ...}} of got and ky.
func nestedRetry(t *site) {
	n := t.given["retry"]
	v := t.value(n)
	if v.kind == vNode {
		t.sub(n, "limit=count backoffLimit=cap calculateDelay=- delay=-")
		for _, k := range []string{"calculateDelay", "delay"} {
			if f := t.given[k]; f != nil {
				t.schedule(f)
			}
		}
		return
	}
	t.count(v)
}

// nestedPolicy reads a dictionary under a key, with the library's own defaults.
func nestedPolicy(key, kind string, retries int64, base, top float64) func(*site) {
	return func(t *site) {
		n := t.given[key]
		t.f.SetTotal(retries+1, finding.SourceDefault)
		t.f.Backoff, t.f.Base, t.f.Cap = kind, secs(base), secs(top)
		t.sub(n, "maxDelay=cap delay=base factor=factor")
		if t.switchedOff(n) {
			t.f.SetTotal(1, finding.SourceDefault)
		}
		if n != nil {
			t.f.Line, t.f.SpanEnd = n.line, max(n.end, n.line)
			if n.op == opDict && n.parent != nil && n.parent.op == opPair {
				t.f.Line = n.parent.line
			}
		}
	}
}

// switchedOff: a policy that is off unless its own switch is on.
func (t *site) switchedOff(policy *node) bool {
	if policy == nil || policy.op != opDict {
		return false
	}
	if on := policy.key("enabled"); on != nil {
		v := t.value(on)
		return v.kind == vBool && v.num == 0
	}
	for _, k := range policy.list {
		if k.op == opSpread {
			return false // the switch may come with the rest
		}
	}
	return true
}

// cockatiel reads the backoff object of its retry policy.
func cockatiel(t *site) {
	b := t.resolveCall(t.given["backoff"])
	if b == nil || b.op != opCall {
		return
	}
	t.explicit = true
	switch name := b.a.last(); {
	case strings.Contains(name, "Exponential"):
		t.f.Backoff, t.f.Base, t.f.Cap = finding.BackoffExponential, secs(0.128), secs(30)
		t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceDefault
		if g := b.pos(0).key("generator"); g != nil && strings.Contains(strings.ToLower(g.last()), "nojitter") {
			t.f.Jitter, t.f.JitterSource = finding.No, finding.SourceLiteral
		}
		if v := t.value(b.pos(0).key("initialDelay")); v.kind == vNum {
			t.f.Base = seconds(t.seconds(v))
		}
		if v := t.value(b.pos(0).key("maxDelay")); v.kind == vNum {
			t.f.Cap = seconds(t.seconds(v))
		}
	case strings.Contains(name, "Constant"):
		t.f.Backoff = finding.BackoffConstant
		if v := t.value(b.pos(0)); v.kind == vNum {
			t.f.Base = seconds(t.seconds(v))
		}
	case strings.Contains(name, "Iterable"):
		if n := b.pos(0); n != nil && n.op == opList {
			var ds []value
			for _, k := range n.list {
				ds = append(ds, inSeconds(t.value(k), 1e-3))
			}
			series(ds).apply(&t.f)
		}
	}
}

// jitterByName: jitter: "full" or "none".
func jitterByName(t *site) {
	if n := t.given["jitter"]; n != nil {
		t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceLiteral
		if n.op == opStr && n.name == "none" {
			t.f.Jitter = finding.No
		}
	}
}

// maybeFunction: the count may be given as a function that returns it.
func maybeFunction(arg string) func(*site) {
	return func(t *site) {
		if v := t.value(t.given["delay"]); v.kind == vNum { // a number is the same wait each time
			t.explicit = true
			t.f.Backoff, t.f.Jitter, t.f.JitterSource = finding.BackoffConstant, finding.No, finding.SourceLiteral
		}
		n := t.given[arg]
		if n == nil {
			return
		}
		if v := t.value(n); v.kind == vFunc {
			w := newWorld(t.s.u, t.s.load, static)
			t.count(w.invoke(v, nil))
		}
	}
}

func kafkaRetry(t *site) {
	n := t.given["retry"]
	t.sub(n, "retries=count initialRetryTime=base maxRetryTime=cap factor=jitter multiplier=factor restartOnFailure=-")
}

// bullBackoff: a number is a fixed wait, an object names the kind.
func bullBackoff(t *site) {
	n := t.given["backoff"]
	if n == nil {
		return
	}
	t.explicit = true
	v := t.value(n)
	if v.kind == vNum {
		t.f.Backoff, t.f.Base = finding.BackoffConstant, seconds(t.seconds(v))
		return
	}
	if k, ok := t.w.pick(v, "type"); ok && k.kind == vStr {
		t.kindByName(k.str)
	}
	if d, ok := t.w.pick(v, "delay"); ok && d.kind == vNum && d.flags&fHole == 0 {
		t.f.Base = seconds(t.seconds(d))
	}
	if j, ok := t.w.pick(v, "jitter"); ok {
		t.jitter(j)
	}
}

// rxRetry reads retry({count, delay}).
func rxRetry(t *site) {
	n := t.given["count"]
	if n == nil || t.value(n).kind != vNode {
		return
	}
	t.row = &api{API: t.row.API, withBase: finding.BackoffConstant}
	t.sub(n, "count=count delay=base")
}

// redisStrategy reads ioredis' and node-redis' reconnect functions.
func redisStrategy(t *site) {
	f := t.given["retryStrategy"]
	if f == nil {
		f = t.given["retry_strategy"]
	}
	if f == nil {
		f = t.given["reconnectStrategy"]
	}
	if f == nil {
		if v, ok := t.w.pick(t.value(t.given["socket"]), "reconnectStrategy"); ok && v.kind == vFunc {
			f = v.node
		}
	}
	if f == nil {
		if t.given["maxRetriesPerRequest"] == nil {
			t.f.Line = 0
		}
		return
	}
	t.f.SetUnlimited(finding.BoundNone, finding.SourceDefault)
	t.schedule(f)
}
