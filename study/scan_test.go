package study_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrylab/study"
	"retrylab/study/finding"
	"retrylab/study/goscan"
)

// odd is a detector that finds, fails and panics by the file's name.
type odd struct{}

func (odd) Name() string        { return "odd" }
func (odd) Wants(p string) bool { return strings.HasSuffix(p, ".py") }
func (odd) Scan(f *finding.File) ([]finding.Finding, error) {
	one := []finding.Finding{{Line: 2, Rule: "r"}}
	switch {
	case strings.HasPrefix(f.Path, "panic"):
		panic("a detector's own mistake")
	case strings.HasPrefix(f.Path, "half"):
		return one, errors.New("only half of it")
	}
	return one, nil
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestScanRecordsEverythingAndSurvivesPanics(t *testing.T) {
	dir := folder(t, map[string]string{"a.py": "x", "panic.py": "x", "half.py": "x", "b.txt": "x", "bin.py": "\x00", "tests/c.py": "x"})
	for _, workers := range []int{1, 4} {
		res, err := study.Scan(t.Context(), []study.Source{{Dir: dir, Name: "o/r"}, {Dir: dir + "/nowhere"}}, study.Options{Workers: workers, Detectors: []finding.Detector{odd{}}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range res.Findings {
			got = append(got, fmt.Sprint(f.Path, f.Line, f.Production, f.Language, f.Confidence))
		}
		want := "[a.py2 truepythonmedium half.py2 truepythonmedium tests/c.py2 falsepythonmedium]"
		if fmt.Sprint(got) != want {
			t.Errorf("%d workers: got %v, want %v", workers, got, want)
		}
		r := res.Records[0]
		if r.FilesRead != 4 || r.BytesRead != 4 || r.Skipped[study.SkipLanguage] != 1 || r.Skipped["binary"] != 1 || len(r.Failed) != 2 || r.Language() != "python" {
			t.Errorf("record %+v", r)
		}
		if !strings.Contains(fmt.Sprint(r.Failed), "half.py: only half") || !strings.Contains(fmt.Sprint(r.Failed), "panic.py: detector odd panicked") {
			t.Errorf("failed %q", r.Failed)
		}
		if res.Records[1].Err == "" {
			t.Error("a missing source has no error in its record")
		}
	}
}

func TestDatasetRoundTrip(t *testing.T) {
	dir := folder(t, map[string]string{"m/a.go": "package m\nfunc f() error {\nfor attempt := 0; attempt < 3; attempt++ {\nif err := c.Call(); err == nil { return nil }\ntime.Sleep(time.Second)\n}\nreturn nil\n}\n"})
	res, err := study.Scan(t.Context(), []study.Source{{Dir: dir, Name: "o/r"}}, study.Options{Detectors: []finding.Detector{goscan.Detector{}}})
	if err != nil {
		t.Fatal(err)
	}
	d := study.DatasetOf(res)
	out := filepath.Join(t.TempDir(), "x")
	if err := d.Save(out); err != nil {
		t.Fatal(err)
	}
	back, err := study.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Findings) != 1 || back.Findings[0] != d.Findings[0] || back.Findings[0].Retries != 2 || len(back.Repositories) != 1 || back.Repositories[0].FilesGo != 1 {
		t.Errorf("read back %+v", back)
	}
	if got := back.Findings[0].Finding(); got.TotalAttempts != 3 || got.Base.Seconds() != 1 || got.Repo != "o/r" {
		t.Errorf("finding %+v", got)
	}
}

func TestBenchMatchesWithinTheWindow(t *testing.T) {
	pad := strings.Repeat("\n", 30)
	dir := folder(t, map[string]string{"o+r/a.go": "package m\nfunc f() error {\nfor attempt := 0; attempt < 3; attempt++ {\nif err := c.Call(); err == nil { return nil }\ntime.Sleep(time.Second)\n}\nreturn nil\n}\n" + pad})
	labels := folder(t, map[string]string{"l.jsonl": `{"id":"1","label":"positive","repo":"o/r","path":"a.go","line":10,"span_end":12,"language":"go","mechanism":"hand-rolled loop","loop_statement":true,"max_attempts":2,"max_semantics":"retries","backoff":"constant","jitter":false,"scope":"remote","confidence":"high","production":true}
{"id":"2","label":"positive","repo":"o/r","path":"a.go","line":30,"span_end":30,"language":"go","mechanism":"library call","scope":"remote","production":true}
{"id":"3","label":"negative","repo":"o/r","path":"a.go","line":14,"span_end":14,"language":"go","kind":"comment"}
{"id":"4","label":"positive","repo":"o/missing","path":"a.go","line":1,"language":"go","mechanism":"decorator","scope":"remote","production":true}
`})
	rows, err := study.ReadLabels(filepath.Join(labels, "l.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := study.Bench(t.Context(), rows, dir, study.Options{Detectors: []finding.Detector{goscan.Detector{}}})
	if err != nil {
		t.Fatal(err)
	}
	s := study.Score(res)
	if s.Overall.String() != "1/2 = 50.0%" || s.HandRolled.Hit != 1 || s.Library.Hit != 0 || s.Negatives.Of != 1 || s.Negatives.Hit != 0 || s.Attempts.Hit != 1 || s.Backoff.Hit != 1 || s.Jitter.Hit != 1 || len(s.Missing) != 1 {
		t.Errorf("score %+v", s)
	}
	var b strings.Builder
	if err := study.WriteBench(&b, res, true); err != nil || !strings.Contains(b.String(), "missing o/missing a.go:1") || !strings.Contains(b.String(), "missed   2 o/r a.go:30") {
		t.Errorf("report:\n%s", b.String())
	}
}

func TestReadLabelsReportsAllMistakes(t *testing.T) {
	dir := folder(t, map[string]string{"l.jsonl": "{\n{\"label\":\"maybe\",\"repo\":\"a/b\",\"path\":\"x\",\"line\":1}\n"})
	_, err := study.ReadLabels(filepath.Join(dir, "l.jsonl"))
	if err == nil || !strings.Contains(err.Error(), "l.jsonl:1:") || !strings.Contains(err.Error(), "l.jsonl:2:") {
		t.Errorf("error %v", err)
	}
}
