package goscan_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"retrylab/study/finding"
	"retrylab/study/goscan"
)

// files is a small repository for tests.
type files map[string]string

func (f files) Read(p string) ([]byte, error) {
	if t, has := f[p]; has {
		return []byte(t), nil
	}
	return finding.NoTree{}.Read(p)
}

func (f files) Dir(dir string) (out []string) {
	for _, p := range slices.Sorted(maps.Keys(f)) {
		if d := path.Dir(p); d == dir || d == "." && dir == "" {
			out = append(out, p)
		}
	}
	return out
}

func (f files) Named(base string) (out []string) {
	for _, p := range slices.Sorted(maps.Keys(f)) {
		if path.Base(p) == base {
			out = append(out, p)
		}
	}
	return out
}

func (f files) Memo(_ string, build func() any) any { return build() }

// short writes a finding as one line.
func short(f finding.Finding) string {
	n := fmt.Sprint(f.TotalAttempts)
	switch {
	case f.Unlimited:
		n = f.Bound
	case f.TotalAttempts == 0:
		n = "?"
	}
	what := f.API
	if what == "" {
		what = f.Form
	}
	s := fmt.Sprintf("%s %s %s", what, n, f.Backoff)
	if f.Base > 0 {
		s += " " + f.Base.String()
	}
	if f.Jitter == finding.Yes {
		s += " jitter"
	}
	if f.Scope == finding.ScopeLocal {
		s += " local"
	}
	if f.Disabled {
		s += " off"
	}
	return s
}

func scan(t *testing.T, repo files, name string) []string {
	t.Helper()
	f := &finding.File{Path: name, Text: []byte(repo[name]), Tree: repo}
	list, err := goscan.Detector{}.Scan(f)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	var out []string
	for _, x := range list {
		out = append(out, short(x))
	}
	return out
}

type sample struct {
	name, text string
	want       []string
}

func check(t *testing.T, samples []sample) {
	t.Helper()
	for _, c := range samples {
		text := c.text
		if !strings.HasPrefix(text, "package") {
			text = "package p\nfunc f(ctx context.Context, url string) error {\n" + text + "\n}\n"
		}
		got := scan(t, files{"p/a.go": text}, "p/a.go")
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s:\n got  %q\n want %q\n%s", c.name, got, c.want, c.text)
		}
	}
}

