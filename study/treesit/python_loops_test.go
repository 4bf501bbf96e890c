//go:build cgo

package treesit_test

import "testing"

func TestPythonHandRolled(t *testing.T) {
	run(t, ".py", []sample{
		{"range with constant sleep", "loop 3 constant", `
import time
def fetch(client):
    for attempt in range(3):
        try:
            return client.get_item()
        except ConnectionError:
            time.sleep(2)
`},
		{"range of n plus one, doubling by shift", "loop 6 exponential", `
RETRIES = 5
async def fetch(client):
    for i in range(RETRIES + 1):
        try:
            return await client.send()
        except OSError:
            await asyncio.sleep(0.1 * (1 << i))
`},
		{"while true, check before increment", "loop 4 constant", `
def fetch(op):
    tries = 0
    while True:
        try:
            return op()
        except IOError:
            if tries >= 3:
                raise
            tries += 1
            time.sleep(1)
`},
		{"while true, check after increment", "loop 3 constant", `
def fetch(op):
    tries = 0
    while True:
        try:
            return op()
        except IOError:
            tries += 1
            if tries >= 3:
                raise
            time.sleep(1)
`},
		{"equality in the handler", "loop 5 constant", `
def fetch(op):
    attempts = 0
    while True:
        try:
            op()
            break
        except IOError:
            attempts += 1
            if attempts == 5:
                raise
            time.sleep(1)
`},
		{"countdown above zero", "loop 4 linear", `
def fetch(op):
    n = 4
    while n > 0:
        try:
            return op()
        except IOError:
            n -= 1
            time.sleep(10 * (5 - n))
`},
		{"countdown including zero", "loop 5 none", `
def fetch(op):
    retries = 4
    while retries >= 0:
        try:
            return op()
        except IOError:
            retries -= 1
`},
		{"jitter by a random addend, capped doubling variable", "loop 8 exponential+jitter", `
import random
def fetch(op):
    delay = 0.5
    for attempt in range(8):
        try:
            return op()
        except IOError:
            time.sleep(delay + random.uniform(0, 0.1))
            delay = min(delay * 2, 30)
`},
		{"random server choice is no jitter", "loop 3 constant", `
import random
def fetch(servers):
    for attempt in range(3):
        server = random.choice(servers)
        try:
            return server.call()
        except IOError:
            time.sleep(1)
`},
		{"delay from a helper of the file", "loop 4 exponential+jitter", `
import random
def backoff_time(n):
    return random.random() * 2 ** n
def fetch(op):
    for attempt in range(4):
        try:
            return op()
        except IOError:
            time.sleep(backoff_time(attempt))
`},
		{"status test that continues", "loop 5 constant", `
def fetch(session, url):
    for attempt in range(5):
        response = session.post(url)
        if response.status_code == 200:
            return response
        time.sleep(3)
`},
		{"success flag", "loop 3 none", `
def store(db, row):
    success = False
    attempts = 0
    while not success and attempts < 3:
        try:
            db.insert(row)
            success = True
        except DbError:
            attempts += 1
`},
		{"limit from a parameter without default", "loop ? constant", `
def fetch(op, max_attempts):
    for _ in range(max_attempts):
        try:
            return op()
        except IOError:
            time.sleep(1)
`},
		{"limit from a parameter's default", "loop 7 constant", `
def fetch(op, max_attempts=7):
    for _ in range(max_attempts):
        try:
            return op()
        except IOError:
            time.sleep(1)
`},
		{"limit of settings with a default", "loop 4 constant", `
class C:
    def __init__(self, config):
        self.max_retries = config.get("max_retries", 3)
    def fetch(self):
        retry = 0
        while retry <= self.max_retries:
            try:
                return self.client.send()
            except IOError:
                retry += 1
                time.sleep(1)
`},
		{"retry for ever with reconnect", "loop ever exponential", `
def connect(self):
    wait = 1
    while True:
        try:
            self.conn = self.pool.connect()
            return
        except ConnectionError:
            log.warning("reconnecting")
            time.sleep(wait)
            wait = min(wait * 2, 60)
`},
		{"deadline", "loop ever constant", `
def connect(host, deadline):
    while time.monotonic() < deadline:
        try:
            return dial(host)
        except OSError:
            time.sleep(0.2)
`},
		{"list of waits", "loop 4 unknown", `
def fetch(op):
    for delay in [1, 5, 2, 9]:
        try:
            return op()
        except IOError:
            time.sleep(delay)
`},
		{"retry-after of the server", "loop 5 server-driven", `
def fetch(session):
    for attempt in range(5):
        response = session.get_page()
        if response.status_code == 429:
            time.sleep(int(response.headers["Retry-After"]))
            continue
        return response
`},
		{"recursion with a counter", "recursion 4 constant", `
def fetch(url, retries=3):
    try:
        return download(url)
    except IOError:
        if retries > 0:
            time.sleep(1)
            return fetch(url, retries - 1)
        raise
`},
		{"timer", "timer ever constant", `
class Client:
    def connect(self):
        try:
            self.sock.connect(self.addr)
        except OSError:
            self.loop.call_later(self.reconnect_delay, self.connect)
`},
		{"limit and growth from a constructor's parameters", "loop 6 exponential", `
class Retry:
    def __init__(self, max_retries=5, delay=1, backoff=1):
        self.max_retries = max_retries
        self.delay = delay
        self.backoff = backoff
    def __call__(self, op):
        tries = 0
        while True:
            try:
                return op()
            except IOError:
                if tries == self.max_retries:
                    raise
                tries += 1
                time.sleep(self.delay)
                self.delay *= self.backoff
`},
		{"wait from a property", "loop ? constant+jitter", `
class Retry:
    @property
    def pause(self):
        return self.base + random.randint(0, 9)
    def __call__(self, op, max_tries):
        for attempt in range(max_tries):
            try:
                return op()
            except IOError:
                time.sleep(self.pause)
`},
		{"wait from an object of the file", "loop 4 exponential", `
class Delay:
    def __init__(self, first):
        self.now = first
    def next(self):
        self.now *= 3
        return self.now
def fetch(op):
    waits = Delay(1)
    for attempt in range(4):
        try:
            return op()
        except IOError:
            time.sleep(waits.next())
`},
		{"a switch that is off does not end it, a counter does", "loop 3 constant", `
class C:
    def __init__(self, conf):
        self.always = conf.get("always_retry", False)
    def fetch(self, op):
        retries = 0
        while True:
            try:
                return op()
            except IOError:
                if not self.always:
                    raise
                retries += 1
                last = retries >= 3
                if last:
                    raise
                time.sleep(1)
`},
		{"task queued again", "requeue ever exponential", `
def requeue(self, task, error):
    task.retries -= 1
    if error:
        delay = timedelta(seconds=task.retry_delay)
        task.retry_delay *= task.retry_backoff
        task.eta = now + delay
        self.add_schedule(task)
`},
		{"second try written out", "inline 2 none", `
def query(self, sql):
    try:
        return self.cursor.execute(sql)
    except OperationalError:
        self.reconnect()
        return self.cursor.execute(sql)
`},
	})
}

