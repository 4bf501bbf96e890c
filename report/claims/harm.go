package claims

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

// harmCell is a row of the harm map: standard retry set against no retry. Differences are shares, not points.
type harmCell struct {
	retriesAt, workers, abandoned        string
	room, timeoutS, utilization, p       float64
	during, duringLo, duringHi           float64 // requests that arrived in the fault
	after, afterLo, afterHi              float64 // requests that arrived after it
	collapsedNR, collapsedSR, stayedDown float64
}

// loadHarm reads the table of the harm map; none if it is not there.
func loadHarm(path string) ([]harmCell, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	records, err := csv.NewReader(file).ReadAll()
	if err != nil || len(records) == 0 {
		return nil, fmt.Errorf("%s: %w", path, errors.Join(err, errEmpty(len(records))))
	}
	column := map[string]int{}
	for i, name := range records[0] {
		column[name] = i
	}
	var cells []harmCell
	for line, record := range records[1:] {
		r := harmRow{column, record, nil}
		cells = append(cells, harmCell{
			r.text("retries_at"), r.text("workers"), r.text("abandoned"),
			r.number("room"), r.number("timeout_s"), r.number("utilization"), r.number("p"),
			r.number("difference_during"), r.number("difference_during_lo"), r.number("difference_during_hi"),
			r.number("difference_after"), r.number("difference_after_lo"), r.number("difference_after_hi"),
			r.number("collapsed_nr"), r.number("collapsed_sr"), r.number("staying_down_sr"),
		})
		if r.err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line+2, r.err)
		}
	}
	return cells, nil
}

func errEmpty(records int) error {
	if records == 0 {
		return errors.New("no header")
	}
	return nil
}

// harmRow reads the fields of one record by name; the first mistake is kept.
type harmRow struct {
	column map[string]int
	record []string
	err    error
}

func (r *harmRow) text(name string) string {
	i, ok := r.column[name]
	if !ok {
		r.err = errors.Join(r.err, fmt.Errorf("no column %s", name))
		return ""
	}
	return r.record[i]
}

func (r *harmRow) number(name string) float64 {
	text := r.text(name)
	if text == "" {
		return 0 // not defined for this cell, e.g. an interval of equal trials
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		r.err = errors.Join(r.err, fmt.Errorf("%s: %w", name, err))
	}
	return x
}