func TestHandRolled(t *testing.T) {
	check(t, []sample{
		{"counted loop, delay grows with the counter", `var err error
for i := 1; i <= 3; i++ {
	if err = dial(url); err == nil { return nil }
	time.Sleep(time.Duration(i) * 10 * time.Second)
}
return err`, []string{"loop 3 linear 10s"}},
		{"range over a named constant, shift, select", `const maxAttempts = 5
for i := range maxAttempts {
	if err := c.Kill(); err == nil { return nil }
	select {
	case <-ctx.Done(): return ctx.Err()
	case <-time.After((1 << i) * time.Second):
	}
}
return errors.New("gave up")`, []string{"loop 5 exponential 1s"}},
		{"no condition, limit checked before the increment", `for attempt := 1; ; attempt++ {
	err := c.Call(ctx)
	if err == nil { return nil }
	if attempt >= 4 { return err }
	time.Sleep(time.Second)
}`, []string{"loop 4 constant 1s"}},
		{"limit as a case of a switch on the counter", `for attempt := 1; ; attempt++ {
	if err := c.Setup(); err != nil {
		switch attempt {
		case 3: return err
		}
		time.Sleep(time.Second + time.Duration(rand.Int63n(1000)) * time.Millisecond)
		continue
	}
	break
}
return nil`, []string{"loop 3 constant 1s jitter"}},
		{"counter moved before the limit is checked", `tries := 0
for {
	err := c.Call()
	if err == nil { return nil }
	tries++
	if tries > 5 { return err }
	time.Sleep(200 * time.Millisecond)
}`, []string{"loop 6 constant 200ms"}},
		{"countdown", `retries := 3
for retries > 0 {
	if err := c.Send(url); err == nil { return nil }
	retries--
	time.Sleep(time.Second)
}
return errFailed`, []string{"loop 3 constant 1s"}},
		{"until success, delay doubles up to a cap", `delay := time.Second
for {
	conn, err := dial(url)
	if err == nil { use(conn); return nil }
	time.Sleep(delay)
	delay = min(delay*2, time.Minute)
}`, []string{"loop none exponential 1s"}},
		{"context as the only bound", `backoff := c.min
for {
	select {
	case <-ctx.Done(): return ctx.Err()
	case <-t.C:
	}
	err := c.RPC("Claim", req)
	if err == nil { break }
	if !isRetryable(err) { break }
	backoff *= 2
	t.Reset(backoff)
}
return nil`, []string{"loop deadline exponential"}},
		{"loop while not ok", `ok := false
for n := 0; !ok && n < 4; n++ {
	if err := c.Ping(); err == nil { ok = true } else { time.Sleep(time.Second) }
}
return nil`, []string{"loop 4 constant 1s"}},
		{"a failing branch that backs off inside a service loop", `wait := time.Minute
retry := 0
for {
	select {
	case <-time.After(wait):
	case <-ctx.Done(): return nil
	}
	tokens, err := c.Sign(url)
	if err != nil {
		retry++
		wait = backoffFor(retry) + randomStagger(time.Second)
		continue
	}
	retry = 0
	wait = time.Hour
	use(tokens)
}`, []string{"loop deadline exponential 1m0s jitter"}},
		{"goroutine per attempt", `for i := 0; i <= 2; i++ {
	go func() { ch <- call(i) }()
	select {
	case <-ctx.Done(): return ctx.Err()
	case err := <-ch:
		if err == nil { return nil }
		retry, rerr := shouldRetry(err)
		if rerr != nil { return rerr }
		if !retry { return err }
	}
}
return nil`, []string{"loop 3 none"}},
		{"goto", `n := 0
again:
	err := c.Call(url)
	if err != nil {
		n++
		if n < 3 {
			time.Sleep(time.Second)
			goto again
		}
	}
	return err // attempt`, []string{"goto 3 constant 1s"}},
		{"failover with retry words", `for attempt := 0; attempt < len(servers); attempt++ {
	if err := c.Send(servers[attempt]); err == nil { return nil }
}
return errRetriesExhausted`, []string{"loop ? none"}},
		{"status codes", `for attempt := 0; attempt < 3; attempt++ {
	resp, err := client.Do(req)
	if err != nil { return err }
	if resp.StatusCode >= 500 { time.Sleep(time.Second); continue }
	return nil
}
return errFailed`, []string{"loop 3 constant 1s"}},
		{"recursion", `package p
func (c *C) fetch(url string, attempt int) error {
	err := c.get(url)
	if err != nil {
		if attempt >= 3 { return err }
		time.Sleep(time.Duration(math.Pow(2, float64(attempt))) * time.Second)
		return c.fetch(url, attempt+1)
	}
	return nil
}`, []string{"recursion ? exponential 1s"}},
		{"timer that calls again", `package p
func (c *C) connect() {
	err := c.dial()
	if err != nil {
		log.Print("reconnect later")
		time.AfterFunc(5*time.Second, c.connect)
		return
	}
	c.serve()
}`, []string{"timer none constant 5s"}},
		{"a method that waits by a method that computes", `package p
func (c *C) do(ctx context.Context) error {
	max := c.limit()
	if ctx == nil { max = 1 }
	for attempt := 0; attempt < max; attempt++ {
		if err := c.waitForRetry(ctx, attempt); err != nil { return err }
		if err := c.send(ctx); err != nil { continue }
		return nil
	}
	return errFailed
}
func (c *C) waitForRetry(ctx context.Context, attempt int) error {
	select {
	case <-ctx.Done(): return ctx.Err()
	case <-time.After(c.backoff(attempt)): return nil
	}
}
func (c *C) backoff(attempt int) time.Duration {
	d := float64(c.base) * math.Pow(2, float64(attempt))
	d = d - 0.1*d + rand.Float64()*d
	return time.Duration(d)
}`, []string{"loop ? exponential jitter"}},
		{"a helper that sleeps for the length it is given", `delay := time.Second
for i := 0; i < 3; i++ {
	if err := c.Send(url); err == nil { return nil }
	sleepContext(ctx, delay)
	delay *= 2
}
return nil`, []string{"loop 3 exponential 1s"}},
		{"one kind of error goes round", `for i := 0; i < 10; i++ {
	err := c.Migrate(url)
	if err != errBusy { break } else { time.Sleep(500 * time.Millisecond) }
}
return nil`, []string{"loop 10 constant 500ms"}},
		{"watch loop that pauses after a failure only", `for { // not a word in its names
	kvs, err := w.Next()
	if err != nil {
		if errors.Is(err, context.Canceled) { return nil }
		time.Sleep(time.Second)
		continue
	}
	c.update(kvs) // retry
}`, []string{"loop none constant 1s"}},
		{"a limit that can be switched off", `limit := c.maxRetries
if off { limit = 0 }
for n := 0; n <= limit; n++ {
	if err := c.Send(url); err == nil { return nil }
}
return nil`, []string{"loop ? none"}},
		{"a wait made by a maker", `for n := 0; n < 4; n++ {
	if err := c.Send(url); err == nil { return nil }
	time.Sleep(lib.ExponentialWithJitter(25*time.Millisecond, 0.5)(ctx, n))
}
return nil`, []string{"loop 4 exponential 25ms jitter"}},
		{"a table of waits", `waits := []time.Duration{time.Second, 2 * time.Second, 5 * time.Second}
for attempt := 0; attempt < 3; attempt++ {
	if err := c.Send(url); err == nil { return nil }
	time.Sleep(waits[attempt])
}
return nil`, []string{"loop 3 exponential 1s"}},
		{"a random one of growing waits", `var waits []int
for n := 0; n < maxRetries; n++ {
	err := c.Register(url)
	if err == nil { break }
	waits = append(waits, 1<<n)
	time.Sleep(time.Duration(waits[rand.Intn(len(waits))]) * time.Second)
}
return nil`, []string{"loop ? exponential 1s jitter"}},
		{"second try written out", `err := c.put(url)
if errors.Is(err, errConflict) {
	c.refresh() // retry once
	err = c.put(url)
}
return err`, []string{"inline second try 2 none"}},
		{"local resource", `for i := 0; i < 3; i++ {
	if err := os.Rename(url, url+".old"); err == nil { return nil }
	time.Sleep(time.Second)
}
return nil`, []string{"loop 3 constant 1s local"}},
	})
}

