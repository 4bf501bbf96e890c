//go:build cgo

package treesit

import (
	"strings"
)

// remoteVerbs are parts of names of calls that usually reach a dependency.
var remoteVerbs = []string{
	"request", "fetch", "send", "post", "publish", "connect", "execute", "invoke", "query", "upload", "download", "commit",
	"subscribe", "call", "retriev", "apply", "delete", "create", "register", "insert", "update", "save", "submit", "perform", "login", "authenticate",
	"acquire", "ping", "produce", "consume", "process", "transfer", "open", "write", "read", "run", "exec", "operation", "attempt", "assume",
	"invoke", "get_response", "urlopen", "get", "put", "list", "describe", "head", "join", "sync", "push", "pull", "dispatch", "handler", "action", "command", "next",
	"func", "fn", "fun", "task", "job", "bind", "start", "negotiate", "init", "setup", "load", "wrapped", "callback", "flush", "refresh", "resolve", "dial",
}

var helperNames = map[string]bool{}

func init() {
	for _, s := range strings.Fields(`
		print println printf log debug info warn warning error exception critical trace fatal notice verbose success
		sleep asleep usleep len str int float bool list dict set tuple min max abs round range xrange sorted reversed enumerate zip map filter any all sum
		isinstance issubclass hasattr getattr setattr delattr type repr format join split strip lstrip rstrip lower upper replace startswith endswith
		append extend add pop discard clear copy keys values items update_dict setdefault super iter next count time monotonic perf_counter now today utcnow
		uniform randint random choice shuffle debugf infof warnf errorf stringify parse_int parseint parsefloat tostring valueof equals equalsignorecase
		hashcode getmessage getcause getclass getname printstacktrace isdebugenabled isinfoenabled iswarnenabled currenttimemillis nanotime size length
		isempty isnotempty contains containskey indexof substring trim concat charat incrementandget getandincrement decrementandget getanddecrement
		floor ceil pow sqrt exp tofixed settimeout setinterval cleartimeout clearinterval setimmediate resolve reject next_tick nexttick push unshift shift
		foreach assign freeze includes test match exec_re delay wait notify notifyall interrupt currentthread isinterrupted timedelta datetime total_seconds
		call_later timer increment inc dec observe record span set_tag settag addtags set_attribute gauge histogram emit capture_exception
		raise_for_status raiseforstatus fail exit isnan isfinite isarray number string boolean date promise error typeerror regexp
		ofseconds ofmillis ofminutes tomillis toseconds humanize_seconds sizeof getlogger get_logger gettext
		deepcopy partial cast assert_called traceback format_exc print_exc exc_info status_code setcontext
		accept warn_once say echo secho progress notice asctime strftime isoformat encode decode dumps loads tojson
	`) {
		helperNames[s] = true
	}
}

