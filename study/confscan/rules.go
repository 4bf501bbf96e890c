package confscan

import (
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"retrylab/study/finding"
)

// row is a shorthand for an API of a configuration format.
func row(name, mechanism, rule string, count finding.CountRule, def int64, backoff string, base time.Duration, jitter string) finding.API {
	return finding.API{Name: name, Mechanism: mechanism, Rule: rule, Count: count, DefaultCount: def, Backoff: backoff, Base: base, Jitter: jitter}
}

const (
	mesh = finding.MechMesh
	conf = finding.MechConfig
	expo = finding.BackoffExponential
	none = finding.BackoffNone
	cons = finding.BackoffConstant
)

var (
	retries = finding.CountRule{}
	totals  = finding.CountRule{Total: true}
)

// The formats and their defaults (from each one's documentation).
var (
	istio       = policy{api: row("istio.VirtualService", mesh, finding.RuleMesh, retries, 2, expo, 25*time.Millisecond, finding.Yes), unit: time.Second}
	istioBudget = policy{api: row("istio.DestinationRule", mesh, finding.RuleMesh, retries, 2, expo, 25*time.Millisecond, finding.Yes), unit: time.Second}
	envoy       = policy{api: row("envoy.retry_policy", mesh, finding.RuleMesh, retries, 1, expo, 25*time.Millisecond, finding.Yes), unit: time.Second}
	gwAPI       = policy{api: row("gateway-api.HTTPRoute", mesh, finding.RuleMesh, retries, 1, cons, 0, finding.Unknown), unit: time.Second}
	envGW       = policy{api: row("envoy-gateway.BackendTrafficPolicy", mesh, finding.RuleMesh, retries, 2, expo, 25*time.Millisecond, finding.Yes), unit: time.Second}
	kuma        = policy{api: row("kuma.MeshRetry", mesh, finding.RuleMesh, retries, 5, expo, 25*time.Millisecond, finding.Yes), unit: time.Second}
	traef       = policy{api: row("traefik.retry", mesh, finding.RuleMesh, totals, 0, expo, 0, finding.Yes), unit: time.Second}
	dapr        = policy{api: row("dapr.Resiliency", conf, finding.RuleConfig, finding.CountRule{Unlimited: []int64{-1}}, -1, cons, 5*time.Second, finding.No), unit: time.Second}
	argo        = policy{api: row("argo.retryStrategy", conf, finding.RuleConfig, retries, 0, none, 0, finding.No), unit: time.Second,
		names: map[string]finding.Param{"limit": finding.ParamCount, "maxduration": finding.ParamElapsed}}
	states = policy{api: row("state-machine.Retry", conf, finding.RuleConfig, retries, 3, expo, time.Second, finding.No), unit: time.Second,
		names: map[string]finding.Param{"intervalseconds": finding.ParamBase, "backoffrate": finding.ParamFactor, "maxdelayseconds": finding.ParamCap, "jitterstrategy": finding.ParamJitter}}
	otel = policy{api: finding.API{Name: "collector.retry_on_failure", Mechanism: conf, Rule: finding.RuleConfig, DefaultUnlimited: true, DefaultBound: finding.BoundElapsed,
		Backoff: expo, Base: 5 * time.Second, Cap: 30 * time.Second, Jitter: finding.Yes}, unit: time.Second}
	gapic = policy{api: finding.API{Name: "gapic.retry_params", Mechanism: finding.MechGRPC, Rule: finding.RuleGRPC, DefaultUnlimited: true, DefaultBound: finding.BoundElapsed,
		Backoff: expo, Jitter: finding.Yes}, unit: time.Millisecond,
		names: map[string]finding.Param{"initialretrydelaymillis": finding.ParamBase, "retrydelaymultiplier": finding.ParamFactor, "maxretrydelaymillis": finding.ParamCap}}
	grpc = policy{api: finding.API{Name: "grpc.service_config", Mechanism: finding.MechGRPC, Rule: finding.RuleGRPC, Count: totals, DefaultUnknown: true,
		Backoff: expo, Jitter: finding.Yes}, unit: time.Second}
	plain = policy{api: finding.API{Name: "retry settings", Mechanism: conf, Rule: finding.RuleConfig, DefaultUnknown: true, Backoff: none, Jitter: finding.No}, unit: time.Second}
)

// rule looks at one key of a mapping; true means that its value is dealt with.
func (s *scan) rule(parent, k, v *yaml.Node, at []string) bool {
	switch key := strings.ToLower(k.Value); {
	case strings.HasPrefix(key, "retry.linkerd.io/"):
		return s.linkerd(parent, k)
	case key == "retrybudget" && s.kind == "DestinationRule":
		f := istioBudget.read(k, v)
		f.Note = "bounded by a retry budget"
		s.add(f)
		return true
	case key == "isretryable" && s.kind == "ServiceProfile" && v.Value == "true":
		s.add(budgeted(k.Line))
	case v.Kind == yaml.SequenceNode && key == "retry" && child(first(v), "ErrorEquals") != nil:
		for _, e := range v.Content {
			s.add(states.read(e, e))
		}
		return true
	case v.Kind != yaml.MappingNode:
		return s.plainKey(parent, k, v)
	case key == "retries" && s.kind == "Resiliency":
		for i := 0; i+1 < len(v.Content); i += 2 {
			s.dapr(v.Content[i], v.Content[i+1])
		}
		return true
	case key == "retries" && child(v, "attempts") != nil:
		return s.emit(&istio, k, v)
	case key == "retrystrategy" && (child(v, "limit") != nil || child(v, "backoff") != nil || child(v, "retryPolicy") != nil):
		return s.emit(&argo, k, v)
	case key == "retry_policy" || key == "retrypolicy":
		return s.retryPolicy(k, v)
	case key == "retry_on_failure":
		return s.emit(&otel, k, v)
	case key == "retry" && s.kind == "BackendTrafficPolicy":
		return s.emit(&envGW, k, v)
	case key == "retry" && strings.HasPrefix(s.kind, "HTTPRoute"):
		return s.emit(&gwAPI, k, v)
	case key == "retry" && (s.kind == "Middleware" || within(at, "middlewares")):
		return s.emit(&traef, k, v)
	case s.kind == "MeshRetry" && (key == "http" || key == "grpc") && child(v, "numRetries") != nil:
		return s.emit(&kuma, k, v)
	case child(v, "initial_retry_delay_millis") != nil:
		return s.emit(&gapic, k, v)
	case s.springTree(at):
		return false // read as dotted settings
	case retryKey(key):
		return s.generic(k, v)
	}
	return false
}

