package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"retrylab/results"
)

// mainExperiment is the experiment that the paper's Tables III to V are set against.
const mainExperiment = "reference"

// data is all that a report is made from.
type data struct {
	cells   []results.Cell
	trials  []results.Trial
	main    *experiment // whose tables and time series are shown; nil without any cell
	windows *windows    // of main; nil without table windows
}

// pair names a cell within an experiment.
type pair struct{ strategy, scenario string }

// experiment is the rows of one experiment, by strategy and scenario.
type experiment struct {
	name                  string
	strategies, scenarios []string // in order of first appearance in table cells
	cells                 map[pair]results.Cell
	trials                map[pair][]results.Trial // in order of trial
}

// isReference says whether the paper's and the authors' figures apply.
func (e *experiment) isReference() bool { return e != nil && e.name == mainExperiment }

// chooseMain returns the name of the reference experiment, or else of the first one; "" without cells.
func chooseMain(cells []results.Cell) string {
	for _, c := range cells {
		if c.Experiment == mainExperiment {
			return mainExperiment
		}
	}
	if len(cells) == 0 {
		return ""
	}
	return cells[0].Experiment
}

// experiment collects the rows of one experiment. An experiment whose cells differ in more than
// strategy and scenario (a sweep) has no such table, and that is an error.
func (d *data) experiment(name string) (*experiment, error) {
	e := &experiment{name: name, cells: map[pair]results.Cell{}, trials: map[pair][]results.Trial{}}
	ids := map[string]pair{}
	for _, c := range d.cells {
		if c.Experiment != name {
			continue
		}
		p := pair{c.Strategy, c.Scenario}
		if other, ok := e.cells[p]; ok {
			return nil, fmt.Errorf("experiment %s: cells %s and %s have the same strategy %s and scenario %s", name, other.Cell, c.Cell, p.strategy, p.scenario)
		}
		e.cells[p], ids[c.Cell] = c, p
		e.strategies = appendNew(e.strategies, c.Strategy)
		e.scenarios = appendNew(e.scenarios, c.Scenario)
	}
	for _, t := range d.trials {
		if p, ok := ids[t.Cell]; ok && t.Experiment == name {
			e.trials[p] = append(e.trials[p], t)
		}
	}
	for _, trials := range e.trials {
		slices.SortStableFunc(trials, func(a, b results.Trial) int { return int(a.Trial - b.Trial) })
	}
	return e, nil
}

func appendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// sample says how many trials a cell has and from which seeds, e.g. "n = 100 trials per cell; seed 1".
func (e *experiment) sample() string {
	fewest, most := -1, 0
	var seeds []uint64
	for _, strategy := range e.strategies {
		for _, scenario := range e.scenarios {
			trials, ok := e.trials[pair{strategy, scenario}]
			if !ok {
				continue
			}
			if fewest < 0 || len(trials) < fewest {
				fewest = len(trials)
			}
			most = max(most, len(trials))
			for i := range trials {
				if !slices.Contains(seeds, trials[i].Seed) {
					seeds = append(seeds, trials[i].Seed)
				}
			}
		}
	}
	n := strconv.Itoa(max(fewest, 0))
	if most > fewest {
		n += " to " + strconv.Itoa(most)
	}
	return fmt.Sprintf("n = %s trials per cell; %s", n, seedText(seeds))
}

func seedText(seeds []uint64) string {
	texts := make([]string, len(seeds))
	for i, seed := range seeds {
		texts[i] = strconv.FormatUint(seed, 10)
	}
	if len(seeds) == 1 {
		return "seed " + texts[0]
	}
	return "seeds " + strings.Join(texts, ", ")
}

// faultSpan is when the faults of a cell last, in seconds; false without faults.
func faultSpan(c results.Cell) (from, to float64, ok bool) {
	if c.FaultFromNs < 0 {
		return 0, 0, false
	}
	return float64(c.FaultFromNs) / 1e9, float64(c.FaultToNs) / 1e9, true
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}
