package engine_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"retrylab/engine"
	"retrylab/engine/dist"
)

// arrivalTrials of 20 s, one window a second.
const arrivalTrials = 60

// counts gives the requests of each second, trial by trial.
func counts(t *testing.T, a engine.Arrivals) [][]float64 {
	m := system(20*time.Second, poisson(1, "a"), takes("a", 0, 0))
	m.Clients[0].Arrivals, m.Window = a, time.Second
	var measures []func(*engine.Tally) float64
	for second := range 20 {
		measures = append(measures, func(y *engine.Tally) float64 { return float64(y.Windows[2*second].First) })
	}
	return measured(t, m, arrivalTrials, measures...)
}

// likePoisson fails unless counts of a Poisson process have the mean, and a variance like it.
func likePoisson(t *testing.T, what string, xs []float64, mean float64) {
	t.Helper()
	got, se := meanSE(xs)
	n := float64(len(xs))
	if z := (got - mean) / math.Sqrt(mean/n); math.Abs(z) >= 4 {
		t.Errorf("%s: %.2f requests on average, expected %.2f, z = %.2f", what, got, mean, z)
	}
	if z := (se*se*n/mean - 1) / math.Sqrt(2/(n-1)+1/(mean*n)); math.Abs(z) >= 4 {
		t.Errorf("%s: variance %.2f, expected %.2f, z = %.2f", what, se*se*n, mean, z)
	}
}

func TestPoissonArrivals(t *testing.T) {
	a := engine.DefaultArrivals()
	a.Rate = 200
	for second, xs := range counts(t, a) {
		likePoisson(t, fmt.Sprint("second ", second), xs, 200)
	}
}

func TestOnOffArrivals(t *testing.T) {
	a := engine.DefaultArrivals()
	a.Kind, a.Rate, a.OffRate, a.On, a.Off = "on_off", 300, 40, 1500*ms, 3500*ms
	for second, xs := range counts(t, a) {
		want := [5]float64{300, 170, 40, 40, 40}[second%5]
		likePoisson(t, fmt.Sprint("second ", second), xs, want)
	}
	a.OffRate = 0
	for second, xs := range counts(t, a) {
		if second%5 >= 2 {
			equal(t, fmt.Sprint("requests while off, second ", second), sumOf(xs), 0)
		}
	}
}

// TestManyPhases: what is left of a gap goes on in the next phase; here most gaps span several.
func TestManyPhases(t *testing.T) {
	a := engine.DefaultArrivals()
	a.Kind, a.Rate, a.OffRate, a.On, a.Off = "on_off", 100, 20, 10*ms, 10*ms
	for second, xs := range counts(t, a) {
		likePoisson(t, fmt.Sprint("second ", second), xs, 60)
	}
}

func TestPiecewiseArrivals(t *testing.T) {
	a := engine.DefaultArrivals()
	a.Kind, a.Rate = "piecewise", 100
	a.Steps = []engine.RateStep{{At: 5 * time.Second, Rate: 400}, {At: 8500 * ms, Rate: 0}, {At: 12 * time.Second, Rate: 50}}
	for second, xs := range counts(t, a) {
		want := 50.0
		switch {
		case second < 5:
			want = 100
		case second < 8:
			want = 400
		case second == 8:
			want = 200
		case second < 12:
			equal(t, "requests at rate 0", sumOf(xs), 0)
			continue
		}
		likePoisson(t, fmt.Sprint("second ", second), xs, want)
	}
}

func TestConstantArrivals(t *testing.T) {
	for _, first := range []bool{false, true} {
		m := system(time.Second, poisson(8, "a"), takes("a", 0, 0))
		m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.FirstAtZero = "constant", first
		var at []time.Duration
		s := engine.NewSim()
		s.Trace(func(e engine.TraceEvent) {
			if e.Kind == engine.TraceRequest {
				at = append(at, time.Duration(e.Now))
			}
		})
		s.Run(compile(t, m), engine.Key{})
		want := "[125ms 250ms 375ms 500ms 625ms 750ms 875ms]"
		if first {
			want = "[0s" + " " + want[1:]
		}
		equal(t, "arrivals", fmt.Sprint(at), want)
	}
}

// TestConstantArrivalsDoNotDrift: a gap that is no whole number of ns leaves the rate exact.
func TestConstantArrivalsDoNotDrift(t *testing.T) {
	m := system(100*time.Second, poisson(300, "a"), takes("a", 0, 0))
	m.Clients[0].Arrivals.Kind, m.Clients[0].Arrivals.FirstAtZero = "constant", true
	equal(t, "requests", once(t, m).Clients[0].Requests, 30000)
}

// TestTogether: users that start together all arrive at time 0.
func TestTogether(t *testing.T) {
	m := system(10*ms, poisson(1, "a"), takes("a", 0, 2*ms))
	a := &m.Clients[0].Arrivals
	a.Kind, a.Users, a.Together, a.Think = "closed", 2, true, dist.Constant(3*ms)
	happens(t, m, `
		0ms 1 arrives
		0ms 1 client>a #1 sent
		0ms 2 arrives
		0ms 2 client>a #1 sent
		2ms 1 client>a #1 success
		2ms 1 success
		2ms 2 client>a #1 success
		2ms 2 success
		5ms 3 arrives
		5ms 3 client>a #1 sent
		5ms 4 arrives
		5ms 4 client>a #1 sent
		7ms 3 client>a #1 success
		7ms 3 success
		7ms 4 client>a #1 success
		7ms 4 success`)
	a.Together = false
	y := outcomes(t, m, `
		5ms 1 success
		5ms 2 success
		10ms 3 success
		10ms 4 success`)
	equal(t, "requests", y.Clients[0].Requests, 4)
}

func sumOf(xs []float64) (sum float64) {
	for _, x := range xs {
		sum += x
	}
	return sum
}
