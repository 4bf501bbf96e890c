package claims

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"retrylab/analysis"
	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/results"
)

// Key names a cell: its experiment (a model's name, mostly), scenario, strategy, and factors.
type Key struct{ Experiment, Scenario, Strategy, Factors string }

// With is the same cell with another strategy.
func (k Key) With(strategy string) Key { k.Strategy = strategy; return k }

// noRetry is the cell that faces the same requests without retries.
func (k Key) noRetry() Key {
	if k.Experiment == "reference-budgets" {
		k.Experiment = "reference"
	}
	if k.Factors == "services[*].signal.relay_hops=4" {
		k.Factors = "" // signals change nothing without retries
	}
	return k.With("NR")
}

// GainPerArrival is the paired difference of success per arrival to no retries, in points.
func (e *Evidence) GainPerArrival(k Key) analysis.Difference {
	return e.Difference(measure.SuccessPerArrival, k, k.noRetry(), 100)
}

// Evidence is the rows of a run, by cell. A cell that was not run has no trials, and every number
// about it is missing, not 0.
type Evidence struct {
	// Notice is printed with every result, e.g. that this is a quick run; may be empty.
	Notice string

	cells  map[Key]results.Cell
	trials map[Key][]results.Trial
	// By trial, like trials: attempts that arrived at each service, and what happened on the edges.
	arrived map[Key]map[string][]float64
	edges   map[Key][]Edges
	served  map[Key]map[string]served
	series  map[Key]*series
	harm    []harmCell // of the sweep, if its results are there
	study   *Study     // of repositories, if its rows are there
}

// Edges is what happened in a trial on the edges on which a strategy decides, added up.
type Edges struct {
	Ended, Succeeded  int64 // attempts
	Retries           int64 // attempts with number 2 or more
	Signalled         int64 // replies that carried an overload signal
	Limit             int64 // failed attempts that were not retried: no attempts left
	Budget, Coin      int64 // no budget; the draw was against it
	Breaker, Signal   int64 // breaker open; downstream overloaded
	Outcome, Deadline int64 // an outcome that is never retried; too late
}

// Failed is the number of attempts that did not succeed.
func (e *Edges) Failed() int64 { return e.Ended - e.Succeeded }

func (e *Edges) add(r *results.Edge) {
	e.Ended += r.AttemptsEnded
	e.Succeeded += r.Succeeded
	e.Retries += r.AttemptsRetry
	e.Signalled += r.Signalled
	e.Limit += r.DeniedLimit
	e.Budget += r.DeniedBudget
	e.Coin += r.DeniedCoin
	e.Breaker += r.DeniedBreaker
	e.Signal += r.DeniedSignal
	e.Outcome += r.DeniedOutcome
	e.Deadline += r.DeniedDeadline
}

// Load reads the rows in dir/data. Tables services, edges and windows may be missing; what needs them is
// then missing too. If dir/../sweeps holds the harm map, or dir/data/study the study of repositories, it is read as well.
func Load(dir string) (*Evidence, error) {
	e := &Evidence{
		cells: map[Key]results.Cell{}, trials: map[Key][]results.Trial{}, arrived: map[Key]map[string][]float64{},
		edges: map[Key][]Edges{}, series: map[Key]*series{}, served: map[Key]map[string]served{},
	}
	keys, err := e.loadTrials(dir)
	if err != nil {
		return nil, err
	}
	harm, err := loadHarm(filepath.Join(dir, "..", "sweeps", "harm-map", "tables", "harm-map.csv"))
	if err != nil {
		return nil, err
	}
	e.harm = harm
	if e.study, err = loadStudy(filepath.Join(dir, filepath.FromSlash(StudyFolder))); err != nil {
		return nil, err
	}
	return e, errors.Join(
		each(dir, func(r *results.Service) { e.addService(keys[cellID{r.Experiment, r.Cell}], r) }),
		each(dir, func(r *results.Edge) { e.addEdge(keys[cellID{r.Experiment, r.Cell}], r) }),
		each(dir, func(r *results.Window) { e.addWindow(keys[cellID{r.Experiment, r.Cell}], r) }),
	)
}

type cellID struct{ experiment, cell string }

func (e *Evidence) loadTrials(dir string) (map[cellID]Key, error) {
	keys := map[cellID]Key{}
	err := each(dir, func(r *results.Cell) {
		k := Key{r.Experiment, r.Scenario, r.Strategy, r.Factors}
		keys[cellID{r.Experiment, r.Cell}] = k
		e.cells[k] = *r
	})
	if err != nil {
		return nil, err
	}
	err = each(dir, func(r *results.Trial) {
		k := keys[cellID{r.Experiment, r.Cell}]
		e.trials[k] = append(e.trials[k], *r)
	})
	for _, trials := range e.trials {
		slices.SortStableFunc(trials, func(a, b results.Trial) int { return cmp.Compare(a.Trial, b.Trial) })
	}
	return keys, err
}

