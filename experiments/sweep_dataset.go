package experiments

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"retrylab/results"
)

// sweepDataset writes the tables of a sweep, below data/TABLE/experiment=NAME/part-0.parquet: readers take such a
// folder of partitions as one table, and the partition's key is in the rows too.
type sweepDataset struct {
	dir    string
	rows   sweepCells
	tables []table
	names  []string
	closed bool
}

// sweepCells are the rows of table cells, the trials in them being those of this part of the sweep, and what else
// is to be known of the tables.
type sweepCells struct {
	name                     string // of the experiment
	cells                    []results.Cell
	columns                  []results.ExtraColumn
	values                   [][]results.Value // of each cell in the columns
	services, edges, windows bool              // tables that are recorded
}

// cellRows are the rows of a sweep of which that many trials of each cell are run.
func (s *Sweep) cellRows(trials []int) sweepCells {
	rows := sweepCells{name: s.Name, columns: s.Columns, values: s.Values, services: s.Services, edges: s.Edges, windows: s.Windows}
	for i, c := range s.Cells {
		rows.cells = append(rows.cells, cellRow(c, trials[i]))
	}
	return rows
}

// partition is where a table of an experiment is within a folder of results, with slashes.
func partition(table, experiment string) string {
	return fmt.Sprintf("data/%s/experiment=%s/part-0.parquet", table, experiment)
}

// openTable starts a table.
func openTable[T results.Row](d *sweepDataset, extra []results.ExtraColumn) (*results.Writer[T], error) {
	var row T
	name := partition(row.TableName(), d.rows.name)
	path := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	w, err := results.NewWriter[T](path, results.Options{Extra: extra})
	if err != nil {
		return nil, err
	}
	d.tables, d.names = append(d.tables, w), append(d.names, name)
	return w, nil
}

// write writes all tables from parts, each of which holds its rows cell by cell; of a cell, the parts follow
// each other.
func (d *sweepDataset) write(from sweepParts) error {
	cells, err := openTable[results.Cell](d, d.rows.columns)
	if err != nil {
		return err
	}
	for i := range d.rows.cells {
		if err := cells.AppendExtra(d.rows.cells[i:i+1], d.rows.values[i]); err != nil {
			return err
		}
	}
	w, err := openTable[results.Trial](d, d.rows.columns)
	if err != nil {
		return err
	}
	counts, err := joinParts(d.rows.cells, from.trials, func(r *results.Trial) string { return r.Cell }, func(cell int, rows []results.Trial) error {
		return w.AppendExtra(rows, d.rows.values[cell])
	})
	if err != nil {
		return err
	}
	if err := holes(d.rows.cells, counts); err != nil {
		return err
	}
	if d.rows.services {
		err = errors.Join(err, plainTable(d, from.services, func(r *results.Service) string { return r.Cell }))
	}
	if d.rows.edges {
		err = errors.Join(err, plainTable(d, from.edges, func(r *results.Edge) string { return r.Cell }))
	}
	if d.rows.windows {
		err = errors.Join(err, plainTable(d, from.windows, func(r *results.Window) string { return r.Cell }))
	}
	return err
}

// plainTable writes a table without the factors' columns.
func plainTable[T results.Row](d *sweepDataset, parts []iter.Seq2[results.Batch[T], error], cellOf func(*T) string) error {
	w, err := openTable[T](d, nil)
	if err != nil {
		return err
	}
	_, err = joinParts(d.rows.cells, parts, cellOf, func(_ int, rows []T) error { return w.Append(rows) })
	return err
}

// close publishes the tables.
func (d *sweepDataset) close() ([]results.FileEntry, error) {
	defer d.abort()
	var entries []results.FileEntry
	for i, t := range d.tables {
		if err := t.Close(); err != nil {
			return nil, err
		}
		e := t.Entry()
		e.Name = d.names[i]
		entries = append(entries, e)
	}
	d.closed = true
	return entries, nil
}

func (d *sweepDataset) abort() {
	if d.closed {
		return
	}
	d.closed = true
	for _, t := range d.tables {
		t.Abort()
	}
}

// sweepParts are streams of rows that together make a sweep's tables.
type sweepParts struct {
	trials   []iter.Seq2[results.Batch[results.Trial], error]
	services []iter.Seq2[results.Batch[results.Service], error]
	edges    []iter.Seq2[results.Batch[results.Edge], error]
	windows  []iter.Seq2[results.Batch[results.Window], error]
}

// joinParts hands the rows of each cell to sink, part after part, and counts them. A row of an unknown cell, or
// of a cell out of order, is an error.
func joinParts[T results.Row](cells []results.Cell, parts []iter.Seq2[results.Batch[T], error], cellOf func(*T) string, sink func(cell int, rows []T) error) ([]int, error) {
	var open []*part[T]
	defer func() {
		for _, p := range open {
			p.stop()
		}
	}()
	for _, seq := range parts {
		p := &part[T]{}
		p.next, p.stop = iter.Pull2(seq)
		open = append(open, p)
	}
	counts := make([]int, len(cells))
	for i := range cells {
		id := cells[i].Cell
		for _, p := range open {
			n, err := p.hand(func(r *T) bool { return cellOf(r) == id }, func(rows []T) error { return sink(i, rows) })
			if err != nil {
				return nil, err
			}
			counts[i] += n
		}
	}
	for _, p := range open {
		rows, err := p.rest()
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 {
			return nil, fmt.Errorf("%w: rows of cell %q, which is not one of the sweep, or not where it belongs", ErrIncompatible, cellOf(&rows[0]))
		}
	}
	return counts, nil
}

// hand hands over the rows up to the first that does not belong, and counts them.
func (p *part[T]) hand(belongs func(*T) bool, sink func([]T) error) (int, error) {
	total := 0
	for {
		rows, err := p.rest()
		if err != nil || len(rows) == 0 {
			return total, err
		}
		n := 0
		for n < len(rows) && belongs(&rows[n]) {
			n++
		}
		if n > 0 {
			if err := sink(rows[:n]); err != nil {
				return total, err
			}
		}
		total += n
		p.rows = rows[n:]
		if n < len(rows) {
			return total, nil
		}
	}
}