func TestPythonLookalikes(t *testing.T) {
	run(t, ".py", []sample{
		{"polling a status", "", `
def wait(client, max_attempts=60):
    for attempt in range(max_attempts):
        status = client.describe_job()
        if status == "DONE":
            return status
        time.sleep(5)
`},
		{"polling with growing delay", "", `
def wait_for_key(self):
    delay = 0.05
    while True:
        if self.has_data(key):
            return True
        time.sleep(delay)
        delay *= 2
`},
		{"pagination", "", `
def all_items(client):
    token = None
    while True:
        page = client.list_items(token=token)
        token = page.next_token
        if not token:
            break
        time.sleep(1)
`},
		{"periodic work that survives errors", "", `
def loop(self):
    while True:
        try:
            self.collect()
        except Exception:
            log.exception("failed")
        time.sleep(60)
`},
		{"each item once", "", `
def send_all(items):
    for item in items:
        try:
            send(item)
        except IOError:
            time.sleep(1)
`},
		{"candidates", "", `
def parse(text):
    for fmt in FORMATS:
        try:
            return datetime.strptime(text, fmt)
        except ValueError:
            continue
`},
		{"words in comments, strings and docstrings only", "", `
def f():
    """Retry with backoff: max_retries attempts, then sleep."""
    # for attempt in range(3): retry
    log.info("retrying in %d seconds", 5)
`},
		{"error code with the word", "", `
class Codes:
    TOO_MANY_RETRIES_TO_FETCH_PARTS = 255
    RETRY_DELAY_TEXT = "retry"
`},
		{"recursion over a tree", "", `
def remove(path, attempts=0):
    try:
        unlink(path)
    except OSError:
        for child in children(path):
            remove(child)
`},
		{"handler that leaves", "", `
def f(op):
    for attempt in range(3):
        try:
            op()
        except IOError:
            raise
`},
	})
}
