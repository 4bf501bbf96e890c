//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

// requeueName: verbs that put work back to be done again.
func requeueName(s string) bool {
	low := strings.ToLower(strings.ReplaceAll(strings.TrimLeft(s, "_"), "_", ""))
	switch low {
	case "reput", "requeue", "reenqueue", "addschedule", "resubmit", "republish", "resend", "reschedule", "retrylater", "enqueue", "enqueuein", "enqueueat", "pushback", "addretry", "schedulelater", "requeuejob", "requeuetask", "addfailed", "scheduleretry", "retrytask", "redeliver":
		return true
	}
	return false
}

// requeue: work is queued again after a failure, or under a counter of retries.
func (s *scan) requeue(k *node) {
	f := k.up(opFunc)
	if f == nil || s.insideTaken(k) || requeueName(funcName(f)) && !speaksOfRetry(f.a) {
		return
	}
	region := s.failureRegion(k, f)
	counted := s.retryCounter(f)
	strong := !strings.HasPrefix(strings.ToLower(k.a.last()), "enqueue") && !strings.Contains(strings.ToLower(k.a.last()), "schedule")
	if !(region != nil && (counted || strong && speaksOfRetry(f))) && !counted {
		return
	}
	if s.doneFunc[f] {
		return
	}
	s.doneFunc[f] = true
	s.scheduled(k, f, region, finding.FormRequeue, []string{k.a.last()})
}

// retryCounter: the function moves a counter whose name speaks of retrying.
func (s *scan) retryCounter(f *node) bool {
	for c := range findCounters(f) {
		if finding.RetryWord(c) {
			return true
		}
	}
	return false
}

// recall: inside a failure handler, a test of a retry counter guards one more
// call, and the counter is moved: the operation is called again from outside.
func (s *scan) recall(k *node) {
	f := k.up(opFunc)
	if f == nil || s.insideTaken(k) || s.taken[f] || k.b == nil {
		return
	}
	region := s.failureRegion(k, nil)
	if region == nil || k.up(opLoop) != nil && k.up(opLoop).within(region.up(opFunc, opFile)) {
		return
	}
	moved := findCounters(k.b)
	guard := ""
	k.a.walk(func(c *node) bool {
		if p := c.path(); p != "" && moved[p] && finding.RetryWord(p) {
			guard = p
		}
		return true
	})
	if guard == "" || !comparesIn(k.a) {
		return
	}
	var call *node
	k.b.walk(func(c *node) bool {
		if c.op == opCall && callScore(c) >= 4 {
			if call == nil || callScore(c) >= callScore(call) {
				call = c
			}
		}
		return true
	})
	if call == nil || s.doneFunc[f] {
		return
	}
	s.doneFunc[f] = true
	before := len(s.found)
	s.scheduled(call, f, region, finding.FormRequeue, []string{call.a.last()})
	if len(s.found) > before {
		s.found[before].Line, s.found[before].SpanEnd = k.line, k.end
	}
}

func comparesIn(n *node) bool {
	found := false
	n.walk(func(c *node) bool {
		found = found || c.op == opBinary && comparison(c.name)
		return !found
	})
	return found
}
