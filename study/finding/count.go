package finding

import "slices"

// CountRule says how an API's number is to be read.
type CountRule struct {
	// Total is true when the number includes the first attempt, false when it
	// counts retries after the first.
	Total bool
	// Unlimited lists raw values that mean "for ever" (-1, 0 or a huge number).
	Unlimited []int64
	// Disabled lists raw values that mean "off"; a total of one or less and a
	// retry count of zero are off in any case unless listed otherwise.
	Disabled []int64
	// Default lists raw values that mean "use the library's default".
	Default []int64
}

// Huge is the count from which a bound is no bound: nobody waits for it.
const Huge = 1_000_000

// Apply records the raw count in f by the rule. It leaves f as it is (the API's
// default already filled in) for a raw value that means "use the default".
func (r CountRule) Apply(f *Finding, raw int64, source string) {
	switch {
	case slices.Contains(r.Default, raw):
	case slices.Contains(r.Unlimited, raw) || raw >= Huge:
		f.SetUnlimited(BoundNone, source)
	case slices.Contains(r.Disabled, raw):
		f.SetTotal(1, source)
	case r.Total:
		f.SetTotal(raw, source)
	default:
		f.SetTotal(max(raw, 0)+1, source)
	}
}

// CountUp is the number of passes of "for i = start; i < limit; i += step"
// (i <= limit when inclusive); 0 when it never runs or step is not positive.
func CountUp(start, limit, step int64, inclusive bool) int64 {
	if step <= 0 {
		return 0
	}
	if inclusive {
		limit++
	}
	return max(0, (limit-start+step-1)/step)
}

// CountDown is the number of passes of "while n > limit: n -= step" starting at
// start (n >= limit when inclusive).
func CountDown(start, limit, step int64, inclusive bool) int64 {
	return CountUp(-start, -limit, step, inclusive)
}
