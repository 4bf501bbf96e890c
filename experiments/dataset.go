package experiments

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"retrylab/internal/atomicfile"
	"retrylab/results"
)

// Dataset writes the tables of a run below dir/data. It must end in Close or Abort; until Close
// succeeds there is nothing under the tables' names.
type Dataset struct {
	dir      string
	undo     func() // removes the folders that were made, if they are empty
	cells    *results.Writer[results.Cell]
	trials   *results.Writer[results.Trial]
	services *results.Writer[results.Service]
	edges    *results.Writer[results.Edge]
	windows  *results.Writer[results.Window]
	closed   bool
}

// table is what the writers of all tables have in common.
type table interface {
	Close() error
	Abort()
	Entry() results.FileEntry
}

// CreateDataset starts a dataset; folders are made as needed.
func CreateDataset(dir string) (*Dataset, error) {
	undo, err := atomicfile.MakeFolders(filepath.Join(dir, "data"))
	d := &Dataset{dir: dir, undo: undo}
	if err != nil {
		d.Abort()
		return nil, err
	}
	err = errors.Join(create(d, &d.cells), create(d, &d.trials), create(d, &d.services), create(d, &d.edges), create(d, &d.windows))
	if err != nil {
		d.Abort()
		return nil, err
	}
	return d, nil
}

// tablePath is where the table of T's rows is in a folder of results.
func tablePath[T results.Row](dir string) string {
	var row T
	// A sweep has its tables in a folder each, partitioned by experiment.
	if found, _ := filepath.Glob(filepath.Join(dir, "data", row.TableName(), "experiment=*", "part-0.parquet")); len(found) == 1 {
		return found[0]
	}
	return filepath.Join(dir, "data", row.TableName()+".parquet")
}

func create[T results.Row](d *Dataset, w **results.Writer[T]) (err error) {
	*w, err = results.NewWriter[T](tablePath[T](d.dir), results.Options{})
	return err
}

// tables lists the writers that were started.
func (d *Dataset) tables() []table {
	var list []table
	if d.cells != nil {
		list = append(list, d.cells)
	}
	if d.trials != nil {
		list = append(list, d.trials)
	}
	if d.services != nil {
		list = append(list, d.services)
	}
	if d.edges != nil {
		list = append(list, d.edges)
	}
	if d.windows != nil {
		list = append(list, d.windows)
	}
	return list
}

// Cells writes table cells; trials is the number of trials of each cell in all shards.
func (d *Dataset) Cells(cells []*Cell, trials int) error {
	for _, c := range cells {
		if err := d.cells.Append([]results.Cell{cellRow(c, trials)}); err != nil {
			return err
		}
	}
	return nil
}

// Write adds the rows of one trial; it is a Runner's sink.
func (d *Dataset) Write(r *Rows) error {
	return errors.Join(
		d.trials.Append([]results.Trial{r.Trial}),
		d.services.Append(r.Services),
		d.edges.Append(r.Edges),
		d.windows.Append(r.Windows),
	)
}

// Close publishes the tables and describes them for the manifest, which is written last. An older
// manifest goes first: it no longer describes what is there.
func (d *Dataset) Close() ([]results.FileEntry, error) {
	defer d.Abort()
	if err := os.Remove(filepath.Join(d.dir, results.ManifestName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var entries []results.FileEntry
	for _, t := range d.tables() {
		if err := t.Close(); err != nil {
			return nil, err
		}
		e := t.Entry()
		e.Name = "data/" + e.Name
		entries = append(entries, e)
	}
	d.closed = true
	return entries, nil
}

// Abort gives the dataset up and removes what it made. After Close it does nothing.
func (d *Dataset) Abort() {
	if d.closed {
		return
	}
	d.closed = true
	for _, t := range d.tables() {
		t.Abort()
	}
	d.undo()
}
