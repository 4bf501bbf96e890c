//go:build cgo

package treesit

import "retrylab/study/finding"

// pythonAPIs are the Python libraries. Defaults are those of the versions current
// in 2024 to 2026.
var pythonAPIs = newTable([]api{
	{
		API:     finding.API{Name: "tenacity.retry", Count: totals, DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match:   "^tenacity|retry ^tenacity|Retrying ^tenacity|AsyncRetrying ^tenacity|TornadoRetrying ^tenacity|.retry_with",
		params:  "stop=- wait=- retry=- sleep=- before=- after=-",
		special: tenacity,
	},
	{
		API:     finding.API{Name: "backoff.on_exception", Count: totals, DefaultUnlimited: true, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.Yes},
		match:   "^backoff|on_exception ^backoff|on_predicate",
		args:    "wait_gen exception",
		params:  "interval=base value=base max_value=cap base=- factor=- max_tries=count max_time=elapsed wait_gen=- jitter=jitter",
		special: backoffWait, nullUnlimited: true,
	},
	{
		API:      finding.API{Name: "urllib3.Retry", Mechanism: finding.MechAdapter, Rule: finding.RuleLibrary, DefaultCount: 10, Backoff: finding.BackoffNone, Jitter: finding.No},
		match:    "urllib3|Retry requests|Retry pip|Retry",
		args:     "total connect read redirect status other",
		params:   "total=count connect=- read=- redirect=- status=- other=- backoff_factor=base backoff_max=cap backoff_jitter=jitter raise_on_status=- method_whitelist=- allowed_methods=-",
		withBase: finding.BackoffExponential, special: urllib3Retry,
	},
	{
		API:   finding.API{Name: "requests.HTTPAdapter", Mechanism: finding.MechAdapter, Rule: finding.RuleLibrary, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "requests|HTTPAdapter requests_toolbelt|HTTPAdapter", need: "max_retries", special: onlyNumber("max_retries"),
	},
	{
		API:   finding.API{Name: "httpx.HTTPTransport", Mechanism: finding.MechAdapter, Rule: finding.RuleLibrary, Backoff: finding.BackoffExponential, Base: secs(0.5), Jitter: finding.No},
		match: "httpx|HTTPTransport httpx|AsyncHTTPTransport", need: "retries",
	},
	{
		API:   finding.API{Name: "aiohttp_retry.ExponentialRetry", Count: totals, DefaultCount: 3, Backoff: finding.BackoffExponential, Base: secs(0.1), Cap: secs(30), Jitter: finding.No},
		match: "aiohttp_retry|ExponentialRetry aiohttp_retry|FibonacciRetry", args: "attempts start_timeout max_timeout factor",
		params: "start_timeout=base max_timeout=cap multiplier=base",
	},
	{
		API:   finding.API{Name: "aiohttp_retry.JitterRetry", Count: totals, DefaultCount: 3, Backoff: finding.BackoffExponential, Base: secs(0.1), Cap: secs(30), Jitter: finding.Yes},
		match: "aiohttp_retry|JitterRetry", args: "attempts start_timeout max_timeout factor", params: "start_timeout=base max_timeout=cap",
	},
	{
		API:   finding.API{Name: "aiohttp_retry.RandomRetry", Count: totals, DefaultCount: 3, Backoff: finding.BackoffConstant, Jitter: finding.Yes},
		match: "aiohttp_retry|RandomRetry", args: "attempts", params: "min_timeout=- max_timeout=cap",
	},
	{
		API:   finding.API{Name: "aiohttp_retry.ListRetry", DefaultUnknown: true, Backoff: finding.BackoffUnknown, Jitter: finding.No},
		match: "aiohttp_retry|ListRetry", special: listRetry,
	},
	{
		API:   finding.API{Name: "retrying.retry", Count: totals, DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "^retrying|retry ^retrying|Retrying", unit: 1e-3, special: retryingWait, nullUnlimited: true,
		params: "stop_max_attempt_number=count stop_max_delay=elapsed wait_fixed=- wait_random_min=- wait_random_max=- wait_jitter_max=jitter",
	},
	{
		API:   finding.API{Name: "retry.retry", Count: finding.CountRule{Total: true, Unlimited: []int64{-1}}, DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "^retry|retry ^retry.api|retry ^retry2|retry ^reretry|retry", args: "exceptions tries delay max_delay backoff jitter",
		params: "backoff=factor exceptions=-", withBase: finding.BackoffConstant,
	},
	{
		API:   finding.API{Name: "retry.retry_call", Count: finding.CountRule{Total: true, Unlimited: []int64{-1}}, DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "^retry|retry_call ^retry2|retry_call ^reretry|retry_call", args: "- fargs fkwargs exceptions tries delay max_delay backoff jitter",
		params: "backoff=factor exceptions=- fargs=- fkwargs=-", withBase: finding.BackoffConstant,
	},
	{
		API:   finding.API{Name: "stamina.retry", Count: totals, DefaultCount: 10, Backoff: finding.BackoffExponential, Base: secs(0.1), Cap: secs(5), Jitter: finding.Yes},
		match: "^stamina|retry ^stamina|retry_context ^stamina|RetryingCaller ^stamina|AsyncRetryingCaller", nullUnlimited: true,
		params: "timeout=elapsed wait_initial=base wait_max=cap wait_jitter=jitter wait_exp_base=factor on=-",
	},
	{
		API:   finding.API{Name: "opnieuw.retry", Count: totals, DefaultCount: 3, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "^opnieuw|retry ^opnieuw|retry_async", params: "max_calls_total=count retry_window_after_first_call_in_seconds=elapsed",
	},
	{
		API:   finding.API{Name: "botocore.Config", Count: finding.CountRule{}, DefaultCount: 4, Backoff: finding.BackoffExponential, Cap: secs(20), Jitter: finding.Yes},
		match: "botocore|Config boto3|Config aiobotocore|AioConfig", need: "retries", params: "retries=-", special: botoRetries,
	},
	{
		API:   finding.API{Name: "google.api_core.retry", DefaultUnlimited: true, DefaultBound: finding.BoundElapsed, Backoff: finding.BackoffExponential, Base: secs(1), Cap: secs(60), Jitter: finding.Yes},
		match: "google.api_core|Retry google.api_core|AsyncRetry google.api_core|StreamingRetry google.cloud|Retry google.cloud|AsyncRetry retries|Retry gapic|Retry",
		args:  "predicate initial maximum multiplier timeout", params: "predicate=- initial=base maximum=cap multiplier=factor timeout=elapsed deadline=elapsed",
	},
	{
		API:   finding.API{Name: "googleapiclient.execute", Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "|.execute |.next_chunk", need: "num_retries", params: "num_retries=count http=-",
	},
	{
		API:   finding.API{Name: "celery.task", DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(180), Jitter: finding.No},
		match: "celery|shared_task celery|task |.task celery|periodic_task", need: "max_retries autoretry_for retry_backoff default_retry_delay retry_kwargs",
		params:        "max_retries=count default_retry_delay=base retry_backoff=- retry_backoff_max=- retry_jitter=- autoretry_for=- retry_kwargs=-",
		nullUnlimited: true, special: celeryTask,
	},
	{
		API:   finding.API{Name: "celery.Task.retry", DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(180), Jitter: finding.No},
		match: "|.retry", need: "exc countdown max_retries eta", params: "max_retries=count countdown=- eta=- exc=- args=- kwargs=-", nullUnlimited: true, special: celeryRetry,
	},
	{
		API:   finding.API{Name: "kombu.retry_over_time", DefaultUnlimited: true, Backoff: finding.BackoffLinear, Base: secs(2), Cap: secs(30), Jitter: finding.No},
		match: "kombu|retry_over_time celery|retry_over_time", args: "- catch args kwargs errback max_retries interval_start interval_step interval_max",
		params: kombuParams, nullUnlimited: true, special: kombuStep,
	},
	{
		API:   finding.API{Name: "kombu.ensure_connection", DefaultUnlimited: true, Backoff: finding.BackoffLinear, Base: secs(2), Cap: secs(30), Jitter: finding.No},
		match: "|.ensure_connection", args: "errback max_retries interval_start interval_step interval_max", params: kombuParams, nullUnlimited: true, special: kombuStep,
	},
	{
		API:   finding.API{Name: "kombu.ensure", DefaultUnlimited: true, Backoff: finding.BackoffLinear, Base: secs(1), Cap: secs(1), Jitter: finding.No},
		match: "kombu|.ensure kombu|.autoretry", args: "- - errback max_retries interval_start interval_step interval_max", params: kombuParams, nullUnlimited: true, special: kombuStep,
	},
	{
		API:   finding.API{Name: "dramatiq.actor", DefaultCount: 20, Backoff: finding.BackoffExponential, Base: secs(15), Cap: secs(604800), Jitter: finding.Yes},
		match: "dramatiq|actor dramatiq|Retries", need: "max_retries min_backoff max_backoff", unit: 1e-3, params: "min_backoff=base max_backoff=cap", nullUnlimited: true,
	},
	{
		API:   finding.API{Name: "huey.task", Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "|.task |.periodic_task", need: "retries", params: "retry_backoff=factor retry_delay=base", withBase: finding.BackoffConstant,
	},
	{
		API:   finding.API{Name: "arq.Retry", Count: totals, DefaultCount: 5, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "^arq|Retry", args: "defer", params: "defer=-", special: schedule("defer"),
	},
	{
		API:   finding.API{Name: "rq.Retry", DefaultCount: 1, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "^rq|Retry", args: "max interval", params: "max=count interval=base", withBase: finding.BackoffConstant,
	},
	{
		API:   finding.API{Name: "kazoo.KazooRetry", Count: finding.CountRule{Total: true, Unlimited: []int64{-1}}, DefaultCount: 1, Backoff: finding.BackoffExponential, Base: secs(0.1), Cap: secs(60), Jitter: finding.Yes},
		match: "kazoo|KazooRetry", args: "max_tries delay backoff max_jitter max_delay", params: "backoff=factor max_jitter=jitter max_delay=cap deadline=elapsed", nullUnlimited: true,
	},
	{
		API:   finding.API{Name: "redis.Retry", Count: finding.CountRule{Unlimited: []int64{-1}}, DefaultUnknown: true, Backoff: finding.BackoffUnknown, Jitter: finding.Unknown},
		match: "redis|Retry", args: "backoff retries", params: "backoff=- retries=count", special: redisBackoff,
	},
	{
		API:   finding.API{Name: "nameko.retry", DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(1), Jitter: finding.No},
		match: "nameko.utils.retry|retry", params: "max_attempts=count backoff=factor max_delay=cap for_exceptions=-",
	},
	{
		API:    finding.API{Name: "azure.RetryPolicy", DefaultCount: 10, Backoff: finding.BackoffExponential, Base: secs(0.8), Cap: secs(120), Jitter: finding.No},
		match:  "azure|RetryPolicy azure|AsyncRetryPolicy azure|ExponentialRetry azure|LinearRetry",
		params: "retry_total=count retry_backoff_factor=base retry_backoff_max=cap retry_mode=- initial_backoff=base",
	},
	{
		API:   finding.API{Name: "dagster.RetryPolicy", DefaultCount: 1, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "dagster|RetryPolicy", params: "backoff=- jitter=jitter", withBase: finding.BackoffConstant, special: namedBackoff("backoff"),
	},
	{
		API:   finding.API{Name: "temporalio.RetryPolicy", Count: finding.CountRule{Total: true, Unlimited: []int64{0}}, DefaultUnlimited: true, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.Yes},
		match: "temporalio|RetryPolicy",
	},
	{
		API:   finding.API{Name: "openai.OpenAI", DefaultCount: 2, Backoff: finding.BackoffExponential, Base: secs(0.5), Cap: secs(8), Jitter: finding.Yes},
		match: "openai|OpenAI openai|AsyncOpenAI openai|AzureOpenAI openai|AsyncAzureOpenAI anthropic|Anthropic anthropic|AsyncAnthropic", need: "max_retries",
	},
	{
		API:   finding.API{Name: "prefect.task", Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "prefect|task prefect|flow", need: "retries", params: "retry_delay_seconds=base retry_jitter_factor=jitter", withBase: finding.BackoffConstant,
	},
	{
		API:   finding.API{Name: "airflow.operator", Backoff: finding.BackoffConstant, Base: secs(300), Jitter: finding.No},
		match: "airflow|DAG airflow|task airflow|PythonOperator airflow|BashOperator", need: "retries", params: "retry_exponential_backoff=- max_retry_delay=cap", special: flagExponential("retry_exponential_backoff"),
	},
})

// totals: the number includes the first attempt.
var totals = finding.CountRule{Total: true}

const kombuParams = "max_retries=count interval_start=base interval_step=- interval_max=cap errback=- catch=- timeout=elapsed callback=-"
