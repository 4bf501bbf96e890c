package queueing

import (
	"fmt"
	"math"
)

// The functions below guard every entry point. They panic, because a wrong
// argument here comes from code, not from a user's file; the number is in the
// message so that the failure explains itself.

func mustProbability(name string, p float64) {
	if !(p >= 0 && p <= 1) {
		panic(fmt.Sprintf("queueing: %s must be between 0 and 1, got %v", name, p))
	}
}

func mustRate(name string, x float64) {
	if !(x >= 0) || math.IsInf(x, 1) {
		panic(fmt.Sprintf("queueing: %s must be finite and at least 0, got %v", name, x))
	}
}

func mustPositive(name string, x float64) {
	if !(x > 0) || math.IsInf(x, 1) {
		panic(fmt.Sprintf("queueing: %s must be finite and above 0, got %v", name, x))
	}
}

func mustAtLeast(name string, n, least int) {
	if n < least {
		panic(fmt.Sprintf("queueing: %s must be at least %d, got %d", name, least, n))
	}
}
