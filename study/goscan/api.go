package goscan

import (
	"time"

	"retrylab/study/finding"
)

// entry is one row of the library table: which names of which package start or
// configure a retry.
type entry struct {
	finding.API
	// pkg lists paths that are matched against the import path without its
	// version: whole or as its end after a slash.
	pkg string
	// calls, literals and fields name the functions, struct types and assigned
	// fields (last two elements, "Retry.Max") that make a finding.
	calls, literals, fields []string
	// count is the position of the count among the arguments of a call, from
	// 1; 0 = not positional. base likewise, for the first wait.
	count, base int
	// byName: the settings' names say whether the first attempt is counted.
	byName bool
	// partial rows only prepare a wait: the finding is dropped where the same
	// function also starts a retry of the same package, or loops over the wait.
	partial bool
	// params overrides the meaning of setting names.
	params map[string]finding.Param
	// waits are further functions of the package that give the wait; the key is
	// the name, the value the backoff kind ("" leaves it) with "+" for jitter.
	waits map[string]string
	// sets are names of the package that set the count by themselves; a negative
	// number is for ever.
	sets map[string]int64
}

const (
	none = finding.BackoffNone
	cons = finding.BackoffConstant
	expo = finding.BackoffExponential
	yes  = finding.Yes
	no   = finding.No
	ms   = time.Millisecond
)

var (
	retries    = finding.CountRule{}
	retriesInf = finding.CountRule{Unlimited: []int64{-1}}
	totals     = finding.CountRule{Total: true}
	totals0Inf = finding.CountRule{Total: true, Unlimited: []int64{0}}
)

// lib is a shorthand for a library's row.
func lib(name string, count finding.CountRule, def int64, backoff string, base, limit time.Duration, jitter string) finding.API {
	return finding.API{Name: name, Mechanism: finding.MechLibrary, Rule: finding.RuleLibrary,
		Count: count, DefaultCount: def, Backoff: backoff, Base: base, Cap: limit, Jitter: jitter}
}

func unlimited(a finding.API, bound string) finding.API {
	a.DefaultUnlimited, a.DefaultBound = true, bound
	return a
}

func unknownCount(a finding.API) finding.API {
	a.DefaultUnknown = true
	return a
}

var cenkaltiWaits = map[string]string{
	"NewExponentialBackOff": expo + "+", "ExponentialBackOff": expo + "+", "NewConstantBackOff": cons, "ConstantBackOff": cons, "ZeroBackOff": none, "StopBackOff": none,
}

