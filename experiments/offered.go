package experiments

import (
	"time"

	"retrylab/engine"
)

// offered is the mean rate of requests of all clients over the model's duration, per second. Closed-loop
// clients have no rate of their own and count as 0.
func offered(m *engine.Model) float64 {
	total := 0.0
	for i := range m.Clients {
		a := &m.Clients[i].Arrivals
		switch a.Kind {
		case "poisson", "constant":
			total += a.Rate
		case "on_off":
			total += onOffMean(a, m.Duration)
		case "piecewise":
			total += piecewiseMean(a, m.Duration)
		}
	}
	return total
}

// onOffMean averages over whole cycles and the begun one.
func onOffMean(a *engine.Arrivals, duration time.Duration) float64 {
	cycle := a.On + a.Off
	on := duration/cycle*a.On + min(duration%cycle, a.On)
	return (a.Rate*on.Seconds() + a.OffRate*(duration-on).Seconds()) / duration.Seconds()
}

func piecewiseMean(a *engine.Arrivals, duration time.Duration) float64 {
	rate, at, requests := a.Rate, time.Duration(0), 0.0
	for _, s := range a.Steps {
		next := min(s.At, duration)
		requests += rate * (next - at).Seconds()
		rate, at = s.Rate, next
	}
	return (requests + rate*(duration-at).Seconds()) / duration.Seconds()
}
