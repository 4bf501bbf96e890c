package experiments

import (
	"fmt"
	"math"
	"time"

	"retrylab/analysis"
	"retrylab/engine"
)

// The definition of recovery, argued in docs/adr/0010-recovery.md.
const (
	// recoveredShare is the share of the goodput before the fault that counts as being back.
	recoveredShare = 0.9
	// recoveredWindows is how many windows in a row show that it is back.
	recoveredWindows = analysis.RecoveredWindows
	// recoveredNoise is by how many standard deviations of a Poisson count one of them may fall short.
	recoveredNoise = 2
)

// Recovers tells whether a cell's time to recover can be told at all: it has faults, and whole windows before and enough of them after.
// The warning says what is too long, if windows that are shorter would do.
func (c *Cell) Recovers() (ok bool, warning string) {
	from, to, faults := c.Program.FaultSpan()
	if !faults {
		return false, ""
	}
	window, warmup, end := c.Program.Window(), int64(c.Spec.Warmup), c.Program.Duration()
	watch := analysis.Watch{Window: window, Warmup: warmup, From: from, To: to, End: end}
	if !watch.Before() {
		if from > warmup {
			warning = tooLong(window, 1, from-warmup, "between the end of warmup", warmup, "the start of the faults", from)
		}
		return false, warning
	}
	if !watch.After() {
		if end > to {
			warning = tooLong(window, recoveredWindows, end-to, "between the end of the faults", to, "the end of duration", end)
		}
		return false, warning
	}
	return true, ""
}

// tooLong says how many windows a span of time lacks. A window begins at a multiple of its length, so one more may be cut by the span's ends.
func tooLong(window, want, span int64, a string, from int64, b string, to int64) string {
	d := func(ns int64) time.Duration { return time.Duration(ns) }
	windows := "window"
	if want > 1 {
		windows += "s"
	}
	return fmt.Sprintf("window: %v is too long to tell when the system recovers: %s at %v and %s at %v are %v, expected room for %d whole %s, e.g. window: %v",
		d(window), a, d(from), b, d(to), d(span), want, windows, d(span/(want+1)).Round(time.Microsecond))
}

// recovery finds when goodput is back for good after the faults' span. goodput holds the requests that
// succeeded in each window; windows that lie wholly within [from, to) are before the fault, those
// wholly within [to, end) after it. It gives the time from the end of the span to the start of
// the first window from which on goodput is back; ok is false if it never is, or if the span leaves
// no window before or too few after it.
func recovery(goodput []int64, window, warmup, from, to, end int64) (ns int64, ok bool) {
	if window <= 0 {
		return -1, false
	}
	first, last := ceilDiv(warmup, window), from/window // windows first..last-1 lie before the fault
	if last <= first || int(last) > len(goodput) {
		return -1, false
	}
	before := 0.0
	for _, n := range goodput[first:last] {
		before += float64(n)
	}
	before /= float64(last - first)
	want := recoveredShare * before
	after := int(ceilDiv(to, window))
	stop := min(int(end/window), len(goodput))
	if want == 0 || stop-after < recoveredWindows {
		return -1, false
	}
	found := firstBack(goodput[after:stop], want, want-recoveredNoise*math.Sqrt(before))
	if found < 0 {
		return -1, false
	}
	return int64(after+found)*window - to, true
}

// firstBack is the first window from which on goodput is at least want on average, that has at least want
// itself, and that begins recoveredWindows windows with want on average and none below low; -1 if there is none.
func firstBack(goodput []int64, want, low float64) int {
	found := -1
	rest := 0.0 // requests from window i on
	for i := len(goodput) - 1; i >= 0; i-- {
		rest += float64(goodput[i])
		left := len(goodput) - i
		if left < recoveredWindows || float64(goodput[i]) < want || rest < want*float64(left) {
			continue
		}
		near, lowest := 0.0, want
		for _, n := range goodput[i : i+recoveredWindows] {
			near += float64(n)
			lowest = min(lowest, float64(n))
		}
		if near >= want*recoveredWindows && lowest >= low {
			found = i
		}
	}
	return found
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }

// goodput sums the clients' successes of each window.
func goodput(buf []int64, t *engine.Tally) []int64 {
	buf = buf[:0]
	for i := range t.Windows {
		w := &t.Windows[i]
		for len(buf) <= int(w.Index) {
			buf = append(buf, 0)
		}
		if int(w.Station) < len(t.Clients) {
			buf[w.Index] += w.Succeeded
		}
	}
	return buf
}
