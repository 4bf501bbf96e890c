//go:build cgo

package treesit

import "retrylab/study/finding"

// jsAPIs are the JavaScript and TypeScript libraries. A default export is matched
// by the module it comes from.
var jsAPIs = newTable([]api{
	{
		API:   finding.API{Name: "p-retry", DefaultCount: 10, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.No},
		match: "p-retry|default p-retry|pRetry", args: "- {", params: scriptParams, nullUnlimited: true, special: forever,
	},
	{
		API:   finding.API{Name: "async-retry", DefaultCount: 10, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.Yes},
		match: "async-retry|default", args: "- {", params: scriptParams, special: forever,
	},
	{
		API:   finding.API{Name: "promise-retry", DefaultCount: 10, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.No},
		match: "promise-retry|default", args: "{ {", params: scriptParams, special: forever,
	},
	{
		API:   finding.API{Name: "retry.operation", DefaultCount: 10, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.No},
		match: "^retry|operation ^retry|timeouts", args: "{", params: scriptParams, special: forever,
	},
	{
		API:   finding.API{Name: "axios-retry", DefaultCount: 3, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "axios-retry|default axios-retry|axiosRetry", args: "- {", params: "retryDelay=- retryCondition=-", special: axiosDelay,
	},
	{
		API:   finding.API{Name: "got", DefaultCount: 2, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.Yes},
		match: "^got|default ^got|got ^got|extend ^got|get ^got|post ^got|put ^got|delete ^got|patch", args: "- {", need: "retry", params: "retry=-", special: nestedRetry,
	},
	{
		API:   finding.API{Name: "got", DefaultCount: 2, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.Yes},
		match: "^got|extend", args: "{", need: "retry", params: "retry=-", special: nestedRetry,
	},
	{
		API:   finding.API{Name: "ky", DefaultCount: 2, Backoff: finding.BackoffExponential, Base: secs(0.3), Jitter: finding.No},
		match: "^ky|default ^ky|ky ^ky|get ^ky|post ^ky|put", args: "- {", need: "retry", params: "retry=-", special: nestedRetry,
	},
	{
		API:   finding.API{Name: "ky", DefaultCount: 2, Backoff: finding.BackoffExponential, Base: secs(0.3), Jitter: finding.No},
		match: "^ky|create ^ky|extend", args: "{", need: "retry", params: "retry=-", special: nestedRetry,
	},
	{
		API:   finding.API{Name: "cockatiel.retry", DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "cockatiel|retry", args: "- {", params: "maxAttempts=count attempts=count backoff=-", special: cockatiel,
	},
	{
		API:   finding.API{Name: "exponential-backoff.backOff", Count: totals, DefaultCount: 10, Backoff: finding.BackoffExponential, Base: secs(0.1), Jitter: finding.No},
		match: "exponential-backoff|backOff", args: "- {", params: "numOfAttempts=count startingDelay=base maxDelay=cap timeMultiple=factor jitter=-", special: jitterByName,
	},
	{
		API:   finding.API{Name: "fetch-retry", DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(1), Jitter: finding.No},
		match: "fetch-retry|default", args: "- {", params: "retryDelay=base retryOn=-",
	},
	{
		API:   finding.API{Name: "retry-axios", DefaultCount: 3, Backoff: finding.BackoffExponential, Base: secs(0.1), Jitter: finding.No},
		match: "retry-axios|attach", special: func(t *site) {},
	},
	{
		API:   finding.API{Name: "ts-retry-promise.retry", DefaultCount: 10, Backoff: finding.BackoffConstant, Base: secs(0.25), Jitter: finding.No},
		match: "ts-retry-promise|retry", args: "- {", params: "delay=base backoff=- timeout=elapsed", special: namedBackoff("backoff"),
	},
	{
		API:   finding.API{Name: "ts-retry.retryAsync", Count: totals, DefaultUnknown: true, Backoff: finding.BackoffConstant, Jitter: finding.No},
		match: "ts-retry|retryAsync ts-retry|retry", args: "- {", params: "maxTry=count delay=base",
	},
	{
		API:   finding.API{Name: "aws.ConfiguredRetryStrategy", Count: totals, DefaultCount: 3, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "|ConfiguredRetryStrategy", args: "count delay", params: "count=count delay=base", special: maybeFunction("count"),
	},
	{
		API:   finding.API{Name: "aws.StandardRetryStrategy", Count: totals, DefaultCount: 3, Backoff: finding.BackoffExponential, Cap: secs(20), Jitter: finding.Yes},
		match: "|StandardRetryStrategy |AdaptiveRetryStrategy", args: "count", params: "count=count", special: maybeFunction("count"),
	},
	{
		API:   finding.API{Name: "aws.client", Count: totals, DefaultCount: 3, Backoff: finding.BackoffExponential, Cap: secs(20), Jitter: finding.Yes},
		match: "@aws-sdk|@aws-sdk/client", args: "{", need: "maxAttempts", params: "maxAttempts=count",
	},
	{
		API:   finding.API{Name: "kafkajs", DefaultCount: 5, Backoff: finding.BackoffExponential, Base: secs(0.3), Cap: secs(30), Jitter: finding.Yes},
		match: "kafkajs|Kafka", args: "{", need: "retry", params: "retry=-", special: kafkaRetry,
	},
	{
		API:   finding.API{Name: "bullmq.attempts", Count: totals, DefaultUnknown: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "bull|.add bull|.addBulk bull|.createJob", args: "- - {", need: "attempts", params: "attempts=count backoff=- delay=-", special: bullBackoff,
	},
	{
		API:   finding.API{Name: "moleculer.retryPolicy", DefaultUnknown: true, Backoff: finding.BackoffUnknown, Jitter: finding.No},
		match: "moleculer|ServiceBroker service-broker|ServiceBroker", args: "{", need: "retryPolicy", params: "retryPolicy=-", special: nestedPolicy("retryPolicy", finding.BackoffExponential, 5, 0.1, 1),
	},
	{
		API:   finding.API{Name: "fs.rm", Local: true, Backoff: finding.BackoffLinear, Base: secs(0.1), Jitter: finding.No},
		match: "|rm |rmSync |.rm |.rmSync |rimraf", args: "- {", need: "maxRetries", params: "maxRetries=count retryDelay=base",
	},
	{
		API:   finding.API{Name: "rxjs.retry", DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "rxjs|retry", args: "count", params: "count=count", special: rxRetry,
	},
	{
		API:   finding.API{Name: "ioredis", DefaultCount: 20, Backoff: finding.BackoffLinear, Cap: secs(2), Jitter: finding.No},
		match: "redis|default redis|Redis redis|createClient redis|Cluster redis|createCluster", args: "{ {", need: "retryStrategy retry_strategy maxRetriesPerRequest socket reconnectStrategy",
		params: "retryStrategy=- retry_strategy=- maxRetriesPerRequest=count socket=- reconnectStrategy=-", special: redisStrategy,
	},
})

const scriptParams = "retries=count factor=factor minTimeout=base maxTimeout=cap randomize=jitter forever=- maxRetryTime=elapsed"
