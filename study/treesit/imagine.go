//go:build cgo

package treesit

import (
	"math"
	"time"

	"retrylab/study/finding"
)

// runs are the results of running one construct in the three worlds that matter.
type runs struct {
	normal    *world // failing, with bounds
	stretched *world // failing, without bounds
	healthy   *world
}

// imagine runs a loop in the failing and the healthy world.
func (s *scan) imagine(n *node, c candidate) runs {
	one := func(m mode, stretch bool) *world {
		w := newWorld(s.u, s.load, m)
		w.stretch, w.top, w.throws, w.override = stretch, n, c.throws, s.override
		w.ops = map[*node]bool{c.op: true}
		w.counters = findCounters(n)
		e := w.prelude(n)
		w.exec(n, e)
		return w
	}
	return runs{one(failing, false), one(failing, true), one(healthy, false)}
}

// prelude sets up the variables that hold when control reaches n: what the
// statements before it in the enclosing functions assign.
func (w *world) prelude(n *node) *env {
	if w.wanted == nil { // only names the construct mentions are worth evaluating
		w.wanted = map[string]bool{}
		n.walk(func(k *node) bool {
			if k.op == opName || k.op == opMember {
				w.wanted[k.name] = true
			}
			return true
		})
	}
	fn := n.up(opFunc, opFile)
	if fn == nil || fn.op == opFile {
		e := newEnv(nil, nil)
		w.before(fn, n, e)
		return e
	}
	e := newEnv(w.prelude(fn), fn)
	for i, p := range fn.list {
		if p.name != "" {
			e.vars[p.name] = w.quietly(func(q *world) value { return q.param(fn, p, i) })
		}
		if p.b != nil {
			w.bindPattern(p.b, unknown(0), e)
		}
	}
	w.before(fn.a, n, e)
	return e
}

// before runs the assignments that precede n. Those in branches only count when
// the variable has no number yet.
func (w *world) before(top, n *node, e *env) {
	if top == nil {
		return
	}
	var visit func(k *node, sure bool) bool
	visit = func(k *node, sure bool) bool {
		if k == n || n.within(k) && (k.op == opFunc || k.op == opClass) {
			return false
		}
		on := n.within(k)
		switch k.op {
		case opFunc:
			if k.name != "" && !on {
				e.vars[k.name] = value{kind: vFunc, node: k, env: e, unit: w.u}
			}
			return true
		case opClass:
			return true
		case opAssign:
			w.assignBefore(k, sure, e)
			return true
		case opIf, opLoop, opTry, opSwitch:
			sure = sure && on
		}
		ok := true
		k.each(func(c *node) {
			if ok {
				ok = visit(c, sure)
			}
		})
		return ok
	}
	visit(top, true)
}

func (w *world) assignBefore(k *node, sure bool, e *env) {
	if k.a == nil || k.b == nil || k.name != "=" || k.a.op != opDict && k.a.op != opList && !w.wanted[k.a.last()] {
		return
	}
	if k.a.op == opName && !sure {
		// "if x is None: x = 5" gives the default; other branches are exceptions.
		if old, ok := e.vars[k.a.name]; ok && old.kind != vNull && !(old.flags&fHole != 0 && guardedBy(k)) {
			return
		}
	}
	v := w.quietly(func(q *world) value { return q.eval(k.b, e) })
	switch k.a.op {
	case opName:
		if _, known := e.find(k.a.name); !known && w.u.lang.bareFields && w.u.fields[k.a.name] != nil {
			w.fields[k.a.name] = v
			return
		}
		e.vars[k.a.name] = v
	default:
		w.store(k.a, v, e)
	}
}

// guardedBy: the assignment depends on a test of the variable itself.
func guardedBy(k *node) bool {
	c := k.up(opIf, opFunc)
	return c != nil && c.op == opIf && c.a != nil && uses(c.a, k.a)
}

// quietly evaluates without the run noticing: no attempts, waits or bounds.
func (w *world) quietly(f func(*world) value) value {
	q := newWorld(w.u, w.load, static)
	q.fields, q.guard, q.busy, q.depth, q.override, q.vary = w.fields, w.guard, w.busy, w.depth+1, w.override, w.vary
	q.top = w.top
	if q.depth > maxDepthRun {
		return unknown(0)
	}
	return f(q)
}

// fill writes bound, backoff and jitter into a finding. extra is added to the
// number of attempts.
func (r runs) fill(f *finding.Finding, extra int) {
	w := r.normal
	total := float64(w.repeats()+extra) + w.shift
	switch {
	case w.bounded && w.limitFlags&(fHole|fOpaque) == 0 && w.repeats() < maxAttempts && w.steps < maxSteps && !w.openEach:
		if total >= finding.Huge {
			f.SetUnlimited(finding.BoundNone, source(w.limitFlags))
		} else {
			f.SetTotal(int64(math.Round(total)), source(w.limitFlags))
			f.Disabled = false // a loop that runs once is no setting
		}
	case w.bounded || w.openEach:
		f.SetRuntime()
	case w.timed:
		f.SetUnlimited(finding.BoundDeadline, finding.SourceUnknown)
	case w.cut || w.repeats() >= maxRecursion/2 || w.steps >= maxSteps:
		f.SetUnlimited(finding.BoundNone, finding.SourceLiteral)
	default:
		f.SetTotal(int64(w.repeats()+extra), finding.SourceLiteral)
		f.Disabled = false
	}
	d := r.stretched.delays
	if len(d) == 0 {
		d = w.delays
	}
	if len(d) == 0 {
		d = r.stretched.soft[r.stretched.softFirst]
	}
	series(d).apply(f)
}

func source(f flags) string {
	switch {
	case f&fRuntime != 0:
		return finding.SourceRuntime
	case f&fNamed != 0:
		return finding.SourceConstant
	}
	return finding.SourceLiteral
}

// wait is what a series of waits looks like.
type wait struct {
	finding.Delay
	sub       string
	base, cap float64 // seconds; 0 = not known
}

func (d wait) apply(f *finding.Finding) {
	d.Delay.Apply(f)
	if d.sub != "" {
		f.BackoffSub = d.sub
	}
	f.Base, f.Cap = seconds(d.base), seconds(d.cap)
}

func seconds(x float64) time.Duration {
	if x <= 0 || x > 1e8 {
		return 0
	}
	return time.Duration(math.Round(x * 1e9))
}

// series classifies the waits of successive attempts by how they grow.
func series(delays []value) wait {
	d := wait{}
	var xs []float64
	var f flags
	known := true
	guess := ""
	for _, v := range delays {
		f |= v.flags
		if v.kind == vUnknown || v.kind == vStr {
			known = false
			guess = v.str
			continue
		}
		if !v.numeric() {
			known = false
			continue
		}
		xs = append(xs, v.num)
	}
	d.Waits = len(delays) > 0
	d.Random = f&fRandom != 0
	if len(delays) == 0 {
		return d
	}
	if len(xs) == 0 {
		d.guess(guess)
		return d
	}
	if f&fServer != 0 && constantSeries(xs) {
		d.Server = true
		return d
	}
	exact := known && f&(fHole|fRandom|fServer|fOpaque) == 0
	d.grow(xs, exact)
	if f&fOpaque != 0 && !d.Power && !d.Step {
		d.Unresolved = true
	}
	return d
}

func constantSeries(xs []float64) bool {
	for _, x := range xs {
		if x != xs[0] {
			return false
		}
	}
	return true
}