func TestLookalikes(t *testing.T) {
	check(t, []sample{
		{"polling for a state", `for i := 0; i < maxRetries; i++ {
	st, err := c.Status(url)
	if err != nil { return err }
	if st == "ready" { return nil }
	time.Sleep(retryDelay)
}
return errTimeout`, nil},
		{"pagination", `token := ""
for {
	page, err := c.List(url, token)
	if err != nil { return err }
	token = page.Next
	if token == "" { return nil } // no retries, no sleep
}`, nil},
		{"walk over items, failures are counted", `retries := 0
for _, item := range items {
	if err := c.Send(item); err != nil { retries++; continue }
}
return nil`, nil},
		{"periodic work", `for {
	select {
	case <-ticker.C:
		if err := c.Sync(); err != nil { log.Print("sync failed, next attempt later") }
	case <-ctx.Done(): return nil
	}
}`, nil},
		{"consumer", `for {
	msg, err := r.Read()
	if err != nil { log.Print(err); continue }
	handle(msg.Retries)
}`, nil},
		{"heartbeat with a shorter pause after failure", `for {
	if err := c.Beat(); err != nil {
		timer = time.After(retryInterval)
	} else {
		timer = time.After(time.Minute)
	}
	select {
	case <-timer:
	case <-ctx.Done(): return nil
	}
}`, nil},
		{"failure leaves", `for attempt := 0; attempt < 3; attempt++ {
	if err := c.Step(attempt); err != nil { return err }
	time.Sleep(time.Second)
}
return nil`, nil},
		{"random start", `time.Sleep(time.Duration(rand.Int63n(100)))
return c.Call(url)`, nil},
		{"comment and text only", `// retry: for i := 0; i < 3; i++ { sleep }
return errors.New("retry later, attempt failed")`, nil},
		{"tree walk", `package p
func walk(n *node) error {
	if err := visit(n); err != nil { return err }
	return walk(n.next) // attempt
}`, nil},
	})
}

