// Package dist has the laws of service times, think times and delays.
package dist

import "time"

// Law is a distribution of a duration. Which fields count depends on Kind; the
// others are ignored. It is comparable.
type Law struct {
	// Kind is constant, exponential, uniform, lognormal, gamma or pareto.
	Kind string `yaml:"kind"`
	// Mean of constant, exponential, lognormal and gamma.
	Mean time.Duration `yaml:"mean"`
	// Low and High bound uniform. Low is also the smallest value of pareto.
	Low  time.Duration `yaml:"low"`
	High time.Duration `yaml:"high"`
	// CV is the coefficient of variation (standard deviation over mean) of lognormal and gamma. Default 1.
	CV float64 `yaml:"cv"`
	// Alpha is the tail exponent of pareto; the mean is finite only above 1. Default 2.5.
	Alpha float64 `yaml:"alpha"`
}

// MaxNs bounds a draw, about 36 years, so that sums of times cannot overflow.
const MaxNs = 1 << 60

// Default of each field that a Kind may use.
func Default() Law {
	return Law{Kind: "exponential", Mean: time.Millisecond, CV: 1, Alpha: 2.5}
}

// Constant is always d.
func Constant(d time.Duration) Law { return Law{Kind: "constant", Mean: d, CV: 1, Alpha: 2.5} }

// Exponential has the given mean.
func Exponential(mean time.Duration) Law {
	return Law{Kind: "exponential", Mean: mean, CV: 1, Alpha: 2.5}
}

// Uniform is uniform on [low, high).
func Uniform(low, high time.Duration) Law {
	return Law{Kind: "uniform", Low: low, High: high, CV: 1, Alpha: 2.5}
}
