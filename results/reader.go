package results

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"reflect"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// Batch is a run of rows of a file.
type Batch[T Row] struct {
	Rows  []T
	Extra []ExtraValues // the file's extra columns; each has a value for every row
}

// Batches streams the rows of a file in order, some thousand at a time. A batch is valid until the next
// one. An error ends the sequence and comes with an empty batch; it names the file: see Read.
func Batches[T Row](path string) iter.Seq2[Batch[T], error] {
	return func(yield func(Batch[T], error) bool) {
		f, err := openFile(path, expect[T]())
		if err != nil {
			yield(Batch[T]{}, err)
			return
		}
		defer f.close()
		batches(f, yield)
	}
}

// batches is Batches of an open file.
func batches[T Row](f *tableFile, yield func(Batch[T], error) bool) {
	var rows []T
	own := len(f.columns) - len(f.extra)
	for {
		n, err := f.next()
		if err != nil {
			yield(Batch[T]{}, err)
			return
		}
		if n == 0 {
			return
		}
		rows = sized(rows, n)
		b := Batch[T]{Rows: rows}
		fields := reflect.ValueOf(b.Rows)
		for k := range own {
			f.vectors[k].store(fields, k)
		}
		for k, e := range f.extra {
			v := &f.vectors[own+k]
			b.Extra = append(b.Extra, ExtraValues{ExtraColumn: e, Floats: v.floats, Texts: v.texts})
		}
		if !yield(b, nil) {
			return
		}
	}
}

// Read returns all rows of a file of T's table; its extra columns are left out. Errors name the file and
// say what is wrong: unreadable, truncated, not Parquet, of another table or schema version, or every
// column that is missing, of another type, or not of the table.
func Read[T Row](path string) ([]T, error) {
	b, err := ReadExtra[T](path)
	return b.Rows, err
}

// ReadExtra returns all rows of a file with the values of its extra columns. Errors are those of Read.
func ReadExtra[T Row](path string) (Batch[T], error) {
	f, err := openFile(path, expect[T]())
	if err != nil {
		return Batch[T]{}, err
	}
	defer f.close()
	var all Batch[T]
	for _, e := range f.extra {
		all.Extra = append(all.Extra, ExtraValues{ExtraColumn: e})
	}
	batches(f, func(b Batch[T], problem error) bool {
		err = problem
		all.Rows = append(all.Rows, b.Rows...)
		for k, e := range b.Extra {
			all.Extra[k].Floats = append(all.Extra[k].Floats, e.Floats...)
			all.Extra[k].Texts = append(all.Extra[k].Texts, e.Texts...)
		}
		return true
	})
	if err != nil {
		return Batch[T]{}, err
	}
	return all, nil
}

// tableFile reads a file column by column, a batch of rows at a time.
type tableFile struct {
	path    string
	f       *os.File
	pr      *file.Reader
	table   string
	version int
	columns []Column
	extra   []ExtraColumn // the last columns
	vectors []vector      // the current batch

	group  int                      // number of the next row group
	rows   int64                    // rows so far
	left   int64                    // rows of the current row group yet to come
	chunks []file.ColumnChunkReader // the current row group
	texts  []parquet.ByteArray
	intern []map[string]string // per column: most strings repeat, so keep one copy
}

func (f *tableFile) close() { _ = f.f.Close() } // opened for reading: nothing can be lost

// next reads the next batch into vectors and returns its number of rows, 0 at the end.
func (f *tableFile) next() (n int, err error) {
	defer func() {
		if err != nil {
			n, err = 0, fmt.Errorf("cannot read %s: row group %d: %w", f.path, f.group, err)
		}
	}()
	defer caught(&err)
	for f.left == 0 {
		if f.group == f.pr.NumRowGroups() {
			if f.rows != f.pr.NumRows() {
				return 0, fmt.Errorf("%d rows in all, but the file says %d", f.rows, f.pr.NumRows())
			}
			return 0, nil
		}
		if err := f.open(f.pr.RowGroup(f.group)); err != nil {
			return 0, err
		}
		f.group++
	}
	n = int(min(f.left, batchRows))
	for k := range f.columns {
		if err := f.read(k, n); err != nil {
			return 0, fmt.Errorf("column %s: %w", f.columns[k].Name, err)
		}
	}
	f.left -= int64(n)
	f.rows += int64(n)
	return n, nil
}

func (f *tableFile) open(group *file.RowGroupReader) error {
	f.chunks = f.chunks[:0]
	f.left = group.NumRows()
	if f.left < 0 || len(f.columns) == 0 {
		return errors.New("damaged metadata")
	}
	for k := range f.columns {
		chunk, err := group.Column(k)
		if err != nil {
			return fmt.Errorf("column %s: %w", f.columns[k].Name, err)
		}
		f.chunks = append(f.chunks, chunk)
	}
	return nil
}

// read fills vector k with exactly n values.
func (f *tableFile) read(k, n int) error {
	v := &f.vectors[k]
	v.grow(n)
	var got int64
	var err error
	switch chunk := f.chunks[k].(type) {
	case *file.ByteArrayColumnChunkReader:
		f.texts = sized(f.texts, n)
		got, _, err = chunk.ReadBatch(int64(n), f.texts, nil, nil)
		if err == nil && got == int64(n) {
			f.store(k)
		}
	case *file.BooleanColumnChunkReader:
		got, _, err = chunk.ReadBatch(int64(n), v.bools, nil, nil)
	case *file.Int64ColumnChunkReader:
		got, _, err = chunk.ReadBatch(int64(n), v.ints, nil, nil)
	case *file.Float64ColumnChunkReader:
		got, _, err = chunk.ReadBatch(int64(n), v.floats, nil, nil)
	default:
		return fmt.Errorf("unexpected reader %T", chunk)
	}
	if err == nil {
		err = f.chunks[k].Err()
	}
	if err == nil && got != int64(n) {
		err = fmt.Errorf("%d values, expected %d: truncated or damaged", got, n)
	}
	return err
}

// maxInterned bounds the strings kept per column, for columns whose strings are all different.
const maxInterned = 1 << 14

// store turns the bytes just read into strings.
func (f *tableFile) store(k int) {
	known := f.intern[k]
	for i, b := range f.texts {
		s, ok := known[string(b)]
		if !ok {
			if known == nil || len(known) >= maxInterned {
				known = make(map[string]string)
				f.intern[k] = known
			}
			s = string(b)
			known[s] = s
		}
		f.vectors[k].texts[i] = s
	}
}