func TestLibraries(t *testing.T) {
	call := func(imp, body string) string {
		return "package p\nimport (\n" + imp + "\n)\nfunc f(ctx context.Context) error {\n" + body + "\n}\n"
	}
	op := "func() error { return c.Call() }"
	check(t, []sample{
		{"cenkalti default", call(`"github.com/cenkalti/backoff/v4"`, "return backoff.Retry("+op+", backoff.NewExponentialBackOff())"), []string{"cenkalti/backoff.Retry elapsed time exponential 500ms jitter"}},
		{"cenkalti with a limit, through variables and an alias", call(`bo "github.com/cenkalti/backoff/v4"`, "b := bo.WithMaxRetries(bo.NewConstantBackOff(2*time.Second), 4)\nreturn bo.Retry("+op+", b)"), []string{"cenkalti/backoff.Retry 5 constant 2s"}},
		{"cenkalti for ever, no jitter", call(`"github.com/cenkalti/backoff/v4"`, "b := backoff.NewExponentialBackOff()\nb.MaxElapsedTime = 0\nb.RandomizationFactor = 0\nreturn backoff.Retry("+op+", b)"), []string{"cenkalti/backoff.Retry none exponential 500ms"}},
		{"avast default", call(`"github.com/avast/retry-go/v4"`, "return retry.Do("+op+")"), []string{"avast/retry-go.Do 10 exponential 100ms jitter"}},
		{"avast with options", call(`"github.com/avast/retry-go/v4"`, "return retry.Do("+op+", retry.Attempts(3), retry.Delay(time.Second), retry.DelayType(retry.FixedDelay))"), []string{"avast/retry-go.Do 3 constant 1s"}},
		{"retryablehttp", call(`"github.com/hashicorp/go-retryablehttp"`, "c := retryablehttp.NewClient()\nc.RetryMax = 2\nreturn use(c)"), []string{"hashicorp/go-retryablehttp 3 exponential 1s"}},
		{"sethvargo", call(`"github.com/sethvargo/go-retry"`, "b := retry.WithMaxRetries(3, retry.WithJitter(time.Second, retry.NewFibonacci(time.Second)))\nreturn retry.Do(ctx, b, "+op+")"), []string{"sethvargo/go-retry 4 exponential 1s jitter"}},
		{"k8s literal with factor one", call(`"k8s.io/apimachinery/pkg/util/wait"`, "return wait.ExponentialBackoff(wait.Backoff{Steps: 4, Duration: time.Second, Factor: 1.0}, g) // retry"), []string{"k8s wait.Backoff 4 constant 1s"}},
		{"client-go conflict", call(`"k8s.io/client-go/util/retry"`, "return retry.RetryOnConflict(retry.DefaultRetry, "+op+")"), []string{"client-go retry.RetryOnConflict 5 constant 10ms jitter"}},
		{"temporal", call(`"go.temporal.io/sdk/temporal"`, "use(&temporal.RetryPolicy{MaximumAttempts: 3, BackoffCoefficient: 1.0})\nreturn nil"), []string{"temporal.RetryPolicy 3 constant 1s jitter"}},
		{"temporal, zero is for ever", call(`"go.temporal.io/sdk/temporal"`, "use(&temporal.RetryPolicy{})\nreturn nil"), []string{"temporal.RetryPolicy none exponential 1s jitter"}},
		{"nats option", call(`"github.com/nats-io/nats.go"`, "return connect(nats.MaxReconnects(-1))"), []string{"nats.go reconnect none constant 2s jitter"}},
		{"aws option, zero is the default", call(`"github.com/aws/aws-sdk-go-v2/config"`, "return load(config.WithRetryMaxAttempts(0))"), []string{"aws-sdk-go-v2 config 3 exponential jitter"}},
		{"grpc middleware, off by default", call(`grpc_retry "github.com/grpc-ecosystem/go-grpc-middleware/retry"`, "use(grpc_retry.UnaryClientInterceptor(grpc_retry.WithMax(3), grpc_retry.WithBackoff(grpc_retry.BackoffExponential(time.Second))))\nreturn nil"), []string{"go-grpc-middleware/retry 3 exponential 1s"}},
		{"resty, a method of the client", call(`"github.com/go-resty/resty/v2"`, "c := resty.New().SetRetryCount(3).SetRetryWaitTime(time.Second)\nreturn use(c)"), []string{"resty 4 exponential 1s jitter"}},
		{"sarama field", call(`"github.com/IBM/sarama"`, "cfg := sarama.NewConfig()\ncfg.Producer.Retry.Max = 10\nreturn use(cfg)"), []string{"sarama producer 11 constant 100ms"}},
		{"failsafe builder", call(`"github.com/failsafe-go/failsafe-go/retrypolicy"`, "use(retrypolicy.NewBuilder[any]().WithMaxAttempts(4).WithDelay(time.Second).Build())\nreturn nil"), []string{"failsafe-go/retrypolicy 4 constant 1s"}},
		{"service config in a string", "package p\nconst sc = `{\"methodConfig\": [{\"retryPolicy\": {\"maxAttempts\": 4, \"initialBackoff\": \"1s\", \"maxBackoff\": \"9s\", \"backoffMultiplier\": 2}}]}`\n", []string{"grpc.service_config 4 exponential 1s jitter"}},
		{"a helper of the project's own", call(`"example.com/x/helper"`, "return helper.Retry(ctx, 3, time.Second, "+op+")"), []string{"helper.Retry 3 constant 1s"}},
		{"a helper that is handed the work and a start", call("", "return c.withRetries(ctx, 0, "+op+")"), []string{"c.withRetries ? unknown"}},
		{"a policy type of the project's own", call(`"example.com/x"`, "use(x.RetryPolicy{MaxAttempts: 4, InitialBackoff: time.Second, Multiplier: 2})\nreturn nil"), []string{"x.RetryPolicy 4 exponential 1s"}},

		{"waiting is no retry", call(`"k8s.io/apimachinery/pkg/util/wait"`, "return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, g) // attempt"), nil},
		{"client options without a retry setting", call(`"github.com/redis/go-redis/v9"`, "use(redis.NewClient(&redis.Options{Addr: \"retry\"}))\nreturn nil"), nil},
		{"same names of another package", call(`"example.com/other/backoff"`, "return backoff.Retry"), nil},
	})
}

