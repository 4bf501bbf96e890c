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
	whole  bool
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

// writeSweep writes the tables of a sweep into a folder and describes them. whole says that the parts should make the whole
// sweep: the trials of each cell from 0 on.
func writeSweep(dir string, rows sweepCells, from sweepParts, whole bool) ([]results.FileEntry, error) {
	d := &sweepDataset{dir: dir, rows: rows, whole: whole}
	defer d.abort()
	if err := d.write(from); err != nil {
		return nil, err
	}
	return d.close()
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
	next := make([]int64, len(d.rows.cells)) // number of each cell's next trial; below 0 is any
	if !d.whole {
		for i := range next {
			next[i] = -1
		}
	}
	counts, err := joinParts(d.rows.cells, from.trials, cellOfTrial, func(cell int, rows []results.Trial) error {
		for i := range rows {
			if n := rows[i].Trial; next[cell] >= 0 && n != next[cell] {
				return fmt.Errorf("%w: cell %s: trial %d stands where trial %d belongs", ErrIncompatible, rows[i].Cell, n, next[cell])
			}
			next[cell] = rows[i].Trial + 1
		}
		return w.AppendExtra(rows, d.rows.values[cell])
	})
	if err != nil {
		return err
	}
	if err := holes(d.rows.cells, counts); err != nil {
		return err
	}
	if d.rows.services {
		err = errors.Join(err, plainTable(d, from.services, cellOfService))
	}
	if d.rows.edges {
		err = errors.Join(err, plainTable(d, from.edges, cellOfEdge))
	}
	if d.rows.windows {
		err = errors.Join(err, plainTable(d, from.windows, cellOfWindow))
	}
	return err
}

// plainTable writes a table without the factors' columns.
func plainTable[T results.Row](d *sweepDataset, parts []iter.Seq2[results.Batch[T], error], cellOf func(*T) cellName) error {
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
