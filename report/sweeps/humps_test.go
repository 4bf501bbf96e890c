package sweeps

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A healthy cell loses none or one of some hundred requests, and its shares have a gap of one request: no groups. Trials
// that hold and trials that collapse are two, and so are differences from a cell that holds.
func TestCountsOfAFewRequestsAreNoGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	cellOf := func(requests, failed func(k int) float64) *cell {
		c := &cell{}
		for k := range 20 {
			n := requests(k)
			c.perTrial[successAfter] = append(c.perTrial[successAfter], 1-min(failed(k), n)/n)
			c.requests[successAfter] += n
			c.trials++
		}
		return c
	}
	many := func(int) float64 { return 400 + math.Floor(40*r.Float64()) }
	ten := func(int) float64 { return 10 }
	rare := func(k int) float64 { return float64(k % 4 / 3) }
	half := func(k int) float64 { return 300 * float64(k%2) }
	flagged := func(c *cell) bool { _, two := c.humps(successAfter); return two }
	for name, c := range map[string]struct {
		cell *cell
		want bool
	}{
		"1 of 400 requests failed in a quarter of the trials": {cellOf(many, rare), false},
		"1 of 10 requests failed in a quarter of the trials":  {cellOf(ten, rare), false},
		"half of the trials collapsed":                        {cellOf(many, half), true},
	} {
		if got := flagged(c.cell); got != c.want {
			t.Errorf("%s: two groups %v", name, got)
		}
	}
	healthy := cellOf(many, rare)
	if other := cellOf(many, rare); other.humpsFrom(healthy, successAfter) {
		t.Error("two healthy cells differ by two groups")
	}
	if !cellOf(many, half).humpsFrom(healthy, successAfter) {
		t.Error("a cell whose trials collapse or hold does not differ by two groups")
	}
}

// What the harm map flags are differences of trials in two groups far apart, counted here from the rows.
func TestHarmMapFlagsGroupsFarApart(t *testing.T) {
	d := publishedSweep(t, "harm-map")
	flagged := 0
	for _, r := range harmRows(d) {
		for s, phase := range map[share]harmPhase{successDuring: r.during, successAfter: r.after} {
			if !phase.twoGroups {
				continue
			}
			flagged++
			low, high := math.Inf(1), math.Inf(-1)
			for i, v := range r.sr.perTrial[s] {
				low, high = min(low, v-r.nr.perTrial[s][i]), max(high, v-r.nr.perTrial[s][i])
			}
			if high-low < humpsApart {
				t.Errorf("%s: flagged, though the trials differ by %v to %v", r.sr.Cell.Cell, low, high)
			}
		}
	}
	if flagged < 10 || flagged > 40 {
		t.Errorf("%d phases of cells are flagged, expected the 24 or so that collapse in some trials", flagged)
	}
}
