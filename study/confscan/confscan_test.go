package confscan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"retrylab/study/confscan"
	"retrylab/study/finding"
)

// short writes a finding as one line: line, API, attempts, backoff, base, cap, jitter.
func short(f finding.Finding) string {
	n := fmt.Sprint(f.TotalAttempts)
	if f.Unlimited {
		n = "unlimited"
	}
	s := fmt.Sprintf("%d %s %s %s", f.Line, f.API, n, f.Backoff)
	if f.Base > 0 {
		s += " " + f.Base.String()
	}
	if f.Cap > 0 {
		s += ".." + f.Cap.String()
	}
	s += " jitter=" + f.Jitter
	if f.Disabled {
		s += " disabled"
	}
	return s
}

func scan(t *testing.T, path, text string) []string {
	t.Helper()
	list, err := confscan.Detector{}.Scan(&finding.File{Path: path, Text: []byte(text), Tree: finding.NoTree{}})
	if err != nil {
		t.Errorf("%s: %v", path, err)
	}
	var out []string
	for _, f := range list {
		out = append(out, short(f))
	}
	return out
}

func TestEveryFormat(t *testing.T) {
	for _, c := range []struct {
		name, path, text string
		want             []string
	}{
		{"Istio counts retries", "vs.yaml", "kind: VirtualService\nspec:\n  http:\n  - retries:\n      attempts: 3\n      perTryTimeout: 2s\n      retryOn: 5xx\n",
			[]string{"4 istio.VirtualService 4 exponential 25ms jitter=yes"}},
		{"Istio off", "vs.yaml", "kind: VirtualService\nspec:\n  http:\n  - retries:\n      attempts: 0\n",
			[]string{"4 istio.VirtualService 1 exponential 25ms jitter=yes disabled"}},
		{"Envoy", "envoy.yaml", "route:\n  retry_policy:\n    retry_on: 5xx\n    num_retries: 2\n    retry_back_off: {base_interval: 0.1s, max_interval: 1s}\n",
			[]string{"2 envoy.retry_policy 3 exponential 100ms..1s jitter=yes"}},
		{"Envoy default", "envoy.yaml", "route:\n  retry_policy:\n    retry_on: 5xx\n", []string{"2 envoy.retry_policy 2 exponential 25ms jitter=yes"}},
		{"Linkerd annotations", "r.yaml", "kind: HTTPRoute\nmetadata:\n  annotations:\n    retry.linkerd.io/http: 5xx\n    retry.linkerd.io/limit: \"2\"\n",
			[]string{"4 linkerd.retry 3 none jitter=no"}},
		{"Dapr constant and for ever", "res.yaml", "kind: Resiliency\nspec:\n  policies:\n    retries:\n      a:\n        policy: constant\n        duration: 5s\n        maxRetries: 3\n      b:\n        policy: exponential\n        maxInterval: 15s\n        maxRetries: -1\n",
			[]string{"5 dapr.Resiliency 4 constant 5s jitter=no", "9 dapr.Resiliency unlimited exponential 5s..15s jitter=yes"}},
		{"Argo", "wf.yaml", "kind: Workflow\nspec:\n  templates:\n  - retryStrategy:\n      limit: \"4\"\n      backoff: {duration: \"1\", factor: 2, maxDuration: 1m}\n",
			[]string{"4 argo.retryStrategy 5 exponential 1s jitter=no"}},
		{"resilience4j with a base config", "application.yml", "resilience4j:\n  retry:\n    configs:\n      default:\n        max-attempts: 4\n        wait-duration: 200ms\n        enable-exponential-backoff: true\n    instances:\n      backend:\n        baseConfig: default\n",
			[]string{"5 resilience4j.retry 4 exponential 200ms jitter=no", "10 resilience4j.retry 4 exponential 200ms jitter=no"}},
		{"resilience4j properties", "application.properties", "# resilience4j.retry.instances.b.maxAttempts=9\nresilience4j.retry.instances.a.maxAttempts=${N:5}\nresilience4j.retry.instances.a.waitDuration=PT1S\n",
			[]string{"2 resilience4j.retry 5 constant 1s jitter=no"}},
		{"gateway filter, long form", "application.yml", "spring:\n  cloud:\n    gateway:\n      routes:\n      - filters:\n        - name: Retry\n          args:\n            retries: 2\n            backoff:\n              firstBackoff: 50ms\n",
			[]string{"6 spring-cloud-gateway.Retry 3 exponential 50ms jitter=no"}},
		{"gateway filter, short form", "application.yml", "spring:\n  cloud:\n    gateway:\n      default-filters:\n      - Retry=5,SERVICE_UNAVAILABLE\n", []string{"5 spring-cloud-gateway.Retry 6 none jitter=no"}},
		{"rabbit listener", "application.properties", "spring.rabbitmq.listener.simple.retry.enabled=true\nspring.rabbitmq.listener.simple.retry.max-attempts=7\nspring.rabbitmq.listener.simple.retry.multiplier=2\n",
			[]string{"1 spring.rabbitmq.retry 7 exponential 1s jitter=no"}},
		{"state machine", "flow.json", "{\"States\": {\"A\": {\"Retry\": [\n  {\"ErrorEquals\": [\"States.ALL\"],\n   \"MaxAttempts\": 2, \"IntervalSeconds\": 5, \"BackoffRate\": 1}\n]}}}",
			[]string{"2 state-machine.Retry 3 constant 5s jitter=no"}},
		{"telemetry collector", "otel.yaml", "exporters:\n  otlp:\n    retry_on_failure:\n      enabled: true\n      max_elapsed_time: 10m\n", []string{"3 collector.retry_on_failure unlimited exponential 5s..30s jitter=yes"}},
		{"service config in a file", "c.json", "{\n\"methodConfig\": [{\"retryPolicy\": {\"maxAttempts\": 4, \"initialBackoff\": \"1s\", \"maxBackoff\": \"9s\", \"backoffMultiplier\": 2}}]}",
			[]string{"2 grpc.service_config 4 exponential 1s..9s jitter=yes"}},
		{"a policy of the project's own", "app.yaml", "client:\n  retry:\n    max_attempts: 3\n    delay: 2s\n", []string{"2 retry settings 3 constant 2s jitter=no"}},
		{"inside a template", "vs.yaml", "{{- if .Values.on }}\nkind: VirtualService\nspec:\n  http:\n  - route: {{ .Values.route }}\n    retries:\n      attempts: 2\n{{- end }}\n", []string{"6 istio.VirtualService 3 exponential 25ms jitter=yes"}},
		{"shell loop", "job.yaml", "spec:\n  command:\n  - |\n    MAX=12\n    for i in $(seq 1 $MAX); do\n      curl -f http://web && exit 0\n      sleep 10\n    done\n", []string{"5 shell loop 12 constant 10s jitter=no"}},

		{"health check of a container", "docker-compose.yml", "services:\n  db:\n    healthcheck:\n      retries: 5\n      interval: 1s\n", nil},
		{"schema", "values.yaml", "properties:\n  retry:\n    maxRetries: 3\n", nil},
		{"custom resource definition", "x.yaml", "kind: CustomResourceDefinition\nspec:\n  retry:\n    maxRetries: 3\n", nil},
		{"plain word", "x.yaml", "message: please retry your request\nretry: true\n", nil},
		{"retry without a number", "x.yaml", "retry:\n  enabled: true\n", nil},
		{"rabbit listener not enabled", "application.properties", "spring.rabbitmq.listener.simple.retry.max-attempts=7\n", nil},
		{"shell loop that works off a list", "job.yaml", "command:\n- |\n  for f in *.sql; do\n    psql -f $f\n  done; echo retries and sleeps are words here\n", nil},
	} {
		got := scan(t, c.path, c.text)
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n got  %q\n want %q", c.name, got, c.want)
		}
	}
}

