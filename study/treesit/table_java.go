//go:build cgo

package treesit

import "retrylab/study/finding"

// javaAPIs are the Java libraries.
var javaAPIs = newTable([]api{
	{
		API:   finding.API{Name: "curator.ExponentialBackoffRetry", DefaultUnknown: true, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "|ExponentialBackoffRetry", args: "base retries cap", params: "cap=cap base=base retries=count",
	},
	{
		API:   finding.API{Name: "curator.BoundedExponentialBackoffRetry", DefaultUnknown: true, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "|BoundedExponentialBackoffRetry", args: "base cap retries", params: "cap=cap base=base retries=count",
	},
	{
		API:   finding.API{Name: "curator.RetryNTimes", DefaultUnknown: true, Backoff: finding.BackoffConstant, Jitter: finding.No},
		match: "|RetryNTimes", args: "retries base", params: "base=base retries=count",
	},
	{
		API:   finding.API{Name: "curator.RetryOneTime", DefaultCount: 1, Backoff: finding.BackoffConstant, Jitter: finding.No},
		match: "|RetryOneTime", args: "base", params: "base=base",
	},
	{
		API:   finding.API{Name: "curator.RetryForever", DefaultUnlimited: true, Backoff: finding.BackoffConstant, Jitter: finding.No},
		match: "|RetryForever", args: "base", params: "base=base",
	},
	{
		API:   finding.API{Name: "curator.RetryUntilElapsed", DefaultUnlimited: true, DefaultBound: finding.BoundElapsed, Backoff: finding.BackoffConstant, Jitter: finding.No},
		match: "|RetryUntilElapsed", args: "elapsed base", params: "base=base elapsed=elapsed",
	},
	{
		API:   finding.API{Name: "resilience4j.RetryConfig", Count: totals, DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(0.5), Jitter: finding.No},
		match: "RetryConfig|custom resilience4j.retry|custom RetryConfig|from", builder: true,
		params: "intervalFunction=- intervalBiFunction=- waitDuration=base", special: intervalFunction,
	},
	{
		API:   finding.API{Name: "resilience4j.RetryConfig", Count: totals, DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(0.5), Jitter: finding.No},
		match: "resilience4j|ofDefaults", special: only("Retry", "RetryConfig", "RetryRegistry"),
	},
	{
		API:   finding.API{Name: "resilience4j.@Retry", DefaultUnknown: true, Count: totals, Backoff: finding.BackoffUnknown, Jitter: finding.Unknown},
		match: "resilience4j|Retry", special: onlyMark("the name's configuration decides"),
	},
	{
		API:   finding.API{Name: "microprofile.@Retry", Count: finding.CountRule{Unlimited: []int64{-1}}, DefaultCount: 3, Backoff: finding.BackoffConstant, Base: 0, Jitter: finding.Yes},
		match: "faulttolerance|Retry smallrye|Retry", params: "jitter=jitter delay=base maxDuration=elapsed", withBase: finding.BackoffConstant, special: onlyMark(""),
	},
	{
		API:   finding.API{Name: "spring.@Retryable", Count: totals, DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(1), Jitter: finding.No},
		match: "springframework.retry|Retryable", params: "backoff=- maxAttemptsExpression=- value=-", special: springBackoff,
	},
	{
		API:   finding.API{Name: "spring7.@Retryable", DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(1), Jitter: finding.No},
		match: "springframework.resilience|Retryable", params: "multiplier=factor delay=base jitter=jitter maxRetriesString=-",
	},
	{
		API:   finding.API{Name: "spring7.RetryPolicy", DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(1), Jitter: finding.No},
		match: "springframework.core.retry|builder springframework.core.retry|withDefaults springframework.core.retry|withMaxRetries", builder: true, args: "maxRetries",
		params: "multiplier=factor delay=base jitter=jitter maxDelay=cap timeout=elapsed", special: onlyReceiver("RetryPolicy"),
	},
	{
		API:   finding.API{Name: "micronaut.@Retryable", DefaultCount: 3, Backoff: finding.BackoffConstant, Base: secs(1), Jitter: finding.No},
		match: "micronaut|Retryable", params: "attempts=count multiplier=factor delay=base", special: stringNumbers,
	},
	{
		API:   finding.API{Name: "spring.SimpleRetryPolicy", Count: totals, DefaultCount: 3, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "|SimpleRetryPolicy", args: "maxAttempts", special: setters("setMaxAttempts"),
	},
	{
		API:   finding.API{Name: "spring.MaxAttemptsRetryPolicy", Count: totals, DefaultCount: 3, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "|MaxAttemptsRetryPolicy", args: "maxAttempts", special: setters("setMaxAttempts"),
	},
	{
		API:   finding.API{Name: "spring.AlwaysRetryPolicy", DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "|AlwaysRetryPolicy",
	},
	{
		API:   finding.API{Name: "spring.RetryTemplate", Count: totals, DefaultCount: 3, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "RetryTemplate|builder springframework|RetryTemplate springframework|RetryTemplateBuilder", builder: true,
		params: "maxAttempts=count fixedBackoff=base uniformRandomBackoff=- exponentialBackoff=- infiniteRetry=- withTimeout=elapsed", withBase: finding.BackoffConstant, special: retryTemplate,
	},
	{
		API:   finding.API{Name: "failsafe.RetryPolicy", Count: finding.CountRule{Total: true, Unlimited: []int64{-1}}, DefaultCount: 3, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "failsafe|builder failsafe|RetryPolicy failsafe|ofDefaults", builder: true,
		params: "withMaxAttempts=count withMaxRetries=- withDelay=base withBackoff=- withJitter=jitter withJitterFactor=jitter withMaxDuration=elapsed", withBase: finding.BackoffConstant, special: failsafe,
	},
	{
		API:   finding.API{Name: "guava-retrying.Retryer", Count: totals, DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "RetryerBuilder|newBuilder |newRetryerBuilder", builder: true, params: "withStopStrategy=- withWaitStrategy=-", special: guavaRetryer,
	},
	{
		API:   finding.API{Name: "reactor.Retry", DefaultUnknown: true, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "reactor.util|backoff reactor.retry|backoff Retry|backoff", args: "retries base", params: "retries=count base=base maxBackoff=cap minBackoff=base jitter=jitter maxAttempts=count", builder: true,
	},
	{
		API:   finding.API{Name: "reactor.Retry", DefaultUnknown: true, Backoff: finding.BackoffConstant, Jitter: finding.No},
		match: "reactor|fixedDelay Retry|fixedDelay", args: "retries base", params: "retries=count base=base", builder: true,
	},
	{
		API:   finding.API{Name: "reactor.Retry", DefaultUnknown: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "reactor|max reactor|maxInARow", args: "retries", params: "retries=count",
	},
	{
		API:   finding.API{Name: "reactor.Retry", DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "reactor|indefinitely",
	},
	{
		API:   finding.API{Name: "rx.retry", DefaultUnlimited: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "reactor|.retry rxjava|.retry mutiny|.retry", args: "retries", params: "retries=count",
	},
	{
		API:   finding.API{Name: "mutiny.retry", DefaultUnknown: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "mutiny|.atMost", args: "retries", params: "retries=count", special: mutinyBackoff,
	},
	{
		API:   finding.API{Name: "vertx.RetryPolicy", DefaultUnknown: true, Backoff: finding.BackoffConstant, Jitter: finding.No},
		match: "vertx|constantDelay", args: "base", params: "base=base",
	},
	{
		API:   finding.API{Name: "vertx.RetryPolicy", DefaultUnknown: true, Backoff: finding.BackoffLinear, Jitter: finding.No},
		match: "vertx|linearDelay", args: "base cap", params: "base=base cap=cap",
	},
	{
		API:   finding.API{Name: "vertx.RetryPolicy", DefaultUnknown: true, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "vertx|exponentialDelayWithJitter", args: "base cap", params: "base=base cap=cap",
	},
	{
		API:   finding.API{Name: "feign.Retryer.Default", Count: totals, DefaultCount: 5, Backoff: finding.BackoffExponential, Base: secs(0.1), Cap: secs(1), Jitter: finding.No},
		match: "|Retryer.Default", args: "base cap attempts", params: "base=base cap=cap attempts=count",
	},
	{
		API:   finding.API{Name: "okhttp.retryOnConnectionFailure", DefaultUnknown: true, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "okhttp|.retryOnConnectionFailure", args: "enabled", params: "enabled=-", special: enabledOnly("enabled"),
	},
	{
		API:   finding.API{Name: "apache-http.DefaultHttpRequestRetryHandler", DefaultCount: 3, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "|DefaultHttpRequestRetryHandler |StandardHttpRequestRetryHandler", args: "retries", params: "retries=count",
	},
	{
		API:   finding.API{Name: "apache-http.DefaultHttpRequestRetryStrategy", DefaultCount: 1, Backoff: finding.BackoffConstant, Base: secs(1), Jitter: finding.No},
		match: "|DefaultHttpRequestRetryStrategy |DefaultServiceUnavailableRetryStrategy", args: "retries base", params: "retries=count base=base",
	},
	{
		API:   finding.API{Name: "grpc.enableRetry", Count: totals, DefaultCount: 5, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "grpc|.enableRetry", special: func(t *site) { t.f.SetRuntime() },
	},
	{
		API:   finding.API{Name: "grpc.maxRetryAttempts", Count: totals, DefaultUnknown: true, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "grpc|.maxRetryAttempts", args: "attempts", params: "attempts=count",
	},
	{
		API:   finding.API{Name: "gax.RetrySettings", Count: finding.CountRule{Total: true, Unlimited: []int64{0}}, DefaultUnlimited: true, DefaultBound: finding.BoundElapsed, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "RetrySettings|newBuilder", builder: true,
		params: "setMaxAttempts=count setInitialRetryDelay=base setInitialRetryDelayDuration=base setRetryDelayMultiplier=factor setMaxRetryDelay=cap setMaxRetryDelayDuration=cap setJittered=jitter setTotalTimeout=elapsed setTotalTimeoutDuration=elapsed",
	},
	{
		API:   finding.API{Name: "aws.RetryPolicy", DefaultCount: 3, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "software.amazon.awssdk|builder", builder: true, need: "numRetries maxAttempts", params: "numRetries=count maxAttempts=-", special: awsAttempts,
	},
	{
		API:   finding.API{Name: "aws.ClientConfiguration", DefaultCount: 3, Backoff: finding.BackoffExponential, Jitter: finding.Yes},
		match: "|.withMaxErrorRetry |.setMaxErrorRetry", args: "retries", params: "retries=count",
	},
	{
		API:   finding.API{Name: "dubbo.reference", DefaultCount: 2, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "dubbo|DubboReference dubbo|Reference dubbo|DubboService dubbo|Service dubbo|Method", need: "retries", params: "retries=count",
	},
	{
		API:   finding.API{Name: "temporal.RetryOptions", Count: finding.CountRule{Total: true, Unlimited: []int64{0}}, DefaultUnlimited: true, Backoff: finding.BackoffExponential, Base: secs(1), Jitter: finding.Yes},
		match: "temporal|newBuilder RetryOptions|newBuilder", builder: true, special: onlyReceiver("RetryOptions"),
	},
	{
		API:   finding.API{Name: "kafka.producer", DefaultUnknown: true, Backoff: finding.BackoffConstant, Base: secs(0.1), Jitter: finding.No},
		match: "kafka|.put kafka|.setProperty", args: "key attempts", params: "attempts=count key=-", special: kafkaRetries,
	},
	{
		API:   finding.API{Name: "rocketmq.producer", DefaultCount: 2, Backoff: finding.BackoffNone, Jitter: finding.No},
		match: "|.setRetryTimesWhenSendFailed |.setRetryTimesWhenSendAsyncFailed |.setMaxReconsumeTimes", args: "retries", params: "retries=count",
	},
})
