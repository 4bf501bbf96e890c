//go:build cgo

package treesit_test

import "testing"

// Names that sound like a bound on retries, each with one that is.
func TestSettingsThatBoundNoRetries(t *testing.T) {
	run(t, ".py", []sample{
		{"default of retries", "setting 4 none", "class Client:\n    max_retries = 3\n"},
		{"threshold", "", "class Client:\n    min_retry_count = 3\n    cooldown_retries = 3\n    max_poll_attempts = 60\n    max_check_alive_retry = 300\n"},
		{"connection of Django", "", "from django.db import connections\n\ndef retry(conn):\n    conn.ensure_connection()\n"},
		{"connection of kombu", "library ever linear", "from kombu import Connection\n\ndef retry(conn):\n    conn.ensure_connection()\n"},
		{"wait named by a word", "setting 3 exponential", "retry_slow = {'max_attempts': 3, 'base_delay': 2, 'delay_strategy': 'exponential'}\n"},
		{"option of a client", "setting 4 unknown", "options = {'url': url, 'max_retries': 3}\n"},
		{"limit on log-ins", "", "options = {'login': {'window': 60, 'max_attempts': 3}}\n"},
		{"limit on callers", "", "limits = {'rate_limit': {'max_attempts': int(os.getenv('X', '3'))}}\n"},
		{"waiter that polls", "", "def f(client):\n    client.wait(WaiterConfig={'Delay': 10, 'MaxAttempts': 120})\n"},
		{"event about a try", "", "def f(bus, max_attempts=3):\n    bus.emit('failed', {'max_attempts': 3})\n    Error('x', details={'max_attempts': 3})\n"},
		{"counter that moves", "", "class Task:\n    def f(self):\n        self.retries = self.retries + 1\n"},
		{"parameter handed on", "setting 4 none", "class Q:\n    def __init__(self, max_retries=3, url=None,\n            a=1,\n            b=2):\n        self.max_retries = max_retries\n"},
		{"value of an unknown call", "", "class A:\n    def f(self, rows):\n        self.max_retries = rows.column(2)\n"},
	})
	run(t, ".java", []sample{
		{"constant", "setting 22 none", "class C { static final int MAX_RETRIES = 21; static final int PORT = 80; }"},
		{"one of a list of codes", "", "class C { static final int A = 20; static final int MAX_RETRIES = 21; static final int B = 22; }"},
		{"setter", "setting 6 unknown", "class A { void f() { builder.maxRetries(5); } }"},
		{"switches retries off", "", "class A { void f() { builder.buildWithoutRetries(5); } }"},
	})
	run(t, ".ts", []sample{
		{"option with a default", "setting 3 unknown", "const schema = { maxAttempts: number().min(1).max(5).default(3) };\n"},
		{"counter that moves", "setting off none", "class R { f() { this.send({ retryCount: this.retryCount + 1 }); } retryCount = 0; }\n"},
	})
}

// A second try written out does the same; a fallback does something else.
func TestSecondTryIsNoFallback(t *testing.T) {
	run(t, ".py", []sample{
		{"same request again", "inline 2 none", `
def f_attempt(client, msg):
    try:
        return client.send(msg)
    except TimedOut:
        client.connect()
        return client.send(msg)
`},
		{"other argument", "", `
def f_attempt(client, limit):
    try:
        page = client.read_logs(limit)
    except StatusError:
        limit = None
        page = client.read_logs(limit)
`},
		{"part of an argument changed", "", `
def f_attempt(client, values):
    try:
        return client.send(values)
    except Conflict:
        del_id(values)
        values["id"] = None
        return client.send(values)
`},
		{"other form of data", "", `
def f_attempt(client, text):
    try:
        return client.send(text)
    except (ValueError, ValidationError):
        return client.send(text)
`},
		{"argument emptied", "", `
def f_attempt(client, parts):
    try:
        return client.send(parts)
    except IOError:
        parts.clear()
        return client.send(parts)
`},
		{"arranges for a later try", "", `
def f_attempt(client):
    try:
        client.open(1)
        x = self.schedule_connect(1)
    except IOError:
        x = self.schedule_connect(1)
`},
		{"answers a failure in both places", "", `
def f_attempt(client, msg):
    try:
        if client.failed:
            x = client.send(msg)
    except IOError:
        x = client.send(msg)
`},
		{"only named in a log line", "", `
def f_attempt(client, item, retrying):
    try:
        x = client.fetch_id(item)
    except IOError:
        log(retrying, client.fetch_id(item))
`},
		{"local file", "", `
def f_attempt(path):
    try:
        f = open(path)
    except OSError:
        time.sleep(1)
        f = open(path)
`},
	})
}

