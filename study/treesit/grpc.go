//go:build cgo

package treesit

import (
	"strings"

	"retrylab/study/finding"
)

var grpcRow = api{API: finding.API{
	Name: "grpc.service_config", Mechanism: finding.MechGRPC, Rule: finding.RuleGRPC, Count: totals,
	DefaultUnknown: true, Backoff: finding.BackoffExponential, Jitter: finding.Yes,
}}

// serviceConfig reads gRPC service configuration in a string, also one that is
// put together with "+".
func (s *scan) serviceConfig(n *node) bool {
	text, ok := joined(n)
	if !ok || !strings.Contains(text, "etryPolicy") && !strings.Contains(text, "edgingPolicy") {
		return false
	}
	fs := finding.ServiceConfig(strings.TrimSpace(text), n.line)
	for _, f := range fs {
		f.Line, f.SpanEnd = min(f.Line, n.end), min(max(f.SpanEnd, f.Line), n.end)
		f.Function = function(n)
		s.add(f)
	}
	return len(fs) > 0
}

func joined(n *node) (string, bool) {
	switch n.op {
	case opStr:
		return n.name, len(n.list) == 0
	case opBinary:
		if n.name != "+" {
			return "", false
		}
		x, ok := joined(n.a)
		if !ok {
			return "", false
		}
		y, ok := joined(n.b)
		return x + y, ok
	}
	return "", false
}

// grpcDict reads a retry policy written as a dictionary in code, and the older
// retry_params of generated clients.
func (s *scan) grpcDict(d *node) bool {
	if d.key("initial_retry_delay_millis") != nil {
		f := finding.Finding{
			Line: d.line, SpanEnd: d.end, API: "gapic.retry_params", Mechanism: finding.MechGRPC, Rule: finding.RuleGRPC,
			Backoff: finding.BackoffExponential, Jitter: finding.Yes, JitterSource: finding.SourceDefault, Confidence: finding.High,
		}
		f.SetUnlimited(finding.BoundElapsed, finding.SourceLiteral)
		s.add(f)
		return true
	}
	count := d.key("maxAttempts", "MaxAttempts", "max_attempts")
	if count == nil || d.key("initialBackoff", "InitialBackoff", "initial_backoff", "hedgingDelay") == nil {
		return false
	}
	f := grpcRow.New(d.line, max(d.end, d.line))
	if v := s.settingValue(count); v.kind == vNum && v.flags&fHole == 0 {
		n := int64(v.num)
		if n > 5 {
			f.Note = "clients cap maxAttempts at 5"
		}
		f.SetTotal(min(n, 5), source(v.flags))
	}
	if v := s.settingValue(d.key("backoffMultiplier", "backoff_multiplier", "BackoffMultiplier")); v.kind == vNum && v.num > 0 && v.num <= 1 {
		f.Backoff = finding.BackoffConstant
	}
	f.Function = function(d)
	s.add(f)
	return true
}