func TestConstantsAcrossFilesAndPackages(t *testing.T) {
	repo := files{
		"go.mod":        "module example.com/m\n",
		"conf/c.go":     "package conf\nconst Attempts = base + 2\nconst base = 5\n",
		"p/defaults.go": "package p\nvar DefaultOptions = Options{MaxRetries: 3}\nfunc wait(attempt int) time.Duration { return time.Duration(math.Pow(float64(attempt), 2)) * time.Second }\n",
		"p/a.go": `package p
import "example.com/m/conf"
func f() error {
	for i := 0; i < conf.Attempts; i++ {
		if err := c.Call(); err == nil { return nil }
		time.Sleep(wait(i))
	}
	for i := 0; i <= o.MaxRetries; i++ {
		if err := c.Call(); err == nil { return nil }
		time.Sleep(time.Second)
	}
	return nil
}
`,
	}
	want := []string{"loop 7 exponential 1s", "loop 4 constant 1s"}
	if got := scan(t, repo, "p/a.go"); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSettingsThatAreReadAndDeadOnes(t *testing.T) {
	repo := files{
		"p/a.go": "package p\nvar DefaultRetries = 5\nconst DefaultMaxAttempts = 4\n",
		"p/b.go": "package p\nfunc g() int { return DefaultRetries }\n",
	}
	if got := scan(t, repo, "p/a.go"); fmt.Sprint(got) != "[p.DefaultRetries 6 unknown]" {
		t.Errorf("got %q: the setting that is read counts, the dead one does not", got)
	}
}

func TestBrokenFileGivesWhatIsReadable(t *testing.T) {
	text := "package p\nfunc f() error {\nfor i := 0; i < 3; i++ {\nif err := c.Call(); err == nil { return nil }\ntime.Sleep(time.Second)\n}\nreturn nil\n}\nfunc g( {\n"
	list, err := goscan.Detector{}.Scan(&finding.File{Path: "a.go", Text: []byte(text), Tree: finding.NoTree{}})
	if err == nil || len(list) != 1 {
		t.Errorf("%d findings, error %v; want one of each", len(list), err)
	}
}

func FuzzScan(f *testing.F) {
	f.Add("for i := 0; i < 3; i++ { if err := c(); err == nil { return }; sleep(1) }")
	f.Add("again:\nif err := retry(); err != nil { goto again }")
	f.Add("x := 1\nx = x << x; for attempt := x; ; attempt++ { time.Sleep(x) ; err := f(); if err != nil {continue}; break }")
	f.Add("f(func() { retry.Do(f, retry.Attempts(1<<70)) })")
	f.Fuzz(func(t *testing.T, body string) {
		text := "package p\nimport retry \"github.com/avast/retry-go\"\nfunc f() {\n" + body + "\n}"
		list, _ := goscan.Detector{}.Scan(&finding.File{Path: "a.go", Text: []byte(text), Tree: finding.NoTree{}})
		for _, x := range list {
			if x.Line < 1 || x.TotalAttempts < 0 || x.Base < 0 {
				t.Errorf("impossible finding %+v", x)
			}
		}
	})
}
