//go:build cgo

package treesit

import (
	"math"
	"strings"
	"time"

	"retrylab/study/finding"
)

func secs(x float64) time.Duration { return time.Duration(math.Round(x * 1e9)) }

// resolveCall follows a name to the call it is bound to.
func (t *site) resolveCall(n *node) *node {
	for range 4 {
		if n == nil || n.op == opCall || n.op == opBinary {
			return n
		}
		if n.op != opName {
			return n
		}
		next := t.s.u.globals[n.name]
		if fn := n.up(opFunc); next == nil && fn != nil {
			fn.a.walkHere(func(k *node) bool {
				if k.op == opAssign && k.a != nil && k.a.op == opName && k.a.name == n.name && k.b != nil && k.name == "=" {
					next = k.b
				}
				return true
			})
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

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

// urllib3Retry: a factor of zero means no wait at all; Retry(False) is off.
func urllib3Retry(t *site) {
	for _, k := range []string{"connect", "read", "status"} {
		if n := t.given[k]; n != nil && !t.counted {
			t.count(t.value(n))
			t.counted = t.given["total"] != nil
		}
	}
	if t.hasBase && t.base != 0 && t.f.Cap == 0 {
		t.f.Cap = secs(120)
	}
	if n := t.given["status_forcelist"]; n != nil && n.op == opList {
		var codes []string
		for _, k := range n.list {
			codes = append(codes, k.name)
		}
		t.f.Failures = strings.Join(codes, ", ")
	}
}

// onlyNumber drops uses whose argument is itself a policy object, which is
// reported where it is made.
func onlyNumber(name string) func(*site) {
	return func(t *site) {
		if v := t.value(t.given[name]); v.kind != vNum || v.flags&fHole != 0 && t.resolveCall(t.given[name]) != nil && t.resolveCall(t.given[name]).op == opCall {
			t.f.Line = 0
		}
	}
}

func listRetry(t *site) {
	if n := t.call.pos(0); n != nil && n.op == opList {
		t.f.SetTotal(int64(len(n.list)), finding.SourceLiteral)
		var ds []value
		for _, k := range n.list {
			ds = append(ds, inSeconds(t.value(k), 1))
		}
		series(ds).apply(&t.f)
		t.explicit = true
	}
}

func retryingWait(t *site) {
	for _, name := range sortedKeys(t.given) {
		v := t.value(t.given[name])
		switch {
		case name == "wait_fixed" && v.num != 0:
			t.f.Backoff, t.f.Base = finding.BackoffConstant, seconds(t.seconds(v))
		case strings.HasPrefix(name, "wait_random") && t.f.Backoff == finding.BackoffNone:
			t.f.Backoff, t.f.Jitter, t.f.JitterSource = finding.BackoffConstant, finding.Yes, finding.SourceLiteral
		case strings.HasPrefix(name, "wait_exponential"):
			t.f.Backoff = finding.BackoffExponential
			if name == "wait_exponential_max" && v.kind == vNum {
				t.f.Cap = seconds(t.seconds(v))
			}
		case strings.HasPrefix(name, "wait_incrementing"):
			t.f.Backoff = finding.BackoffLinear
		case name == "wait_func":
			t.f.Backoff = finding.BackoffUnknown
		}
	}
	t.explicit = true
}

// botoRetries reads Config(retries={...}).
func botoRetries(t *site) {
	v := t.value(t.given["retries"])
	mode := "legacy"
	if m, ok := t.w.pick(v, "mode"); ok && m.kind == vStr {
		mode = m.str
	}
	if mode != "legacy" {
		t.f.SetTotal(3, finding.SourceDefault)
	}
	if n, ok := t.w.pick(v, "max_attempts"); ok {
		t.count(n)
	}
	if n, ok := t.w.pick(v, "total_max_attempts"); ok && n.kind == vNum {
		t.f.SetTotal(int64(n.num), source(n.flags))
	}
	if v.kind != vNode {
		t.f.SetRuntime()
	}
	t.f.Note = "mode " + mode
}

// celeryTask: backoff and jitter only apply to automatic retries.
func celeryTask(t *site) {
	if d := t.given["retry_kwargs"]; d != nil {
		if v, ok := t.w.pick(t.value(d), "max_retries"); ok {
			t.count(v)
		}
		if v, ok := t.w.pick(t.value(d), "countdown"); ok && v.kind == vNum {
			t.f.Base = seconds(v.num)
		}
	}
	b := t.given["retry_backoff"]
	if b == nil {
		return
	}
	t.explicit = true
	v := t.value(b)
	if yes, known := v.truth(); known && !yes {
		return
	}
	t.f.Backoff, t.f.Jitter, t.f.JitterSource, t.f.Cap = finding.BackoffExponential, finding.Yes, finding.SourceDefault, secs(600)
	t.f.Base = secs(1)
	if v.kind == vNum && v.flags&fHole == 0 {
		t.f.Base = seconds(v.num)
	}
	if m := t.value(t.given["retry_backoff_max"]); m.kind == vNum {
		t.f.Cap = seconds(m.num)
	}
	if j := t.given["retry_jitter"]; j != nil {
		t.jitter(t.value(j))
	}
}

// celeryRetry reads self.retry(exc=..., countdown=...) inside a task; the task's
// decorator gives the bound when the call does not.
func celeryRetry(t *site) {
	recv := strings.ToLower(t.call.a.a.last())
	if recv != "self" && !strings.Contains(recv, "task") && recv != "cls" {
		t.f.Line = 0
		return
	}
	if fn := t.call.up(opFunc); fn != nil && !t.counted {
		for ; fn != nil && len(fn.marks) == 0; fn = fn.up(opFunc) {
		}
		if fn != nil {
			for _, m := range fn.marks {
				if m.op == opCall && m.arg("max_retries") != nil {
					t.count(t.value(m.arg("max_retries")))
				}
			}
		}
	}
	if t.spread && !t.counted {
		t.f.SetRuntime()
	}
	if c := t.given["countdown"]; c != nil {
		t.schedule(c)
	}
}

// schedule reads the wait from an argument that is computed for each attempt.
func schedule(arg string) func(*site) {
	return func(t *site) {
		if n := t.given[arg]; n != nil {
			t.schedule(n)
		}
	}
}

// kombuStep: waits grow by interval_step; a step of zero makes them constant.
func kombuStep(t *site) {
	if len(t.call.list) == 0 && t.s.importsAny("django.db") {
		t.f.Line = 0 // Django's connections have a method of that name, which tries once
		return
	}

	if st := t.given["interval_step"]; st != nil {
		if v := t.value(st); v.kind == vNum && v.num == 0 {
			t.f.Backoff = finding.BackoffConstant
		}
	}
	t.explicit = true
	if t.spread && !t.counted {
		t.f.SetRuntime()
	}
}

// redisBackoff reads the backoff object of redis-py's Retry.
func redisBackoff(t *site) {
	t.explicit = true
	b := t.resolveCall(t.given["backoff"])
	if b == nil {
		return
	}
	name := t.s.origin(b)
	t.f.Jitter, t.f.JitterSource = finding.No, finding.SourceDefault
	switch {
	case strings.Contains(name, "NoBackoff"):
		t.f.Backoff = finding.BackoffNone
	case strings.Contains(name, "Constant"):
		t.f.Backoff = finding.BackoffConstant
	case strings.Contains(name, "Exponential"), strings.Contains(name, "Jitter"), strings.Contains(name, "default_backoff"):
		t.f.Backoff = finding.BackoffExponential
	default:
		t.f.Jitter, t.f.JitterSource = finding.Unknown, finding.SourceUnknown
	}
	if strings.Contains(name, "Jitter") || name == "default_backoff" {
		t.f.Jitter = finding.Yes
	}
	if b.op == opCall {
		if v := t.value(b.arg("base")); v.kind == vNum {
			t.f.Base = seconds(v.num)
		}
		if v := t.value(b.arg("cap")); v.kind == vNum {
			t.f.Cap = seconds(v.num)
		}
	}
}

// namedBackoff reads a kind given by name: Backoff.EXPONENTIAL, "exponential".
func namedBackoff(arg string) func(*site) {
	return func(t *site) {
		n := t.given[arg]
		if n == nil {
			return
		}
		word := n.last()
		if n.op == opStr {
			word = n.name
		}
		t.kindByName(word)
	}
}

func (t *site) kindByName(word string) {
	low := strings.ToLower(word)
	kind := ""
	switch {
	case strings.Contains(low, "expo"):
		kind = finding.BackoffExponential
	case strings.Contains(low, "linear"):
		kind = finding.BackoffLinear
	case strings.Contains(low, "fixed"), strings.Contains(low, "constant"):
		kind = finding.BackoffConstant
	default:
		return
	}
	t.f.Backoff, t.explicit = kind, true
	if strings.Contains(low, "jitter") || strings.Contains(low, "random") {
		t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceLiteral
	}
}

func flagExponential(arg string) func(*site) {
	return func(t *site) {
		if yes, known := t.value(t.given[arg]).truth(); t.given[arg] != nil && (yes || !known) {
			t.f.Backoff, t.explicit = finding.BackoffExponential, true
		}
	}
}
