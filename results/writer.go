package results

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/apache/arrow-go/v18/parquet/file"

	"retrylab/internal/atomicfile"
)

// Options of a Writer. The zero value is what every published table uses.
type Options struct {
	// RowGroupRows is the number of rows of every row group but the last; default 122880, DuckDB's own.
	RowGroupRows int
	// Extra are columns beyond the table's own, e.g. a sweep's factors.
	Extra []ExtraColumn
}

// Writer streams rows of one table into one Parquet file, in the order in which they are appended.
// The bytes depend on the rows and options alone, not on how the rows were split into calls. Memory
// is that of one compressed row group, whatever the number of rows.
//
// A Writer is for one goroutine. It must end in Close or Abort; until Close succeeds there is nothing
// under the final name, so neither an error nor a kill leaves a file that looks whole.
type Writer[T Row] struct {
	path    string
	f       *atomicfile.File
	sha     hash.Hash
	parquet *file.Writer
	group   file.BufferedRowGroupWriter // nil between row groups
	columns []Column
	own     int // the first own columns are T's
	extra   []ExtraColumn
	vectors []vector // the batch being filled
	digest  *digester
	limit   int // rows of a row group
	pending int // rows in vectors
	inGroup int // rows in group
	rows    int64
	err     error // first error; every later call returns it
	closed  bool
}

// sink is the file as the Parquet writer sees it: it must not close it, and every byte is hashed on the way.
type sink struct {
	f   *atomicfile.File
	sha hash.Hash
}

func (s sink) Write(p []byte) (int, error) {
	s.sha.Write(p)
	return s.f.Write(p)
}

