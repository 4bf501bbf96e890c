package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"retrylab/report/claims"
	"retrylab/results"
)

// load reads the tables under dir/data. Only table cells and trials must be there; what needs
// a missing one is left out of the report. Table windows is streamed, since it is by far the largest.
func load(dir string) (*data, error) {
	d := &data{}
	var err error
	if d.cells, err = results.Read[results.Cell](dataPath(dir, results.Cell{})); err != nil {
		return nil, err
	}
	if d.trials, err = results.Read[results.Trial](dataPath(dir, results.Trial{})); err != nil {
		return nil, err
	}
	first, ok := chooseMain(d.cells)
	if !ok {
		return d, nil
	}
	if d.main, err = d.experiment(first); err != nil {
		return nil, err
	}
	if d.main.isReference() { // else there is nothing to judge, and the rows may be many
		if d.evidence, err = claims.Load(dir); err != nil {
			return nil, err
		}
	}
	d.windows, err = loadWindows(dataPath(dir, results.Window{}), d.main)
	return d, err
}

func dataPath(dir string, row results.Row) string {
	return filepath.Join(dir, "data", row.TableName()+".parquet")
}

// loadWindows aggregates table windows; nil if there is no such file.
func loadWindows(path string, e *experiment) (*windows, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	w := newWindows(e)
	for batch, err := range results.Batches[results.Window](path) {
		if err != nil {
			return nil, err
		}
		for i := range batch.Rows {
			w.add(&batch.Rows[i])
		}
	}
	return w, nil
}
