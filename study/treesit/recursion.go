//go:build cgo

package treesit

import "retrylab/study/finding"

// recursions looks at functions that call themselves, at once or by a timer,
// after a failure.
func (s *scan) recursions() {
	s.u.root.walk(func(f *node) bool {
		if f.op == opFunc && f.a != nil && funcName(f) != "" {
			s.recursion(f)
		}
		return true
	})
}

func (s *scan) recursion(f *node) {
	var self, timers []*node
	f.a.walk(func(k *node) bool {
		if k.op != opCall {
			return true
		}
		if callsFunc(k, f) || k.a.last() == "then" && len(k.list) > 0 && refersTo(k.list[0], funcName(f)) {
			self = append(self, k)
		} else if what, _, _, ok := timerCall(s.u.lang, k); ok && (refersTo(what, funcName(f)) || runsItself(what, f)) {
			timers = append(timers, k)
			self = append(self, k)
		}
		return true
	})
	for _, k := range self {
		region := s.failureRegion(k, f)
		if region == nil || walksItems(k, f) || otherWork(k, f) {
			continue
		}
		if s.recursive(f, k, region, timers) {
			return
		}
	}
}

// runsItself: the task whose run method f is hands itself to the timer.
func runsItself(what, f *node) bool {
	return what.op == opName && isSelf(what) && (funcName(f) == "run" || funcName(f) == "call")
}

// walksItems: the call is inside a loop over a collection, so the recursion goes
// down a structure.
func walksItems(k, f *node) bool {
	for p := k.parent; p != nil && p != f; p = p.parent {
		if p.op == opLoop && (p.name == "each" && !numericIter(p.b) || stepsAlong(p)) {
			return true
		}
	}
	return false
}

// otherWork: the call passes on something else than it got, so that it does
// other work: the next of several candidates, the answer's own target, or a
// switch to a fallback. Counters, waits, failures and marks of a second try may
// differ, and so may what is made of the parameter itself.
func otherWork(k, f *node) bool {
	params := f.list
	if len(params) > 0 && (params[0].name == "self" || params[0].name == "cls") {
		params = params[1:]
	}
	if k.a == nil || !callsFunc(k, f) { // a timer that is given the function
		return false
	}
	for i, p := range params {
		a := k.arg(p.name)
		if a == nil {
			a = k.pos(i)
		}
		if a == nil || p.name == "" || a.op == opSpread || mayDiffer(p.name) {
			continue
		}
		switch a.op {
		case opBool:
			return true
		case opName, opMember, opIndex, opCall:
			if !uses(a, &node{op: opName, name: p.name}) && !mayDiffer(a.last()) && steersOperation(f, k, p.name) {
				return true
			}
		}
	}
	return false
}

// mayDiffer: parameters that tell one try from the next without changing the work.
func mayDiffer(name string) bool {
	if finding.RetryWord(name) || errorName(name) || wordSide(name) != 0 {
		return true
	}
	for _, w := range splitWords(name) {
		switch w {
		case "again", "try", "first", "initial", "count", "counter", "depth", "n", "i", "left", "remaining", "wait", "delay", "timeout", "interval", "time", "deadline", "force", "fresh", "refresh", "token", "session", "connection", "conn", "client", "callback", "cb", "resolve", "reject":
			return true
		}
	}
	return false
}

// steersOperation: a call of the function other than to itself is given the parameter.
func steersOperation(f, self *node, name string) bool {
	found := false
	item := &node{op: opName, name: name}
	f.a.walk(func(c *node) bool {
		if c.op == opCall && c != self && !callsFunc(c, f) && callScore(c) > 0 {
			for _, a := range c.list {
				found = found || a.op != opFunc && uses(a, item)
			}
		}
		return !found
	})
	return found
}

