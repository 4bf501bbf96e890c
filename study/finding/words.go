package finding

import (
	"path"
	"strings"
)

// gateWords: a file with none of these cannot hold a retry worth finding. The
// stems are matched without regard to case.
var gateWords = []string{
	"retr", "attempt", "backoff", "back_off", "reconnect", "tries", "sleep", "delay",
	"redial", "stagger", "jitter", "failover", "resilien", "ensure_connection", "time.after", "newtimer", "newticker", "call_later",
}

var gate = newMatcher(gateWords)

// Gate reports whether a file can contain retry code at all; it reads the text
// once and allocates nothing. extra matchers are made with NewGate.
func Gate(text []byte) bool { return gate.match(text) }

// NewGate makes a gate for other words (lower case, ASCII).
func NewGate(words ...string) func(text []byte) bool { return newMatcher(words).match }

// RetryWord reports whether an identifier speaks of retrying.
func RetryWord(ident string) bool {
	s := strings.ToLower(ident)
	return containsAny(s, "retr", "attempt", "tries", "backoff", "back_off", "reconnect", "redial", "failover", "tryagain", "try_again") &&
		!containsAny(s, "retriev", "retrac", "entries", "countries", "retrain", "retro", "registries", "industries", "factories", "directories", "repositories", "categories", "histories", "batteries", "libraries", "boundaries", "dictionaries", "queries", "series", "geometries", "symmetries", "telemetries", "beforeconnect", "beforereconnect", "coreconnect", "storeconnect")
}

// PollWord reports whether a name speaks of waiting for a state.
func PollWord(ident string) bool {
	return containsAny(strings.ToLower(ident), "poll", "status", "state", "ready", "waitfor", "wait_for",
		"waituntil", "wait_until", "isrunning", "is_running", "complete", "finished", "progress", "describe", "isdone", "is_done", "alive", "health")
}

// LocalWord reports whether an operation's name speaks of a resource of the
// same machine (port, file, process, lock) and so of no dependency.
func LocalWord(ident string) bool {
	s := strings.ToLower(ident)
	return containsAny(s, "rename", "unlink", "rmdir", "mkdir", "rmtree", "removeall", "remove_all", "movefile", "move_file",
		"copyfile", "copy_file", "openfile", "open_file", "readfile", "read_file", "writefile", "write_file", "filelock", "flock", "chmod",
		"bindport", "bind_port", "freeport", "free_port", "waitpid", "killproc", "startprocess",
		"diskfreespace", "disk_free_space", "lock_dir", "lockdir", "portavailable", "port_available", "findport", "find_port", "randomport", "random_port") || s == "bind" || s == "listen"
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// nonProduction are path segments whose code does not run in a service.
var nonProduction = map[string]bool{
	"test": true, "tests": true, "testing": true, "__tests__": true, "testdata": true, "test_tools": true, "testtools": true, "test_utils": true, "testutils": true, "testutil": true, "test_helpers": true, "e2e": true, "t": true,
	"spec": true, "specs": true, "fixtures": true, "mock": true, "mocks": true, "__mocks__": true,
	"docs": true, "doc": true, "documentation": true, "examples": true, "example": true, "_examples": true,
	"samples": true, "sample": true, "snippets": true, "demo": true, "demos": true, "playground": true, "dev": true,
	"benchmark": true, "benchmarks": true, "bench": true, "tutorial": true, "tutorials": true, "quickstart": true,
	"integration": true, "integration-tests": true, "integration_tests": true, "integrationtest": true,
	".github": true, ".circleci": true, ".gitlab": true, "devservices": true, "vendor": true, "node_modules": true, "third_party": true, "site-packages": true,
}

// Production reports whether a path looks like production code. It looks at
// whole path segments and at file name conventions, never at substrings of the
// path, and never at the repository's name.
func Production(p string) bool {
	segments := strings.Split(strings.ToLower(p), "/")
	if strings.Contains("/"+strings.ToLower(p), "/src/it/") { // integration tests of Java builds
		return false
	}
	for _, s := range segments[:len(segments)-1] {
		if nonProduction[s] || strings.HasSuffix(s, "-demo") || strings.HasSuffix(s, "-tests") || strings.HasSuffix(s, "-test") ||
			strings.HasSuffix(s, "-examples") || strings.HasSuffix(s, "-samples") || strings.HasSuffix(s, "_test") || strings.HasSuffix(s, "_tests") {
			return false
		}
	}
	base := segments[len(segments)-1]
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasPrefix(stem, "test_") || strings.HasPrefix(stem, "tests_") || stem == "conftest" || stem == "testing" ||
		strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_tests") || strings.HasSuffix(stem, ".test") || strings.HasSuffix(stem, ".spec") ||
		strings.HasPrefix(stem, "playwright.config") || strings.HasPrefix(stem, "jest.config") {
		return false
	}
	if path.Ext(base) == ".java" {
		orig := strings.TrimSuffix(path.Base(p), ".java")
		return !strings.HasSuffix(orig, "Test") && !strings.HasSuffix(orig, "Tests") && !strings.HasSuffix(orig, "IT") &&
			!(len(orig) > 4 && strings.HasPrefix(orig, "Test") && orig[4] >= 'A' && orig[4] <= 'Z')
	}
	return true
}
