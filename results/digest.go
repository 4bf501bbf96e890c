package results

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
)

// digester computes the digest of a table's rows, which does not depend on how Parquet stores them:
// the SHA-256 of
//
//	"retrylab rows 1\n"
//	number of columns; for each its name and its kind's name
//	for each row, for each column: its value
//
// where a number of columns or bytes is an unsigned varint, a string its length and bytes, a bool one
// byte, and a number eight bytes, least significant first. Every NaN counts as the same. The order of
// rows and columns matters. The number of rows needs no mention: rows are self-delimiting.
type digester struct {
	h   hash.Hash
	buf []byte
}

// canonicalNaN stands for all NaNs, whose bits differ between processors.
const canonicalNaN = 0x7ff8000000000001

func newDigester(columns []Column) *digester {
	d := &digester{h: sha256.New()}
	d.buf = append(d.buf, "retrylab rows 1\n"...)
	d.buf = binary.AppendUvarint(d.buf, uint64(len(columns)))
	for _, c := range columns {
		d.text(c.Name)
		d.text(c.Kind.String())
	}
	return d
}

func (d *digester) text(s string) {
	d.buf = binary.AppendUvarint(d.buf, uint64(len(s)))
	d.buf = append(d.buf, s...)
}

// add appends a batch of n rows.
func (d *digester) add(vectors []vector, n int) {
	for i := range n {
		for k := range vectors {
			d.value(&vectors[k], i)
		}
		if len(d.buf) > 1<<14 {
			d.flush()
		}
	}
	d.flush()
}

func (d *digester) value(v *vector, i int) {
	switch v.kind {
	case String:
		d.text(v.texts[i])
	case Bool:
		b := byte(0)
		if v.bools[i] {
			b = 1
		}
		d.buf = append(d.buf, b)
	case Int64, Uint64:
		d.buf = binary.LittleEndian.AppendUint64(d.buf, uint64(v.ints[i]))
	case Float64:
		bits := math.Float64bits(v.floats[i])
		if math.IsNaN(v.floats[i]) {
			bits = canonicalNaN
		}
		d.buf = binary.LittleEndian.AppendUint64(d.buf, bits)
	}
}

func (d *digester) flush() {
	d.h.Write(d.buf)
	d.buf = d.buf[:0]
}

// sum returns the digest so far as 64 hexadecimal digits.
func (d *digester) sum() string {
	d.flush()
	return hex.EncodeToString(d.h.Sum(nil))
}

// Digest recomputes the row digest of a file of T's table. Errors are those of Read.
func Digest[T Row](path string) (string, error) {
	_, sum, err := digest(path, expect[T]())
	return sum, err
}

// DigestFile recomputes the row digest of a file of any table that this package wrote.
func DigestFile(path string) (string, error) {
	_, sum, err := digest(path, nil)
	return sum, err
}

// digest counts the rows of a file and computes their digest.
func digest(path string, want *expectation) (rows int64, sum string, err error) {
	f, err := openFile(path, want)
	if err != nil {
		return 0, "", err
	}
	defer f.close()
	d := newDigester(f.columns)
	for {
		n, err := f.next()
		if err != nil {
			return 0, "", err
		}
		if n == 0 {
			return rows, d.sum(), nil
		}
		d.add(f.vectors, n)
		rows += int64(n)
	}
}
