package analysis

import (
	"fmt"
	"math"
	"sort"
)

// maxTrials bounds the sample-size functions; more is beyond any sweep.
const maxTrials = 1 << 30

// TrialsNormal returns the trials needed for a half-width when trials vary with
// standard deviation sd, by the normal approximation n = (z sd / half)^2. For a
// proportion p, sd is sqrt(p (1-p)). At least 1.
func TrialsNormal(sd, half, level float64) int {
	mustDesign("standard deviation", sd, half)
	z := normalQuantile(level)
	return boundedTrials(math.Ceil(math.Pow(z*sd/half, 2)))
}

// TrialsForMean returns the smallest number of trials, at least 2, whose t
// interval ([Mean]) has at most the given half-width when trials vary with
// standard deviation sd. sd usually comes from a pilot; with few pilot trials
// it may itself be off by a third.
func TrialsForMean(sd, half, level float64) int {
	mustDesign("standard deviation", sd, half)
	enough := func(n int) bool {
		return studentQuantile(level, n-1)*sd/math.Sqrt(float64(n)) <= half
	}
	return smallest(2, TrialsNormal(sd, half, level), enough)
}

// TrialsForProportion returns the smallest number of trials whose [Wilson]
// interval has at most the given half-width when the share is p. Take p = 0.5
// when nothing is known: the worst case.
func TrialsForProportion(p, half, level float64) int {
	mustDesign("proportion", p, half)
	if p > 1 {
		panic(fmt.Sprintf("analysis: proportion must be at most 1, got %v", p))
	}
	z := normalQuantile(level)
	enough := func(n int) bool {
		low, high := wilsonEnds(p, float64(n), z)
		return (high-low)/2 <= half
	}
	return smallest(1, TrialsNormal(math.Sqrt(p*(1-p)), half, level), enough)
}

// smallest searches upward from a guess for where a property that holds for all
// large n begins to hold.
func smallest(least, guess int, enough func(n int) bool) int {
	high := max(least, guess)
	for !enough(high) && high < maxTrials {
		high *= 2
	}
	return least + sort.Search(high-least, func(k int) bool { return enough(least + k) })
}

func boundedTrials(n float64) int {
	return int(min(max(n, 1), maxTrials))
}

func mustDesign(name string, x, half float64) {
	if !(x >= 0) || math.IsInf(x, 1) {
		panic(fmt.Sprintf("analysis: %s must be finite and at least 0, got %v", name, x))
	}
	if !(half > 0) {
		panic(fmt.Sprintf("analysis: half-width must be above 0, got %v", half))
	}
}
