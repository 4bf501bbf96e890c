//go:build cgo

package treesit

import "retrylab/study/finding"

// tenacity reads stop= and wait=.
func tenacity(t *site) {
	if t.call.a.last() == "retry_with" && len(t.given) == 0 {
		t.f.Line = 0
		return
	}
	t.tenacityStop(t.resolveCall(t.given["stop"]))
	if w := t.given["wait"]; w != nil {
		t.f.Backoff, t.f.Jitter, t.f.JitterSource = finding.BackoffUnknown, finding.Unknown, finding.SourceUnknown
		t.tenacityWait(t.resolveCall(w))
	}
}

func (t *site) tenacityStop(n *node) {
	if n == nil {
		return
	}
	if n.op == opBinary { // stop_after_attempt(5) | stop_after_delay(60)
		t.tenacityStop(t.resolveCall(n.a))
		t.tenacityStop(t.resolveCall(n.b))
		return
	}
	if n.op != opCall {
		if t.s.origin(n) != "stop_never" {
			t.f.SetRuntime()
		}
		return
	}
	switch t.s.origin(n.a) {
	case "stop_after_attempt":
		a := n.pos(0)
		if a == nil {
			a = n.arg("max_attempt_number")
		}
		t.count(t.value(a))
	case "stop_after_delay", "stop_before_delay":
		t.elapsed = true
	case "stop_any", "stop_all":
		for _, a := range n.list {
			t.tenacityStop(t.resolveCall(a))
		}
	default:
		if !t.counted {
			t.f.SetRuntime()
		}
	}
}

func (t *site) tenacityWait(n *node) {
	t.explicit = true
	if n == nil {
		return
	}
	if n.op == opBinary { // wait_fixed(3) + wait_random(0, 2)
		t.tenacityWait(t.resolveCall(n.a))
		kind := t.f.Backoff
		t.tenacityWait(t.resolveCall(n.b))
		if kind == finding.BackoffExponential || t.f.Backoff == finding.BackoffNone || t.f.Backoff == finding.BackoffUnknown {
			t.f.Backoff = kind
		}
		return
	}
	if n.op != opCall {
		if v := t.value(n); v.kind == vFunc {
			t.schedule(n)
		}
		return
	}
	t.tenacityKind(n)
}

// tenacityKind reads one of the library's wait objects.
func (t *site) tenacityKind(n *node) {
	arg := func(i int, name string) value {
		a := n.pos(i)
		if k := n.arg(name); k != nil {
			a = k
		}
		return t.value(a)
	}
	set := func(kind string, base, top value, random bool) {
		t.f.Backoff = kind
		if base.kind == vNum && base.flags&fHole == 0 && t.f.Base == 0 {
			t.f.Base = seconds(t.seconds(base))
		}
		if top.kind == vNum && top.flags&fHole == 0 {
			t.f.Cap = seconds(t.seconds(top))
		}
		if random {
			t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceDefault
		} else if t.f.Jitter != finding.Yes {
			t.f.Jitter, t.f.JitterSource = finding.No, finding.SourceDefault
		}
	}
	none := unknown(0)
	switch t.s.origin(n.a) {
	case "wait_fixed":
		set(finding.BackoffConstant, arg(0, "wait"), none, false)
	case "wait_none":
		set(finding.BackoffNone, none, none, false)
	case "wait_random":
		set(finding.BackoffConstant, arg(0, "min"), arg(1, "max"), true)
	case "wait_incrementing":
		set(finding.BackoffLinear, arg(0, "start"), arg(2, "max"), false)
	case "wait_exponential":
		base := arg(2, "min")
		if k := n.arg("min"); k == nil {
			base = arg(0, "multiplier")
		}
		set(finding.BackoffExponential, base, arg(1, "max"), false)
	case "wait_random_exponential", "wait_full_jitter":
		set(finding.BackoffExponential, arg(0, "multiplier"), arg(1, "max"), true)
	case "wait_exponential_jitter":
		set(finding.BackoffExponential, arg(0, "initial"), arg(1, "max"), true)
	case "wait_chain", "wait_combine":
		kind := ""
		for _, a := range n.list {
			if a.op == opSpread {
				t.f.Backoff = finding.BackoffUnknown
				continue
			}
			t.tenacityWait(t.resolveCall(a))
			if kind == "" || t.f.Backoff == finding.BackoffExponential {
				kind = t.f.Backoff
			}
		}
		if kind != "" && t.s.origin(n.a) == "wait_combine" {
			t.f.Backoff = kind
		}
	default:
		if v := t.value(n.a); v.kind == vFunc {
			t.schedule(n.a)
		}
	}
}

// backoffWait reads the wait generator of the backoff package.
func backoffWait(t *site) {
	t.explicit = true
	kind, sub := finding.BackoffUnknown, ""
	g := t.given["wait_gen"]
	switch {
	case g == nil:
	case t.s.origin(g) == "expo" || g.op == opCall && t.s.origin(g.a) == "expo":
		kind = finding.BackoffExponential
	case t.s.origin(g) == "fibo":
		kind, sub = finding.BackoffExponential, "fibonacci"
	case t.s.origin(g) == "constant":
		kind = finding.BackoffConstant
	case t.s.origin(g) == "decay":
		kind = finding.BackoffExponential
	case t.s.origin(g) == "runtime":
		kind = finding.BackoffServer
	}
	t.f.Backoff, t.f.BackoffSub = kind, sub
	switch j := t.given["jitter"]; {
	case j == nil: // also when the wait itself is computed by a function
		t.f.Jitter, t.f.JitterSource = t.row.Jitter, finding.SourceDefault
	case j.op == opNull:
		t.f.Jitter, t.f.JitterSource = finding.No, finding.SourceLiteral
	}
	if f := t.given["factor"]; f != nil && kind == finding.BackoffExponential {
		if v := t.value(f); v.kind == vNum && v.flags&fHole == 0 {
			t.f.Base = seconds(v.num)
		}
	}
}
