package experiments

import (
	"fmt"
	"iter"

	"retrylab/results"
)

// cellName tells cells of a folder of results apart.
type cellName struct{ experiment, cell string }

func cellOfTrial(r *results.Trial) cellName     { return cellName{r.Experiment, r.Cell} }
func cellOfService(r *results.Service) cellName { return cellName{r.Experiment, r.Cell} }
func cellOfEdge(r *results.Edge) cellName       { return cellName{r.Experiment, r.Cell} }
func cellOfWindow(r *results.Window) cellName   { return cellName{r.Experiment, r.Cell} }

// joinParts hands the rows of each cell to sink, part after part, and counts them. A row of an unknown cell, or
// of a cell out of order, is an error.
func joinParts[T results.Row](cells []results.Cell, parts []iter.Seq2[results.Batch[T], error], cellOf func(*T) cellName, sink func(cell int, rows []T) error) ([]int, error) {
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
		id := cellName{cells[i].Experiment, cells[i].Cell}
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
			return nil, fmt.Errorf("%w: rows of cell %q, which is not one of table cells, or not where it belongs", ErrIncompatible, cellOf(&rows[0]).cell)
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

// part is a table that is being read.
type part[T results.Row] struct {
	next func() (results.Batch[T], error, bool)
	stop func()
	rows []T // read and not yet handed over
}

// rest is what is left of the current batch, or the next batch; empty at the end.
func (p *part[T]) rest() ([]T, error) {
	for len(p.rows) == 0 {
		b, err, ok := p.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, nil
		}
		p.rows = b.Rows
	}
	return p.rows, nil
}