// each visits the rows of a table; a table that is not there has none.
func each[T results.Row](dir string, visit func(*T)) error {
	var row T
	path := filepath.Join(dir, "data", row.TableName()+".parquet")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for batch, err := range results.Batches[T](path) {
		if err != nil {
			return err
		}
		for i := range batch.Rows {
			visit(&batch.Rows[i])
		}
	}
	return nil
}

func (e *Evidence) addService(k Key, r *results.Service) {
	if e.arrived[k] == nil {
		e.arrived[k] = map[string][]float64{}
	}
	counts := e.arrived[k][r.Service]
	for len(counts) <= int(r.Trial) {
		counts = append(counts, 0)
	}
	counts[r.Trial] = float64(r.Attempts)
	e.arrived[k][r.Service] = counts
	if e.served[k] == nil {
		e.served[k] = map[string]served{}
	}
	s := e.served[k][r.Service]
	e.served[k][r.Service] = served{s.workNs + float64(r.WorkNs), s.times + float64(r.Served), float64(r.Servers)}
}

// served is what a service did in all trials.
type served struct{ workNs, times, servers float64 }

// entryLoad is the load offered to the entry of a chain whose workers are held while they wait, before any fault: the offered rate
// times the service times of all tiers, as measured, over the entry's workers. In percent.
func (e *Evidence) entryLoad(k Key, entry string) float64 {
	held := 0.0
	for _, tier := range facts.Paper().Setup.Tiers {
		s := e.served[k][tier]
		held += s.workNs / 1e9 / s.times
	}
	return 100 * e.cells[k].OfferedPerS * held / e.served[k][entry].servers
}

func (e *Evidence) addEdge(k Key, r *results.Edge) {
	if !decides(k.Experiment, r.Edge) {
		return
	}
	list := e.edges[k]
	for len(list) <= int(r.Trial) {
		list = append(list, Edges{})
	}
	list[r.Trial].add(r)
	e.edges[k] = list
}

// Has says whether all cells were run.
func (e *Evidence) Has(keys ...Key) bool {
	for _, k := range keys {
		if len(e.trials[k]) < 2 {
			return false
		}
	}
	return true
}

// Trials are the rows of a cell, in order of trial.
func (e *Evidence) Trials(k Key) []results.Trial { return e.trials[k] }

// Cell is the row of a cell.
func (e *Evidence) Cell(k Key) results.Cell { return e.cells[k] }

// Over is a ratio's mean over the trials of a cell, times scale.
func (e *Evidence) Over(r measure.Ratio, k Key, scale float64) analysis.Interval {
	return r.Over(e.trials[k], scale)
}

// Difference is the paired difference a - b of a ratio, over the trials that both cells have, times scale.
func (e *Evidence) Difference(r measure.Ratio, a, b Key, scale float64) analysis.Difference {
	n := min(len(e.trials[a]), len(e.trials[b]))
	d := analysis.Paired(r.PerTrial(e.trials[a][:n]), r.PerTrial(e.trials[b][:n]), measure.Level)
	d.Interval = d.Scale(scale)
	return d
}

// RAF is the amplification of a service by eq. 1: attempts that arrived / those of the same trial without retries.
func (e *Evidence) RAF(k Key, service string) analysis.Interval {
	with, without := e.arrived[k][service], e.arrived[k.noRetry()][service]
	n := min(len(with), len(without))
	return analysis.MeanOfRatios(with[:n], without[:n], measure.Level)
}

// Detailed is the number of a cell's trials of which services and edges are recorded: RAF and OnEdges are over these.
func (e *Evidence) Detailed(k Key) int { return len(e.edges[k]) }

// OnEdges is the mean over trials of a ratio of what happened on the edges on which the strategy decides.
func (e *Evidence) OnEdges(k Key, top, bottom func(*Edges) int64, scale float64) analysis.Interval {
	list := e.edges[k]
	a, b := make([]float64, len(list)), make([]float64, len(list))
	for i := range list {
		a[i], b[i] = float64(top(&list[i])), float64(bottom(&list[i]))
	}
	return analysis.MeanOfRatios(a, b, measure.Level).Scale(scale)
}

// Recovery is the median time from the end of the fault until goodput is back, in seconds, by Kaplan and Meier.
func (e *Evidence) Recovery(k Key) analysis.Interval {
	c := e.cells[k]
	var times []float64
	var back []bool
	for _, t := range e.trials[k] {
		ns := t.RecoveryNs
		if !t.Recovered {
			ns = max(0, c.DurationNs-c.FaultToNs)
		}
		times, back = append(times, float64(ns)/1e9), append(back, t.Recovered)
	}
	return analysis.KaplanMeier(times, back).Median(measure.Level)
}
