package results_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"retrylab/results"
)

// The digest is a published format: spelled out by hand here, so that no change slips through.
func TestDigestIsAsDocumented(t *testing.T) {
	rows := []mixed{
		{Text: "ab", Flag: true, Count: -2, Key: math.MaxUint64, Rate: 1},
		{Text: "", Flag: false, Count: 258, Key: 1, Rate: math.Copysign(math.NaN(), -1)},
	}
	text := "retrylab rows 1\n" + "\x05" +
		"\x04text\x06string" + "\x04flag\x04bool" + "\x05count\x05int64" + "\x03key\x06uint64" + "\x04rate\x07float64" +
		"\x02ab" + "\x01" + "\xfe\xff\xff\xff\xff\xff\xff\xff" + "\xff\xff\xff\xff\xff\xff\xff\xff" + "\x00\x00\x00\x00\x00\x00\xf0\x3f" +
		"\x00" + "\x00" + "\x02\x01\x00\x00\x00\x00\x00\x00" + "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x01\x00\x00\x00\x00\x00\xf8\x7f"
	sum := sha256.Sum256([]byte(text))
	want := hex.EncodeToString(sum[:])
	path := filepath.Join(t.TempDir(), "a.parquet")
	if got := write(t, path, rows).RowDigest; got != want {
		t.Errorf("digest while writing %s, want %s", got, want)
	}
	if got, err := results.DigestFile(path); got != want {
		t.Errorf("digest of the file %s, %v, want %s", got, err, want)
	}
}

func TestDigestSeesOrderAndValuesButNotLayout(t *testing.T) {
	dir := t.TempDir()
	digest := func(rows []mixed, group int) string {
		w, err := results.NewWriter[mixed](filepath.Join(dir, "a.parquet"), results.Options{RowGroupRows: group})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Append(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return w.Entry().RowDigest
	}
	rows := rowsOf(300)
	want := digest(rows, 100)
	if got := digest(rows, 7); got != want {
		t.Error("the digest depends on the row groups")
	}
	changes := map[string]func(rows []mixed){
		"two rows swapped": func(rows []mixed) { rows[10], rows[11] = rows[11], rows[10] },
		"last row dropped and first doubled": func(rows []mixed) {
			copy(rows[1:], rows[:299])
		},
		"text":  func(rows []mixed) { rows[299].Text += "x" },
		"flag":  func(rows []mixed) { rows[0].Flag = !rows[0].Flag },
		"count": func(rows []mixed) { rows[99].Count++ },
		"key":   func(rows []mixed) { rows[100].Key-- },
		"sign of zero": func(rows []mixed) {
			rows[0].Rate = math.Copysign(0, -1)
		},
	}
	for name, change := range changes {
		other := slices.Clone(rows)
		change(other)
		if digest(other, 100) == want {
			t.Errorf("%s: the digest stays the same", name)
		}
	}
}
