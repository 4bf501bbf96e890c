package policy

import (
	"math"
	"time"
)

// Backoff is the wait before a retry. Retry k (from 1) follows attempt k.
type Backoff struct {
	// Kind is none, constant (base), linear (base k) or exponential (base multiplier^(k-1)). Default exponential.
	Kind string `yaml:"kind"`
	// Base is the wait before the first retry, jitter aside. Default 100ms.
	Base time.Duration `yaml:"base"`
	// Multiplier of the exponential. Default 2.
	Multiplier float64 `yaml:"multiplier"`
	// Cap limits the wait before jitter is applied (and a decorrelated wait after it); 0 is no cap. Default 0.
	Cap time.Duration `yaml:"cap"`
	// Jitter is none, full (U[0,d)), equal (d/2 + U[0,d/2)), decorrelated (U[base, 3 previous)),
	// proportional (d(1+-x)) or one_sided (d(1+U[0,x))). Default proportional.
	Jitter string `yaml:"jitter"`
	// JitterFraction is the x of proportional and one_sided, in [0,1]. Default 0.25.
	JitterFraction float64 `yaml:"jitter_fraction"`
}

// DefaultBackoff is 100 ms doubling, +-25% (paper, sections V and VIII-A).
func DefaultBackoff() Backoff {
	return Backoff{Kind: "exponential", Base: 100 * time.Millisecond, Multiplier: 2, Jitter: "proportional", JitterFraction: 0.25}
}

// Delay is the wait in ns before retry k (from 1). prev is the wait before the
// attempt that failed (0 for the first) and u the uniform draw in [0,1).
func (b *Backoff) Delay(k int, prev int64, u float64) int64 {
	if b.Kind == "none" {
		return 0
	}
	if b.Jitter == "decorrelated" {
		return b.decorrelated(prev, u)
	}
	d := b.level(k)
	if low, span, ok := b.spread(); ok {
		return clampNs(d * (low + span*u))
	}
	return clampNs(d/2 + d/2*u) // equal
}

// spread gives the jitter as a factor low + span u of the wait, where it has that form.
func (b *Backoff) spread() (low, span float64, ok bool) {
	if b.Kind == "none" {
		return 0, 0, true
	}
	switch b.Jitter {
	case "none":
		return 1, 0, true
	case "full":
		return 0, 1, true
	case "proportional":
		return 1 - b.JitterFraction, 2 * b.JitterFraction, true
	case "one_sided":
		return 1, b.JitterFraction, true
	}
	return 0, 0, false
}

// level is the wait before jitter, in ns.
func (b *Backoff) level(k int) float64 {
	d := float64(b.Base)
	switch b.Kind {
	case "linear":
		d *= float64(k)
	case "exponential":
		for ; k > 1 && d < math.MaxInt64; k-- {
			d *= b.Multiplier
		}
	}
	if b.Cap > 0 {
		d = min(d, float64(b.Cap))
	}
	return d
}

func (b *Backoff) decorrelated(prev int64, u float64) int64 {
	base := float64(b.Base)
	last := max(float64(prev), base)
	d := base + (3*last-base)*u
	if b.Cap > 0 {
		d = min(d, float64(b.Cap))
	}
	return clampNs(d)
}

// clampNs keeps a delay within what a simulated clock can hold, about 73 years.
func clampNs(d float64) int64 { return int64(min(d, 1<<61)) }

// Problems lists what is wrong, with field names below the given prefix.
func (b *Backoff) Problems(prefix string) []Problem {
	var p problems
	p.oneOf(prefix+"kind", b.Kind, "none", "constant", "linear", "exponential")
	p.oneOf(prefix+"jitter", b.Jitter, "none", "full", "equal", "decorrelated", "proportional", "one_sided")
	p.atLeastTime(prefix+"base", b.Base, 0)
	p.atLeastTime(prefix+"cap", b.Cap, 0)
	p.between(prefix+"multiplier", b.Multiplier, 1, 1000)
	p.between(prefix+"jitter_fraction", b.JitterFraction, 0, 1)
	return p
}
