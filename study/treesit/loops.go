//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// loops looks at every loop statement as a possible hand-rolled retry.
func (s *scan) loops() {
	s.u.root.walk(func(n *node) bool {
		if n.op == opLoop {
			s.loop(n)
		}
		return true
	})
}

// candidate is one way a construct could repeat an operation.
type candidate struct {
	op     *node // the call that is repeated
	try    *node // the exception handling around it, nil when a status is tested
	throws bool
}

func (s *scan) loop(n *node) {
	if !s.promising(n) || stepsAlong(n) || s.walksIndex(n) || asksPerson(n.d) {
		return
	}
	best := struct {
		f       finding.Finding
		verdict finding.Verdict
	}{}
	for _, c := range s.candidates(n) {
		f, v := s.judge(n, c, finding.FormLoop)
		if v.Retry && f.TotalAttempts == 2 && picksByPass(n, findCounters(n)) {
			continue
		}
		if v.Retry && (best.f.Line == 0 || grade(v.Confidence) > grade(best.verdict.Confidence)) {
			best.f, best.verdict = f, v
		}
	}
	if best.f.Line > 0 {
		s.taken[n] = true
		s.add(best.f)
	}
}

// promising rules out by syntax alone what the verdict would rule out anyway: a
// loop with no word of retrying, no wait and no counter, and one that walks over
// a collection without a word of retrying.
func (s *scan) promising(n *node) bool {
	if speaksOfRetry(n) || finding.RetryWord(function(n)) {
		return true
	}
	w := s.light(n)
	if n.name == "each" {
		return numericIter(n.b) || w.hasWait(n.d) && literalList(n.b)
	}
	return n.name == "for" || w.hasWait(n.d) || n.b != nil && comparesIn(n.b) || len(w.counters) > 0
}

func literalList(n *node) bool { return n != nil && (n.op == opList || n.op == opName) }

// light is a world for questions about syntax.
func (s *scan) light(n *node) *world {
	w := newWorld(s.u, s.load, failing)
	w.top, w.counters = n, findCounters(n)
	return w
}

// goesRound: some handler does not leave the loop for certain.
func (s *scan) goesRound(n *node, c candidate) bool {
	w := s.light(n)
	hs := handlers(c.try)
	for _, h := range hs {
		if !w.leaves(h) {
			return true
		}
	}
	return len(hs) == 0
}

// testsFailure: the loop tests for a failure that leads back.
func (s *scan) testsFailure(n *node, c candidate) bool {
	sh := finding.Shape{}
	s.statusShape(n, c, s.light(n), &sh)
	return sh.FailureRepeats
}

func grade(confidence string) int {
	switch confidence {
	case finding.High:
		return 3
	case finding.Medium:
		return 2
	}
	return 1
}

// candidates lists operations of the loop: per try statement the most likely
// call in its body, and calls whose answer is tested.
func (s *scan) candidates(n *node) []candidate {
	var out []candidate
	inTry := map[*node]bool{}
	n.d.walkHere(func(k *node) bool {
		if k.op == opLoop {
			return false
		}
		if k.op == opTry && len(k.list) > 0 && !interruptions(k) && !s.endOfData(k, n) && !accepts(k.a) {
			if op := bestCall(k.a, k); op != nil {
				out = append(out, candidate{op: op, try: k, throws: true})
				inTry[op] = true
			}
		}
		if k.op == opCall && promiseCatch(k) {
			if op := bestCall(k.a.a, nil); op != nil {
				out = append(out, candidate{op: op, try: k, throws: true})
				inTry[op] = true
			}
		}
		return true
	})
	if op := bestCall(n.d, nil); op != nil && !inTry[op] {
		out = append(out, candidate{op: op})
	}
	if n.b != nil && n.name != "each" {
		if op := bestCall(n.b, nil); op != nil {
			out = append(out, candidate{op: op})
		}
	}
	return out
}

// judge runs the construct in the imagined worlds and asks for the verdict.
func (s *scan) judge(n *node, c candidate, form string) (finding.Finding, finding.Verdict) {
	if c.try != nil && !s.goesRound(n, c) || c.try == nil && !s.testsFailure(n, c) {
		return finding.Finding{}, finding.Verdict{Why: "no failure leads back"}
	}
	run := s.imagine(n, c)
	shape := s.shape(n, c, form, run)
	v := finding.Judge(shape)
	if !v.Retry {
		return finding.Finding{}, v
	}
	f := finding.Finding{
		Line: n.line, SpanEnd: n.end, Mechanism: finding.MechHandRolled, Form: form, Rule: finding.RuleOfForm(form),
		Confidence: v.Confidence, Scope: s.scope(c.op), Function: function(n), Operation: c.op.a.last(),
	}
	if c.try != nil {
		f.Failures = failures(c.try)
	}
	run.fill(&f, extraAttempts(n, c.op))
	return f, v
}

// failures names the exceptions of the handlers that go round again.
func failures(try *node) string {
	var out []string
	for _, h := range try.list {
		if h.op != opHandler {
			continue
		}
		for _, t := range h.list {
			kinds := []*node{t}
			if t.op == opList {
				kinds = t.list
			}
			for _, k := range kinds {
				if p := k.path(); p != "" {
					out = append(out, p)
				}
			}
		}
	}
	return strings.Join(out, ", ")
}

// extraAttempts counts the same call written once more right before or after
// the loop: a first try outside, or a last one whose failure is let through.
func extraAttempts(n, op *node) int {
	block := n.parent
	if block == nil || n.op != opLoop || block.op != opBlock {
		return 0
	}
	extra := 0
	for _, st := range block.list {
		if st == n {
			continue
		}
		st.walkHere(func(k *node) bool {
			if k.op == opCall && same(k, op) {
				extra++
			}
			return k.op != opLoop
		})
	}
	return min(extra, 1)
}
