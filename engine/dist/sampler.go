package dist

import (
	"fmt"
	"math"
	"time"

	"retrylab/engine/rng"
)

// MeanNs is the law's mean in ns: +Inf for pareto with Alpha at most 1.
func (l Law) MeanNs() float64 {
	switch l.Kind {
	case "uniform":
		return (float64(l.Low) + float64(l.High)) / 2
	case "pareto":
		if l.Alpha <= 1 {
			return math.Inf(1)
		}
		return l.Alpha * float64(l.Low) / (l.Alpha - 1)
	}
	return float64(l.Mean)
}

// Problem is one mistake in a law: the field as in a model file, and what is wrong.
type Problem struct{ Field, Text string }

// Problems lists everything wrong with the fields that Kind uses.
func (l Law) Problems() []Problem {
	var p []Problem
	need := func(ok bool, field, format string, args ...any) {
		if !ok {
			p = append(p, Problem{field, fmt.Sprintf(format, args...)})
		}
	}
	mean := func() {
		need(l.Mean >= 0 && l.Mean <= maxDuration, "mean", "must be between 0s and %v, got %v", maxDuration, l.Mean)
	}
	switch l.Kind {
	case "constant", "exponential":
		mean()
	case "uniform":
		need(l.Low >= 0 && l.Low <= maxDuration, "low", "must be between 0s and %v, got %v", maxDuration, l.Low)
		need(l.High >= l.Low && l.High <= maxDuration, "high", "must be between low (%v) and %v, got %v", l.Low, maxDuration, l.High)
	case "lognormal", "gamma":
		mean()
		need(l.CV > 0 && l.CV <= 100, "cv", "must be above 0 and at most 100, got %v", l.CV)
	case "pareto":
		need(l.Low > 0 && l.Low <= maxDuration, "low", "must be above 0s and at most %v, got %v", maxDuration, l.Low)
		need(l.Alpha > 0 && l.Alpha <= 1000, "alpha", "must be above 0 and at most 1000, got %v", l.Alpha)
	default:
		need(false, "kind", "unknown %q, expected one of constant, exponential, uniform, lognormal, gamma, pareto", l.Kind)
	}
	return p
}

// maxDuration bounds a law's parameters: a simulated day is long, a year is a mistake.
const maxDuration = 1000 * time.Hour

type kind uint8

const (
	constant kind = iota
	exponential
	uniform
	lognormal
	gamma
	pareto
)

// Sampler draws from a law; a and b are its parameters made ready.
type Sampler struct {
	kind kind
	a, b float64
}

// Sampler makes the law ready for drawing. The law must have no Problems.
func (l Law) Sampler() Sampler {
	mean := float64(l.Mean)
	switch l.Kind {
	case "constant":
		return Sampler{constant, mean, 0}
	case "exponential":
		return Sampler{exponential, mean, 0}
	case "uniform":
		return Sampler{uniform, float64(l.Low), float64(l.High - l.Low)}
	case "lognormal":
		v := math.Log1p(l.CV * l.CV)
		return Sampler{lognormal, math.Log(mean) - v/2, math.Sqrt(v)}
	case "gamma":
		return Sampler{gamma, 1 / (l.CV * l.CV), mean * l.CV * l.CV}
	case "pareto":
		return Sampler{pareto, float64(l.Low), -1 / l.Alpha}
	}
	panic("dist: law of unknown kind " + l.Kind)
}

// Draw draws a duration in whole ns, at least 0 and at most MaxNs, rounded down.
func (s *Sampler) Draw(r *rng.Stream) int64 {
	if s.kind == exponential {
		return int64(r.Exp() * s.a)
	}
	return s.draw(r)
}

func (s *Sampler) draw(r *rng.Stream) int64 {
	var x float64
	switch s.kind {
	case constant:
		return int64(s.a)
	case uniform:
		return int64(s.a + float64(r.Float64()*s.b))
	case lognormal:
		x = math.Exp(s.a + float64(r.Normal()*s.b))
	case gamma:
		x = r.Gamma(s.a) * s.b
	case pareto:
		x = s.a * math.Pow(1-r.Float64(), s.b)
	}
	return int64(min(x, MaxNs))
}