// NewWriter starts the file path, whose folder must exist. Errors: an unusable folder, or an extra column
// with a bad name or type.
func NewWriter[T Row](path string, opts Options) (*Writer[T], error) {
	own := ColumnsOf[T]()
	columns, err := addExtra(own, opts.Extra)
	if err != nil {
		return nil, naming(path, err)
	}
	limit := opts.RowGroupRows
	if limit <= 0 {
		limit = defaultRowGroupRows
	}
	root, err := node(columns)
	if err != nil {
		return nil, naming(path, err)
	}
	kv, err := fileMetadata(tableName[T](), opts.Extra)
	if err != nil {
		return nil, naming(path, err)
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	sha := sha256.New()
	pw, err := file.NewParquetWriterWithError(sink{f, sha}, root, file.WithWriterProps(properties(columns)), file.WithWriteMetadata(kv))
	if err != nil {
		f.Abort()
		return nil, naming(path, err)
	}
	return &Writer[T]{
		path: path, f: f, sha: sha, parquet: pw, columns: columns, own: len(own), extra: opts.Extra,
		vectors: newVectors(columns), digest: newDigester(columns), limit: limit,
	}, nil
}

// Append adds rows to a table without extra columns. After an error only Abort, or Close, which then
// aborts, makes sense.
func (w *Writer[T]) Append(rows []T) error { return w.AppendExtra(rows, nil) }

// AppendExtra adds rows that all have the same values in the extra columns, as the rows of one cell do.
// values are in the order of Options.Extra.
func (w *Writer[T]) AppendExtra(rows []T, values []Value) error {
	if len(values) != len(w.extra) {
		return w.fail(fmt.Errorf("%d values for %d extra columns", len(values), len(w.extra)))
	}
	return w.append(rows, func(k, _, n int) { w.vectors[w.own+k].add(values[k], n) })
}

// AppendBatch adds rows as they were read, with their values in the extra columns, e.g. to merge shards.
// The batch's extra columns must be those of the Writer.
func (w *Writer[T]) AppendBatch(b Batch[T]) error {
	if len(b.Extra) != len(w.extra) {
		return w.fail(fmt.Errorf("%d extra columns, expected %d", len(b.Extra), len(w.extra)))
	}
	for k, e := range b.Extra {
		if e.Name != w.extra[k].Name || e.Kind != w.extra[k].Kind {
			return w.fail(fmt.Errorf("extra column %s of type %v, expected %s of type %v", e.Name, e.Kind, w.extra[k].Name, w.extra[k].Kind))
		}
		if max(len(e.Floats), len(e.Texts)) != len(b.Rows) {
			return w.fail(fmt.Errorf("extra column %s: %d values for %d rows", e.Name, max(len(e.Floats), len(e.Texts)), len(b.Rows)))
		}
	}
	return w.append(b.Rows, func(k, from, n int) {
		for i := range n {
			w.vectors[w.own+k].add(b.Extra[k].At(from+i), 1)
		}
	})
}

// append fills batches; addExtra adds the values of extra column k for n rows from a given row on.
func (w *Writer[T]) append(rows []T, addExtra func(k, from, n int)) error {
	if w.err != nil {
		return w.err
	}
	if w.closed {
		return w.fail(errors.New("append after Close or Abort"))
	}
	for from := 0; from < len(rows); {
		// A batch ends where a fixed number of rows, or the row group, is full, so that pages do not
		// depend on the lengths of the callers' slices.
		full := min(batchRows, w.limit-w.inGroup)
		n := min(full-w.pending, len(rows)-from)
		chunk := reflect.ValueOf(rows[from : from+n])
		for k := range w.own {
			w.vectors[k].load(chunk, k)
		}
		for k := range w.extra {
			addExtra(k, from, n)
		}
		from += n
		if w.pending += n; w.pending == full {
			if err := w.flush(); err != nil {
				return w.fail(err)
			}
		}
	}
	return nil
}

// flush encodes the pending batch, and ends the row group when it is full.
func (w *Writer[T]) flush() (err error) {
	if w.pending == 0 {
		return nil
	}
	defer caught(&err)
	if w.group == nil {
		if w.group, err = w.parquet.AppendBufferedRowGroupChecked(); err != nil {
			return err
		}
	}
	w.digest.add(w.vectors, w.pending)
	for k := range w.vectors {
		column, err := w.group.Column(k)
		if err != nil {
			return err
		}
		if err := put(column, &w.vectors[k]); err != nil {
			return err
		}
		w.vectors[k].reset()
	}
	w.rows += int64(w.pending)
	w.inGroup += w.pending
	w.pending = 0
	if w.inGroup < w.limit {
		return nil
	}
	err = w.group.Close()
	w.group, w.inGroup = nil, 0
	return err
}

// Close writes what is pending and the footer, and publishes the file under its name. On an error, of this
// or of an earlier call, it removes the temporary file instead.
func (w *Writer[T]) Close() error {
	if w.closed {
		return w.err
	}
	w.closed = true
	defer w.f.Abort()
	if w.err != nil {
		return w.err
	}
	if err := w.finish(); err != nil {
		return w.fail(err)
	}
	if err := w.f.Commit(); err != nil {
		w.err = err
	}
	return w.err
}

func (w *Writer[T]) finish() (err error) {
	if err := w.flush(); err != nil {
		return err
	}
	defer caught(&err)
	return w.parquet.Close()
}

// Abort gives the file up and removes what was written. It does nothing after Close, so it can be deferred.
func (w *Writer[T]) Abort() {
	w.closed = true
	w.f.Abort()
}

// Entry describes the file for a manifest. It is known after a successful Close.
func (w *Writer[T]) Entry() FileEntry {
	if !w.closed || w.err != nil {
		panic("results: Entry of a file that is not written")
	}
	return FileEntry{
		Name: filepath.Base(w.path), Rows: w.rows,
		SHA256: hex.EncodeToString(w.sha.Sum(nil)), RowDigest: w.digest.sum(),
	}
}

func (w *Writer[T]) fail(err error) error {
	if w.err == nil {
		w.err = naming(w.path, err)
	}
	return w.err
}

// naming adds the file's name, unless atomicfile has done so deep inside err.
func naming(path string, err error) error {
	if strings.Contains(err.Error(), path) {
		return err
	}
	return fmt.Errorf("cannot write %s: %w", path, err)
}

// caught turns a panic of the Parquet library, which has some for failed writes and damaged files, into an error.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("parquet: %v", r)
	}
}

// WriteTable writes rows as a whole file and describes it for a manifest.
func WriteTable[T Row](path string, rows []T) (FileEntry, error) {
	w, err := NewWriter[T](path, Options{})
	if err != nil {
		return FileEntry{}, err
	}
	defer w.Abort()
	if err := w.Append(rows); err != nil {
		return FileEntry{}, err
	}
	if err := w.Close(); err != nil {
		return FileEntry{}, err
	}
	return w.Entry(), nil
}
