package results_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"retrylab/results"
)

// mixed has a column of each type.
type mixed struct {
	Text  string  `col:"text" doc:"any text"`
	Flag  bool    `col:"flag" doc:"any bool"`
	Count int64   `col:"count" doc:"any number"`
	Key   uint64  `col:"key" doc:"any unsigned number"`
	Rate  float64 `col:"rate" unit:"1/s" doc:"any number, infinities and NaN included"`
}

func (mixed) TableName() string { return "tests" }

// same compares rows with the bits of floats, so that NaN equals itself and 0 differs from -0.
func same(a, b mixed) bool {
	bits := math.Float64bits(a.Rate) == math.Float64bits(b.Rate)
	a.Rate, b.Rate = 0, 0
	return a == b && bits
}

// rowsOf returns n rows that repeat some strings and hold extreme numbers.
func rowsOf(n int) []mixed {
	texts := []string{"", "a", "b", "long text", "ümlaut|€", "NR"}
	rates := []float64{0, math.Copysign(0, -1), 1.5, -2, math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, math.MaxFloat64}
	rows := make([]mixed, n)
	for i := range rows {
		rows[i] = mixed{
			Text: texts[i/3%len(texts)], Flag: i%3 == 0, Count: int64(i) - 5,
			Key: math.MaxUint64 - uint64(i), Rate: rates[i%len(rates)],
		}
		if i >= len(rates) {
			rows[i].Rate += float64(i / len(rates))
		}
	}
	if n > 2 {
		rows[1].Count, rows[2].Count = math.MinInt64, math.MaxInt64
	}
	return rows
}

func write(t testing.TB, path string, rows []mixed) results.FileEntry {
	t.Helper()
	entry, err := results.WriteTable(path, rows)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	row := rapid.Custom(func(t *rapid.T) mixed {
		return mixed{
			Text: rapid.String().Draw(t, "text"), Flag: rapid.Bool().Draw(t, "flag"), Count: rapid.Int64().Draw(t, "count"),
			Key: rapid.Uint64().Draw(t, "key"), Rate: math.Float64frombits(rapid.Uint64().Draw(t, "rate")),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOf(row).Draw(t, "rows")
		opts := results.Options{RowGroupRows: rapid.IntRange(1, 40).Draw(t, "row group")}
		path := filepath.Join(dir, "a.parquet")
		w, err := results.NewWriter[mixed](path, opts)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		for rest := rows; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "rows at once")
			if err := w.Append(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := results.Read[mixed](path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, rows, same) {
			t.Fatalf("read %v, wrote %v", got, rows)
		}
		digest, err := results.Digest[mixed](path)
		if err != nil {
			t.Fatal(err)
		}
		if e := w.Entry(); digest != e.RowDigest || e.Rows != int64(len(rows)) {
			t.Fatalf("digest %s and %d rows, while writing %s and %d", digest, len(rows), e.RowDigest, e.Rows)
		}
	})
}

// The bytes must not depend on the processors, on how rows were split into calls, or on an earlier run.
func TestSameRowsSameBytes(t *testing.T) {
	rows := rowsOf(20_000) // more than two batches
	var first []byte
	for i, processors := range []int{1, 2, 2} {
		old := runtime.GOMAXPROCS(processors)
		path := filepath.Join(t.TempDir(), "a.parquet")
		w, err := results.NewWriter[mixed](path, results.Options{RowGroupRows: 9_000})
		if err != nil {
			t.Fatal(err)
		}
		for chunk := range slices.Chunk(rows, []int{20_000, 1, 7_777}[i]) {
			if err := w.Append(chunk); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		runtime.GOMAXPROCS(old)
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got
		} else if !bytes.Equal(got, first) {
			t.Errorf("run %d: %d bytes differ from the first run's %d", i, len(got), len(first))
		}
	}
}

// A reader that streams sees the rows in order, and can stop early.
func TestBatches(t *testing.T) {
	rows := rowsOf(20_000)
	path := filepath.Join(t.TempDir(), "a.parquet")
	write(t, path, rows)
	var got []mixed
	for b, err := range results.Batches[mixed](path) {
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Rows) == 0 || len(b.Rows) > 10_000 {
			t.Fatalf("batch of %d rows", len(b.Rows))
		}
		got = append(got, b.Rows...)
	}
	if !slices.EqualFunc(got, rows, same) {
		t.Error("batches do not add up to the rows")
	}
	for range results.Batches[mixed](path) {
		break
	}
}

func TestEmptyTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	entry := write(t, path, nil)
	rows, err := results.Read[mixed](path)
	if err != nil || len(rows) != 0 || entry.Rows != 0 {
		t.Errorf("read %d rows, %v", len(rows), err)
	}
}

func TestEveryTableRoundTrips(t *testing.T) {
	t.Run("cells", roundTrip([]results.Cell{{Cell: "a", OfferedPerS: 0.5, FaultFromNs: -1}, {Cell: "b"}}))
	t.Run("trials", roundTrip([]results.Trial{{Cell: "a", Seed: math.MaxUint64, Recovered: true}}))
	t.Run("services", roundTrip([]results.Service{{Service: "db", WaitNs: 7, QueuePeak: 9}}))
	t.Run("edges", roundTrip([]results.Edge{{Edge: "a>b", Calls: 3, Signalled: 4}}))
	t.Run("windows", roundTrip([]results.Window{{Station: "client", IsClient: true, Budget: 0.1, Transitions: 2}}))
}

