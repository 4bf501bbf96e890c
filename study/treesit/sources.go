//go:build cgo

package treesit

import "strings"

// randomCall recognises sources of randomness by the names of the common
// libraries and by names that say so.
func randomCall(n *node, name string) bool {
	p := strings.ToLower(n.a.path())
	low := strings.ToLower(name)
	switch low {
	case "random", "uniform", "randint", "randrange", "randombytes", "getrandbits", "nextint", "nextdouble", "nextlong", "nextfloat", "nextgaussian",
		"triangular", "betavariate", "expovariate", "normalvariate", "gauss", "random_sample", "randomint", "getrandomvalues", "randombetween",
		"random_uniform", "randominrange", "getrandomint", "randomstagger", "jitter", "add_jitter", "addjitter", "withjitter", "with_jitter", "full_jitter",
		"random_jitter", "randomjitter", "apply_jitter", "applyjitter", "getjitter", "get_jitter", "equal_jitter", "randbelow":
		return true
	}
	return strings.HasPrefix(p, "random.") && low != "seed" && low != "choice" && low != "shuffle" && low != "sample" && low != "systemrandom" ||
		strings.HasPrefix(p, "_.random") || strings.HasPrefix(p, "np.random.") || strings.HasPrefix(p, "crypto.random")
}

// randomValue is the middle of a random range; jitter around it is kept apart.
func randomValue(name string, args []value) value {
	f := fRandom
	var known []float64
	for _, a := range args {
		f |= a.flags
		if a.numeric() {
			known = append(known, a.num)
		}
	}
	low := strings.ToLower(name)
	switch {
	case strings.Contains(low, "jitter") && len(known) > 0:
		return number(known[0], f)
	case len(known) >= 2:
		return number((known[0]+known[1])/2, f)
	case len(known) == 1 && low != "random":
		return number(known[0]/2, f)
	}
	return number(0.5, f)
}

func clockCall(n *node, name string) bool {
	p := n.a.path()
	switch p {
	case "time.time", "time.monotonic", "time.perf_counter", "time", "monotonic", "Date.now", "performance.now", "System.currentTimeMillis", "System.nanoTime",
		"datetime.now", "datetime.datetime.now", "datetime.utcnow", "datetime.datetime.utcnow", "Instant.now", "Date", "process.hrtime", "timezone.now", "currentTimeMillis", "nanoTime":
		return name != "Date" || n.name == "new"
	}
	return strings.HasSuffix(p, ".currentTimeMillis") || strings.HasSuffix(p, "loop.time") || strings.HasSuffix(p, "loop().time") || strings.HasSuffix(p, ".getTime") ||
		strings.HasSuffix(p, ".elapsed") || name == "isExpired" || name == "hasRemaining"
}

// unitSeconds maps names of units to seconds.
func unitSeconds(s string) (float64, bool) {
	switch strings.ToLower(strings.TrimPrefix(s, "of")) {
	case "nanos", "nanoseconds":
		return 1e-9, true
	case "micros", "microseconds":
		return 1e-6, true
	case "millis", "milliseconds", "ms":
		return 1e-3, true
	case "seconds", "second":
		return 1, true
	case "minutes", "minute":
		return 60, true
	case "hours", "hour":
		return 3600, true
	case "days", "day":
		return 86400, true
	}
	return 0, false
}

// durationCall evaluates constructors of durations; the result is in seconds.
func durationCall(n *node, name string, args []value) (value, bool) {
	p := n.a.path()
	if name == "timedelta" {
		v := number(0, fSeconds)
		for i, a := range n.list {
			scale := 86400.0
			if a.op == opArg {
				s, ok := unitSeconds(a.name)
				if !ok {
					continue
				}
				scale = s
			}
			if !args[i].numeric() {
				return unknown(args[i].flags), true
			}
			v.num += args[i].num * scale
			v.flags |= args[i].flags
		}
		return v, true
	}
	if strings.HasSuffix(p, "Duration."+name) && len(args) > 0 {
		if s, ok := unitSeconds(name); ok {
			if !args[0].numeric() {
				return unknown(args[0].flags), true
			}
			return number(args[0].num*s, args[0].flags|fSeconds), true
		}
	}
	if i := strings.Index(p, "TimeUnit."); i >= 0 && strings.HasPrefix(name, "to") && len(args) == 1 && args[0].numeric() {
		parts := strings.Split(p[i:], ".")
		if s, ok := unitSeconds(parts[1]); ok {
			return number(args[0].num*s, args[0].flags|fSeconds), true
		}
	}
	return value{}, false
}

func serverWord(s string) bool {
	s = strings.ToLower(s)
	return strings.Contains(s, "retry-after") || strings.Contains(s, "retry_after") || strings.Contains(s, "retryafter") || strings.Contains(s, "ratelimit-reset") || strings.Contains(s, "rate-limit-reset")
}

func waitWord(low string) bool {
	for _, k := range []string{"backoff", "back_off", "delay", "wait", "sleep", "interval", "jitter"} {
		if strings.Contains(low, k) {
			return true
		}
	}
	return false
}

func errorName(s string) bool {
	s = strings.ToLower(strings.TrimLeft(s, "_"))
	return s == "err" || s == "error" || s == "e" || s == "ex" || s == "exc" || s == "exception" || s == "cause" || s == "reason" ||
		strings.HasSuffix(s, "error") || strings.HasSuffix(s, "err") || strings.HasSuffix(s, "exception")
}
