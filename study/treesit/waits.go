//go:build cgo

package treesit

import "strings"

// waitArg returns the duration argument of a call that sleeps, and the seconds
// one unit of it stands for; nil for other calls.
func waitArg(l *lang, n *node) (*node, float64) {
	name := n.a.last()
	path := n.a.path()
	low := strings.ToLower(name)
	first := n.pos(0)
	switch {
	case l.name == "java" && strings.Contains(path, "TimeUnit.") || l.name == "java" && n.a.op == opMember && unitName(n.a.a) > 0 && low == "sleep":
		if low == "sleep" && first != nil {
			return first, unitName(n.a.a)
		}
		return nil, 0
	case low == "sleep" || low == "_sleep" || low == "asleep" || low == "nanosleep" || low == "sleepuninterruptibly" || low == "sleep_ms" || low == "usleep" || low == "msleep":
		if len(n.list) == 2 && unitName(n.list[1]) > 0 {
			return first, unitName(n.list[1])
		}
		if first == nil && len(n.list) == 0 {
			return n, 0 // a wait of unknown length: evaluated to unknown
		}
		return first, l.waitUnit
	case strings.Contains(low, "sleep") && first != nil && !strings.Contains(low, "interrupt"):
		return first, l.waitUnit
	case l.js && (low == "delay" || low == "wait" || low == "timeout" || low == "settimeout" || low == "pause" || low == "asyncsettimeout" || low == "setinterval" || low == "setimmediate"):
		return jsWaitArg(n, low)
	case l.name == "python" && (low == "countdown" || low == "wait" && waitingObject(n.a)):
		if t := n.arg("timeout"); t != nil {
			return t, 1
		}
		return first, 1
	case l.name == "java" && (low == "wait" || low == "await" || low == "parknanos" || low == "awaitnanos" || low == "pause" || low == "backoff"):
		if low == "wait" && len(n.list) >= 1 || low == "parknanos" || low == "pause" || low == "backoff" && len(n.list) > 0 {
			if low == "parknanos" {
				return first, 1e-9
			}
			return first, l.waitUnit
		}
		if low == "await" && len(n.list) == 2 && unitName(n.list[1]) > 0 {
			return first, unitName(n.list[1])
		}
	}
	return nil, 0
}

// jsWaitArg reads setTimeout(fn, ms), timers/promises setTimeout(ms), delay(ms).
func jsWaitArg(n *node, low string) (*node, float64) {
	first := n.pos(0)
	if low == "settimeout" || low == "setinterval" {
		if len(n.list) >= 2 && (first.op == opFunc || first.op == opName || first.op == opMember || first.op == opCall) && !plainNumber(first) {
			return n.list[1], 1e-3
		}
		if first != nil && first.op == opFunc {
			return &node{op: opNum, name: "0", line: n.line}, 1e-3
		}
		return first, 1e-3
	}
	if first == nil || first.op == opFunc || first.op == opStr {
		return nil, 0
	}
	if low == "timeout" && n.a.op == opMember && n.a.a.op != opName {
		return nil, 0
	}
	return first, 1e-3
}

func plainNumber(n *node) bool { return n.op == opNum || n.op == opBinary }

func unitName(n *node) float64 {
	if n == nil {
		return 0
	}
	switch n.last() {
	case "SECONDS", "MILLISECONDS", "MINUTES", "HOURS", "NANOSECONDS", "MICROSECONDS", "DAYS":
		s, _ := unitSeconds(n.last())
		return s
	}
	return 0
}

// waitingObject: event.wait(5), stop.wait(delay): a sleep that can be interrupted.
func waitingObject(n *node) bool {
	if n.op != opMember {
		return false
	}
	low := strings.ToLower(n.a.last())
	for _, k := range []string{"event", "stop", "shutdown", "exit", "quit", "closed", "cancel", "terminat", "finish", "done", "wake", "interrupt"} {
		if strings.Contains(low, k) {
			return true
		}
	}
	return false
}

// timerCall recognises calls that run something later: the function or task and
// the delay's argument.
func timerCall(l *lang, n *node) (what, delay *node, scale float64, ok bool) {
	if n.op != opCall || n.a == nil {
		return nil, nil, 0, false
	}
	low := strings.ToLower(n.a.last())
	args := n.list
	switch {
	case l.js && (low == "settimeout" || low == "setimmediate" || low == "nexttick" || low == "defer") && len(args) >= 1:
		if args[0].op != opFunc && args[0].op != opName && args[0].op != opMember && args[0].op != opCall {
			return nil, nil, 0, false
		}
		if len(args) == 1 && (args[0].op != opFunc) && low == "settimeout" {
			return nil, nil, 0, false // timers/promises
		}
		if len(args) >= 2 {
			delay = args[1]
		}
		return args[0], delay, 1e-3, true
	case l.name == "python" && (low == "call_later" || low == "calllater") && len(args) >= 2:
		return args[1], args[0], 1, true
	case l.name == "python" && low == "timer" && len(args) >= 2:
		return args[1], args[0], 1, true
	case l.name == "python" && low == "call_soon" && len(args) >= 1:
		return args[0], nil, 1, true
	case l.name == "python" && (low == "spawn_after" || low == "add_timeout" || low == "enter") && len(args) >= 2:
		return args[len(args)-1], args[0], 1, true
	case l.name == "java" && (low == "schedule" || low == "newtimeout" || low == "scheduleonce" || low == "postdelayed" || low == "settimer" || low == "delay") && len(args) >= 2:
		scale = 1e-3
		if len(args) >= 3 {
			if u := unitName(args[2]); u > 0 {
				scale = u
			}
		}
		if low == "settimer" {
			return args[1], args[0], 1e-3, true
		}
		return args[0], args[1], scale, true
	}
	return nil, nil, 0, false
}

func (w *world) timerDelay(n *node, e *env) (value, bool) {
	_, d, scale, ok := timerCall(w.u.lang, n)
	if !ok || d == nil {
		return value{}, false
	}
	return inSeconds(w.eval(d, e), scale), true
}

// later runs what a timer was given, when a function that calls itself is under
// study: the timer is how it does so.
func (w *world) later(n *node, e *env) bool {
	if w.mode == static || w.top == nil || w.top.op != opFunc || w.sinks != nil {
		return false
	}
	what, _, _, ok := timerCall(w.u.lang, n)
	if !ok {
		return false
	}
	run := what
	if what.op == opCall { // new Runnable() { public void run() {...} }
		run = nil
		for _, a := range what.list {
			if a.op == opClass {
				a.walk(func(k *node) bool {
					if k.op == opFunc && run == nil {
						run = k
					}
					return run == nil
				})
			}
		}
	}
	if run == nil {
		return false
	}
	if runsItself(what, w.top) {
		run = w.top
	}
	f := value{kind: vFunc, node: run, env: e, unit: w.u}
	if run.op != opFunc {
		if f = w.eval(run, e); f.kind != vFunc {
			return false
		}
	}
	if d, ok := w.timerDelay(n, e); ok {
		w.delays = append(w.delays, d)
	}
	w.invoke(f, nil)
	return true
}
