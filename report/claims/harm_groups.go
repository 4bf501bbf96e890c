package claims

import (
	"fmt"
	"strings"

	"retrylab/analysis"
	"retrylab/report/measure"
)

// Retries harm in a cell of the harm map if they lower success per arrival by at least this share, whole interval: of the requests that arrive during the
// fault, or of those that arrive after it. The map's own tables count alike.
const (
	harmDuring = 0.005
	harmAfter  = 0.05
)

// nearSaturation is the utilization of the entry, without retries, from which on a cell counts as nearly saturated.
const nearSaturation = 0.9

// drainPerS is how many attempts a tier of the harm map finishes per second when all is well.
const drainPerS = 1000

// HarmGroup is a part of the cells that were looked at for harm, alike in where retries are made, what workers do and how long
// attempts may take.
type HarmGroup struct {
	// Name says what the cells have in common.
	Name string
	// Cells that were looked at, and in how many of them retries harm.
	Cells, Harmed int
	// Below of the cells lie below 0.9 utilization; of them, retries harm in BelowHarmed.
	Below, BelowHarmed int
	// Safe says that the rule counts the group among those where retries do no harm below that utilization.
	Safe bool
}

// Share is the harmed cells in percent. The cells are a design, not a sample, so it has no interval.
func (g HarmGroup) Share() analysis.Interval {
	x := 100 * float64(g.Harmed) / float64(g.Cells)
	return analysis.Interval{Estimate: x, Low: x, High: x, N: g.Cells}
}

// HarmGroups counts the cells of the harm map, or, where there is no map, the cells with timeouts of this run.
func (e *Evidence) HarmGroups() []HarmGroup {
	if len(e.harm) == 0 {
		return []HarmGroup{e.timeoutGroup()}
	}
	var groups []HarmGroup
	for i := range e.harm {
		cell := &e.harm[i]
		g := cell.group()
		at := -1
		for i := range groups {
			if groups[i].Name == g.Name {
				at = i
			}
		}
		if at < 0 {
			at = len(groups)
			groups = append(groups, g)
		}
		groups[at].count(cell.duringHi < -harmDuring || cell.afterHi < -harmAfter, cell.utilization < nearSaturation)
	}
	return groups
}

// group is the group of a cell of the map, without its counts. Safe is the rule in plain words: nobody is held or given up while retries
// wait. Retries are made at the client without timeouts or with such that a full queue drains in, or at the hops with neither held workers nor timeouts.
func (c *harmCell) group() HarmGroup {
	limit := "no timeouts"
	switch {
	case c.timeoutS > c.room/drainPerS:
		limit = "timeouts longer than a full queue drains"
	case c.timeoutS > 0:
		limit = "timeouts no longer than a full queue drains"
	}
	return HarmGroup{
		Name: fmt.Sprintf("retries at the %s, workers %s, %s", c.retriesAt, c.workers, limit),
		Safe: c.retriesAt == "client" && (c.timeoutS == 0 || c.timeoutS > c.room/drainPerS) || c.retriesAt == "hops" && c.workers == "released" && c.timeoutS == 0,
	}
}

// timeoutGroup is the cells with timeouts of this run.
func (e *Evidence) timeoutGroup() HarmGroup {
	g := HarmGroup{Name: "50% load, retries at the client, workers held, timeouts 0.5 s to 2 s"}
	for _, room := range Rooms {
		for _, timeout := range Timeouts {
			d := e.Difference(measure.SuccessPerArrival, TimeoutKey("SR-text", timeout, room), TimeoutKey("NR", timeout, room), 1)
			g.count(d.High < -harmDuring, true)
		}
	}
	return g
}

func (g *HarmGroup) count(harmed, below bool) {
	g.Cells++
	if below {
		g.Below++
	}
	if harmed {
		g.Harmed++
	}
	if harmed && below {
		g.BelowHarmed++
	}
}

// hasHarmMap says whether the sweep's results were there.
func (e *Evidence) hasHarmMap() bool { return len(e.harm) > 0 }

// HarmSplit adds the groups up by the rule: safe ones below 0.9 utilization, the others below it, and all cells from it on.
type HarmSplit struct{ Safe, Risky, Saturated HarmGroup }

// SplitHarm splits the groups by the rule.
func SplitHarm(groups []HarmGroup) HarmSplit {
	var s HarmSplit
	for _, g := range groups {
		part := &s.Risky
		if g.Safe {
			part = &s.Safe
		}
		part.Cells, part.Harmed = part.Cells+g.Below, part.Harmed+g.BelowHarmed
		s.Saturated.Cells, s.Saturated.Harmed = s.Saturated.Cells+g.Cells-g.Below, s.Saturated.Harmed+g.Harmed-g.BelowHarmed
	}
	return s
}

// Holds says whether the map supports the rule: harm in fewer than 1% of the safe cells, and in more than 10% of the risky ones.
func (s HarmSplit) Holds() bool {
	return s.Safe.Cells > 0 && s.Safe.Harmed*100 < s.Safe.Cells && s.Risky.Harmed*10 > s.Risky.Cells
}

// HarmRule says in plain words what the groups show.
func HarmRule(groups []HarmGroup) string {
	s := SplitHarm(groups)
	if s.Safe.Cells == 0 {
		return "There is no harm map in this run."
	}
	var risky []string
	for _, g := range groups {
		if !g.Safe && g.Below > 0 {
			risky = append(risky, fmt.Sprintf("%s, %d of %d", g.Name, g.BelowHarmed, g.Below))
		}
	}
	return fmt.Sprintf("Below %g utilization they harm in %d of %d cells where retries are made at the client with no attempt timeout, or one that a full queue drains in, or at the hops with "+
		"neither held workers nor timeouts. Elsewhere below it in %d of %d: %s. From %g on in %d of %d.",
		nearSaturation, s.Safe.Harmed, s.Safe.Cells, s.Risky.Harmed, s.Risky.Cells, strings.Join(risky, "; "), nearSaturation, s.Saturated.Harmed, s.Saturated.Cells)
}
