package engine

import (
	"time"

	"retrylab/engine/dist"
	"retrylab/policy"
)

// DefaultModel has every field of a model at its default; it has no clients and no services yet.
func DefaultModel() Model {
	return Model{Name: "model", Duration: time.Minute, Window: time.Second}
}

// DefaultClient sends 500 requests per second, Poisson, and does not retry.
func DefaultClient() Client {
	return Client{Name: "client", Arrivals: DefaultArrivals(), Call: DefaultCall()}
}

// DefaultArrivals is Poisson with 500 requests per second.
func DefaultArrivals() Arrivals {
	return Arrivals{Kind: "poisson", Rate: 500, On: time.Second, Off: time.Second, Users: 1, Think: dist.Exponential(time.Second)}
}

// DefaultService is one worker with exponential service of mean 1 ms and no limit.
func DefaultService() Service {
	return Service{
		Servers: 1, Time: dist.Default(), Limit: Limit{Counts: "in_system"}, FailureCost: 1,
		Signal: Overload{Counts: "waiting", CPUWindow: time.Second, Expiry: 2 * time.Second},
	}
}

// DefaultCall is always made, never retried and has no timeout.
func DefaultCall() Call {
	return Call{Probability: 1, Policy: policy.None{}, Instances: 1, Abandoned: "goes_on"}
}

// NoRamp is the PEnd of a failure whose probability stays the same.
const NoRamp = -1

// DefaultFault is a failure that lasts the whole trial.
func DefaultFault() Fault { return Fault{Kind: "failure", PEnd: NoRamp, Latency: dist.Default()} }
