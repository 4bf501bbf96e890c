//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// only keeps uses whose receiver is one of the classes.
func only(classes ...string) func(*site) {
	return func(t *site) {
		recv := t.call.a.a.last()
		for _, c := range classes {
			if recv == c {
				return
			}
		}
		t.f.Line = 0
	}
}

func onlyReceiver(class string) func(*site) { return only(class) }

// onlyMark keeps annotations, not other uses of the class's name.
func onlyMark(note string) func(*site) {
	return func(t *site) {
		t.f.Note = note
		if !t.mark {
			t.f.Line = 0
		}
	}
}

// intervalFunction reads resilience4j's IntervalFunction.ofX(...).
func intervalFunction(t *site) {
	n := t.resolveCall(t.given["intervalFunction"])
	if n == nil {
		n = t.resolveCall(t.given["intervalBiFunction"])
	}
	if n == nil {
		return
	}
	t.explicit = true
	t.f.Base = 0
	if n.op != opCall {
		t.schedule(n)
		return
	}
	low := strings.ToLower(n.a.last())
	t.f.Backoff = finding.BackoffConstant
	if strings.Contains(low, "exponential") {
		t.f.Backoff = finding.BackoffExponential
	}
	if strings.Contains(low, "random") {
		t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceLiteral
	}
	if v := t.value(n.pos(0)); v.kind == vNum && v.flags&fHole == 0 {
		t.f.Base = seconds(t.seconds(v))
	}
}

// springBackoff reads @Backoff(delay, maxDelay, multiplier, random).
func springBackoff(t *site) {
	if e := t.given["maxAttemptsExpression"]; e != nil && !t.counted {
		t.f.SetRuntime()
		if e.op == opStr {
			t.expression(e.name)
		}
	}
	b := t.given["backoff"]
	if b == nil || b.op != opCall {
		return
	}
	t.explicit = true
	get := func(names ...string) (value, bool) {
		for _, name := range names {
			if k := b.arg(name); k != nil {
				return t.value(k), true
			}
		}
		return value{}, false
	}
	t.f.Backoff, t.f.Base = finding.BackoffConstant, secs(1)
	if v, ok := get("delay", "value"); ok && v.kind == vNum {
		t.f.Base = seconds(t.seconds(v))
	} else if p := b.pos(0); p != nil {
		if v := t.value(p); v.kind == vNum {
			t.f.Base = seconds(t.seconds(v))
		}
	}
	top, capped := get("maxDelay")
	if capped && top.kind == vNum {
		t.f.Cap = seconds(t.seconds(top))
	}
	growth, grows := get("multiplier", "multiplierExpression")
	switch random, _ := get("random"); {
	case grows && !(growth.kind == vNum && growth.num <= 1 && growth.flags&fHole == 0):
		t.f.Backoff = finding.BackoffExponential
		if random.kind == vBool && random.num == 1 {
			t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceLiteral
		}
	case capped: // a delay between two limits
		t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceDefault
	}
}

// expression reads the default in "${key:3}".
func (t *site) expression(s string) {
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		if v := literal(strings.TrimRight(s[i+1:], "} ")); v.kind == vNum {
			v.flags |= fRuntime
			t.count(v)
		}
	}
}

// stringNumbers reads counts given as text: attempts = "5", "${retries:3}".
func stringNumbers(t *site) {
	if n := t.given["attempts"]; n != nil && n.op == opStr {
		if v := literal(n.name); v.kind == vNum {
			t.count(v)
		} else {
			t.f.SetRuntime()
			t.expression(n.name)
		}
	}
	if n := t.given["multiplier"]; n != nil && n.op == opStr {
		if v := literal(n.name); v.kind == vNum {
			t.factor = v.num
		}
	}
}

// setters reads policy.setMaxAttempts(5) on the variable that holds the object.
func setters(names ...string) func(*site) {
	return func(t *site) {
		a := t.call.up(opAssign)
		if a == nil || a.a == nil {
			return
		}
		for _, name := range names {
			for _, c := range t.s.u.callsOf(name) {
				if c.a.op == opMember && c.a.a.last() == a.a.last() && len(c.list) > 0 {
					t.count(t.value(c.list[0]))
				}
			}
		}
	}
}

// retryTemplate reads the builder, or the policies set on the object.
func retryTemplate(t *site) {
	if t.given["infiniteRetry"] != nil {
		t.f.SetUnlimited(finding.BoundNone, finding.SourceLiteral)
	}
	switch {
	case t.given["exponentialBackoff"] != nil:
		t.f.Backoff, t.explicit = finding.BackoffExponential, true
		t.firstBase("exponentialBackoff")
		if v := t.value(t.given["exponentialBackoff@4"]); v.kind == vBool && v.num == 1 {
			t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceLiteral
		}
	case t.given["uniformRandomBackoff"] != nil:
		t.f.Backoff, t.f.Jitter, t.f.JitterSource, t.explicit = finding.BackoffConstant, finding.Yes, finding.SourceLiteral, true
		t.firstBase("uniformRandomBackoff")
	case t.given["customBackoff"] != nil:
		t.backOffPolicy(t.resolveCall(t.given["customBackoff"]))
	}
	a := t.call.up(opAssign)
	if a == nil || a.a == nil {
		return
	}
	for _, c := range t.s.u.callsOf("setBackOffPolicy") {
		if c.a.op == opMember && c.a.a.last() == a.a.last() && len(c.list) > 0 {
			t.backOffPolicy(t.resolveCall(c.list[0]))
		}
	}
	for _, c := range t.s.u.callsOf("setRetryPolicy") {
		if c.a.op == opMember && c.a.a.last() == a.a.last() && len(c.list) > 0 {
			if p := t.resolveCall(c.list[0]); p != nil && p.op == opCall && p.a.last() == "SimpleRetryPolicy" && len(p.list) > 0 {
				t.count(t.value(p.list[0]))
			}
		}
	}
}

