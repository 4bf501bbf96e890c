package results_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"retrylab/results"
)

func TestNotParquet(t *testing.T) {
	dir := t.TempDir()
	cases := map[string]struct{ contents, want string }{
		"empty.parquet":   {"", "not a whole Parquet file"},
		"text.parquet":    {"a,b\n1,2\n and some more text", "not a whole Parquet file"},
		"magic.parquet":   {"PAR1PAR1", "not a whole Parquet file"},
		"footer.parquet":  {"PAR1\xff\xff\xff\x7fPAR1", "not a whole Parquet file"},
		"garbage.parquet": {"PAR1garbagegarbage\x0e\x00\x00\x00PAR1", "not a whole Parquet file"},
	}
	for name, c := range cases {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.contents), 0o666); err != nil {
			t.Fatal(err)
		}
		expectError(t, path, c.want)
	}
	expectError(t, filepath.Join(dir, "missing.parquet"), "no such file")
	expectError(t, dir, "directory")
}

// expectError checks that every reader names the file and says want.
func expectError(t *testing.T, path string, want string) {
	t.Helper()
	check := func(reader string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q about %s", reader, err, want, path)
		}
	}
	_, err := results.Read[mixed](path)
	check("Read", err)
	_, err = results.Digest[mixed](path)
	check("Digest", err)
	err = nil
	for _, err = range results.Batches[mixed](path) {
	}
	check("Batches", err)
}

func TestTruncatedAnywhere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	write(t, path, rowsOf(50))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		if err := os.WriteFile(path, whole[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := results.Read[mixed](path); err == nil || !strings.Contains(err.Error(), path) {
			t.Fatalf("%d of %d bytes: error %v, want one that names %s", n, len(whole), err, path)
		}
	}
}

// One wrong bit anywhere: an error that names the file, or as many rows as before. (A bit within a value is
// for Verify to find.) No bit may cost more memory than such a file could need.
func TestWrongBit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	rows := rowsOf(20)
	write(t, path, rows)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	short := 0 // files in which a page says that it has fewer values
	for i := range whole {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, bit := range []byte{1, 2, 8, 128} {
			damaged := bytes.Clone(whole)
			damaged[i] ^= bit
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			got, err := results.Read[mixed](path)
			if err != nil && !strings.Contains(err.Error(), path) {
				t.Errorf("byte %d xor %d: error %v does not name %s", i, bit, err, path)
			}
			if err != nil && strings.Contains(err.Error(), "values, expected 20") {
				short++
			}
			if info, _ := results.Inspect(path); err == nil && (len(got) != len(rows) || info.Rows != int64(len(rows))) {
				t.Errorf("byte %d xor %d: %d rows, %d by the footer, want %d or an error", i, bit, len(got), info.Rows, len(rows))
			}
		}
		runtime.ReadMemStats(&after)
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 500 {
			t.Errorf("byte %d: reading allocates %d MB", i, mb)
		}
	}
	if short == 0 {
		t.Error("no wrong bit was noticed as missing values")
	}
}

// A byte missing from the middle, footer intact: lengths no longer fit.
func TestHole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	write(t, path, rowsOf(2000))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(bytes.Clone(whole[:100]), whole[400:]...), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := results.Read[mixed](path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names %s", err, path)
	}
}

// foreign writes a Parquet file of one row whose columns are fields, as another program might.
func foreign(t *testing.T, path string, fields []schema.Node, kv map[string]string) {
	t.Helper()
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	meta := metadata.NewKeyValueMetadata()
	for k, v := range kv {
		if err := meta.Append(k, v); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := file.NewParquetWriter(f, root, file.WithWriteMetadata(meta))
	if err := w.Close(); err != nil { // closes f too
		t.Fatal(err)
	}
}

func TestForeignParquet(t *testing.T) {
	required, optional := parquet.Repetitions.Required, parquet.Repetitions.Optional
	str := func(name string, r parquet.Repetition) schema.Node {
		return schema.MustPrimitive(schema.NewPrimitiveNodeLogical(name, r, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1))
	}
	u64 := schema.MustPrimitive(schema.NewPrimitiveNodeLogical("key", required, schema.NewIntLogicalType(64, false), parquet.Types.Int64, -1, -1))
	text, flag, count, rate := str("text", required), schema.NewBooleanNode("flag", required, -1), schema.NewInt64Node("count", required, -1), schema.NewFloat64Node("rate", required, -1)
	good := []schema.Node{text, flag, count, u64, rate}
	ours := map[string]string{"retrylab.schema_version": "1", "retrylab.table": "tests"}
	with := func(key, value string) map[string]string {
		kv := map[string]string{key: value}
		for k, v := range ours {
			if _, ok := kv[k]; !ok {
				kv[k] = v
			}
		}
		return kv
	}
	cases := map[string]struct {
		fields []schema.Node
		kv     map[string]string
		want   []string
	}{
		"no metadata":   {good, nil, []string{"not a table of retrylab"}},
		"newer":         {good, with("retrylab.schema_version", "2"), []string{`schema version "2", expected 1`}},
		"no version":    {good, with("retrylab.schema_version", "x"), []string{`schema version "x", expected 1`}},
		"another table": {good, with("retrylab.table", "trials"), []string{"table trials, expected tests"}},
		"all at once": {
			[]schema.Node{str("text", optional), flag, schema.NewFloat64Node("count", required, -1), schema.NewInt32Node("key", required, -1), count2(required)}, ours,
			[]string{"column text: optional", "column count: type float64, expected int64", "column key: type INT32", "missing columns: rate", "columns not of this table: count2"},
		},
		"signed key":     {[]schema.Node{text, flag, count, schema.NewInt64Node("key", required, -1), rate}, ours, []string{"column key: type int64, expected uint64"}},
		"order":          {[]schema.Node{flag, text, count, u64, rate}, ours, []string{"another order: number 1 is not text"}},
		"bad extra":      {good, with("retrylab.extra_columns", "{"), []string{"retrylab.extra_columns"}},
		"too many extra": {good, with("retrylab.extra_columns", `[{},{},{},{},{},{}]`), []string{"lists 6 columns, the file has 5"}},
		"wrong extra":    {append(good[:5:5], count2(required)), with("retrylab.extra_columns", `[{"name":"p"}]`), []string{"column count2 of type int64, expected extra column p"}},
		"no columns":     {nil, ours, []string{"missing columns: text, flag, count, key, rate"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.parquet")
			foreign(t, path, c.fields, c.kv)
			for _, want := range c.want {
				expectError(t, path, want)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "a.parquet")
	foreign(t, path, good, ours)
	if _, err := results.Read[mixed](path); err != nil {
		t.Errorf("a foreign file with the right columns and metadata: %v", err)
	}
}

func count2(r parquet.Repetition) schema.Node { return schema.NewInt64Node("count2", r, -1) }

// FuzzRead checks that damaged files give errors or rows, never a panic.
func FuzzRead(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.parquet")
	write(f, path, rowsOf(20))
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	for i := 0; i < len(whole); i += 13 {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x55
		f.Add(damaged)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.parquet")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := results.Read[mixed](path); err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("error %v does not name %s", err, path)
		}
	})
}
