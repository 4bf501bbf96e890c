package sweeps

import (
	"fmt"
	"math"

	"retrylab/report/table"
)

// harm makes the report of the harm map.
func harm(d *data, r *parts) error {
	rows := harmRows(d)
	panels := harmPanels(rows)
	r.hidden, r.complete = append(r.hidden, harmTable(rows), boundaryTable(panels)), true
	r.figures = append(r.figures, harmFigures(panels)...)
	if len(panels) > 0 {
		r.figures = append(r.figures, boundaryFigure(panels))
	}
	r.tables = append(r.tables, harmCounts(rows))
	r.findings = append(r.findings, harmFindings(rows)...)
	return nil
}

// harmGroup is a line of the table of counts.
type harmGroup struct {
	retriesAt, workers string
	timeout            string
}

// groupOf classes a cell by its timeout against the time that a full queue takes to drain at 1000/s.
func groupOf(k panelKey) harmGroup {
	text := "none"
	switch drain := k.room / 1000; {
	case k.timeout == 0:
	case k.timeout <= drain:
		text = "at most the drain time"
	default:
		text = "longer than the drain time"
	}
	return harmGroup{k.retriesAt, k.workers, text}
}

// tally counts a group's cells.
type tally struct {
	cells, helped, harmed, harmedAfter, stayDown int
	worst                                        float64
	calm, calmHarmed                             int // of cells with utilization below 0.9
}

func tallies(rows []harmRow) ([]harmGroup, map[harmGroup]*tally) {
	groups := map[harmGroup]*tally{}
	var order []harmGroup
	for i := range rows {
		r := &rows[i]
		g := groupOf(r.key())
		t := groups[g]
		if t == nil {
			t = &tally{}
			groups[g] = t
			order = append(order, g)
		}
		t.cells++
		if r.during.Excludes(0) > 0 {
			t.helped++
		}
		harmed := r.during.Excludes(0) < 0 && r.during.Estimate <= -harmBorder
		if harmed {
			t.harmed++
		}
		t.worst = min(t.worst, r.during.Estimate)
		if r.nr.number("utilization") < 0.9 {
			t.calm++
			if harmed {
				t.calmHarmed++
			}
		}
		if r.after.Excludes(0) < 0 && r.after.Estimate <= -0.05 {
			t.harmedAfter++
		}
		_, staying := r.sr.collapsed()
		if _, anyway := r.nr.collapsed(); staying.Estimate > 0.5 && anyway.Estimate <= 0.5 {
			t.stayDown++
		}
	}
	return order, groups
}

// harmCounts is the table of how many cells of the map harm.
func harmCounts(rows []harmRow) *table.Table {
	t := &table.Table{
		Name: "harm-counts", Label: "Harm map in numbers", Title: "Cells of the map in which retries help and harm",
		Caption: "Certain: the 95% interval of the paired difference lies on one side of zero; harm during the fault counts from half a percentage point on, after it from five. " +
			"Drain time: room divided by the 1000/s that each tier can finish. Stays down: with retries, and not without, more than half of the trials collapse and do not recover within 30 s (docs/adr/0030-collapse.md).",
		Method: "Counts of cells of the map; intervals by Student's t on paired trials.",
		Fields: []string{"retries_at", "workers", "timeout", "cells", "helped", "harmed", "worst", "calm", "calm_harmed", "harmed_after", "stay_down"},
		Columns: []table.Column{
			{Head: "Retries at", Field: "retries_at"}, {Head: "Workers", Field: "workers"}, {Head: "Attempt timeout", Field: "timeout"},
			{Head: "Cells", Field: "cells"}, {Head: "Helped", Field: "helped"}, {Head: "Harmed", Field: "harmed"},
			{Head: "Worst, pp", Field: "worst", Digits: 1, Signed: true},
			{Head: "Cells below utilization 0.9", Field: "calm"}, {Head: "Of them harmed", Field: "calm_harmed"},
			{Head: "Harmed after the fault", Field: "harmed_after"}, {Head: "Stays down", Field: "stay_down"},
		},
	}
	order, groups := tallies(rows)
	for _, g := range order {
		x := groups[g]
		t.Add(table.Text(g.retriesAt), table.Text(g.workers), table.Text(g.timeout), table.Int(int64(x.cells)), table.Int(int64(x.helped)),
			table.Int(int64(x.harmed)), table.Number(100*x.worst), table.Int(int64(x.calm)), table.Int(int64(x.calmHarmed)),
			table.Int(int64(x.harmedAfter)), table.Int(int64(x.stayDown)))
	}
	return t
}

// harmFindings are the two lines that the map says, with its numbers.
func harmFindings(rows []harmRow) []string {
	_, groups := tallies(rows)
	sum := func(retriesAt, workers, timeout string) tally {
		var all tally
		for g, t := range groups {
			if (retriesAt == "" || g.retriesAt == retriesAt) && (workers == "" || g.workers == workers) && (timeout == "" || g.timeout == timeout) {
				all.cells += t.cells
				all.helped += t.helped
				all.harmed += t.harmed
				all.harmedAfter += t.harmedAfter
				all.stayDown += t.stayDown
				all.worst = min(all.worst, t.worst)
			}
		}
		return all
	}
	free, held := sum("", "released", "none"), sum("hops", "held", "none")
	short, long := sum("", "", "at most the drain time"), sum("", "", "longer than the drain time")
	return []string{
		fmt.Sprintf("Without timeouts and with workers released while they wait, retries help requests during the fault in %d of %d cells of the map and harm in %d, by %.1f pp at most; where every hop retries and holds its worker, they harm in %d of %d.",
			free.helped, free.cells, free.harmed, math.Abs(100*free.worst), held.harmed, held.cells),
		fmt.Sprintf("Where an attempt times out no later than a full queue drains, retries keep the system down after the fault in %d of %d cells; with longer timeouts in %d of %d.",
			short.stayDown, short.cells, long.stayDown, long.cells),
	}
}
