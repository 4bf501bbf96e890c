package results

import (
	"fmt"
	"reflect"
	"regexp"
)

// SchemaVersion is written into every file and manifest. It grows by one whenever a
// column is added, removed or changes its meaning; a new column then carries the tag
// since:"N". Files of another version are refused, never guessed at.
const SchemaVersion = 1

// Row is a row of a table: a flat struct whose fields all carry the tags col (name), doc (meaning),
// where needed unit, and since (the schema version that brought the column, default 1).
// Fields are of type string, bool, int64, uint64 or float64; anything else panics at first use.
type Row interface {
	// TableName is the table's name, which is also the base name of its file: "trials" for trials.parquet.
	// It must not depend on the row's values.
	TableName() string
}

// Kind is the type of a column. No column is nullable.
type Kind uint8

// The types of columns, and their types in Parquet.
const (
	String  Kind = iota + 1 // BYTE_ARRAY, UTF8
	Bool                    // BOOLEAN
	Int64                   // INT64, signed
	Uint64                  // INT64, unsigned
	Float64                 // DOUBLE
)

// String returns the type's name as documents and error texts show it.
func (k Kind) String() string {
	switch k {
	case String:
		return "string"
	case Bool:
		return "bool"
	case Int64:
		return "int64"
	case Uint64:
		return "uint64"
	case Float64:
		return "float64"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Column describes one column of a table.
type Column struct {
	Name  string // as in the Parquet file and in exported CSV
	Kind  Kind   // type
	Unit  string // unit of the values, e.g. ns; empty for counts, names and shares
	Doc   string // meaning
	Since string // schema version that brought it; "1" by default
}

var columnName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// ColumnsOf returns the columns of T in the order of its fields, which is their order in the file.
func ColumnsOf[T Row]() []Column { return columnsOf(reflect.TypeFor[T]()) }

// columnsOf reads the tags. Mistakes in them are the programmer's, so they panic.
func columnsOf(t reflect.Type) []Column {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("results: row type %v is not a struct", t))
	}
	kinds := map[reflect.Type]Kind{
		reflect.TypeFor[string](): String, reflect.TypeFor[bool](): Bool, reflect.TypeFor[int64](): Int64,
		reflect.TypeFor[uint64](): Uint64, reflect.TypeFor[float64](): Float64,
	}
	columns := make([]Column, t.NumField())
	seen := make(map[string]bool)
	for i := range columns {
		f := t.Field(i)
		c := Column{Name: f.Tag.Get("col"), Kind: kinds[f.Type], Unit: f.Tag.Get("unit"), Doc: f.Tag.Get("doc"), Since: f.Tag.Get("since")}
		if c.Since == "" {
			c.Since = "1"
		}
		switch {
		case c.Kind == 0:
			panic(fmt.Sprintf("results: %v.%s: type %v, expected string, bool, int64, uint64 or float64", t, f.Name, f.Type))
		case !f.IsExported():
			panic(fmt.Sprintf("results: %v.%s: must be exported", t, f.Name))
		case !columnName.MatchString(c.Name):
			panic(fmt.Sprintf("results: %v.%s: column name %q, expected %v", t, f.Name, c.Name, columnName))
		case seen[c.Name]:
			panic(fmt.Sprintf("results: %v.%s: column %q twice", t, f.Name, c.Name))
		case c.Doc == "":
			panic(fmt.Sprintf("results: %v.%s: no doc tag", t, f.Name))
		}
		seen[c.Name] = true
		columns[i] = c
	}
	return columns
}

// tableName returns the name of T's table.
func tableName[T Row]() string {
	var row T
	return row.TableName()
}
