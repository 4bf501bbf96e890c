package experiments

import (
	"math"

	"retrylab/engine"
)

// The definition of recovery, argued in docs/adr/0010-recovery.md.
const (
	// recoveredShare is the share of the goodput before the fault that counts as being back.
	recoveredShare = 0.9
	// recoveredWindows is how many windows in a row show that it is back.
	recoveredWindows = 3
	// recoveredNoise is by how many standard deviations of a Poisson count one of them may fall short.
	recoveredNoise = 2
)

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
