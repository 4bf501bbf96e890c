package design

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// MaxLevels bounds the levels of one factor and the points of one sample.
const MaxLevels = 100_000

// Linspace is n values from one to the other, both included, in equal steps.
func Linspace(from, to float64, n int) ([]float64, error) {
	if err := check(from, to, n); err != nil {
		return nil, err
	}
	return spread(n, func(t float64) float64 { return from + t*(to-from) }), nil
}

// Logspace is n values from one to the other, both included, in equal ratios. Both must be above 0.
func Logspace(from, to float64, n int) ([]float64, error) {
	if err := check(from, to, n); err != nil {
		return nil, err
	}
	if from <= 0 || to <= 0 {
		return nil, fmt.Errorf("from and to must be above 0, got %v and %v", from, to)
	}
	return spread(n, func(t float64) float64 { return from * math.Exp(t*math.Log(to/from)) }), nil
}

// Range is from, from+step, and so on as far as to, which is included if it is met (to a billionth of a step).
func Range(from, to, step float64) ([]float64, error) {
	if !finite(from, to, step) || step == 0 || (to-from)/step < 0 {
		return nil, fmt.Errorf("step must lead from %v to %v, got %v", from, to, step)
	}
	n := math.Floor((to-from)/step+1e-9) + 1
	if n > MaxLevels {
		return nil, fmt.Errorf("makes %v levels, at most %d are allowed", n, MaxLevels)
	}
	values := make([]float64, int(n))
	for i := range values {
		values[i] = Round(from + float64(i)*step)
	}
	return values, nil
}

func check(from, to float64, n int) error {
	switch {
	case !finite(from, to):
		return errors.New("from and to must be finite numbers")
	case n < 1 || n > MaxLevels:
		return fmt.Errorf("n must be between 1 and %d, got %d", MaxLevels, n)
	case n == 1 && from != to:
		return fmt.Errorf("n must be at least 2 to reach from %v to %v, got 1", from, to)
	}
	return nil
}

func finite(xs ...float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

func spread(n int, at func(t float64) float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = Round(at(float64(i) / float64(max(n-1, 1))))
	}
	return values
}

// Round keeps twelve digits, so that a value such as 0.1+0.2 is written 0.3 and processors agree on it.
func Round(x float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 11, 64), 64)
	if err != nil {
		panic(fmt.Sprintf("design: %v: %v", x, err)) // it was just written
	}
	return r
}
