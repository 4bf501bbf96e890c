package analysis

import "math"

// Independent returns a - b of two independent estimates with the interval that
// their own intervals imply (MOVER):
//
//	low  = a - b - hypot(a - low a, high b - b),
//	high = a - b + hypot(high a - a, b - low b),
//
// which for two shares with Wilson's intervals is Newcombe's. N is that of a.
// Warnings are those of both. Source: Newcombe, Interval Estimation for the
// Difference Between Independent Proportions, Statistics in Medicine 17 (1998),
// method 10; Zou and Donner, the same journal, 27 (2008).
func Independent(a, b Interval) Interval {
	d := Interval{Estimate: a.Estimate - b.Estimate, Level: a.Level, Method: "difference of independent estimates, MOVER", N: a.N}
	d.Low = d.Estimate - math.Hypot(a.Estimate-a.Low, b.High-b.Estimate)
	d.High = d.Estimate + math.Hypot(a.High-a.Estimate, b.Estimate-b.Low)
	for _, w := range append(append([]string(nil), a.Warnings...), b.Warnings...) {
		d.warn(w)
	}
	return d
}
