package results_test

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"retrylab/results"
)

func TestManifestIsStable(t *testing.T) {
	dir := t.TempDir()
	m := &results.Manifest{
		SchemaVersion: 1, ToolVersion: "0.1.0", GoVersion: "go1.26.8", GOARCH: "amd64", GOAMD64: "v1", Seed: 1<<64 - 1,
		Parameters: map[string]string{"trials": "100", "scenarios": "S1,S2"},
	}
	m.AddModel("reference.yaml", []byte("abc"))
	m.AddModel("a.yaml", nil)
	m.Add(results.FileEntry{Name: "tables/b.csv", SHA256: "22"}, results.FileEntry{Name: "data/a.parquet", Rows: 3, SHA256: "11", RowDigest: "33"})
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, results.ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
  "schema_version": 1,
  "tool_version": "0.1.0",
  "go_version": "go1.26.8",
  "goarch": "amd64",
  "goamd64": "v1",
  "seed": "18446744073709551615",
  "parameters": {
    "scenarios": "S1,S2",
    "trials": "100"
  },
  "models": [
    {
      "name": "a.yaml",
      "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    },
    {
      "name": "reference.yaml",
      "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    }
  ],
  "files": [
    {
      "name": "data/a.parquet",
      "rows": 3,
      "sha256": "11",
      "row_digest": "33"
    },
    {
      "name": "tables/b.csv",
      "rows": 0,
      "sha256": "22",
      "row_digest": ""
    }
  ]
}
`
	if string(got) != want {
		t.Errorf("manifest is\n%s\nwant\n%s", got, want)
	}
	back, err := results.ReadManifest(dir)
	if err != nil || !reflect.DeepEqual(back, m) {
		t.Errorf("read %+v, %v; wrote %+v", back, err, m)
	}
}

func TestNewManifestNamesThisProgram(t *testing.T) {
	m := results.NewManifest("0.1.0", 7)
	if m.GoVersion != runtime.Version() || m.GOARCH != runtime.GOARCH || m.SchemaVersion != results.SchemaVersion || m.Seed != 7 {
		t.Errorf("%+v", m)
	}
	if (m.GOARCH == "amd64") != strings.HasPrefix(m.GOAMD64, "v") {
		t.Errorf("GOARCH %s with GOAMD64 %q", m.GOARCH, m.GOAMD64)
	}
}

// published makes a folder as a run does.
func published(t *testing.T) (string, *results.Manifest) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	m := results.NewManifest("0.1.0", 1)
	for _, name := range []string{"a", "b", "c", "d"} {
		e := write(t, filepath.Join(dir, "data", name+".parquet"), rowsOf(100))
		e.Name = "data/" + name + ".parquet"
		m.Add(e)
	}
	for _, name := range []string{"t.csv", "u.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x,y\n1,2\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := m.AddFile(dir, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir, m
}

func TestVerifyAcceptsWhatWasWritten(t *testing.T) {
	dir, m := published(t)
	if list, err := results.Verify(dir); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	again := *m
	again.Files = nil
	for _, e := range m.Files {
		if err := again.AddFile(dir, e.Name); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(again.Files, m.Files) {
		t.Errorf("entries from the disk %v differ from the writer's %v", again.Files, m.Files)
	}
}

func TestVerifyReportsAllMismatches(t *testing.T) {
	dir, _ := published(t)
	data := filepath.Join(dir, "data")
	// a: the same rows in other bytes. b: one row more. c: truncated. d: gone. t.csv: changed. z: not listed.
	w, err := results.NewWriter[mixed](filepath.Join(data, "a.parquet"), results.Options{RowGroupRows: 10})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(rowsOf(100)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(data, "b.parquet"), rowsOf(101))
	if err := os.Truncate(filepath.Join(data, "c.parquet"), 500); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(data, "d.parquet")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "t.csv"), []byte("x,y\n1,3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(data, "z.parquet"), nil)

	list, err := results.Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]string{
		{"data/a.parquet", "sha256"},
		{"data/b.parquet", "sha256"}, {"data/b.parquet", "101 rows, expected 100"}, {"data/b.parquet", "row_digest"},
		{"data/c.parquet", "not a whole Parquet file"}, {"data/c.parquet", "sha256"},
		{"data/d.parquet", "no such file"},
		{"t.csv", "sha256"},
		{"data/z.parquet", "not in the manifest"},
	}
	for i, m := range list {
		if i >= len(want) || m.File != want[i][0] || !strings.Contains(m.Problem, want[i][1]) {
			t.Errorf("mismatch %d: %v", i, m)
		}
	}
	if len(list) != len(want) {
		t.Errorf("%d mismatches, want %d", len(list), len(want))
	}
}

func TestBadManifests(t *testing.T) {
	cases := map[string]struct{ text, want string }{
		"not JSON":          {"{", "unexpected end"},
		"something else":    {`{"name": "x"}`, "not a manifest of retrylab"},
		"newer":             {`{"schema_version": 2, "new_key": 1}`, "schema_version: 2, expected 1"},
		"unknown key":       {`{"schema_version": 1, "sede": "1"}`, `unknown field "sede"`},
		"outside":           {`{"schema_version": 1, "files": [{"name": "../../secret"}, {"name": "/x"}]}`, `files[1].name: "/x"`},
		"twice":             {`{"schema_version": 1, "files": [{"name": "x"}, {"name": "x"}]}`, `"x" twice`},
		"names itself":      {`{"schema_version": 1, "files": [{"name": "manifest.json"}]}`, "files[0].name"},
		"a number too long": {`{"schema_version": 1, "seed": "18446744073709551616"}`, "seed"},
	}
	for name, c := range cases {
		dir := t.TempDir()
		path := filepath.Join(dir, results.ManifestName)
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := results.ReadManifest(dir)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q about %s", name, err, c.want, path)
		}
		if _, err := results.Verify(dir); err == nil {
			t.Errorf("%s: Verify accepts it", name)
		}
	}
	if _, err := results.Verify(t.TempDir()); err == nil {
		t.Error("Verify accepts a folder without a manifest")
	}
	m := results.NewManifest("", 0)
	m.Add(results.FileEntry{Name: "x"}, results.FileEntry{Name: "x"})
	if err := m.Write(t.TempDir()); err == nil {
		t.Error("Write accepts two entries of one name")
	}
}

func TestProvenance(t *testing.T) {
	dir := t.TempDir()
	dirty := true
	started := time.Now().Add(-time.Minute)
	p := results.NewProvenance(3, started, results.Source{Commit: "abc", Dirty: &dirty})
	if err := p.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := results.ReadProvenance(dir)
	if err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("read %+v, %v; wrote %+v", got, err, p)
	}
	// A test binary carries no stamp, so the fallback counts.
	if p.Commit != "abc" || p.Dirty == nil || !*p.Dirty || p.Workers != 3 || p.Cores < 1 || p.Host == "" {
		t.Errorf("%+v", p)
	}
	if took := p.Ended.Sub(p.Started); took < time.Minute || took > time.Hour {
		t.Errorf("took %v, want a minute or a little more", took)
	}
	if p.PeakMemoryBytes < 1<<20 || p.PeakMemoryBytes > 1<<40 {
		t.Errorf("peak memory %d bytes", p.PeakMemoryBytes)
	}
	if p := results.NewProvenance(1, started, results.Source{}); p.Commit != "unknown" || p.Dirty != nil {
		t.Errorf("without any source: %+v", p)
	}
}
