// Package table renders one table of a report in several forms from one source:
// CSV with raw digits, and Markdown, LaTeX (booktabs) and HTML cells with the
// same rounded ones.
//
// A [Table] has two views of its rows. Fields are the CSV columns: one name, one
// raw value. Columns are what a reader sees: a value, perhaps with its interval,
// rounded to a stated number of digits (half to even on the exact binary value,
// as strconv does).
package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Table is a table and what has to be said about it.
type Table struct {
	// Name is the stem of its files, e.g. "table3".
	Name string
	// Label is what prose calls it, e.g. "Table III".
	Label string
	// Title says in one line what it shows.
	Title string
	// Caption defines what is shown, denominators included. Plain text.
	Caption string
	// Method is the line above the table: how intervals were made, n, seed.
	Method string
	// Notice is printed in front of Method, e.g. that this is a quick run; may be empty.
	Notice string
	// Fields are the names of the CSV columns, in order.
	Fields []string
	// PrintOnly is the number of fields, the last ones, that are printed but not in the CSV.
	PrintOnly int
	// Columns are the printed columns, in order.
	Columns []Column
	// Rows hold one value for each field.
	Rows [][]Value
	// Terms are definitions of names in the table, one a line, printed below the caption.
	Terms []string
	// notes are footnotes, marked a, b, c in this order.
	notes []string
	// marks holds the notes' marks by row and printed column.
	marks map[[2]int]string
}

// Column is a printed column.
type Column struct {
	// Head is the heading.
	Head string
	// Field is the field that is printed.
	Field string
	// Lo and Hi are the fields of its interval; both empty for none.
	Lo, Hi string
	// Digits is the number of decimals of numbers.
	Digits int
	// Signed prints a plus sign before positive numbers.
	Signed bool
}

// Value is a text, a number or a missing value (the zero Value).
type Value struct {
	text   string
	number float64
	kind   kind
}

type kind int

const (
	missing kind = iota
	textual
	integral
	numeric
	probability
)

// None is a missing value: empty in CSV, a dash in print.
var None = Value{}

// Text is a text.
func Text(s string) Value { return Value{text: s, kind: textual} }

// Number is a number; NaN and infinities are missing.
func Number(x float64) Value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return None
	}
	return Value{number: x, kind: numeric}
}

// Int is a whole number, printed without decimals whatever the column says.
func Int(n int64) Value { return Value{number: float64(n), kind: integral} }

// P is a p-value: printed with two to four decimals, and as a bound below 0.0001, whatever the column says.
func P(p float64) Value {
	v := Number(p)
	if v.kind == numeric {
		v.kind = probability
	}
	return v
}

// Float returns the number; false for texts and missing values.
func (v Value) Float() (float64, bool) { return v.number, v.kind > textual }

// Raw is the value in CSV. Numbers have up to ten significant digits: more than
// any interval resolves, and few enough that processors agree on them.
func (v Value) Raw() string {
	switch v.kind {
	case textual:
		return v.text
	case integral:
		return strconv.FormatInt(int64(v.number), 10)
	case numeric:
		rounded, err := strconv.ParseFloat(strconv.FormatFloat(v.number, 'g', 10, 64), 64)
		if err != nil {
			panic(fmt.Sprintf("table: %v does not survive rounding: %v", v.number, err))
		}
		return strconv.FormatFloat(rounded+0, 'f', -1, 64)
	case probability: // may be tiny, and more digits would say nothing
		return strconv.FormatFloat(v.number, 'g', 4, 64)
	}
	return ""
}

// print is the value as a reader sees it, with U+2212 as minus sign.
func (v Value) print(digits int, signed bool) string {
	switch v.kind {
	case textual:
		return v.text
	case integral:
		digits = 0
	case missing:
		return "—"
	case probability:
		return printP(v.number)
	}
	s := strconv.FormatFloat(math.Abs(v.number), 'f', digits, 64)
	zero := strings.Trim(s, "0.") == ""
	switch {
	case v.number < 0 && !zero:
		return "−" + s
	case v.number > 0 && !zero && signed:
		return "+" + s
	}
	return s
}

// printP prints a p-value.
func printP(p float64) string {
	switch {
	case p < 0.0001:
		return "< 0.0001"
	case p < 0.001:
		return strconv.FormatFloat(p, 'f', 4, 64)
	case p < 0.1:
		return strconv.FormatFloat(p, 'f', 3, 64)
	}
	return strconv.FormatFloat(p, 'f', 2, 64)
}

// Field returns the value of a field in a row; it panics on an unknown name,
// which is a programming error.
func (t *Table) Field(row int, name string) Value {
	for i, field := range t.Fields {
		if field == name {
			return t.Rows[row][i]
		}
	}
	panic(fmt.Sprintf("table %s: no field %q", t.Name, name))
}

// Add appends a row; it panics if the number of values is wrong.
func (t *Table) Add(values ...Value) {
	if len(values) != len(t.Fields) {
		panic(fmt.Sprintf("table %s: %d values for %d fields", t.Name, len(values), len(t.Fields)))
	}
	t.Rows = append(t.Rows, values)
}

// Note puts a footnote at the last row, in the printed column of a field. Equal notes share one mark. It panics if the field
// is not printed: a note that nothing refers to, or before there is a row, is a programming error.
func (t *Table) Note(field, text string) {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Field == field })
	if at < 0 || len(t.Rows) == 0 {
		panic(fmt.Sprintf("table %s: no cell of field %q for the note %q", t.Name, field, text))
	}
	index := slices.Index(t.notes, text)
	if index < 0 {
		index = len(t.notes)
		t.notes = append(t.notes, text)
	}
	if t.marks == nil {
		t.marks = map[[2]int]string{}
	}
	t.marks[[2]int{len(t.Rows) - 1, at}] += mark(index)
}

// mark is a, b, ..., z, aa, ab, ...
func mark(index int) string {
	if index >= 26 {
		return mark(index/26-1) + mark(index%26)
	}
	return string(rune('a' + index))
}

// Cell is one printed cell.
type Cell struct {
	// Text is what is printed; Mark is the mark of its footnotes, often empty.
	Text, Mark string
	// Numeric says that the cell is set flush right.
	Numeric bool
}

// Cells returns the printed cells of a row.
func (t *Table) Cells(row int) []Cell {
	cells := make([]Cell, len(t.Columns))
	for i, c := range t.Columns {
		value := t.Field(row, c.Field)
		text := value.print(c.Digits, c.Signed)
		if c.Lo != "" && value.kind != missing {
			lo, hi := t.Field(row, c.Lo), t.Field(row, c.Hi)
			if lo.kind != missing && hi.kind != missing {
				text += " [" + lo.print(c.Digits, c.Signed) + ", " + hi.print(c.Digits, c.Signed) + "]"
			}
		}
		cells[i] = Cell{Text: text, Mark: t.marks[[2]int{row, i}], Numeric: value.kind != textual}
	}
	return cells
}

// Lead is the line above the table: notice and method.
func (t *Table) Lead() string {
	return strings.TrimSpace(t.Notice + " " + t.Method)
}

// Footnote is a note with its mark.
type Footnote struct{ Mark, Text string }

// Footnotes returns the notes with their marks.
func (t *Table) Footnotes() []Footnote {
	notes := make([]Footnote, len(t.notes))
	for i, text := range t.notes {
		notes[i] = Footnote{Mark: mark(i), Text: text}
	}
	return notes
}

// numericColumn says whether a printed column holds numbers only.
func (t *Table) numericColumn(column int) bool {
	for row := range t.Rows {
		if !t.Cells(row)[column].Numeric {
			return false
		}
	}
	return true
}