// entries is the library table for Go (the facts and their defaults are those
// of the libraries' own documentation).
var entries = []entry{
	{API: unlimited(lib("cenkalti/backoff.Retry", retries, 0, expo, 500*ms, time.Minute, yes), finding.BoundElapsed), pkg: "cenkalti/backoff",
		calls:  []string{"Retry", "RetryNotify", "RetryWithData", "RetryNotifyWithData", "RetryNotifyWithTimer"},
		byName: true, waits: cenkaltiWaits},
	{API: unlimited(lib("cenkalti/backoff.ExponentialBackOff", retries, 0, expo, 500*ms, time.Minute, yes), finding.BoundElapsed), pkg: "cenkalti/backoff",
		calls: []string{"NewExponentialBackOff", "NewTicker"}, literals: []string{"ExponentialBackOff"}, waits: cenkaltiWaits, partial: true},
	{API: lib("avast/retry-go.Do", totals0Inf, 10, expo, 100*ms, 0, yes), pkg: "retry-go", calls: []string{"Do", "DoWithData", "New", "NewWithData"},
		waits: map[string]string{"FixedDelay": cons, "BackOffDelay": expo, "RandomDelay": cons + "+", "CombineDelay": "", "FullJitterBackoffDelay": expo + "+"},
		sets:  map[string]int64{"UntilSucceeded": -1}},
	{API: lib("hashicorp/go-retryablehttp", retries, 4, expo, time.Second, 30*time.Second, no), pkg: "hashicorp/go-retryablehttp",
		calls: []string{"NewClient"}, literals: []string{"Client"}, fields: []string{"RetryMax"},
		waits: map[string]string{"LinearJitterBackoff": finding.BackoffLinear + "+", "DefaultBackoff": expo, "RateLimitLinearJitterBackoff": finding.BackoffLinear + "+"}},
	{API: unlimited(lib("sethvargo/go-retry", retries, 0, "", 0, 0, no), ""), pkg: "sethvargo/go-retry",
		calls: []string{"Do", "DoValue", "Constant", "Exponential", "Fibonacci"},
		waits: map[string]string{"NewConstant": cons, "Constant": cons, "NewExponential": expo, "Exponential": expo, "NewFibonacci": expo, "Fibonacci": expo, "WithJitter": "+", "WithJitterPercent": "+"}},
	{API: lib("lestrrat-go/backoff", retries, 10, expo, 500*ms, time.Minute, no), pkg: "lestrrat-go/backoff", calls: []string{"Exponential", "Constant", "NewExponentialPolicy"}, waits: map[string]string{"Constant": cons}},
	{API: unknownCount(lib("jpillora/backoff", totals, 0, expo, 100*ms, 10*time.Second, no)), pkg: "jpillora/backoff", literals: []string{"Backoff"}, partial: true},
	{API: lib("failsafe-go/retrypolicy", retriesInf, 2, none, 0, 0, no), pkg: "failsafe-go/retrypolicy",
		calls: []string{"Builder", "NewBuilder", "WithDefaults", "NewWithDefaults"}, byName: true,
		waits: map[string]string{"WithDelay": cons, "WithBackoff": expo, "WithJitter": "+", "WithJitterFactor": "+", "WithRandomDelay": cons + "+"}},
	{API: unknownCount(lib("k8s wait.Backoff", totals, 0, cons, 0, 0, no)), pkg: "apimachinery/pkg/util/wait",
		calls: []string{"ExponentialBackoff", "ExponentialBackoffWithContext"}, literals: []string{"Backoff"}},
	{API: lib("client-go retry.RetryOnConflict", totals, 5, cons, 10*ms, 0, yes), pkg: "client-go/util/retry", calls: []string{"RetryOnConflict", "OnError"},
		waits: map[string]string{"DefaultBackoff": expo + "+"}, sets: map[string]int64{"DefaultBackoff": 4, "DefaultRetry": 5}},
	{API: lib("client-go workqueue.RateLimited", totals0Inf, 0, expo, 5*ms, 1000*time.Second, no), pkg: "client-go/util/workqueue",
		calls: []string{"NewItemExponentialFailureRateLimiter", "DefaultControllerRateLimiter", "DefaultTypedControllerRateLimiter", "NewTypedItemExponentialFailureRateLimiter", "DefaultItemBasedRateLimiter", "NewItemFastSlowRateLimiter"}},
	{API: lib("go-grpc-middleware/retry", finding.CountRule{Total: true, Disabled: []int64{0}}, 0, cons, 50*ms, 0, yes), pkg: "go-grpc-middleware/retry",
		calls: []string{"UnaryClientInterceptor", "StreamClientInterceptor"}, waits: grpcMiddleware, params: map[string]finding.Param{"WithMax": finding.ParamCount}},
	{API: lib("go-grpc-middleware/retry", finding.CountRule{Total: true, Disabled: []int64{0}}, 0, cons, 50*ms, 0, yes), pkg: "interceptors/retry",
		calls: []string{"UnaryClientInterceptor", "StreamClientInterceptor"}, waits: grpcMiddleware, params: map[string]finding.Param{"WithMax": finding.ParamCount}},
	{API: unlimited(lib("grpc.ConnectParams (channel reconnect)", totals, 0, expo, time.Second, 120*time.Second, yes), ""), pkg: "google.golang.org/grpc", literals: []string{"ConnectParams"}},
	{API: lib("resty", retries, 0, expo, 100*ms, 2*time.Second, yes), pkg: "go-resty/resty", calls: []string{"*SetRetryCount"}, fields: []string{"RetryCount"}, count: 1},
	{API: lib("aws-sdk-go-v2 retryer", finding.CountRule{Total: true, Default: []int64{0}}, 3, expo, 0, 20*time.Second, yes), pkg: "aws-sdk-go-v2/aws/retry",
		calls: []string{"NewStandard", "NewAdaptiveMode", "AddWithMaxAttempts"}, params: map[string]finding.Param{"AddWithMaxAttempts": finding.ParamCount}},
	{API: lib("aws-sdk-go-v2 config", finding.CountRule{Total: true, Default: []int64{0}}, 3, expo, 0, 20*time.Second, yes), pkg: "aws-sdk-go-v2/config", calls: []string{"WithRetryMaxAttempts"}, count: 1},
	{API: lib("aws-sdk-go-v2", finding.CountRule{Total: true, Default: []int64{0}}, 3, expo, 0, 20*time.Second, yes), pkg: "aws-sdk-go-v2", fields: []string{"RetryMaxAttempts"}},
	{API: lib("aws-sdk-go DefaultRetryer", retries, 3, expo, 30*ms, 300*time.Second, yes), pkg: "aws-sdk-go/aws", calls: []string{"*WithMaxRetries"}, count: 1},
	{API: lib("aws-sdk-go DefaultRetryer", retries, 3, expo, 30*ms, 300*time.Second, yes), pkg: "aws-sdk-go/aws/client", literals: []string{"DefaultRetryer"}},
	{API: lib("temporal.RetryPolicy", totals0Inf, 0, expo, time.Second, 100*time.Second, yes), pkg: "sdk/temporal", literals: []string{"RetryPolicy"}},
	{API: unlimited(lib("cadence.RetryPolicy", totals0Inf, 0, expo, time.Second, 0, yes), ""), pkg: "go.uber.org/cadence", literals: []string{"RetryPolicy"}},
	{API: lib("nats.go reconnect", retriesInf, 60, cons, 2*time.Second, 0, yes), pkg: "nats-io/nats.go", calls: []string{"MaxReconnects"}, fields: []string{"MaxReconnect"}, count: 1},
	{API: lib("nats.go publish retry", retries, 2, cons, 250*ms, 0, no), pkg: "nats-io/nats.go", calls: []string{"RetryAttempts"}, count: 1},
	{API: lib("etcd clientv3", totals, 100, cons, 25*ms, 0, yes), pkg: "etcd/client etcd/clientv3", literals: []string{"Config"},
		params: map[string]finding.Param{"MaxUnaryRetries": finding.ParamCount, "BackoffWaitBetween": finding.ParamBase, "BackoffJitterFraction": finding.ParamJitter}},
	{API: lib("go-micro client", retries, 5, expo, 0, 0, no), pkg: "go-micro.dev/client go-micro/client micro/client", calls: []string{"Retries", "WithRetries"}, count: 1},
	{API: lib("go-kit lb.Retry", totals, 3, none, 0, 0, no), pkg: "kit/sd/lb", calls: []string{"Retry", "RetryWithCallback"}, count: 1},
	{API: lib("rocketmq producer", retries, 2, none, 0, 0, no), pkg: "rocketmq-client-go/producer", calls: []string{"WithRetry"}, count: 1},
	{API: lib("rocketmq consumer", retries, 2, none, 0, 0, no), pkg: "rocketmq-client-go/consumer", calls: []string{"WithRetry", "WithMaxReconsumeTimes"}, count: 1},
	{API: lib("sarama producer", retries, 3, cons, 100*ms, 0, no), pkg: "sarama", fields: []string{"Producer.Retry.Max", "Metadata.Retry.Max", "Admin.Retry.Max"}},
	{API: lib("kafka-go Writer", totals, 10, expo, 100*ms, time.Second, no), pkg: "segmentio/kafka-go", literals: []string{"Writer", "WriterConfig", "ReaderConfig"}},
	{API: lib("vault client", retries, 2, expo, time.Second, 1500*ms, no), pkg: "hashicorp/vault/api", calls: []string{"*SetMaxRetries"}, count: 1},
	{API: lib("go-redis", finding.CountRule{Default: []int64{0}, Disabled: []int64{-1}}, 3, expo, 8*ms, 512*ms, yes), pkg: "redis", literals: []string{"Options", "ClusterOptions", "UniversalOptions", "FailoverOptions", "RingOptions"}},
	{API: lib("gocql retry policy", retries, 1, none, 0, 0, no), pkg: "gocql", literals: []string{"SimpleRetryPolicy"}},
	{API: lib("gocql retry policy", retries, 1, expo, 100*ms, 0, yes), pkg: "gocql", literals: []string{"ExponentialBackoffRetryPolicy"}},
	{API: unlimited(lib("gax.Backoff", totals, 0, expo, time.Second, 30*time.Second, yes), finding.BoundDeadline), pkg: "googleapis/gax-go", literals: []string{"Backoff"}, calls: []string{"OnCodes", "OnHTTPCodes"}},
	{API: lib("asynq.MaxRetry", retries, 25, expo, 0, 0, yes), pkg: "hibiken/asynq", calls: []string{"MaxRetry"}, count: 1},
	{API: lib("eapache/go-resiliency retrier", retries, 0, cons, 0, 0, no), pkg: "go-resiliency/retrier", calls: []string{"New"},
		params: map[string]finding.Param{"ConstantBackoff": finding.ParamCount, "ExponentialBackoff": finding.ParamCount}, waits: map[string]string{"ConstantBackoff": cons, "ExponentialBackoff": expo}},
	{API: unlimited(lib("Rican7/retry", totals, 0, none, 0, 0, no), ""), pkg: "Rican7/retry", calls: []string{"Retry"},
		params: map[string]finding.Param{"Limit": finding.ParamCount}, waits: map[string]string{"Linear": finding.BackoffLinear, "BinaryExponential": expo, "Exponential": expo, "Fibonacci": expo, "Wait": cons, "Delay": cons, "BackoffWithJitter": "+"}},
	{API: lib("pester client", totals, 3, cons, time.Second, 0, no), pkg: "sethgrid/pester", calls: []string{"New", "NewExtendedClient"},
		waits: map[string]string{"ExponentialBackoff": expo, "ExponentialJitterBackoff": expo + "+", "LinearBackoff": finding.BackoffLinear, "LinearJitterBackoff": finding.BackoffLinear + "+"}},
	{API: unlimited(lib("juju/retry", totals, 0, cons, 0, 0, no), ""), pkg: "juju/retry", literals: []string{"CallArgs"}, waits: map[string]string{"DoubleDelay": expo, "ExpBackoff": expo}},
	{API: unlimited(lib("cockroach retry.Options", retries, 0, expo, 50*ms, 2*time.Second, yes), ""), pkg: "pkg/util/retry", literals: []string{"Options"}},
	{API: lib("dskit/backoff", totals0Inf, 10, expo, 100*ms, 10*time.Second, yes), pkg: "dskit/backoff", calls: []string{"New"}, literals: []string{"Config"}},
	{API: lib("azcore policy.RetryOptions", finding.CountRule{Default: []int64{0}, Disabled: []int64{-1}}, 3, expo, 800*ms, 60*time.Second, yes), pkg: "azcore/policy", literals: []string{"RetryOptions"}},
	{API: lib("autorest.DoRetry", totals, 3, expo, 0, 0, no), pkg: "go-autorest/autorest", calls: []string{"DoRetryForAttempts", "DoRetryForStatusCodes"}, count: 1, base: 2},
	{API: lib("heimdall retrier", retries, 0, none, 0, 0, no), pkg: "gojek/heimdall", calls: []string{"*WithRetryCount", "*SetRetryCount"}, count: 1, waits: map[string]string{"NewExponentialBackoff": expo + "+", "NewConstantBackoff": cons + "+"}},
	{API: unlimited(lib("matryer/try", totals, 10, none, 0, 0, no), ""), pkg: "matryer/try", calls: []string{"Do"}},
	{API: unlimited(lib("libtime/decay.Backoff", retries, 0, expo, 0, 0, yes), finding.BoundElapsed), pkg: "libtime/decay", calls: []string{"Backoff"}},
	{API: lib("flowchartsman/retry", totals, 5, expo, 100*ms, time.Second, yes), pkg: "flowchartsman/retry", calls: []string{"NewRetrier"}, count: 1, base: 2},
	{API: lib("go-elasticsearch", retries, 3, none, 0, 0, no), pkg: "go-elasticsearch", fields: []string{"MaxRetries"}},
	{API: unlimited(lib("terraform retry.RetryContext", totals, 0, expo, 500*ms, 10*time.Second, no), finding.BoundElapsed), pkg: "helper/retry", calls: []string{"RetryContext", "Retry"}},
	{API: unlimited(lib("terraform resource.Retry", totals, 0, expo, 500*ms, 10*time.Second, no), finding.BoundElapsed), pkg: "helper/resource", calls: []string{"Retry", "RetryContext"}},
	{API: lib("franz-go", retries, 20, expo, 250*ms, 2500*ms, yes), pkg: "franz-go/pkg/kgo", calls: []string{"RequestRetries", "RecordRetries"}, count: 1},
	{API: lib("imroc/req", retries, 0, expo, 0, 0, yes), pkg: "imroc/req", calls: []string{"*SetCommonRetryCount", "*SetRetryCount"}, count: 1},
}

var grpcMiddleware = map[string]string{"BackoffLinear": cons, "BackoffLinearWithJitter": cons + "+", "BackoffExponential": expo, "BackoffExponentialWithJitter": expo + "+", "BackoffExponentialWithJitterBounded": expo + "+"}
