package analysis_test

import (
	"testing"

	"retrylab/analysis"
)

// A time to recover has a meaning where a whole window lies before the faults and three lie after them.
func TestWatchTells(t *testing.T) {
	for name, c := range map[string]struct {
		watch analysis.Watch
		want  bool
	}{
		"room on both sides":        {analysis.Watch{Window: 10, From: 20, To: 30, End: 60}, true},
		"just enough":               {analysis.Watch{Window: 10, Warmup: 10, From: 20, To: 30, End: 60}, true},
		"from the start":            {analysis.Watch{Window: 10, From: 0, To: 30, End: 60}, false},
		"warm-up cuts the window":   {analysis.Watch{Window: 10, Warmup: 11, From: 20, To: 30, End: 60}, false},
		"before is no whole window": {analysis.Watch{Window: 10, From: 9, To: 30, End: 60}, false},
		"two windows after":         {analysis.Watch{Window: 10, From: 20, To: 31, End: 60}, false},
		"to the end":                {analysis.Watch{Window: 10, From: 20, To: 60, End: 60}, false},
		"no windows":                {analysis.Watch{From: 20, To: 30, End: 60}, false},
	} {
		if got := c.watch.Tells(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
