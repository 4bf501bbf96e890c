//go:build cgo

package treesit_test

import "testing"

func TestPythonLibraries(t *testing.T) {
	run(t, ".py", []sample{
		{"tenacity bare", "decorator ever none", "from tenacity import retry\n\n@retry\ndef f(): pass\n"},
		{"tenacity with stop and exponential wait", "decorator 5 exponential", `
from tenacity import retry, stop_after_attempt, wait_exponential
@retry(stop=stop_after_attempt(5), wait=wait_exponential(multiplier=1, max=10))
def f(): pass
`},
		{"tenacity by module, alias and random wait", "decorator 3 exponential+jitter", `
import tenacity as t
@t.retry(stop=t.stop_after_attempt(3) | t.stop_after_delay(60), wait=t.wait_random_exponential(max=60))
def f(): pass
`},
		{"tenacity for loop, constants", "library 6 constant+jitter", `
from tenacity import Retrying as R, stop_after_attempt, wait_fixed, wait_random
MAX_TRIES = 2 * 3
def f():
    for attempt in R(stop=stop_after_attempt(MAX_TRIES), wait=wait_fixed(3) + wait_random(0, 2)):
        with attempt:
            call()
`},
		{"tenacity bound to a name and applied", "library 4 linear", `
from tenacity import retry, stop_after_attempt, wait_incrementing
db_retry = retry(stop=stop_after_attempt(4), wait=wait_incrementing(start=1, increment=2))
@db_retry
def f(): pass
`},
		{"another library's retry is not tenacity's", "decorator ? unknown", "from mylib import retry\n@retry\ndef f(): pass\n"},
		{"backoff has jitter by default", "decorator 8 exponential+jitter", `
import backoff
@backoff.on_exception(backoff.expo, IOError, max_tries=8)
def f(): pass
`},
		{"backoff without jitter, constant", "decorator ever constant", `
import backoff
@backoff.on_predicate(backoff.constant, interval=1, jitter=None, max_time=60)
def f(): pass
`},
		{"urllib3 defaults", "library 11 none", "from urllib3.util import Retry\nr = Retry()\n"},
		{"urllib3 with factor in an adapter", "library 4 exponential", `
from urllib3.util.retry import Retry
from requests.adapters import HTTPAdapter
def f(session):
    session.mount("https://", HTTPAdapter(max_retries=Retry(total=3, backoff_factor=0.5)))
`},
		{"urllib3 spread dictionary", "library ? exponential", `
from urllib3.util import Retry
def f(max_retries, backoff_factor):
    kw = {"total": max_retries, "backoff_factor": backoff_factor}
    return Retry(**kw)
`},
		{"requests number", "library 6 none", "from requests.adapters import HTTPAdapter\na = HTTPAdapter(max_retries=5)\n"},
		{"requests zero is off", "library off none", "from requests.adapters import HTTPAdapter\na = HTTPAdapter(max_retries=0)\n"},
		{"httpx", "library 3 exponential", "import httpx\nt = httpx.AsyncHTTPTransport(retries=2)\n"},
		{"aiohttp-retry defaults", "library 3 exponential", "from aiohttp_retry import ExponentialRetry\no = ExponentialRetry()\n"},
		{"aiohttp-retry jitter", "library 4 exponential+jitter", "from aiohttp_retry import JitterRetry\no = JitterRetry(attempts=4)\n"},
		{"retrying in milliseconds", "decorator 7 exponential", `
from retrying import retry
@retry(stop_max_attempt_number=7, wait_exponential_multiplier=1000, wait_exponential_max=10000)
def f(): pass
`},
		{"retry package", "decorator 3 exponential", "from retry import retry\n@retry(IOError, tries=3, delay=1, backoff=2)\ndef f(): pass\n"},
		{"retry package for ever", "decorator ever constant", "from retry import retry\n@retry(tries=-1, delay=1)\ndef f(): pass\n"},
		{"stamina defaults", "decorator 10 exponential+jitter", "import stamina\n@stamina.retry(on=IOError)\ndef f(): pass\n"},
		{"botocore counts retries in its dictionary", "library 11 exponential+jitter", `
from botocore.config import Config
c = Config(retries={"max_attempts": 10, "mode": "adaptive"})
`},
		{"botocore total", "library 10 exponential+jitter", `
from botocore.config import Config
c = Config(retries={"total_max_attempts": 10, "mode": "standard"})
`},
		{"google", "library ever exponential+jitter", `
from google.api_core import retry
r = retry.Retry(initial=1.0, maximum=60.0, multiplier=2.0, timeout=300)
`},
		{"googleapiclient", "library 11 exponential+jitter", "x = service.files().list().execute(num_retries=10)\n"},
		{"celery automatic retry", "decorator 6 exponential+jitter", `
@app.task(autoretry_for=(IOError,), retry_backoff=True, max_retries=5)
def f(): pass
`},
		{"celery without backoff", "decorator 4 constant", "@app.task(bind=True, max_retries=3, default_retry_delay=30)\ndef f(self): pass\n"},
		{"celery countdown grows", "library ? exponential", `
def f(self):
    try:
        call()
    except IOError as exc:
        self.retry(exc=exc, countdown=2 ** self.request.retries, max_retries=limit)
`},
		{"kombu positional", "library 4 linear", "from kombu.utils.functional import retry_over_time\nretry_over_time(f, E, (), {}, None, 3)\n"},
		{"kombu for ever", "library ever linear", "def f(conn):\n    conn.ensure_connection(errback=on_retry)\n"},
		{"kazoo", "library ever exponential+jitter", "from kazoo.retry import KazooRetry\nr = KazooRetry(max_tries=-1, max_delay=30)\n"},
		{"redis", "library 4 exponential+jitter", `
from redis.retry import Retry
from redis.backoff import FullJitterBackoff
r = Retry(FullJitterBackoff(), 3)
`},
		{"dramatiq", "decorator 4 exponential+jitter", "import dramatiq\n@dramatiq.actor(max_retries=3)\ndef f(): pass\n"},
		{"rq", "library 4 constant", "from rq import Retry\nq.enqueue(f, retry=Retry(max=3, interval=60))\n"},
		{"openai", "library 6 exponential+jitter", "from openai import OpenAI\nc = OpenAI(max_retries=5)\n"},
		{"grpc policy as a dictionary", "grpc 4 exponential+jitter", `
options = {"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 4, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2}}]}
`},
		{"grpc policy as text, capped at five", "grpc 5 exponential+jitter", `
options = '{"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 9, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]}'
`},
		{"policy mapping of kombu", "setting 4 linear", "RETRY = {'max_retries': 3, 'interval_start': 0, 'interval_step': 0.2, 'interval_max': 1}\n"},
		{"keyword of an unknown client", "setting 6 unknown", "c = Elastic(hosts, max_retries=5)\n"},
		{"class attribute with a delay", "setting 4 constant", "class Task:\n    max_retries = 3\n    default_retry_delay = 3 * 60\n"},
		{"class attribute of zero", "setting off none", "class Task:\n    max_retries = 0\n"},
		{"option object", "setting 101 unknown", "S = Namespace(connection_max_retries=Option(100, type='int'))\n"},
		{"project's own decorator", "decorator 3 constant; decorator ? constant; loop ? constant", `
def with_retry(limit):
    def deco(f):
        def inner(*a):
            for attempt in range(limit):
                try:
                    return f(*a)
                except IOError:
                    time.sleep(1)
        return inner
    return deco

@with_retry(3)
def a(): pass

@with_retry(limit=n)
def b(): pass
`},
	})
}

func TestPythonConstantsOfOtherFiles(t *testing.T) {
	tree := files{
		"app/settings.py": "MAX_TRIES = 2 * LOW\nLOW = 4\nDELAY = 30\n",
		"app/waits.py":    "import random\ndef spread(n):\n    return 2 ** n * random.random()\n",
		"app/work.py": `
from app import settings
from .waits import spread as wait_for
def f(op):
    for attempt in range(settings.MAX_TRIES):
        try:
            return op()
        except IOError:
            time.sleep(wait_for(attempt))
`,
	}
	found := scan(t, tree, "app/work.py")
	if len(found) != 1 || short(found[0]) != "8 exponential+jitter" || found[0].CountSource != "constant" {
		t.Errorf("got %+v", found)
	}
}
