package report

import "retrylab/results"

// phase is a part of a trial as seen from the faults' span.
type phase int

const (
	before phase = iota // all of the trial if there are no faults
	during
	after
	phases
)

// phaseName is what the legend calls a phase.
func (c *windowCell) phaseName(p phase) string {
	if !c.faulty {
		return "whole trial"
	}
	return [phases]string{"before the fault", "during the fault", "after the fault"}[p]
}

// perTrial holds one value a window and trial: [window][trial position].
type perTrial [][]float64

func (p *perTrial) add(window, trial int, value float64) {
	for len(*p) <= window {
		*p = append(*p, nil)
	}
	for len((*p)[window]) <= trial {
		(*p)[window] = append((*p)[window], 0)
	}
	(*p)[window][trial] += value
}

// windowCell is the time series of one cell of the main experiment. Only what figures need is
// kept of the rows, so memory does not grow with the number of columns and stations.
type windowCell struct {
	trials  map[int64]int // number of the trial to its position
	windowS float64       // length of a window in seconds
	faulty  bool          // whether there are faults

	attempts, goodput            perTrial // clients, counts
	queue                        perTrial // services, waiting at the window's end
	budget, failureRate, breaker perTrial // summed over clients
	clients                      []string

	tiers []string                     // services in order of appearance
	busy  map[string]*[phases]perPhase // by service
}

// perPhase sums a service's occupied and available worker time.
type perPhase struct {
	busyNs      []float64 // by trial position
	availableNs []float64
}

// windows is the main experiment's part of table windows.
type windows struct {
	experiment string
	ids        map[string]results.Cell // by id of the cell
	cells      map[pair]*windowCell
}

func newWindows(e *experiment) *windows {
	w := &windows{experiment: e.name, ids: map[string]results.Cell{}, cells: map[pair]*windowCell{}}
	for _, c := range e.cells {
		w.ids[c.Cell] = c
	}
	return w
}

// add takes in one row.
func (w *windows) add(row *results.Window) {
	cell, ok := w.ids[row.Cell]
	if !ok || row.Experiment != w.experiment {
		return
	}
	key := pair{cell.Strategy, cell.Scenario}
	c := w.cells[key]
	if c == nil {
		c = &windowCell{trials: map[int64]int{}, windowS: float64(cell.WindowNs) / 1e9, faulty: cell.FaultFromNs >= 0, busy: map[string]*[phases]perPhase{}}
		w.cells[key] = c
	}
	trial, ok := c.trials[row.Trial]
	if !ok {
		trial = len(c.trials)
		c.trials[row.Trial] = trial
	}
	at := int(row.Window)
	if row.IsClient {
		c.clients = appendNew(c.clients, row.Station)
		c.attempts.add(at, trial, float64(row.Attempts))
		c.goodput.add(at, trial, float64(row.Succeeded))
		c.budget.add(at, trial, row.Budget)
		c.failureRate.add(at, trial, row.FailureRate)
		c.breaker.add(at, trial, row.BreakerOpen)
		return
	}
	c.queue.add(at, trial, float64(row.QueueEnd))
	c.addBusy(row, trial, cell)
}

// addBusy adds a window to its phase; a window that straddles the edge of the faults' span belongs to none.
func (c *windowCell) addBusy(row *results.Window, trial int, cell results.Cell) {
	if row.Servers == 0 {
		return // without limit: no utilization
	}
	byPhase := c.busy[row.Station]
	if byPhase == nil {
		byPhase = new([phases]perPhase)
		c.busy[row.Station] = byPhase
		c.tiers = append(c.tiers, row.Station)
	}
	p, ok := phaseOf(row.Window*cell.WindowNs, (row.Window+1)*cell.WindowNs, cell)
	if !ok {
		return
	}
	sums := &byPhase[p]
	for len(sums.busyNs) <= trial {
		sums.busyNs, sums.availableNs = append(sums.busyNs, 0), append(sums.availableNs, 0)
	}
	sums.busyNs[trial] += float64(row.BusyNs)
	sums.availableNs[trial] += float64(row.Servers) * float64(cell.WindowNs)
}

func phaseOf(from, to int64, cell results.Cell) (phase, bool) {
	switch {
	case to > cell.DurationNs:
		return 0, false // the drain, or cut short
	case cell.FaultFromNs < 0 || to <= cell.FaultFromNs:
		return before, true
	case from >= cell.FaultToNs:
		return after, true
	case from >= cell.FaultFromNs && to <= cell.FaultToNs:
		return during, true
	}
	return 0, false
}

// sample says how many trials' windows there are, e.g. "n = 20 trials per cell".
func (w *windows) sample() string {
	var counts []int
	for _, c := range w.cells {
		counts = append(counts, len(c.trials))
	}
	return SampleText(counts)
}
