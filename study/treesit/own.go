//go:build cgo

package treesit

import "retrylab/study/finding"

// ownDecorator reads decorators of the project itself whose name speaks of
// retrying. When the decorator's code is found, its loop is run with the
// arguments given; otherwise the arguments alone are read.
func (s *scan) ownDecorator(n *node) {
	name := n.a.last()
	if !finding.RetryWord(name) || s.u.lang.name == finding.LangJava {
		return
	}
	if rhs := s.u.globals[name]; n.a.op == opName && rhs != nil && s.taken[rhs] {
		return // bound to a name above: reported where it is made
	}
	f := finding.Finding{
		Line: n.line, SpanEnd: n.end, API: name, Mechanism: finding.MechDecorator, Rule: finding.RuleDecorator,
		Confidence: finding.Medium, Scope: finding.ScopeRemote, Function: function(n), Note: "decorator of the project itself",
	}
	w := newWorld(s.u, s.load, static)
	def, ok := w.callee(n, nil)
	if !ok {
		s.byNames(n, &f)
		s.add(f)
		return
	}
	args := map[string]value{}
	i := 0
	for _, a := range n.list {
		switch a.op {
		case opArg:
			args[a.name] = w.eval(a.a, nil)
		case opSpread:
		default:
			if i < len(def.node.list) {
				args[def.node.list[i].name] = w.eval(a, nil)
			}
			i++
		}
	}
	for i, p := range def.node.list {
		if _, ok := args[p.name]; !ok && p.a != nil {
			args[p.name] = w.inUnit(def.unit, p.a, nil)
			_ = i
		}
	}
	if s.runOwn(def, args, &f) {
		f.Confidence = finding.High
	} else {
		s.byNames(n, &f)
	}
	s.taken[n] = true
	s.add(f)
}

// byNames reads bound and waits from the names of the arguments alone.
func (s *scan) byNames(n *node, f *finding.Finding) {
	row := &api{API: finding.API{DefaultUnknown: true, Backoff: finding.BackoffUnknown, Jitter: finding.Unknown}, withBase: finding.BackoffConstant, unit: s.u.lang.waitUnit}
	t := &site{s: s, row: row, call: n, w: newWorld(s.u, s.load, static), given: map[string]*node{}, f: *f}
	t.f.SetRuntime()
	t.f.Backoff, t.f.Jitter = finding.BackoffUnknown, finding.Unknown
	t.collect()
	for _, name := range sortedKeys(t.given) {
		row.Count.Total = row.Count.Total || t.meaning(name) == finding.ParamCount && totalName(name)
	}
	t.read()
	t.settle()
	*f = t.f
}

// runOwn runs the first retry loop inside the decorator's code.
func (s *scan) runOwn(def value, args map[string]value, f *finding.Finding) bool {
	sub := &scan{u: def.unit, load: s.load, taken: map[*node]bool{}, doneFunc: map[*node]bool{}, override: map[*node]map[string]value{def.node: args}}
	done := false
	def.node.walk(func(k *node) bool {
		if k.op == opLoop && !done {
			for _, c := range sub.candidates(k) {
				if got, v := sub.judge(k, c, finding.FormLoop); v.Retry {
					f.Bound, f.TotalAttempts, f.Unlimited, f.CountSource = got.Bound, got.TotalAttempts, got.Unlimited, got.CountSource
					f.Backoff, f.BackoffSub, f.Base, f.Cap = got.Backoff, got.BackoffSub, got.Base, got.Cap
					f.Jitter, f.JitterSource, f.Failures = got.Jitter, got.JitterSource, got.Failures
					done = true
					break
				}
			}
		}
		return !done
	})
	return done
}
