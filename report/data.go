package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"retrylab/report/claims"
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

	evidence *claims.Evidence // all rows, as the ledger of claims looks at them
}

// pair names a cell within an experiment.
type pair struct{ strategy, scenario string }

// experiment is the rows of one experiment, or of one point of a sweep, by strategy and scenario.
type experiment struct {
	name, factors         string
	strategies, scenarios []string // in order of first appearance in table cells
	cells                 map[pair]results.Cell
	trials                map[pair][]results.Trial // in order of trial
}

// isReference says whether the paper's and the authors' figures apply.
func (e *experiment) isReference() bool {
	return e != nil && e.name == mainExperiment && e.factors == ""
}

// title names the experiment in prose.
func (e *experiment) title() string {
	if e.factors == "" {
		return "experiment " + e.name
	}
	return "experiment " + e.name + " with " + e.factors
}

// chooseMain returns a cell of the experiment to show: of the unchanged reference experiment, or else the
// first; false without cells.
func chooseMain(cells []results.Cell) (results.Cell, bool) {
	for _, c := range cells {
		if c.Experiment == mainExperiment && c.Factors == "" {
			return c, true
		}
	}
	if len(cells) == 0 {
		return results.Cell{}, false
	}
	return cells[0], true
}

// experiment collects the rows of the cells that have the experiment and the factors of a given one. Cells
// that then still differ in more than strategy and scenario cannot be told apart in a table: an error.
func (d *data) experiment(of results.Cell) (*experiment, error) {
	e := &experiment{name: of.Experiment, factors: of.Factors, cells: map[pair]results.Cell{}, trials: map[pair][]results.Trial{}}
	ids := map[string]pair{}
	for _, c := range d.cells {
		if c.Experiment != of.Experiment || c.Factors != of.Factors {
			continue
		}
		p := pair{c.Strategy, c.Scenario}
		if other, ok := e.cells[p]; ok {
			return nil, fmt.Errorf("experiment %s: cells %s and %s have the same strategy %s, scenario %s and factors", e.name, other.Cell, c.Cell, p.strategy, p.scenario)
		}
		e.cells[p], ids[c.Cell] = c, p
		e.strategies = appendNew(e.strategies, c.Strategy)
		e.scenarios = appendNew(e.scenarios, c.Scenario)
	}
	for _, t := range d.trials {
		if p, ok := ids[t.Cell]; ok && t.Experiment == e.name {
			e.trials[p] = append(e.trials[p], t)
		}
	}
	for _, trials := range e.trials {
		slices.SortStableFunc(trials, func(a, b results.Trial) int { return cmp.Compare(a.Trial, b.Trial) })
	}
	return e, nil
}

func appendNew[T comparable](list []T, item T) []T {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

// sample says how many trials a cell has and from which seeds, e.g. "n = 100 trials per cell; seed 1".
func (e *experiment) sample() string {
	var counts []int
	var seeds []uint64
	for _, strategy := range e.strategies {
		for _, scenario := range e.scenarios {
			trials, ok := e.trials[pair{strategy, scenario}]
			if !ok {
				continue
			}
			counts = append(counts, len(trials))
			for i := range trials {
				seeds = appendNew(seeds, trials[i].Seed)
			}
		}
	}
	return SampleText(counts) + "; " + seedText(seeds)
}

// SampleText says how many trials cells have, e.g. "n = 25 to 100 trials per cell".
func SampleText(counts []int) string {
	if len(counts) == 0 {
		return "n = 0 trials per cell"
	}
	n := strconv.Itoa(slices.Min(counts))
	if most := slices.Max(counts); most > slices.Min(counts) {
		n += " to " + strconv.Itoa(most)
	}
	return "n = " + n + " trials per cell"
}

// sampleOf is SampleText of cells of the evidence.
func (d *data) sampleOf(keys ...claims.Key) string {
	var counts []int
	for _, k := range keys {
		counts = append(counts, len(d.evidence.Trials(k)))
	}
	return SampleText(counts)
}

// sample is what holds for all of the page: tables and figures have their own n.
func (d *data) sample() string {
	var experiments []string
	for _, c := range d.cells {
		experiments = appendNew(experiments, c.Experiment)
	}
	if len(d.trials) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %s, %s in all; %s. Each table and figure says how many trials it rests on.",
		Count(len(experiments), "experiment"), Count(len(d.cells), "cell"), Count(len(d.trials), "trial"), allSeeds(d))
}

// Count is a number with its noun, which takes an s in the plural, e.g. "1 cell" or "2 cells".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
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
