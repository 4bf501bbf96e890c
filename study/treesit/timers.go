//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// timers looks at calls that run something later or put work back into a queue
// after a failure.
func (s *scan) timers() {
	s.u.root.walk(func(k *node) bool {
		if k.op == opCall && !s.taken[k] {
			if what, _, _, ok := timerCall(s.u.lang, k); ok {
				s.timer(k, what)
			} else if requeueName(k.a.last()) {
				s.requeue(k)
			}
		}
		if k.op == opIf {
			s.recall(k)
		}
		return true
	})
}

// timer: a failure starts the work again later.
func (s *scan) timer(k, what *node) {
	f := k.up(opFunc)
	if f == nil || s.insideTaken(k) {
		return
	}
	targets := s.targets(what)
	if onlyShows(targets) {
		return
	}
	region := s.failureRegion(k, nil)
	names := enclosingNames(k)
	failure := region != nil
	for _, n := range names {
		failure = failure || againWord(n)
	}
	again := s.leadsBack(targets, k)
	word := false
	for _, t := range targets {
		opens := region != nil && again && opensConnection(t)
		again = again || againWord(t)
		word = word || againWord(t) || opens
	}
	if !failure || !again || !(word || speaksOfRetry(f) || finding.RetryWord(strings.Join(names, " "))) {
		return
	}
	s.scheduled(k, f, region, finding.FormTimer, targets)
}

// insideTaken: the code belongs to a construct already reported.
func (s *scan) insideTaken(k *node) bool {
	for p := k; p != nil; p = p.parent {
		if s.taken[p] && (p.op == opLoop || p.op == opCall) {
			return true
		}
	}
	return false
}

// targets names the functions a timer's argument runs.
func (s *scan) targets(what *node) []string {
	var out []string
	switch what.op {
	case opName, opMember:
		if what.name == "bind" {
			return []string{what.a.last()}
		}
		return []string{what.name}
	}
	what.walk(func(k *node) bool {
		if k.op == opCall && k.a != nil && !helperCall(strings.ToLower(k.a.last()), strings.ToLower(k.a.path())) {
			out = append(out, k.a.last())
			if k.a.last() == "bind" && k.a.op == opMember {
				out = append(out, k.a.a.last())
			}
		}
		return true
	})
	return out
}

func enclosingNames(k *node) []string {
	var out []string
	for f := k.up(opFunc, opClass); f != nil; f = f.up(opFunc, opClass) {
		if f.op == opFunc {
			out = append(out, funcName(f))
			continue
		}
		if f.name != "" {
			break
		}
		if a := f.up(opAssign, opFunc); a != nil && a.op == opAssign { // anonymous class in a field
			out = append(out, a.a.last())
		}
	}
	return out
}

// againWord: a name that speaks of doing something once more after a failure.
func againWord(s string) bool {
	low := strings.ToLower(s)
	for _, k := range []string{"reconnect", "retry", "disconnect", "reschedule", "re_schedule", "resubscribe", "redial", "connectionlost", "connection_lost", "onfail", "on_fail", "onerror", "on_error", "restart", "resend", "requeue", "rejoin"} {
		if strings.Contains(low, k) {
			return true
		}
	}
	return false
}

// opensConnection: what a failure starts again by a timer is a connection, which
// needs no other word to be a retry.
func opensConnection(name string) bool {
	low := strings.ToLower(name)
	return low == "connect" || strings.HasPrefix(low, "connect_") || strings.HasPrefix(name, "connectTo") || low == "dial" || low == "subscribe" || low == "openconnection" || low == "open_connection"
}

// leadsBack: one of the functions reaches the timer again, by calls or by passing
// functions on, within a few steps.
func (s *scan) leadsBack(targets []string, k *node) bool {
	seen := map[string]bool{}
	goals := map[string]bool{}
	for _, n := range enclosingNames(k) {
		if n != "" {
			goals[n] = true
		}
	}
	for depth := 0; depth < 4 && len(targets) > 0; depth++ {
		var next []string
		for _, t := range targets {
			if goals[t] {
				return true
			}
			if seen[t] {
				continue
			}
			seen[t] = true
			for _, f := range s.u.funcs[t] {
				if k.within(f) {
					return true
				}
				f.walk(func(c *node) bool {
					if (c.op == opName || c.op == opMember) && (len(s.u.funcs[c.name]) > 0 || goals[c.name]) {
						next = append(next, c.name)
					}
					return true
				})
			}
		}
		targets = next
	}
	return false
}

