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
