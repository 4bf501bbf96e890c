package results

import (
	"fmt"
	"reflect"
)

// vector holds the values of one column for a batch of rows. Only the slice of its kind is in use.
type vector struct {
	kind   Kind
	texts  []string
	bools  []bool
	ints   []int64 // uint64 too, as the same 64 bits, which is how Parquet stores them
	floats []float64
}

func newVectors(columns []Column) []vector {
	vectors := make([]vector, len(columns))
	for i, c := range columns {
		vectors[i].kind = c.Kind
	}
	return vectors
}

func (v *vector) reset() {
	v.texts, v.bools, v.ints, v.floats = v.texts[:0], v.bools[:0], v.ints[:0], v.floats[:0]
}

// grow makes room for n values in all, with whatever they held before.
func (v *vector) grow(n int) {
	switch v.kind {
	case String:
		v.texts = sized(v.texts, n)
	case Bool:
		v.bools = sized(v.bools, n)
	case Int64, Uint64:
		v.ints = sized(v.ints, n)
	case Float64:
		v.floats = sized(v.floats, n)
	default:
		panic(fmt.Sprintf("results: vector of %v", v.kind))
	}
}

func sized[E any](s []E, n int) []E {
	if n > cap(s) {
		return make([]E, n)
	}
	return s[:n]
}

// load appends field number k of each row; rows is a reflected slice of row structs.
func (v *vector) load(rows reflect.Value, k int) {
	for i := range rows.Len() {
		f := rows.Index(i).Field(k)
		switch v.kind {
		case String:
			v.texts = append(v.texts, f.String())
		case Bool:
			v.bools = append(v.bools, f.Bool())
		case Int64:
			v.ints = append(v.ints, f.Int())
		case Uint64:
			v.ints = append(v.ints, int64(f.Uint()))
		case Float64:
			v.floats = append(v.floats, f.Float())
		}
	}
}

// store is the inverse of load: it sets field number k of each row.
func (v *vector) store(rows reflect.Value, k int) {
	for i := range rows.Len() {
		f := rows.Index(i).Field(k)
		switch v.kind {
		case String:
			f.SetString(v.texts[i])
		case Bool:
			f.SetBool(v.bools[i])
		case Int64:
			f.SetInt(v.ints[i])
		case Uint64:
			f.SetUint(uint64(v.ints[i]))
		case Float64:
			f.SetFloat(v.floats[i])
		}
	}
}

// add appends n times the value of an extra column.
func (v *vector) add(value Value, n int) {
	for range n {
		if v.kind == Float64 {
			v.floats = append(v.floats, value.Float)
		} else {
			v.texts = append(v.texts, value.Text)
		}
	}
}
