package claims

import (
	"fmt"
	"strings"

	"retrylab/analysis"
	"retrylab/report/measure"
)

// harmPoints is by how much success must fall, whole interval, for retries to harm: a share, not points.
const harmPoints = 0.01

// HarmGroup is a part of the cells that were looked at for harm, alike in where retries are made, what workers do and whether
// attempts time out.
type HarmGroup struct {
	// Name says what the cells have in common.
	Name string
	// Cells that were looked at; Harmed of them, success per request was lower with retries, during or after the fault.
	Cells, Harmed int
	// timeouts says whether attempts time out; held whether workers are held while they wait, hops where retries are made.
	timeouts, held, hops bool
}

// Share is the harmed cells in percent. The cells are a design, not a sample, so it has no interval.
func (g HarmGroup) Share() analysis.Interval {
	x := 100 * float64(g.Harmed) / float64(g.Cells)
	return analysis.Interval{Estimate: x, Low: x, High: x, N: g.Cells}
}

// HarmGroups counts the cells of the harm map, or, where there is no map, the cells with timeouts of this run.
func (e *Evidence) HarmGroups() []HarmGroup {
	var groups []HarmGroup
	if len(e.harm) == 0 {
		g := HarmGroup{Name: "50% load, retries at the client, workers held, timeouts 0.5 s to 2 s", timeouts: true, held: true}
		for _, room := range Rooms {
			for _, timeout := range Timeouts {
				d := e.Difference(measure.SuccessPerArrival, TimeoutKey("SR-text", timeout, room), TimeoutKey("NR", timeout, room), 1)
				g.count(d.High < -harmPoints)
			}
		}
		return append(groups, g)
	}
	for _, cell := range e.harm {
		g := HarmGroup{timeouts: cell.timeoutS > 0, held: cell.workers == "held", hops: cell.retriesAt == "hops"}
		g.Name = fmt.Sprintf("retries at the %s, workers %s, %s", map[bool]string{true: "hops", false: "client"}[g.hops], cell.workers,
			map[bool]string{true: "timeouts", false: "no timeouts"}[g.timeouts])
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
		groups[at].count(cell.duringHi < -harmPoints || cell.afterHi < -harmPoints)
	}
	return groups
}

func (g *HarmGroup) count(harmed bool) {
	g.Cells++
	if harmed {
		g.Harmed++
	}
}

// HasHarmMap says whether the sweep's results were there.
func (e *Evidence) HasHarmMap() bool { return len(e.harm) > 0 }

// HarmRule says in plain words what the groups show.
func HarmRule(groups []HarmGroup) string {
	var never, sometimes []string
	for _, g := range groups {
		if g.Harmed == 0 {
			never = append(never, g.Name)
		} else {
			sometimes = append(sometimes, fmt.Sprintf("%s (%d of %d)", g.Name, g.Harmed, g.Cells))
		}
	}
	text := ""
	if len(never) > 0 {
		text += "Never: " + strings.Join(never, "; ") + ". "
	}
	if len(sometimes) > 0 {
		text += "In some: " + strings.Join(sometimes, "; ") + "."
	}
	return strings.TrimSpace(text)
}
