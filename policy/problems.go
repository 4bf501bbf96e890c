package policy

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// maxCount bounds counts in specs, so that products of two of them fit an int64.
const maxCount = 1 << 20

// problems collects the mistakes of a spec, so that all are told at once.
type problems []Problem

func (p *problems) add(field, format string, args ...any) {
	*p = append(*p, Problem{field, fmt.Sprintf(format, args...)})
}

func (p *problems) atLeast(field string, v, low float64) {
	if !(v >= low) || math.IsInf(v, 1) {
		p.add(field, "must be at least %v and finite, got %v", low, v)
	}
}

func (p *problems) atLeastTime(field string, v, low time.Duration) {
	if v < low {
		p.add(field, "must be at least %v, got %v", low, v)
	}
}

func (p *problems) between(field string, v, low, high float64) {
	if !(v >= low && v <= high) {
		p.add(field, "must be between %v and %v, got %v", low, high, v)
	}
}

// above0 wants a positive, finite number.
func (p *problems) above0(field string, v float64) {
	if !(v > 0) || math.IsInf(v, 1) {
		p.add(field, "must be above 0 and finite, got %v", v)
	}
}

// ratio wants a share in (0,1].
func (p *problems) ratio(field string, v float64) {
	if !(v > 0 && v <= 1) {
		p.add(field, "must be above 0 and at most 1, got %v", v)
	}
}

func (p *problems) oneOf(field, v string, allowed ...string) {
	if !slices.Contains(allowed, v) {
		p.add(field, "unknown %q, expected one of %v", v, allowed)
	}
}

// slots checks a time window that is divided into equal slots.
func (p *problems) slots(prefix string, window time.Duration, n int) {
	p.between(prefix+"slots", float64(n), 1, 1000)
	p.atLeastTime(prefix+"window", window, time.Duration(max(n, 1))*time.Microsecond)
}
