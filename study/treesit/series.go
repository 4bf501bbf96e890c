//go:build cgo

package treesit

import (
	"math"
	"strings"
)

// grow tells constant, linear and exponential series apart. Leading zeros are
// attempts without a wait, a repeated last value is a cap.
func (d *wait) grow(xs []float64, exact bool) {
	for len(xs) > 1 && xs[0] == 0 {
		xs = xs[1:]
	}
	if xs[0] == 0 && len(xs) == 1 {
		d.Waits = false
		return
	}
	base := xs[0]
	n := len(xs)
	for n > 1 && xs[n-1] == xs[n-2] {
		n--
	}
	capped := n < len(xs) && n > 1
	if exact {
		d.base = base
		if capped {
			d.cap = xs[len(xs)-1]
		}
	}
	if capped && n > 2 {
		xs = xs[:n-1] // the capped value itself need not fit the series
	} else {
		xs = xs[:n]
	}
	if len(xs) < 2 {
		if capped {
			d.Power = true
		}
		return
	}
	switch {
	case even(xs, func(i int) float64 { return xs[i] - xs[i-1] }):
		d.Step = len(xs) > 2 || !capped
		d.Power = !d.Step
	case even(xs, func(i int) float64 { return xs[i] / xs[i-1] }):
		d.Power = true
	case fibonacci(xs):
		d.Power, d.sub = true, "fibonacci"
	case len(xs) >= 4 && squares(xs):
		d.Polynomial = true
	case growing(xs):
		d.Power = true
	default:
		d.Unresolved = true
	}
}

// even reports whether f is the same for all neighbours.
func even(xs []float64, f func(i int) float64) bool {
	first := f(1)
	for i := 2; i < len(xs); i++ {
		if math.Abs(f(i)-first) > 1e-6*math.Max(math.Abs(first), 1e-9)+1e-12 {
			return false
		}
	}
	return !math.IsNaN(first) && !math.IsInf(first, 0)
}

func squares(xs []float64) bool {
	var d []float64
	for i := 1; i < len(xs); i++ {
		d = append(d, xs[i]-xs[i-1])
	}
	return even(d, func(i int) float64 { return d[i] - d[i-1] })
}

func fibonacci(xs []float64) bool {
	if len(xs) < 4 {
		return false
	}
	for i := 2; i < len(xs); i++ {
		if xs[i] != xs[i-1]+xs[i-2] {
			return false
		}
	}
	return true
}

func growing(xs []float64) bool {
	for i := 1; i < len(xs); i++ {
		if xs[i] < xs[i-1] {
			return false
		}
	}
	return xs[len(xs)-1] > xs[0]
}

// guess reads the shape from the name of the function that makes the wait, when
// that is all there is.
func (d *wait) guess(name string) {
	low := strings.ToLower(name)
	switch {
	case strings.Contains(low, "expo"):
		d.Power = true
	case strings.Contains(low, "fibo"):
		d.Power, d.sub = true, "fibonacci"
	case strings.Contains(low, "linear"):
		d.Step = true
	case strings.Contains(low, "constant") || strings.Contains(low, "fixed"):
	default:
		d.Unresolved = true
	}
	if strings.Contains(low, "jitter") || strings.Contains(low, "random") {
		d.Random = true
	}
}
