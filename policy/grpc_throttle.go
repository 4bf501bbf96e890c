package policy

import "math"

// GRPCThrottle is gRPC's retry throttling: a pool of tokens per client that each
// retryable failure shrinks by one and each success refills by a ratio; a retry
// needs more than half of the pool. The failure is charged before it is judged,
// also that of a last attempt. In the long run retries stay on while failures are
// fewer than TokenRatio x successes. (gRFC A6; no pushback here.)
type GRPCThrottle struct {
	// MaxTokens is the size of the pool, full at the start, in (0,1000]. Default 10.
	MaxTokens float64 `yaml:"max_tokens"`
	// TokenRatio is what a success puts back, in whole thousandths. Default 0.1.
	TokenRatio float64 `yaml:"token_ratio"`
	// Retry is the retry under the throttle; its outcomes are those that cost a token. Default as policy retry.
	Retry Retry `yaml:"retry"`
}

// DefaultGRPCThrottle has the numbers of the proposal's example.
func DefaultGRPCThrottle() GRPCThrottle {
	return GRPCThrottle{MaxTokens: 10, TokenRatio: 0.1, Retry: DefaultRetry()}
}

// Kind implements Spec.
func (GRPCThrottle) Kind() string { return "grpc_throttle" }

// Problems implements Spec.
func (s GRPCThrottle) Problems() []Problem {
	var p problems
	p.between("max_tokens", s.MaxTokens, 0.001, 1000)
	p.between("token_ratio", s.TokenRatio, 0.001, 1000)
	return append(p, s.Retry.problems("retry.")...)
}

// oneToken is the unit of a pool: thousandths, as the proposal counts.
const oneToken = 1000

// New implements Spec.
func (s GRPCThrottle) New() Policy {
	p := &grpcThrottle{
		spec: s,
		full: int64(math.Round(s.MaxTokens * oneToken)), refund: int64(math.Round(s.TokenRatio * oneToken)),
	}
	p.Reset(Env{})
	return p
}

type grpcThrottle struct {
	Base
	spec   GRPCThrottle
	full   int64 // thousandths of a token
	refund int64
	tokens int64
}

func (g *grpcThrottle) Reset(Env) { g.tokens = g.full }

func (*grpcThrottle) Watches() Events { return WatchEnd }

func (g *grpcThrottle) AttemptEnd(_ int64, a *Attempt) {
	switch {
	case a.Outcome == Success:
		g.tokens = min(g.full, g.tokens+g.refund)
	case g.spec.Retry.RetryOn.Has(a.Outcome):
		g.tokens = max(0, g.tokens-oneToken)
	}
}

func (g *grpcThrottle) Retry(_ int64, a *Attempt, u Draws) Decision {
	d := g.spec.Retry.decide(a, u)
	if d.Deny == Allowed && 2*g.tokens <= g.full {
		return Decision{Deny: BudgetEmpty}
	}
	return d
}

// State shows the tokens.
func (g *grpcThrottle) State(int64) State { return State{Budget: float64(g.tokens) / oneToken} }