// scheduled reports a construct that starts again by a timer or queue. The
// function around it is run over and over, as the timer would.
func (s *scan) scheduled(k, f, region *node, form string, targets []string) {
	if region != nil && region.op == opFunc {
		f = region
	} else {
		for p := f; p != nil; p = p.up(opFunc) { // the nearest named function is one round
			f = p
			if funcName(p) != "" {
				break
			}
		}
	}
	op := s.otherCall(f.a, nil, f)
	throws := false
	if t := k.up(opTry); t != nil && t.within(f) && !k.within(t.a) {
		if o := bestCall(t.a, t); o != nil {
			op, throws = o, true
		}
	}
	r := s.imagineRounds(f, k, op, throws)
	if r.stretched.again == 0 {
		return
	}
	operation := "timer"
	if len(targets) > 0 {
		operation = targets[0]
	} else if op != nil {
		operation = op.a.last()
	}
	line, end := k.line, k.end
	if region != nil && region.within(f) && region != f {
		line, end = place(k, region)
	} else if g := k.up(opIf); g != nil && g.within(f) && r.normal.bounded {
		line, end = g.line, g.end
	}
	out := finding.Finding{
		Line: line, SpanEnd: end, Mechanism: finding.MechHandRolled, Form: form, Rule: finding.RuleOfForm(form),
		Confidence: finding.Medium, Scope: finding.ScopeRemote, Function: funcName(f), Operation: operation,
	}
	if region != nil && r.normal.bounded {
		out.Confidence = finding.High
	}
	extra := 1
	if form == finding.FormRequeue && throws { // the run itself repeats what failed elsewhere
		for _, n := range append(enclosingNames(k), className(k)) {
			if finding.RetryWord(n) {
				extra = 2
			}
		}
	}
	r.fill(&out, extra)
	s.taken[k] = true
	s.add(out)
}

func className(k *node) string {
	if c := k.up(opClass); c != nil {
		return c.name
	}
	return ""
}

// imagineRounds runs f again and again as long as it reaches the sink.
func (s *scan) imagineRounds(f, sink, op *node, throws bool) runs {
	one := func(stretch bool) *world {
		w := newWorld(s.u, s.load, failing)
		w.stretch, w.top = stretch, f
		w.sinks = sinksLike(f, sink)
		w.counters = findCounters(f)
		outside := outerCounters(s.u, f, w.counters)
		if op != nil && throws {
			w.ops, w.throws = map[*node]bool{op: true}, true
		}
		e := w.prelude(f)
		for round := 0; round < 60; round++ {
			before := w.again
			w.attempts = 0
			inner := newEnv(e, f)
			for i, p := range f.list {
				inner.vars[p.name] = w.quietly(func(q *world) value { return q.param(f, p, i) })
			}
			w.exec(f.a, inner)
			if w.again == before || w.spent() {
				break
			}
			for _, c := range outside {
				v := w.fields[c]
				if !v.numeric() {
					v = number(0, 0)
				}
				w.fields[c] = number(v.num+1, 0)
			}
		}
		w.attempts = 0
		if w.again >= 60 && !w.bounded {
			w.steps = maxSteps
		}
		return w
	}
	return runs{normal: one(false), stretched: one(true)}
}

// sinksLike are the sink and its equals in f: any way to queue the work again.
func sinksLike(f, sink *node) map[*node]bool {
	out := map[*node]bool{sink: true}
	if requeueName(sink.a.last()) {
		f.a.walk(func(k *node) bool {
			if k.op == opCall && requeueName(k.a.last()) {
				out[k] = true
			}
			return true
		})
	}
	return out
}

// outerCounters lists counters that other functions of the file move and f only
// reads: they count the rounds.
func outerCounters(u *unit, f *node, own map[string]bool) []string {
	all := findCounters(u.root)
	var out []string
	seen := map[string]bool{}
	f.walk(func(k *node) bool {
		if k.op == opName || k.op == opMember {
			if p := k.path(); all[p] && !own[p] && !seen[p] {
				seen[p] = true
				out = append(out, p)
				own[p] = true
			}
		}
		return true
	})
	return out
}
