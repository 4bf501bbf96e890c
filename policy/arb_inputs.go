package policy

import "math"

// failureRate is ARB's f.
type failureRate struct {
	rule    ARBFailureRate
	f       float64
	at      int64   // ns, when weight was last brought up to date
	weight  float64 // of all completions, for per time
	bad     float64 // of failures, for per time
	pending bool    // a failure at pendAt that waits for the decision about its retry
	pendAt  int64
}

func (r *failureRate) reset() { *r = failureRate{rule: r.rule} }

// add takes in an outcome; a failure waits until the retry is decided if the order says so.
func (r *failureRate) add(now int64, o Outcome) {
	r.settle()
	if o == Blocked || o == Cancelled || r.rule.Uncounted.Has(o) {
		return
	}
	failed := r.rule.Failures.Has(o)
	if failed && r.rule.Order == "decide_first" {
		r.pending, r.pendAt = true, now
		return
	}
	r.update(now, failed)
}

// settle brings a waiting failure into f.
func (r *failureRate) settle() {
	if r.pending {
		r.pending = false
		r.update(r.pendAt, true)
	}
}

func (r *failureRate) update(now int64, failed bool) {
	x := float64(b2i(failed))
	if r.rule.Per == "completion" {
		r.f = (1-r.rule.Weight)*r.f + r.rule.Weight*x
		return
	}
	fade := math.Exp2(-float64(now-r.at) / float64(r.rule.HalfLife))
	r.at = now
	r.weight = r.weight*fade + 1
	r.bad = r.bad*fade + x
	r.f = r.bad / r.weight
}

// overload is what a client believes of its downstream, from the signals of replies.
type overload struct {
	rule    ARBSignal
	last    bool   // the last reply said overloaded
	lastAt  int64  // ns
	replies window // a replies, b those that said overloaded; for rule share
}

func newOverload(rule ARBSignal) overload {
	o := overload{rule: rule}
	if rule.Rule == "share" {
		o.replies = newWindow(int64(rule.TTL)/arbSlots, arbSlots-1)
	}
	return o
}

func (o *overload) reset() {
	if o.rule.Rule == "share" {
		o.replies.reset(0)
	}
	*o = overload{rule: o.rule, replies: o.replies}
}

func (o *overload) add(now int64, overloaded bool) {
	if o.rule.Rule == "share" {
		o.replies.add(now, 1, b2i(overloaded))
		return
	}
	o.last, o.lastAt = overloaded, now
}

// now tells whether the downstream counts as overloaded at time now.
func (o *overload) now(now int64) bool {
	if o.rule.Rule == "share" {
		n, over := o.replies.total(now)
		return n > 0 && float64(over) > o.rule.Share*float64(n)
	}
	return o.last && (o.rule.TTL == 0 || now-o.lastAt <= int64(o.rule.TTL))
}
