package sweeps

import (
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"retrylab/analysis"
	"retrylab/report"
	"retrylab/results"
)

// cell is a cell with what its trials say.
type cell struct {
	results.Cell
	summary
	factors map[string]results.Value
	tells   bool               // a time to recover has a meaning in its trials
	values  map[string]float64 // what a part of the report has computed of it, by name
}

// data is a sweep's rows.
type data struct {
	name       string
	about      string
	factors    []results.ExtraColumn
	cells      []*cell
	strategies []string // in order of appearance
	manifest   *results.Manifest
	dir        string
}

// number is a factor's value as a number; NaN if the cell does not have the factor or it is a text.
func (c *cell) number(factor string) float64 {
	v, ok := c.factors[factor]
	if !ok {
		return math.NaN()
	}
	return v.Float
}

// text is a factor's value as a text.
func (c *cell) text(factor string) string { return c.factors[factor].Text }

// tablePath is where a sweep's table is, or an error if there is none or more than one.
func tablePath(dir, table string) (string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "data", table, "experiment=*", "*.parquet"))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("%s: %d files of table %s, expected one", dir, len(found), table)
	}
	return found[0], nil
}

// load reads cells and trials.
func load(dir string, m *results.Manifest) (*data, error) {
	d, err := loadCells(dir, m)
	if err != nil {
		return nil, err
	}
	path, err := tablePath(dir, results.Trial{}.TableName())
	if err != nil {
		return nil, err
	}
	return d, d.summarize(results.Batches[results.Trial](path))
}

// loadCells reads the cells, whose trials are not known yet.
func loadCells(dir string, m *results.Manifest) (*data, error) {
	d := &data{manifest: m, dir: dir}
	path, err := tablePath(dir, results.Cell{}.TableName())
	if err != nil {
		return nil, err
	}
	rows, err := results.ReadExtra[results.Cell](path)
	if err != nil {
		return nil, err
	}
	for _, e := range rows.Extra {
		d.factors = append(d.factors, e.ExtraColumn)
	}
	for i, r := range rows.Rows {
		c := &cell{Cell: r, factors: map[string]results.Value{}, values: map[string]float64{}}
		if c.tells, err = tellsRecovery(&r); err != nil {
			return nil, err
		}
		for k := range rows.Extra {
			c.factors[rows.Extra[k].Name] = rows.Extra[k].At(i)
		}
		d.name = r.Experiment
		d.cells = append(d.cells, c)
		d.addStrategy(r.Strategy)
	}
	if m != nil {
		d.about = m.Parameters[results.ParameterAbout]
	}
	return d, nil
}

// shapesKept bounds the trials of all cells together whose shares are kept to know their shape; each cell has those
// of leastShape trials in any case.
const (
	shapesKept = 1_000_000
	leastShape = 50
)

// summarize reads the trials, of which only the first cell's of one point are held at a time.
func (d *data) summarize(trials iter.Seq2[results.Batch[results.Trial], error]) error {
	index := map[string]*cell{}
	for _, c := range d.cells {
		index[c.Cell.Cell] = c
	}
	shape := min(max(shapesKept/max(len(d.cells), 1), leastShape), analysis.HumpSample)
	var (
		now   *adder // of the cell whose trials come
		point string
		first []counts // of the trials of the point's first cell
		leads bool     // now is that cell
		known = map[string]bool{}
	)
	for b, err := range trials {
		if err != nil {
			return err
		}
		for i := range b.Rows {
			t := &b.Rows[i]
			if now == nil || t.Cell != now.cell.Cell.Cell {
				c := index[t.Cell]
				if c == nil || c.summary.trials > 0 {
					return fmt.Errorf("%s: trials of cell %s, which is not in table cells or has other rows between its own", d.dir, t.Cell)
				}
				if now != nil {
					now.finish()
				}
				now = newAdder(c, shape, own[d.name].trials)
				key := d.pointOf(c)
				leads = key != point
				if leads && known[key] {
					return fmt.Errorf("%s: cell %s is away from the others of its point", d.dir, t.Cell)
				}
				if leads {
					point, known[key], first = key, true, first[:0]
					if len(d.strategies) > 1 {
						first = slices.Grow(first, int(min(max(c.Trials, 0), 1<<20)))
					}
				}
			}
			counted := now.add(t)
			switch n := now.cell.summary.trials - 1; {
			case leads:
				now.pair(counted, counted)
				if len(d.strategies) > 1 {
					first = append(first, counted)
				}
			case n < len(first):
				now.pair(counted, first[n])
			}
		}
	}
	if now != nil {
		now.finish()
	}
	return nil
}

// sample says how many trials a cell has, e.g. "n = 20 trials per cell."
func (d *data) sample() string {
	var counts []int
	for _, c := range d.cells {
		counts = append(counts, c.trials)
	}
	return report.SampleText(counts) + "."
}

func (d *data) addStrategy(name string) {
	if !slices.Contains(d.strategies, name) {
		d.strategies = append(d.strategies, name)
	}
}

// pointOf identifies a cell's point: all but its strategy.
func (d *data) pointOf(c *cell) string {
	parts := []string{c.Model, c.Scenario}
	for _, f := range d.factors {
		v := c.factors[f.Name]
		parts = append(parts, fmt.Sprint(v.Float, v.Text))
	}
	return strings.Join(parts, "|")
}

// byPoint groups the cells by point, in order; each group has one cell a strategy.
func (d *data) byPoint() [][]*cell {
	index := map[string]int{}
	var groups [][]*cell
	for _, c := range d.cells {
		key := d.pointOf(c)
		i, ok := index[key]
		if !ok {
			i = len(groups)
			index[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}
