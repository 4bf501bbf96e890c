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