// Recursion after a failure: the same again, or something else.
func TestRecursionThatDoesOtherWork(t *testing.T) {
	run(t, ".java", []sample{
		{"same call after failure", "recursion ever none", `class A {
	byte[] read(String hash, boolean isRetry) {
		try { return client.fetch(hash); } catch (IOException e) { if (!e.fatal()) return read(hash, isRetry); throw e; }
	} }`},
		{"mark of the second try", "recursion 2 none", `class A {
	byte[] read(String hash, boolean isRetry) {
		try { return client.fetch(hash); } catch (IOException e) { if (!isRetry) return read(hash, true); throw e; }
	} }`},
		{"old location", "", `class A {
	byte[] readWithoutBackoff(String hash, boolean oldPath) {
		try { return client.fetch(hash, oldPath); } catch (IOException e) { if (!oldPath) return readWithoutBackoff(hash, true); throw e; }
	} }`},
		{"next candidate", "", `class A {
	byte[] attempt(String hash, String host) {
		try { return client.fetch(host, hash); } catch (IOException e) { return attempt(hash, hosts.next()); }
	} }`},
	})
}

// What is tried again is on the machine itself, or is no operation at all.
func TestLoopsOverOtherThings(t *testing.T) {
	run(t, ".java", []sample{
		{"causes of a failure", "", `class A { boolean isRetryable(Throwable raw) {
	for (Throwable t = raw; t != null && depth < MAX_DEPTH; t = t.getCause(), depth++) {
		if (handler.acquire(t).isSuccess()) { return true; }
	}
	return false; } }`},
		{"the same cause again", "loop 3 none", `class A { boolean isRetryable(Throwable raw) {
	for (int attempt = 0; attempt < 3; attempt++) {
		if (handler.acquire(raw).isSuccess()) { return true; }
	}
	return false; } }`},
		{"index over a collection", "", `class A { void retryAll(List<Peer> peers) {
	for (int i = 0; i < peers.size(); i++) {
		try { peers.get(i).connect(); return; } catch (IOException e) { log.warn(e); }
	} } }`},
		{"index that counts attempts", "loop ? none", `class A { void connect(List<Peer> peers) {
	for (int attempt = 0; attempt < maxRetries; attempt++) {
		try { peers.get(attempt).connect(); return; } catch (IOException e) { log.warn(e); }
	} } }`},
		{"waits for another thread", "", `class A { void f() {
	for (int attempt = 0; attempt < 3; attempt++) {
		try { return this.retryWaiter.get(5); } catch (TimeoutException e) { log.warn(e); }
	} } }`},
		{"questions about an own state", "", `class A { void awaitReconnect() {
	while (left > 0 && !isDisconnectingOrClosed() && !isConnected()) {
		try { waiter.get(left); } catch (Exception e) { log.warn(e); }
		left = left - 1;
	} } }`},
		{"wait that is interrupted", "", `class A { void f() {
	for (int attempt = 0; attempt < 3; attempt++) {
		try { Thread.sleep(config.getInterval()); } catch (InterruptedException e) { log.warn(e); }
		if (channels.size() > 0) { return; }
	} } }`},
		{"another builder's custom", "", `import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
class A { Object retryLater() { return CircuitBreakerConfig.custom().build(); } }`},
		{"accepting connections", "", `class A { void run() {
	while (true) {
		try { Socket s = server.accept(); serveLater(s); } catch (IOException e) { Thread.sleep(1000); }
	} } }`},
	})
	run(t, ".ts", []sample{
		{"timer that connects again", "timer ever constant", `class A { connect() {
	this.ws = new WebSocket(this.url);
	this.ws.onerror = () => { setTimeout(() => this.connect(), 500); this.reconnects = true; };
} }`},
		{"timer that only shows", "", `class A { retry() {
	this.client.fetch(this.url).catch(() => { setTimeout(() => this.setRetrying(false), 500); });
} }`},
	})
	for name, code := range map[string]string{
		"lock file": `
def f(path):
    while True:
        try:
            return write_lock(path)
        except FileExistsError:
            time.sleep(1)
`,
		"local program": `
def f(cmd):
    for attempt in range(3):
        try:
            return subprocess.check_call(cmd)
        except CalledProcessError:
            time.sleep(1)
`,
		"interrupted call": `
def f(func):
    for attempt in range(3):
        try:
            return func()
        except OSError as e:
            if e.errno != errno.EINTR:
                raise
            time.sleep(1)
`,
		"own port": `
def f(sock, port):
    for attempt in range(3):
        try:
            return sock.connect(('127.0.0.1', port))
        except OSError:
            time.sleep(1)
`,
	} {
		found := scan(t, files{"a.py": code}, "a.py")
		if len(found) != 1 || found[0].Scope != "local" {
			t.Errorf("%s: %+v, want one finding of local scope", name, found)
		}
	}
	found := scan(t, files{"a.py": `
def f():
    for attempt in range(3):
        try:
            return subprocess.check_call(["git", "push"])
        except CalledProcessError:
            time.sleep(1)
`}, "a.py")
	if len(found) != 1 || found[0].Scope != "remote" {
		t.Errorf("git push: %+v, want one finding of remote scope", found)
	}
}
