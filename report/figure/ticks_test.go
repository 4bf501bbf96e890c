package figure

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
)

// Automatic ticks are labelled with what they are: of a narrow range far from zero the library would write 1, 1, 1.1 and 1.1.
func TestTicksOfNarrowRangesAreToldApart(t *testing.T) {
	for _, r := range []Range{{1, 1.15}, {1, 1.16}, {0.99, 1.001}, {1, 1.0003}, {1000, 1000.4}, {-1.15, -1}, {0, 1.02}, {0, 60}, {0, 1e9}, {0, 3e-9}} {
		seen := map[string]bool{}
		for _, tick := range (minusSigns{plot.DefaultTicks{}}).Ticks(r.Min, r.Max) {
			if tick.Label == "" {
				continue
			}
			x, err := strconv.ParseFloat(strings.Replace(tick.Label, "−", "-", 1), 64)
			if err != nil || math.Abs(x-tick.Value) > (r.Max-r.Min)/1000 || seen[tick.Label] {
				t.Errorf("from %v to %v: the tick at %v is called %s", r.Min, r.Max, tick.Value, tick.Label)
			}
			seen[tick.Label] = true
		}
		if len(seen) < 2 {
			t.Errorf("from %v to %v: %d labels", r.Min, r.Max, len(seen))
		}
	}
}
