package finding

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// grpcPolicy is the retry part of one method configuration of a gRPC service
// config. Clients cap the attempts at five and spread every wait by a fifth
// either way (both by specification).
var grpcPolicy = API{
	Name: "grpc.service_config", Mechanism: MechGRPC, Rule: RuleGRPC, Count: CountRule{Total: true},
	DefaultUnknown: true, Backoff: BackoffExponential, Jitter: Yes,
}

// ServiceConfig reads the retry and hedging policies of a gRPC service config in
// JSON. Keys are matched without regard to case. Lines count from line, the
// line of the text's first character. It returns nil for any other text.
func ServiceConfig(text string, line int) []Finding {
	low := strings.ToLower(text)
	if !strings.Contains(low, "retrypolicy") && !strings.Contains(low, "hedgingpolicy") {
		return nil
	}
	var doc struct {
		MethodConfig []struct {
			RetryPolicy, HedgingPolicy *struct {
				MaxAttempts                json.Number
				InitialBackoff, MaxBackoff string
				BackoffMultiplier          float64
				RetryableStatusCodes       []any
			}
		}
	}
	if json.Unmarshal([]byte(text), &doc) != nil {
		return nil
	}
	var out []Finding
	from := 0
	for _, m := range doc.MethodConfig {
		p, key := m.RetryPolicy, "retrypolicy"
		if p == nil {
			p, key = m.HedgingPolicy, "hedgingpolicy"
		}
		if p == nil {
			continue
		}
		at := strings.Index(low[from:], key)
		if at < 0 {
			continue
		}
		from += at + len(key)
		start := line + strings.Count(text[:from], "\n")
		f := grpcPolicy.New(start, start+strings.Count(text[from:from+blockLen(text[from:])], "\n"))
		f.Base, f.Cap = protoDuration(p.InitialBackoff), protoDuration(p.MaxBackoff)
		if n, err := p.MaxAttempts.Int64(); err == nil && n > 0 {
			f.SetTotal(min(n, 5), SourceLiteral)
			if n > 5 {
				f.Note = "clients cap maxAttempts at 5"
			}
		}
		if p.BackoffMultiplier > 0 && p.BackoffMultiplier <= 1 {
			f.Backoff = BackoffConstant
		}
		if key == "hedgingpolicy" {
			f.Note, f.Backoff = "hedging", BackoffConstant
		}
		f.Failures = joinAny(p.RetryableStatusCodes)
		out = append(out, f)
	}
	return out
}

// blockLen is the length up to the brace that closes the first block.
func blockLen(s string) int {
	depth := 0
	for i, r := range s {
		switch r {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// protoDuration reads "0.1s", the JSON form of a protobuf duration.
func protoDuration(s string) time.Duration {
	x, err := strconv.ParseFloat(strings.TrimSuffix(s, "s"), 64)
	if err != nil || x < 0 || x > 1e6 {
		return 0
	}
	return time.Duration(x * float64(time.Second))
}

func joinAny(list []any) string {
	var names []string
	for _, x := range list {
		switch v := x.(type) {
		case string:
			names = append(names, v)
		case float64:
			names = append(names, strconv.Itoa(int(v)))
		}
	}
	return strings.Join(names, ", ")
}
