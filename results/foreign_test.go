package results_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"retrylab/results"
)

// absent ends a test for want of a tool: in CI that is a failure, elsewhere a skip.
func absent(t *testing.T, tool, remedy string) {
	t.Helper()
	text := fmt.Sprintf("no %s: %s", tool, remedy)
	if os.Getenv("CI") == "true" {
		t.Fatal(text)
	}
	t.Skip(text)
}

// foreignFiles writes the files that foreign readers must read, and returns what they must see.
func foreignFiles(t *testing.T) (paths []string, want map[string]map[string][]string) {
	dir := t.TempDir()
	mixedPath, extraPath := filepath.Join(dir, "mixed.parquet"), filepath.Join(dir, "extra.parquet")
	emptyPath, trialsPath := filepath.Join(dir, "empty.parquet"), filepath.Join(dir, "trials.parquet")
	want = make(map[string]map[string][]string)

	rows := rowsOf(250) // three row groups of 100
	rows[120].Rate = math.NaN()
	extra := []results.ExtraColumn{{Name: "p", Kind: results.Float64, Doc: "factor"}, {Name: "topology", Kind: results.String, Doc: "factor"}}
	for path, opts := range map[string]results.Options{mixedPath: {RowGroupRows: 100}, extraPath: {RowGroupRows: 100, Extra: extra}} {
		w, err := results.NewWriter[mixed](path, opts)
		if err != nil {
			t.Fatal(err)
		}
		values := []results.Value{{Float: 0.3}, {Text: "chain"}}[:len(opts.Extra)]
		if err := w.AppendExtra(rows, values); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		want[path] = texts(rows)
	}
	for range rows {
		want[extraPath]["p"] = append(want[extraPath]["p"], float(0.3))
		want[extraPath]["topology"] = append(want[extraPath]["topology"], "chain")
	}
	trials := []results.Trial{{Cell: "a", Strategy: "ARB", Seed: math.MaxUint64, LatencyNsP99: -1, Recovered: true}, {Cell: "b", Trial: 1}}
	if _, err := results.WriteTable(trialsPath, trials); err != nil {
		t.Fatal(err)
	}
	want[trialsPath] = texts(trials)
	write(t, emptyPath, nil)
	want[emptyPath] = map[string][]string{}
	return []string{mixedPath, extraPath, trialsPath, emptyPath}, want
}

// texts returns the columns of rows with values as the scripts in internal/tools print them.
func texts[T results.Row](rows []T) map[string][]string {
	columns := make(map[string][]string)
	for _, row := range rows {
		for k, c := range results.ColumnsOf[T]() {
			var text string
			switch f := reflect.ValueOf(row).Field(k); c.Kind {
			case results.String:
				text = f.String()
			case results.Bool:
				text = strconv.FormatBool(f.Bool())
			case results.Int64:
				text = strconv.FormatInt(f.Int(), 10)
			case results.Uint64:
				text = strconv.FormatUint(f.Uint(), 10)
			case results.Float64:
				text = float(f.Float())
			}
			columns[c.Name] = append(columns[c.Name], text)
		}
	}
	return columns
}

func float(x float64) string {
	if math.IsNaN(x) {
		return "NaN"
	}
	return fmt.Sprintf("%016x", math.Float64bits(x))
}

// compareReaders runs a script and compares what each of its readers saw.
func compareReaders(t *testing.T, readers []string, command string, args ...string) {
	t.Helper()
	if _, err := os.ReadFile(args[0]); err != nil { // so that a changed script is not answered from the test cache
		t.Fatal(err)
	}
	paths, want := foreignFiles(t)
	cmd := exec.Command(command, append(args, paths...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	var got map[string]map[string]map[string][]string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		for _, reader := range readers {
			compareColumns(t, reader+" on "+filepath.Base(path), got[path][reader], want[path])
		}
		for kind, list := range got[path]["problems"] {
			for _, problem := range list {
				t.Errorf("%s of %s: %s", kind, filepath.Base(path), problem)
			}
		}
	}
}

func compareColumns(t *testing.T, what string, got, want map[string][]string) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: nothing read", what)
	}
	for name, values := range got {
		if len(values) != len(want[name]) {
			t.Errorf("%s: column %s has %d values, want %d", what, name, len(values), len(want[name]))
			continue
		}
		for i, v := range values {
			if v != want[name][i] {
				t.Errorf("%s: column %s, row %d: %q, want %q", what, name, i, v, want[name][i])
				break
			}
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: no column %s", what, name)
		}
	}
}

func TestPythonReadersAgree(t *testing.T) {
	python := os.Getenv("RETRYLAB_PYTHON")
	if python == "" {
		python = "../.venv/bin/python"
	}
	const remedy = "python3 -m venv .venv && .venv/bin/pip install -r internal/tools/python-requirements.txt, or set RETRYLAB_PYTHON"
	if _, err := exec.LookPath(python); err != nil {
		absent(t, python, remedy)
	}
	if err := exec.Command(python, "-c", "import duckdb, pandas, polars, pyarrow").Run(); err != nil {
		absent(t, "pandas, pyarrow, DuckDB or polars in "+python, remedy)
	}
	compareReaders(t, []string{"pandas", "DuckDB", "polars"}, python, "../internal/tools/readparquet.py")
}

func TestJavaScriptReadersAgree(t *testing.T) {
	const remedy = "cp internal/tools/package*.json .tools/ && cd .tools && npm ci"
	node, err := exec.LookPath("node")
	if err != nil {
		absent(t, "node", "install Node.js 20 or later")
	}
	const modules = "../.tools/node_modules"
	if _, err := os.Stat(filepath.Join(modules, "hyparquet")); err != nil {
		absent(t, modules, remedy)
	}
	compareReaders(t, []string{"hyparquet", "parquet-wasm"}, node, "../internal/tools/readparquet.mjs", modules)
}
