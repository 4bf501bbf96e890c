package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"retrylab/engine"
	"retrylab/internal/yamldoc"
	"retrylab/results"
)

// Replayed is a trial that was run again.
type Replayed struct {
	// Rows are what it gave this time.
	Rows *Rows
	// Differences say in which stored values it differs; empty if the rows are equal.
	Differences []string
}

// Replay runs a trial of the results in dir again, from the model that they hold, and compares it with
// the stored rows. trace, unless nil, is told everything that happens, with the program that names the
// edges. Errors: results that cannot be read, or a trial that is not among them.
func Replay(dir, id string, trace func(*engine.Program, engine.TraceEvent)) (*Replayed, error) {
	cell, trial, err := findTrial(dir, id)
	if err != nil {
		return nil, err
	}
	c, err := storedCell(cell)
	if err != nil {
		return nil, err
	}
	sim := engine.NewSim()
	if trace != nil {
		sim.Trace(func(e engine.TraceEvent) { trace(c.Program, e) })
	}
	stored := &Rows{Trial: *trial}
	if err := readRows(dir, stored); err != nil {
		return nil, err
	}
	tally := sim.Run(c.Program, engine.Key{Seed: trial.Seed, Environment: trial.Environment, Trial: uint64(trial.Trial)})
	rec := recorder{seed: trial.Seed}
	r := &Replayed{Rows: new(Rows)}
	// Every model has services and edges, so of what has no rows none were recorded.
	recorded := details{services: len(stored.Services) > 0, edges: len(stored.Edges) > 0, windows: len(stored.Windows) > 0}
	rec.record(r.Rows, c, int(trial.Trial), tally, recorded)
	r.Differences = compareRows(stored, r.Rows)
	return r, nil
}

// findTrial looks a trial and its cell up by the trial's id; an id without its experiment is enough.
func findTrial(dir, id string) (*results.Cell, *results.Trial, error) {
	name, number, ok := cutLast(id, ":")
	n, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || n < 0 {
		return nil, nil, badTrial(id, "expected CELL:NUMBER, e.g. reference/S1/SR:17")
	}
	cells, err := results.Read[results.Cell](tablePath[results.Cell](dir))
	if err != nil {
		return nil, nil, err
	}
	var known []string
	for i := range cells {
		known = append(known, cells[i].Cell)
		if cells[i].Cell != name {
			continue
		}
		for b, err := range results.Batches[results.Trial](tablePath[results.Trial](dir)) {
			if err != nil {
				return nil, nil, err
			}
			for _, t := range b.Rows {
				if t.Cell == name && t.Experiment == cells[i].Experiment && t.Trial == n {
					return &cells[i], &t, nil
				}
			}
		}
		return nil, nil, badTrial(id, fmt.Sprintf("cell %s has no trial %d here, it has %d in all", name, n, cells[i].Trials))
	}
	return nil, nil, badTrial(id, "no cell of this name"+cmp.Or(yamldoc.Suggest(name, known), nearNames(name, known)))
}

// badTrial is a mistake of whoever named the trial.
func badTrial(id, text string) error {
	return yamldoc.Problems{{File: fmt.Sprintf("trial %q", id), Text: text}}
}

// nearNames shows the cells that share most parts of their names with the given one, since there may be hundreds.
func nearNames(name string, known []string) string {
	const most = 5
	parts := func(id string) []string {
		return strings.FieldsFunc(id, func(r rune) bool { return r == '/' || r == ',' })
	}
	given := parts(name)
	shared := func(id string) int {
		n := 0
		for _, p := range parts(id) {
			if slices.Contains(given, p) {
				n++
			}
		}
		return n
	}
	near := slices.Clone(known)
	slices.SortStableFunc(near, func(a, b string) int { return shared(b) - shared(a) })
	if len(near) > most {
		return fmt.Sprintf(", the nearest of %d are %s", len(near), strings.Join(near[:most], ", "))
	}
	return ", expected one of " + strings.Join(near, ", ")
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// storedCell composes a cell from its row.
func storedCell(row *results.Cell) (*Cell, error) {
	src, err := ParseSource("model_yaml of cell "+row.Cell, []byte(row.ModelYAML))
	if err != nil {
		return nil, err
	}
	c, err := Compose(Parts{Model: src})
	if err != nil {
		return nil, err
	}
	if c.SHA256 != row.ModelSHA256 {
		return nil, fmt.Errorf("cell %s: its model has hash %s, expected %s", row.Cell, c.SHA256, row.ModelSHA256)
	}
	c.Experiment, c.Model, c.Scenario, c.Strategy, c.id = row.Experiment, row.Model, row.Scenario, row.Strategy, row.Cell
	return c, nil
}

// readRows reads the stored rows of stored.Trial.
func readRows(dir string, stored *Rows) error {
	t := &stored.Trial
	var err error
	if stored.Services, err = rowsOf(dir, func(r *results.Service) bool {
		return r.Cell == t.Cell && r.Trial == t.Trial && r.Experiment == t.Experiment
	}); err != nil {
		return err
	}
	if stored.Edges, err = rowsOf(dir, func(r *results.Edge) bool {
		return r.Cell == t.Cell && r.Trial == t.Trial && r.Experiment == t.Experiment
	}); err != nil {
		return err
	}
	stored.Windows, err = rowsOf(dir, func(r *results.Window) bool {
		return r.Cell == t.Cell && r.Trial == t.Trial && r.Experiment == t.Experiment
	})
	return err
}

func rowsOf[T results.Row](dir string, want func(*T) bool) ([]T, error) {
	if unrecorded[T](dir) {
		return nil, nil
	}
	var found []T
	for b, err := range results.Batches[T](tablePath[T](dir)) {
		if err != nil {
			return nil, err
		}
		for i := range b.Rows {
			if want(&b.Rows[i]) {
				found = append(found, b.Rows[i])
			}
		}
	}
	return found, nil
}

// compareRows says where two trials' rows differ.
func compareRows(stored, again *Rows) []string {
	list := compareStructs("trials", stored.Trial, again.Trial)
	list = append(list, compareAll("services", stored.Services, again.Services)...)
	list = append(list, compareAll("edges", stored.Edges, again.Edges)...)
	return append(list, compareAll("windows", stored.Windows, again.Windows)...)
}

func compareAll[T comparable](table string, stored, again []T) []string {
	if len(stored) != len(again) {
		return []string{fmt.Sprintf("%s: %d rows stored, %d now", table, len(stored), len(again))}
	}
	var list []string
	for i := range stored {
		list = append(list, compareStructs(fmt.Sprintf("%s row %d", table, i), stored[i], again[i])...)
	}
	return list
}