func (s *scan) emit(p *policy, k, v *yaml.Node) bool {
	s.add(p.read(k, v))
	return true
}

func first(v *yaml.Node) *yaml.Node {
	if len(v.Content) == 0 {
		return nil
	}
	return v.Content[0]
}

func within(at []string, key string) bool {
	for _, a := range at {
		if strings.EqualFold(a, key) {
			return true
		}
	}
	return false
}

// retryPolicy tells the formats that share this key apart.
func (s *scan) retryPolicy(k, v *yaml.Node) bool {
	switch {
	case child(v, "maxAttempts") != nil && (child(v, "retryableStatusCodes") != nil || child(v, "initialBackoff") != nil):
		f := grpc.read(k, v)
		if f.TotalAttempts > 5 {
			f.TotalAttempts, f.Note = 5, "clients cap maxAttempts at 5"
		}
		s.add(f)
		return true
	case child(v, "retry_on") != nil || child(v, "retryOn") != nil || child(v, "num_retries") != nil || child(v, "numRetries") != nil:
		return s.emit(&envoy, k, v)
	}
	return s.generic(k, v)
}

// dapr reads one named policy.
func (s *scan) dapr(k, v *yaml.Node) {
	f := dapr.read(k, v)
	if p := child(v, "policy"); p != nil && strings.EqualFold(p.Value, "exponential") {
		f.Backoff, f.Jitter, f.JitterSource = expo, finding.Yes, finding.SourceDefault
	}
	s.add(f)
}

// linkerd reads the annotations of a route or service; one finding for all.
func (s *scan) linkerd(parent, k *yaml.Node) bool {
	for _, f := range s.found {
		if f.API == "linkerd.retry" && f.Line >= parent.Line && f.Line <= lastLine(parent) {
			return true
		}
	}
	api := row("linkerd.retry", mesh, finding.RuleMesh, retries, 1, none, 0, finding.No)
	f := api.New(k.Line, k.Line)
	if l := child(parent, "retry.linkerd.io/limit"); l != nil {
		if n, source, known := number(l.Value); known {
			retries.Apply(&f, n, source)
		}
	}
	s.add(f)
	return true
}

// budgeted is a route that is retried within a retry budget instead of a count.
func budgeted(line int) finding.Finding {
	api := row("linkerd.ServiceProfile", mesh, finding.RuleMesh, retries, 1, none, 0, finding.No)
	f := api.New(line, line)
	f.SetUnlimited(finding.BoundUnknown, finding.SourceUnknown)
	f.Note = "bounded by a retry budget"
	return f
}

// retryKey says whether a key introduces a retry policy of the project's own.
func retryKey(key string) bool {
	switch strings.NewReplacer("_", "", "-", "").Replace(key) {
	case "retry", "retries", "retrypolicy", "retryconfig", "retryoptions", "retrysettings", "retryparams", "backoff", "retryparameters", "reconnect":
		return true
	}
	return false
}

// generic reads a mapping that holds a count of its own; anything else is no policy.
func (s *scan) generic(k, v *yaml.Node) bool {
	total, has := false, false
	for i := 0; i+1 < len(v.Content); i += 2 {
		name := strings.ToLower(v.Content[i].Value)
		if plain.meaning(name) == finding.ParamCount && v.Content[i+1].Kind == yaml.ScalarNode {
			if _, _, known := number(v.Content[i+1].Value); known {
				has = true
				total = strings.Contains(name, "attempt") || strings.HasSuffix(name, "tries") && !strings.Contains(name, "retries")
			}
		}
	}
	if !has {
		return false
	}
	p := plain
	p.api.Count.Total = total
	f := p.read(k, v)
	f.Confidence = finding.Medium
	s.add(f)
	return true
}

// plainKey reads single settings that are a policy by themselves.
func (s *scan) plainKey(parent, k, v *yaml.Node) bool {
	if v.Kind != yaml.ScalarNode {
		return false
	}
	api := finding.API{}
	switch strings.ToLower(k.Value) {
	case "nginx.ingress.kubernetes.io/proxy-next-upstream-tries":
		api = row("nginx.proxy_next_upstream_tries", mesh, finding.RuleMesh, finding.CountRule{Total: true, Unlimited: []int64{0}}, 3, none, 0, finding.No)
	case "x-envoy-max-retries":
		api = envoy.api
	default:
		return false
	}
	n, source, known := number(v.Value)
	if !known {
		return false
	}
	f := api.New(k.Line, v.Line)
	api.Count.Apply(&f, n, source)
	s.add(f)
	return true
}
