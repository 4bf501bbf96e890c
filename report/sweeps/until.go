package sweeps

import (
	"fmt"
	"strconv"
	"strings"

	"retrylab/analysis"
	"retrylab/results"
)

// wanted are the half-widths that trials were run for, by name; empty of a sweep with a fixed number of trials.
func (d *data) wanted() map[string]float64 {
	half := map[string]float64{}
	if d.manifest == nil {
		return half
	}
	for _, word := range strings.Fields(d.manifest.Parameters[results.ParameterUntil]) {
		name, text, _ := strings.Cut(word, "=")
		if x, err := strconv.ParseFloat(text, 64); err == nil && x > 0 {
			half[name] = x
		}
	}
	return half
}

// marked are the cell's intervals whose warnings are shown, with a warning more for each that is wider than was wanted; missed
// tells whether there is such a one.
func (c *cell) marked(wanted map[string]float64) (list []named, missed bool) {
	collapse, _ := c.collapsed()
	collapse.Warnings = nil // none or all collapsed in most cells: that is no warning there
	for _, q := range []struct {
		field, name string
		i           analysis.Interval
	}{{"success", "success", c.over(successAll)}, {"raf_client", "raf", c.over(rafClient)}, {"collapse", "collapse", collapse}} {
		half, asked := wanted[q.name]
		if asked {
			i := analysis.StopRule{HalfWidth: half, MinTrials: 2, MaxTrials: max(c.trials, 2)}.Mark(q.i)
			missed = missed || len(i.Warnings) > len(q.i.Warnings)
			q.i = i
		}
		if asked || q.name != "collapse" {
			list = append(list, named{q.field, q.i})
		}
	}
	return list, missed
}

// untilFinding counts the cells whose intervals are wider than was wanted; empty if there is none.
func untilFinding(d *data) string {
	wanted, n, most := d.wanted(), 0, 0
	for _, c := range d.cells {
		if _, missed := c.marked(wanted); missed {
			n++
			most = max(most, c.trials)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("In %d of %d cells intervals are wider than the sweep asked for: %d trials, the most that it allows, were not enough. tables/cells.csv has a warning there.",
		n, len(d.cells), most)
}
