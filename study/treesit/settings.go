//go:build cgo

package treesit

import (
	"math"
	"strings"

	"retrylab/study/finding"
)

// settings looks at defaults that configure retries elsewhere: dictionaries with
// a policy, class attributes, keyword arguments, defaults of constructors,
// constants nobody in the file uses up, and members that are set.
func (s *scan) settings() {
	s.u.root.walk(func(n *node) bool {
		switch n.op {
		case opStr, opBinary:
			return !s.serviceConfig(n)
		case opDict:
			s.policy(n)
		case opAssign:
			s.assigned(n)
		case opArg:
			s.keyword(n)
		case opParam:
			s.parameter(n)
		case opCall:
			s.setter(n)
		}
		return true
	})
}

// setting is one number that configures retries.
type setting struct {
	name  string // as other code or the reader knows it
	at    *node
	value *node
	// scope holds the neighbours that may give the wait.
	scope []pair
	note  string
	// bare: without a neighbouring wait there is none, rather than an unknown one.
	bare bool
}

type pair struct {
	name  string
	value *node
}

// report records a setting unless something else already explains it.
func (s *scan) report(st setting) {
	if st.value == nil || s.covered(st.at) || s.noBound(st) {
		return
	}
	v := s.settingValue(st.value)
	if v.kind != vNum || v.flags&fHole != 0 {
		return
	}
	if v.flags&fRuntime != 0 && (st.name == "retries" || st.name == "attempts") {
		return // the current number of retries rather than a bound
	}
	row := &api{API: finding.API{
		Name: st.name, Mechanism: finding.MechLibrary, Rule: finding.RuleSetting, DefaultUnknown: true,
		Count: finding.CountRule{Total: totalName(st.name), Unlimited: []int64{-1}}, Backoff: finding.BackoffUnknown, Jitter: finding.No,
	}, withBase: finding.BackoffConstant}
	if st.bare {
		row.Backoff = finding.BackoffNone
	}
	t := &site{s: s, row: row, call: st.at, w: newWorld(s.u, s.load, static), given: map[string]*node{}}
	t.f = row.New(st.at.line, max(st.at.end, st.at.line))
	t.f.Confidence, t.f.Note, t.f.Function = finding.Medium, st.note, function(st.at)
	t.policy = strings.HasPrefix(st.note, "policy ")
	for _, p := range st.scope {
		t.neighbour(p)
	}
	t.count(v)
	t.settle()
	s.known(st, t)
	s.add(t.f)
}

// neighbour reads a setting beside the count: a wait, its growth, its randomness.
func (t *site) neighbour(p pair) {
	has := map[string]bool{}
	for _, w := range splitWords(p.name) {
		has[w] = true
	}
	timing := has["delay"] || has["wait"] || has["interval"] || has["backoff"] || has["sleep"] || has["timeout"]
	retry := has["retry"] || has["retries"] || has["reconnect"] || has["backoff"] || t.policy
	v := t.s.settingValue(p.value)
	switch {
	case v.kind == vStr && (has["strategy"] || has["type"] || has["backoff"] || has["policy"]):
		t.named(v.str)
	case has["jitter"] || has["randomize"] || has["randomization"]:
		t.jitter(v)
	case has["factor"] || has["multiplier"] || has["exponent"]:
		if v.kind == vNum {
			t.factor = v.num
		}
	case timing && (has["max"] || has["maximum"] || has["cap"] || has["limit"]):
		if v.kind == vNum && v.flags&fHole == 0 {
			t.f.Cap = seconds(t.seconds(v))
		}
	case has["interval"] && has["step"]:
		if v.kind == vNum && v.num != 0 {
			t.f.Backoff, t.explicit = finding.BackoffLinear, true
		}
	case timing && retry && !has["timeout"] || p.name == "delay" || p.name == "minTimeout":
		if v.kind == vNum && v.num > 0 {
			t.hasBase, t.base = true, v.num
			if v.flags&fHole == 0 {
				t.f.Base = seconds(t.seconds(v))
			}
		}
	}
}

// named reads the shape of the wait from a word: delayStrategy: "exponential".
func (t *site) named(word string) {
	low := strings.ToLower(word)
	switch {
	case strings.Contains(low, "expo"):
		t.f.Backoff, t.explicit = finding.BackoffExponential, true
	case strings.Contains(low, "linear"):
		t.f.Backoff, t.explicit = finding.BackoffLinear, true
	case strings.Contains(low, "fixed") || strings.Contains(low, "constant"):
		t.f.Backoff, t.explicit = finding.BackoffConstant, true
	}
}

// covered: a finding already spans the line.
func (s *scan) covered(n *node) bool {
	for i := range s.found {
		f := &s.found[i]
		if n.line >= f.Line && n.line <= f.SpanEnd {
			return true
		}
	}
	return false
}

// settingValue is a number, also behind an option object: Option(3, type="int"),
// IntParameter(default=3), float("inf").
func (s *scan) settingValue(n *node) value {
	if n == nil {
		return unknown(0)
	}
	w := newWorld(s.u, s.load, static)
	v := w.eval(n, nil)
	if v.kind == vNum {
		if math.IsInf(v.num, 1) {
			v.num = finding.Huge
		}
		return v
	}
	if n.op == opCall && holdsDefault(n) {
		for _, a := range []*node{n.arg("default"), n.arg("default_value"), n.pos(0)} {
			if a == nil {
				continue
			}
			if x := w.eval(a, nil); x.kind == vNum {
				if math.IsInf(x.num, 1) {
					x.num = finding.Huge
				}
				return x
			}
		}
	}
	return v
}

// knownSetting is a setting whose library is known by its name.
type knownSetting struct {
	name, module string // module "" = any
	backoff      string
	jitter       string
	base, cap    float64
	lang         string
}

var knownSettings = []knownSetting{
	{name: "broker_connection_max_retries", backoff: finding.BackoffLinear, jitter: finding.No, base: 2, cap: 30, lang: finding.LangPython},
	{name: "result_backend_max_retries", backoff: finding.BackoffExponential, jitter: finding.Yes, base: 0.01, cap: 10, lang: finding.LangPython},
	{name: "maxReconnectAttempts", module: "nats", backoff: finding.BackoffConstant, jitter: finding.Yes, base: 2, lang: finding.LangJavaScript},
	{name: "max_reconnect_attempts", module: "nats", backoff: finding.BackoffConstant, jitter: finding.No, base: 2, lang: finding.LangPython},
}

// known fills in the wait of settings known by name.
func (s *scan) known(st setting, t *site) {
	for _, k := range knownSettings {
		if k.name == st.name && (k.lang == s.u.lang.name || k.lang == finding.LangJavaScript && s.u.lang.js) && (k.module == "" || s.importsAny(k.module)) {
			t.f.Backoff, t.f.Jitter, t.f.JitterSource = k.backoff, k.jitter, finding.SourceDefault
			t.f.Base, t.f.Cap = secs(k.base), secs(k.cap)
			return
		}
	}
	// The mapping called a retry policy in Python is kombu's: linear by default.
	if s.u.lang.name == finding.LangPython && strings.HasPrefix(st.note, "policy ") && strings.Contains(strings.ToLower(st.note), "retry_policy") &&
		!t.hasBase && !t.explicit && st.name == "max_retries" {
		t.f.Backoff, t.f.Base, t.f.Cap = finding.BackoffLinear, secs(2), secs(30)
	}
}
