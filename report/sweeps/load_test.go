package sweeps

import (
	"reflect"
	"testing"

	"retrylab/analysis"
)

// What trials add up to one by one is what they say when all are at hand: ratios, differences from the first strategy
// trial by trial, collapses and the time to recover.
func TestSummariesAreThoseOfAllTrials(t *testing.T) {
	d := publishedSweep(t, "recovery")
	checked := 0
	for _, group := range d.byPoint() {
		for _, c := range group {
			top, bottom := sides(c, successAfter)
			firstTop, firstBottom := sides(group[0], successAfter)
			if got, want := c.over(successAfter), analysis.RatioOfSums(top, bottom, level); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, of all trials %v", c.Cell.Cell, got, want)
			}
			if got, want := c.minus[successAfter], analysis.PairedRatioOfSums(top, bottom, firstTop, firstBottom, level); got.Estimate != want.Estimate || got.Half() != want.Half() {
				t.Errorf("%s: difference %v, of all trials %v", c.Cell.Cell, got, want)
			}
			var durations []float64
			var recovered []bool
			for i := range c.kept {
				r := &c.kept[i]
				recovered = append(recovered, r.Recovered)
				if r.Recovered {
					durations = append(durations, float64(r.RecoveryNs)/1e9)
				} else {
					durations = append(durations, float64(c.DurationNs-c.FaultToNs)/1e9)
				}
			}
			if want := analysis.KaplanMeier(durations, recovered).Median(level); !reflect.DeepEqual(c.recovery, want) {
				t.Errorf("%s: recovery %v, of all trials %v", c.Cell.Cell, c.recovery, want)
			}
			if len(c.kept) != c.trials || len(c.perTrial[successAfter]) != c.trials || c.perTrial[successAfter][3] != top[3]/bottom[3] {
				t.Errorf("%s: %d trials kept, %d shares, of %d", c.Cell.Cell, len(c.kept), len(c.perTrial[successAfter]), c.trials)
			}
			checked++
		}
	}
	if checked != 150 {
		t.Errorf("%d cells", checked)
	}
}

func sides(c *cell, s share) (top, bottom []float64) {
	for i := range c.kept {
		a, b := s.of(&c.kept[i])
		top, bottom = append(top, a), append(bottom, b)
	}
	return top, bottom
}

// What a sweep is about becomes a sentence, however it is written.
func TestSentence(t *testing.T) {
	for about, want := range map[string]string{
		"when do retries harm?": "When do retries harm?", "A chain": "A chain.", "50% load": "50% load.", "überlast": "Überlast.", "": "Sweep.",
	} {
		if got := sentence(about); got != want {
			t.Errorf("%q became %q, expected %q", about, got, want)
		}
	}
}