func (t *site) firstBase(name string) {
	if v := t.value(t.given[name]); v.kind == vNum && v.flags&fHole == 0 {
		t.f.Base = seconds(t.seconds(v))
	}
}

// backOffPolicy reads the kind of a Spring policy object from its class.
func (t *site) backOffPolicy(n *node) {
	if n == nil || n.op != opCall {
		return
	}
	t.explicit = true
	switch name := n.a.last(); {
	case strings.Contains(name, "NoBackOff"):
		t.f.Backoff = finding.BackoffNone
	case strings.Contains(name, "Exponential"):
		t.f.Backoff = finding.BackoffExponential
		if strings.Contains(name, "Random") {
			t.f.Jitter, t.f.JitterSource = finding.Yes, finding.SourceDefault
		}
	case strings.Contains(name, "UniformRandom"):
		t.f.Backoff, t.f.Jitter, t.f.JitterSource = finding.BackoffConstant, finding.Yes, finding.SourceDefault
	case strings.Contains(name, "Fixed"):
		t.f.Backoff, t.f.Base = finding.BackoffConstant, secs(1)
	}
}

// failsafe reads withMaxRetries (retries, not attempts) and withBackoff(min, max).
func failsafe(t *site) {
	if t.call.a.op == opMember && t.call.a.a.last() != "RetryPolicy" { // its breakers and limiters have builders too
		t.f.Line = 0
		return
	}
	if n := t.given["withMaxRetries"]; n != nil {
		switch v := t.value(n); {
		case v.kind == vNum && v.flags&fHole == 0 && v.num < 0:
			t.f.SetUnlimited(finding.BoundNone, finding.SourceLiteral)
		case v.kind == vNum && v.flags&fHole == 0:
			t.f.SetTotal(int64(v.num)+1, source(v.flags))
		default:
			t.f.SetRuntime()
		}
		t.counted = true
	}
	if n := t.given["withBackoff"]; n != nil {
		t.explicit = true
		t.f.Backoff = finding.BackoffExponential
		t.firstBase("withBackoff")
		if v := t.value(t.given["withBackoff@2"]); v.kind == vNum {
			t.f.Cap = seconds(t.seconds(v))
		}
	}
}

// guavaRetryer reads StopStrategies.stopAfterAttempt(n) and WaitStrategies.
func guavaRetryer(t *site) {
	if n := t.resolveCall(t.given["withStopStrategy"]); n != nil && n.op == opCall {
		switch n.a.last() {
		case "stopAfterAttempt":
			t.count(t.value(n.pos(0)))
		case "stopAfterDelay":
			t.elapsed = true
		}
	}
	n := t.resolveCall(t.given["withWaitStrategy"])
	if n == nil || n.op != opCall {
		return
	}
	t.explicit = true
	low := strings.ToLower(n.a.last())
	switch {
	case strings.HasPrefix(low, "fixed"):
		t.f.Backoff = finding.BackoffConstant
	case strings.HasPrefix(low, "random"):
		t.f.Backoff, t.f.Jitter, t.f.JitterSource = finding.BackoffConstant, finding.Yes, finding.SourceLiteral
	case strings.HasPrefix(low, "exponential"):
		t.f.Backoff = finding.BackoffExponential
	case strings.HasPrefix(low, "fibonacci"):
		t.f.Backoff, t.f.BackoffSub = finding.BackoffExponential, "fibonacci"
	case strings.HasPrefix(low, "incrementing"):
		t.f.Backoff = finding.BackoffLinear
	case low != "nowait":
		t.f.Backoff = finding.BackoffUnknown
	}
}

// mutinyBackoff: onFailure().retry().withBackOff(min, max).atMost(n)
func mutinyBackoff(t *site) {
	n := t.call.a.a
	retries := false
	for ; n != nil && n.op == opCall; n = n.a.a {
		switch n.a.last() {
		case "withBackOff":
			t.f.Backoff, t.f.Jitter, t.f.JitterSource, t.explicit = finding.BackoffExponential, finding.Yes, finding.SourceDefault, true
		case "withJitter":
			t.jitter(t.value(n.pos(0)))
		case "retry":
			retries = true
		}
		if n.a.op != opMember {
			break
		}
	}
	if !retries {
		t.f.Line = 0
	}
}

// enabledOnly keeps uses that switch the feature on.
func enabledOnly(arg string) func(*site) {
	return func(t *site) {
		if v := t.value(t.given[arg]); v.kind == vBool && v.num == 0 {
			t.f.SetTotal(1, finding.SourceLiteral)
		}
	}
}

// kafkaRetries reads properties.put(ProducerConfig.RETRIES_CONFIG, n); other keys
// are other settings.
func kafkaRetries(t *site) {
	key := t.given["key"]
	if key == nil || key.last() != "RETRIES_CONFIG" && !(key.op == opStr && key.name == "retries") {
		t.f.Line = 0
		return
	}
	stringNumbers(t)
}

func awsAttempts(t *site) {
	if n := t.given["maxAttempts"]; n != nil {
		if v := t.value(n); v.kind == vNum && v.flags&fHole == 0 {
			t.f.SetTotal(int64(v.num), source(v.flags))
		} else {
			t.f.SetRuntime()
		}
	}
}
