package results

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// expectation is what a file must be to hold T's rows.
type expectation struct {
	table   string
	columns []Column
}

func expect[T Row]() *expectation {
	return &expectation{table: tableName[T](), columns: ColumnsOf[T]()}
}

// Info is what a file of a table says about itself.
type Info struct {
	Table         string
	SchemaVersion int
	Rows          int64
	Columns       []Column      // names and types, in the order of the file, extra columns included
	Extra         []ExtraColumn // the extra columns
}

// Inspect reads a file's metadata without its rows. Errors name the file: unreadable, not Parquet,
// not written by this package, or of another schema version.
func Inspect(path string) (Info, error) {
	f, err := openFile(path, nil)
	if err != nil {
		return Info{}, err
	}
	defer f.close()
	return Info{Table: f.table, SchemaVersion: f.version, Rows: f.pr.NumRows(), Columns: f.columns, Extra: f.extra}, nil
}

// openFile opens a file and checks it against want, or, if that is nil, only that this package can have
// written it. All that is wrong with its columns is reported at once.
func openFile(path string, want *expectation) (*tableFile, error) {
	osFile, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, errors.Unwrap(err))
	}
	f := &tableFile{path: path, f: osFile}
	if err := f.readFooter(want); err != nil {
		f.close()
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	f.vectors = newVectors(f.columns)
	f.intern = make([]map[string]string, len(f.columns))
	return f, nil
}

func (f *tableFile) readFooter(want *expectation) (err error) {
	defer caught(&err)
	props := parquet.NewReaderProperties(nil)
	props.MaxCompressedPageSize, props.MaxUncompressedPageSize = maxPageBytes, maxPageBytes
	if f.pr, err = file.NewParquetReader(f.f, file.WithReadProps(props)); err != nil {
		return fmt.Errorf("not a whole Parquet file (%w)", err)
	}
	var problems []string
	ours := true // else its columns are no news
	kv := f.pr.MetaData().KeyValueMetadata()
	if table, version := kv.FindValue(tableKey), kv.FindValue(versionKey); table == nil || version == nil {
		problems = append(problems, "not a table of retrylab: no metadata "+tableKey+" and "+versionKey)
	} else {
		f.table = *table
		if f.version, err = strconv.Atoi(*version); err != nil || f.version != SchemaVersion {
			problems, ours = append(problems, fmt.Sprintf("schema version %q, expected %d", *version, SchemaVersion)), false
		}
		if want != nil && f.table != want.table {
			problems, ours = append(problems, fmt.Sprintf("table %s, expected %s", f.table, want.table)), false
		}
	}
	problems = append(problems, f.readColumns()...)
	if extra := kv.FindValue(extraKey); extra != nil {
		problems = append(problems, f.readExtra(*extra)...)
	}
	if want != nil && ours {
		problems = append(problems, compare(f.columns[:len(f.columns)-len(f.extra)], want.columns)...)
	}
	if len(problems) > 0 {
		return errors.New(strings.Join(problems, "; "))
	}
	return nil
}

// readColumns fills columns from the Parquet schema and reports those that this package never writes.
func (f *tableFile) readColumns() (problems []string) {
	sc := f.pr.MetaData().Schema
	for i := range sc.NumColumns() {
		c := sc.Column(i)
		kind := kindOf(c)
		switch {
		case c.MaxDefinitionLevel() > 0 || c.MaxRepetitionLevel() > 0:
			problems = append(problems, fmt.Sprintf("column %s: optional, repeated or nested, expected required and flat", c.Path()))
		case kind == 0:
			problems = append(problems, fmt.Sprintf("column %s: type %v %v, expected string, bool, int64, uint64 or float64", c.Path(), c.PhysicalType(), c.LogicalType()))
		}
		f.columns = append(f.columns, Column{Name: c.Path(), Kind: kind})
	}
	return problems
}

// kindOf is the inverse of node; 0 if there is none.
func kindOf(c *schema.Column) Kind {
	switch c.PhysicalType() {
	case parquet.Types.ByteArray:
		if _, ok := c.LogicalType().(schema.StringLogicalType); ok {
			return String
		}
	case parquet.Types.Boolean:
		return Bool
	case parquet.Types.Double:
		return Float64
	case parquet.Types.Int64:
		switch logical := c.LogicalType().(type) {
		case schema.NoLogicalType, schema.UnknownLogicalType:
			return Int64
		case schema.IntLogicalType:
			if logical.IsSigned() {
				return Int64
			}
			return Uint64
		}
	}
	return 0
}

// readExtra takes the last columns as extra ones, as the metadata says.
func (f *tableFile) readExtra(text string) (problems []string) {
	extra, err := decodeExtra(text)
	if err != nil {
		return []string{err.Error()}
	}
	first := len(f.columns) - len(extra)
	if first < 0 {
		return []string{fmt.Sprintf("metadata %s lists %d columns, the file has %d", extraKey, len(extra), len(f.columns))}
	}
	for i := range extra {
		c := f.columns[first+i]
		if c.Name != extra[i].Name || c.Kind != Float64 && c.Kind != String {
			problems = append(problems, fmt.Sprintf("column %s of type %v, expected extra column %s of type float64 or string", c.Name, c.Kind, extra[i].Name))
		}
		extra[i].Kind = c.Kind
	}
	f.extra = extra
	return problems
}

// compare reports every missing, unexpected and wrongly typed column, or else a wrong order.
func compare(got, want []Column) (problems []string) {
	kinds := make(map[string]Kind)
	for _, c := range got {
		kinds[c.Name] = c.Kind
	}
	var missing, unexpected []string
	expected := make(map[string]bool)
	for _, c := range want {
		expected[c.Name] = true
		kind, ok := kinds[c.Name]
		switch {
		case !ok:
			missing = append(missing, c.Name)
		case kind != c.Kind && kind != 0: // 0 has been reported
			problems = append(problems, fmt.Sprintf("column %s: type %v, expected %v", c.Name, kind, c.Kind))
		}
	}
	for _, c := range got {
		if !expected[c.Name] {
			unexpected = append(unexpected, c.Name)
		}
	}
	if len(missing) > 0 {
		problems = append(problems, "missing columns: "+strings.Join(missing, ", "))
	}
	if len(unexpected) > 0 {
		problems = append(problems, "columns not of this table: "+strings.Join(unexpected, ", "))
	}
	if len(problems) > 0 {
		return problems
	}
	for i, c := range want {
		if i >= len(got) || got[i].Name != c.Name {
			return []string{fmt.Sprintf("columns in another order: number %d is not %s", i+1, c.Name)}
		}
	}
	return nil
}