func (s *scan) recursive(f, k, region *node, timers []*node) bool {
	c := candidate{throws: region.op == opHandler || region.op == opFunc}
	f.a.walkHere(func(t *node) bool {
		if t.op == opTry && len(t.list) > 0 && c.op == nil {
			if k.within(t) && !k.within(t.a) || region.within(t) && !region.within(t.a) {
				c.op, c.try, c.throws = s.otherCall(t.a, t, f), t, true
			}
		}
		if t.op == opCall && promiseCatch(t) && c.op == nil && (k.within(t) || region.within(t) && !region.within(t.a) || s.passes(t, k)) {
			c.op, c.try, c.throws = s.otherCall(t.a.a, nil, f), t, true
		}
		return true
	})
	if c.op == nil {
		c.op, c.try, c.throws = s.otherCall(f.a, nil, f), nil, false
	}
	if c.op == nil {
		return false
	}
	form := finding.FormRecursion
	if len(timers) > 0 || timerAbove(s.u.lang, k, f) {
		form = finding.FormTimer
	}
	r := s.imagineCalls(f, c, timers)
	w := r.stretched
	sh := finding.Shape{
		Form: form, Operation: true, FailureRepeats: w.attempts >= 2,
		SuccessLeaves: r.healthy.attempts == 1, Counted: r.normal.bounded, Waits: len(w.delays) > 0,
		FailureWaits: len(w.delays) > 0 && w.hasWait(region), FailureCounts: w.hasCount(region),
		RetryWord: speaksOfRetry(f) || finding.RetryWord(funcName(f)),
		PollWord:  finding.PollWord(c.op.a.last()) || finding.PollWord(funcName(f)),
	}
	v := finding.Judge(sh)
	if !v.Retry {
		// Calling itself with the arguments it got, only after a failure, is
		// evidence enough of its own.
		if !sh.FailureRepeats || !sh.SuccessLeaves || !sameArgs(k, f) {
			return false
		}
		v.Confidence = finding.Low
	}
	line, end := place(k, region)
	out := finding.Finding{
		Line: line, SpanEnd: end, Mechanism: finding.MechHandRolled, Form: form, Rule: finding.RuleOfForm(form),
		Confidence: v.Confidence, Scope: s.scope(c.op), Function: funcName(f), Operation: c.op.a.last(),
	}
	if c.try != nil && c.try.op == opTry {
		out.Failures = failures(c.try)
	}
	r.fill(&out, 0)
	s.taken[k], s.taken[f] = true, true
	for _, t := range timers {
		s.taken[t] = true
	}
	f.a.walk(func(t *node) bool {
		if _, _, _, ok := timerCall(s.u.lang, t); ok && k.within(t) {
			s.taken[t] = true
		}
		return true
	})
	s.add(out)
	return true
}

// place is where a construct without a loop is reported: the guard around the
// call that repeats.
func place(k, region *node) (line, end int) {
	if g := k.up(opIf); g != nil && (g == region || g.within(region)) {
		return g.line, g.end
	}
	if region.op == opHandler || region.op == opIf {
		return region.line, region.end
	}
	return k.line, k.end
}

func timerAbove(l *lang, k, f *node) bool {
	for p := k.parent; p != nil && p != f; p = p.parent {
		if _, _, _, ok := timerCall(l, p); ok {
			return true
		}
	}
	return false
}

// otherCall is the most likely operation below n that is not f itself.
func (s *scan) otherCall(n, outer, f *node) *node {
	return bestCallBut(n, outer, func(k *node) bool { return callsFunc(k, f) })
}

// passes: the call t is given, by name, a function that contains k.
func (s *scan) passes(t, k *node) bool {
	for _, a := range t.list {
		for _, f := range s.u.funcs[a.last()] {
			if a.op != opFunc && k.within(f) {
				return true
			}
		}
	}
	return false
}

// sameArgs: the call passes on exactly the parameters.
func sameArgs(k, f *node) bool {
	params := f.list
	if len(params) > 0 && (params[0].name == "self" || params[0].name == "cls") {
		params = params[1:]
	}
	if len(k.list) != len(params) || len(params) == 0 {
		return false
	}
	for i, a := range k.list {
		if a.op == opArg && a.name == params[i].name {
			a = a.a
		}
		if a.op != opName || a.name != params[i].name {
			return false
		}
	}
	return true
}

// imagineCalls runs a function that may call itself.
func (s *scan) imagineCalls(f *node, c candidate, timers []*node) runs {
	one := func(m mode, stretch bool) *world {
		w := newWorld(s.u, s.load, m)
		w.stretch, w.top, w.throws = stretch, f, c.throws
		w.ops = map[*node]bool{c.op: true}
		w.counters = findCounters(f)
		selfCounters(f, w.counters)
		var args []value
		e := w.prelude(f)
		for i, p := range f.list {
			if i == 0 && (p.name == "self" || p.name == "cls") {
				continue
			}
			args = append(args, w.quietly(func(q *world) value { return q.param(f, p, i) }))
		}
		w.invoke(value{kind: vFunc, node: f, env: e, unit: s.u}, args)
		return w
	}
	return runs{one(failing, false), one(failing, true), one(healthy, false)}
}

// selfCounters adds the parameters that a function passes on changed.
func selfCounters(f *node, into map[string]bool) {
	offset := 0
	if len(f.list) > 0 && (f.list[0].name == "self" || f.list[0].name == "cls") {
		offset = 1
	}
	f.a.walk(func(k *node) bool {
		if !callsFunc(k, f) {
			return true
		}
		for i := offset; i < len(f.list); i++ {
			p := f.list[i]
			a := k.arg(p.name)
			if a == nil {
				a = k.pos(i - offset)
			}
			if a != nil && p.name != "" && !(a.op == opName && a.name == p.name) && (a.op == opBinary || a.op == opName || a.op == opAssign) {
				into[p.name] = true
			}
		}
		return true
	})
}