// helperCall: calls that do not reach a dependency: logging, text, collections,
// time, counters, metrics.
func helperCall(low, path string) bool {
	if helperNames[low] || predicate(low) || textWork(low) || waitsForOthers(low, path) {
		return true
	}
	for _, p := range []string{"logger.", "log.", "logging.", "_logger.", "self.log.", "self.logger.", "this.logger.", "console.", "math.", "_log.", "recordlog.", "metrics.", "statsd.", "object.", "json.", "array.", "stringutils.", "collectionutils.", "warnings.", "random.", "click.", "string."} {
		if strings.HasPrefix(path, p) || strings.Contains(path, "."+p) {
			return true
		}
	}
	for _, p := range []string{"collections.", "arrays.", "optional."} {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return strings.HasPrefix(low, "log_") || strings.HasPrefix(low, "is_") || strings.Contains(low, "backoff") || strings.Contains(low, "sleep") ||
		strings.Contains(low, "delay") && !strings.Contains(low, "delayed") || strings.HasPrefix(low, "on_retry") || strings.HasPrefix(low, "onretry") || strings.HasSuffix(low, "_logger") ||
		strings.HasPrefix(low, "report_") || strings.HasPrefix(low, "should") || strings.HasPrefix(low, "can_") || strings.HasPrefix(low, "calculate") || strings.HasPrefix(low, "compute")
}

// predicate: questions about a state this program keeps (isConnected, hasNext).
func predicate(low string) bool {
	for _, w := range []string{"connected", "closed", "open", "running", "disconnect", "done", "cancelled", "interrupted", "shutdown", "stopping", "stopped", "active", "writable"} {
		if strings.HasPrefix(low, "is"+w) || strings.HasPrefix(low, "is_"+w) {
			return true
		}
	}
	return low == "hasnext" || low == "has_next"
}

// textWork: calls that only turn one form of data into another.
func textWork(low string) bool {
	for _, p := range []string{"strptime", "parse_", "parsedate", "parsejson", "parsenumber", "deserialize", "serialize", "tokenize", "classify", "normalize", "format_", "unmarshal", "marshal"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	return low == "parse" || low == "format" || low == "isnull"
}

// readVerb: the operation only looks at a state, so that a value test on its
// answer is polling unless a failure word says otherwise.
func readVerb(low string) bool {
	low = strings.TrimLeft(low, "_")
	for _, p := range []string{"get", "describe", "check", "is", "has", "list", "query", "status", "exists", "find", "poll", "read", "fetch", "lookup", "head", "can", "test", "ready", "wait", "peek", "recv", "receive", "consume", "next", "pop"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	return false
}

var failWords = []string{"err", "fail", "cause", "exception", "timeout", "timedout", "timed_out", "unavailable", "retryable", "transient", "throttl", "ratelimit", "rate_limit", "conflict", "should_retry", "shouldretry", "needretry", "retry_needed", "retriable", "can_retry", "canretry", "isretry"}
var goodWords = []string{"success", "succeed", "connected", "available", "published", "isok", "is_ok", "sent", "is2xx", "isopen", "registered", "delivered"}

// failureSide says what a condition being true means: 1 a failure, -1 a success,
// 0 neither, so far as names and status numbers tell.
func failureSide(n *node) int {
	if n == nil {
		return 0
	}
	switch n.op {
	case opUnary:
		if n.name == "!" {
			return -failureSide(n.a)
		}
	case opBinary:
		return failureCompare(n)
	case opName, opMember:
		return wordSide(n.last())
	case opCall:
		if s := wordSide(n.a.last()); s != 0 {
			return s
		}
		if n.a.op == opMember && len(n.list) == 0 { // flag.get()
			return failureSide(n.a.a)
		}
		low := strings.ToLower(n.a.last())
		if low == "isinstance" && len(n.list) > 0 {
			return wordSide(n.list[0].last())
		}
		if low == "equals" && len(n.list) > 0 {
			return wordSide(n.list[0].last())
		}
		if !readVerb(low) && callScore(n) >= 4 {
			return -1 // if (op()) means it worked
		}
	case opAssign:
		return failureSide(n.b)
	}
	return 0
}

func wordSide(s string) int {
	low := strings.ToLower(s)
	if low == "ok" || low == "e" || low == "ex" || low == "exc" {
		if low == "ok" {
			return -1
		}
		return 1
	}
	for _, k := range goodWords {
		if strings.Contains(low, k) && !strings.Contains(low, "un"+k) {
			return -1
		}
	}
	for _, k := range failWords {
		if strings.Contains(low, k) && !strings.Contains(low, "failover") && !strings.Contains(low, "interr") && !strings.Contains(low, "because") {
			return 1
		}
	}
	return 0
}

func failureCompare(n *node) int {
	x, y := failureSide(n.a), failureSide(n.b)
	switch n.name {
	case "and", "&&", "or", "||":
		if x != 0 {
			return x
		}
		return y
	}
	status := func(k *node) (float64, bool) {
		if k != nil && k.op == opNum {
			v := literal(k.name)
			return v.num, v.kind == vNum && v.num >= 100 && v.num < 600
		}
		return 0, false
	}
	if s, ok := status(n.b); ok && statusName(n.a) {
		return statusSide(n.name, s)
	}
	if n.b != nil && n.b.op == opList && len(n.b.list) > 0 && strings.HasSuffix(n.name, "in") {
		if s, ok := status(n.b.list[0]); ok {
			if n.name == "in" {
				return statusSide("==", s)
			}
			return -statusSide("==", s)
		}
	}
	side := x
	if side == 0 {
		side = y
	}
	if n.b != nil && (n.b.op == opNull || n.b.op == opBool && n.b.name == "false") && n.name == "==" {
		return -side
	}
	if n.name == "!=" && n.b != nil && n.b.op != opNull && !(n.b.op == opBool && n.b.name == "false") {
		return -side
	}
	return side
}

func statusName(n *node) bool {
	low := strings.ToLower(n.last())
	return strings.Contains(low, "status") || strings.Contains(low, "code")
}

func statusSide(op string, s float64) int {
	bad := s >= 400
	switch op {
	case "<", "<=":
		return -1
	case ">", ">=":
		return 1
	case "!=":
		bad = !bad
	}
	if bad {
		return 1
	}
	return -1
}