func roundTrip[T interface {
	results.Row
	comparable
}](rows []T) func(*testing.T) {
	return func(t *testing.T) {
		path := filepath.Join(t.TempDir(), rows[0].TableName()+".parquet")
		if _, err := results.WriteTable(path, rows); err != nil {
			t.Fatal(err)
		}
		got, err := results.Read[T](path)
		if err != nil || !slices.Equal(got, rows) {
			t.Errorf("read %v, %v; wrote %v", got, err, rows)
		}
	}
}

func TestNothingLooksWholeBeforeClose(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.parquet")
	w, err := results.NewWriter[mixed](path, results.Options{RowGroupRows: 100})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(rowsOf(1000)); err != nil {
		t.Fatal(err)
	}
	if m, _ := filepath.Glob(filepath.Join(dir, "*.parquet")); len(m) != 0 {
		t.Errorf("before Close there is %q", m)
	}
	w.Abort()
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("after Abort the folder holds %v", list)
	}
	if err := w.Append(rowsOf(1)); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("Append after Abort: %v", err)
	}
}

func TestUnusableFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "a.parquet")
	if _, err := results.WriteTable(path, rowsOf(1)); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names %s", err, path)
	}
}

func TestExtraColumns(t *testing.T) {
	dir := t.TempDir()
	extra := []results.ExtraColumn{
		{Name: "p", Kind: results.Float64, Unit: "1", Doc: "failure probability"},
		{Name: "topology", Kind: results.String, Doc: "shape"},
	}
	rows := rowsOf(20_000)
	write := func(name string, from, to int) string {
		path := filepath.Join(dir, name)
		w, err := results.NewWriter[mixed](path, results.Options{Extra: extra})
		if err != nil {
			t.Fatal(err)
		}
		for i := from; i < to; i += 1000 {
			values := []results.Value{{Float: float64(i) / 1e5}, {Text: fmt.Sprint("t", i)}}
			if err := w.AppendExtra(rows[i:i+1000], values); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole := write("whole.parquet", 0, 20_000)
	b, err := results.ReadExtra[mixed](whole)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(b.Rows, rows, same) || len(b.Extra) != 2 || b.Extra[0].ExtraColumn != extra[0] || b.Extra[1].ExtraColumn != extra[1] {
		t.Fatalf("read %d rows with extra columns %v", len(b.Rows), b.Extra)
	}
	if p, s := b.Extra[0].At(13_999).Float, b.Extra[1].At(13_999).Text; p != 0.13 || s != "t13000" {
		t.Errorf("row 13999 has p %v and topology %s, want 0.13 and t13000", p, s)
	}
	if plain, err := results.Read[mixed](whole); err != nil || !slices.EqualFunc(plain, rows, same) {
		t.Errorf("Read leaves the extra columns out: %d rows, %v", len(plain), err)
	}
	checkMerge(t, whole, write("one.parquet", 0, 7_000), write("two.parquet", 7_000, 20_000), extra)
}

// checkMerge checks that two parts, streamed into one file, make the bytes of the whole.
func checkMerge(t *testing.T, whole, one, two string, extra []results.ExtraColumn) {
	t.Helper()
	merged := filepath.Join(filepath.Dir(whole), "merged.parquet")
	w, err := results.NewWriter[mixed](merged, results.Options{Extra: extra})
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{one, two} {
		for b, err := range results.Batches[mixed](part) {
			if err != nil {
				t.Fatal(err)
			}
			if err := w.AppendBatch(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, _ := os.ReadFile(whole)
	b, _ := os.ReadFile(merged)
	if len(a) == 0 || !bytes.Equal(a, b) {
		t.Errorf("merged file of %d bytes differs from the whole of %d", len(b), len(a))
	}
	info, err := results.Inspect(merged)
	if err != nil || info.Rows != 20_000 || info.Table != "tests" || !slices.Equal(info.Extra, extra) || len(info.Columns) != 7 {
		t.Errorf("Inspect: %+v, %v", info, err)
	}
}

func TestBadExtraColumns(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.parquet")
	for want, c := range map[string]results.ExtraColumn{
		"already has":                {Name: "count", Kind: results.Float64},
		"not a column name":          {Name: "services[0].servers", Kind: results.Float64},
		"expected float64 or string": {Name: "n", Kind: results.Int64},
	} {
		if _, err := results.NewWriter[mixed](path, results.Options{Extra: []results.ExtraColumn{c}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", c, err, want)
		}
	}
	w, err := results.NewWriter[mixed](path, results.Options{Extra: []results.ExtraColumn{{Name: "p", Kind: results.Float64}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(rowsOf(1)); err == nil {
		t.Error("Append without the extra value succeeded")
	}
	if err := w.Close(); err == nil {
		t.Error("Close after a failed Append succeeded")
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("the folder holds %v", list)
	}
}
