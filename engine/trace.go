package engine

import "retrylab/policy"

// TraceKind says what a TraceEvent reports.
type TraceKind uint8

// The kinds of trace events.
const (
	TraceRequest      TraceKind = iota // a request arrived
	TraceSent                          // an attempt was sent
	TraceEnded                         // an attempt ended, as its caller saw it
	TraceRetry                         // a backoff is over
	TraceRequestEnded                  // a request ended
)

// String names the kind.
func (k TraceKind) String() string {
	return [...]string{"request", "sent", "ended", "retry", "request_ended"}[k]
}

// TraceEvent is one happening in the life of a request.
type TraceEvent struct {
	Now     int64 // ns
	Kind    TraceKind
	Request uint32         // number of the request in the trial, from 1
	Edge    int            // index in Program.Edges
	Attempt int            // number of the attempt in its call
	Outcome policy.Outcome // of TraceEnded and TraceRequestEnded
}

func (s *Sim) report(k TraceKind, h uint32, outcome policy.Outcome) {
	c := &s.frames[h]
	s.trace(TraceEvent{Now: s.now, Kind: k, Request: c.request, Edge: int(c.edge), Attempt: int(c.n), Outcome: outcome})
}
