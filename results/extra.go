package results

import (
	"encoding/json"
	"fmt"
)

// ExtraColumn is a column that a run adds to a table, e.g. a sweep's factor. Extra columns follow the
// table's own columns in the file, and the file's metadata says that they are extra.
type ExtraColumn struct {
	Name string `json:"name"` // lower-case letters, digits and underscores, beginning with a letter
	Kind Kind   `json:"-"`    // Float64 or String
	Unit string `json:"unit"` // may be empty
	Doc  string `json:"doc"`  // meaning
}

// Value is a value of an extra column: Float of a Float64 column, Text of a String column.
type Value struct {
	Float float64
	Text  string
}

// ExtraValues holds the values of one extra column, one a row.
type ExtraValues struct {
	ExtraColumn
	Floats []float64 // of a Float64 column, else nil
	Texts  []string  // of a String column, else nil
}

// At returns the value of row i.
func (v *ExtraValues) At(i int) Value {
	if v.Kind == Float64 {
		return Value{Float: v.Floats[i]}
	}
	return Value{Text: v.Texts[i]}
}

// extraKey is the key of the file's metadata that lists the extra columns.
const extraKey = "retrylab.extra_columns"

// addExtra returns the table's columns followed by the extra ones, or what is wrong with them.
func addExtra(columns []Column, extra []ExtraColumn) ([]Column, error) {
	seen := make(map[string]bool)
	for _, c := range columns {
		seen[c.Name] = true
	}
	all := columns[:len(columns):len(columns)]
	for _, e := range extra {
		switch {
		case !columnName.MatchString(e.Name):
			return nil, fmt.Errorf("extra column %q: not a column name, expected %v", e.Name, columnName)
		case seen[e.Name]:
			return nil, fmt.Errorf("extra column %q: the table already has a column of that name", e.Name)
		case e.Kind != Float64 && e.Kind != String:
			return nil, fmt.Errorf("extra column %q: type %v, expected float64 or string", e.Name, e.Kind)
		}
		seen[e.Name] = true
		all = append(all, Column{Name: e.Name, Kind: e.Kind, Unit: e.Unit, Doc: e.Doc})
	}
	return all, nil
}

// encodeExtra returns the metadata value for extra columns; their types are those of the file's columns.
func encodeExtra(extra []ExtraColumn) string {
	text, err := json.Marshal(extra)
	if err != nil {
		panic(err) // three strings cannot fail
	}
	return string(text)
}

// decodeExtra is the inverse of encodeExtra, but for the types.
func decodeExtra(text string) ([]ExtraColumn, error) {
	if text == "" {
		return nil, nil
	}
	var extra []ExtraColumn
	if err := json.Unmarshal([]byte(text), &extra); err != nil {
		return nil, fmt.Errorf("metadata %s: %w", extraKey, err)
	}
	return extra, nil
}