func TestPipelineAndDescriptionFilesAreNotWanted(t *testing.T) {
	for p, want := range map[string]bool{
		".github/workflows/ci.yml": false, ".gitlab-ci.yml": false, "api/openapi.yaml": false, "charts/x/crds/a.yaml": false,
		"package.json": false, "deploy/app.yaml": true, "config/application.properties": true, "main.go": false,
	} {
		if got := (confscan.Detector{}).Wants(p); got != want {
			t.Errorf("Wants(%q) = %v, want %v", p, got, want)
		}
	}
}

func TestBrokenFilesKeepWhatCameBefore(t *testing.T) {
	text := "kind: VirtualService\nspec:\n  http:\n  - retries: {attempts: 3}\n---\na: [unclosed\n"
	list, err := confscan.Detector{}.Scan(&finding.File{Path: "a.yaml", Text: []byte(text)})
	if len(list) != 1 || err == nil {
		t.Errorf("got %d findings and error %v, want one of each", len(list), err)
	}
}

func FuzzScan(f *testing.F) {
	f.Add("a.yaml", "retry: {max: 3}")
	f.Add("a.json", `{"retryPolicy": {"maxAttempts": 3}}`)
	f.Add("a.properties", "resilience4j.retry.instances.a.maxAttempts=3")
	f.Add("a.yaml", "a: &x [*x, retry]")
	f.Add("a.yaml", "b: |\n  MAX=3 curl sleep 1\n  for i in 1; do curl; sleep 1\n  done")
	f.Fuzz(func(t *testing.T, path, text string) {
		list, _ := confscan.Detector{}.Scan(&finding.File{Path: path, Text: []byte(text), Tree: finding.NoTree{}})
		for _, x := range list {
			if x.Line < 1 || x.SpanEnd < x.Line || x.Base < 0 || x.Base > time.Duration(1e18) {
				t.Errorf("impossible finding %+v", x)
			}
		}
	})
}
