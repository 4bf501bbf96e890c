package studycmd_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrylab/study/studycmd"
)

const loop = `package m

func f() error {
	for i := 0; i < 9; i++ {
		if err := c.Call(); err == nil {
			return nil
		}
		time.Sleep(time.Second) // attempts
	}
	return nil
}
`

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

func run(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	c := studycmd.Commands()
	var out, talk bytes.Buffer
	c.SetOut(&out)
	c.SetErr(&talk)
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	err = c.ExecuteContext(t.Context())
	return out.String(), talk.String(), err
}

func TestScanAdvises(t *testing.T) {
	dir := folder(t, map[string]string{"m/a.go": loop})
	out, _, err := run(t, "scan", dir, "--quiet", "--fail-on", "warning")
	if !errors.Is(err, studycmd.ErrFails) {
		t.Errorf("error %v, want that of --fail-on", err)
	}
	want := "m/a.go:4: warning: 9 attempts, advice is at most 5 [many-attempts]\nm/a.go:4: warning: constant wait without a random part [missing-jitter]\n1 findings, 2 pieces of advice\n"
	if out != want {
		t.Errorf("got\n%s", out)
	}
	if _, _, err := run(t, "scan", dir, "--quiet", "--fail-on", "error"); err != nil {
		t.Errorf("no error-level advice, but %v", err)
	}
}

func TestScanFormats(t *testing.T) {
	dir := folder(t, map[string]string{"m/a.go": loop, ".retrylabignore": "m/ many-attempts\n", "m/broken.go": "package m\nfunc retry( {"})
	for _, format := range []string{"json", "sarif"} {
		out, _, err := run(t, "scan", dir, "--quiet", "--format", format, "--all")
		if err != nil || !json.Valid([]byte(out)) {
			t.Fatalf("%s: %v\n%s", format, err, out)
		}
		if strings.Contains(out, `"9 attempts`) || !strings.Contains(out, "missing-jitter") || !strings.Contains(out, "broken.go") {
			t.Errorf("%s: exceptions or unread files are wrong:\n%s", format, out)
		}
	}
}

// Where no terminal shows them, the lines of progress are whole lines, without what moves a cursor, and not one for every repository.
func TestProgressOffATerminal(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("o+r%02d/m/a.go", i)] = loop
	}
	_, talk, err := run(t, "scan", "--repos", folder(t, files), "--out", filepath.Join(t.TempDir(), "data"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(talk, "\n"), "\n")
	if strings.Contains(talk, "\r") || len(lines) < 11 || len(lines) > 20 || !strings.Contains(talk, "scan: 20 of 40 repositories, o/r19, 1 files\n") || !strings.HasPrefix(lines[len(lines)-1], "40 findings") {
		t.Errorf("%d lines, want ten of progress, or a few more on a slow machine, and the summary:\n%q", len(lines), talk)
	}
}

func TestMistakesAreUsageErrors(t *testing.T) {
	dir := folder(t, map[string]string{"m/a.go": loop, ".retrylabignore": "x no-such-rule\n"})
	for _, args := range [][]string{
		{"scan", dir, "--quiet", "--format", "xml"}, {"scan", dir, "--quiet", "--fail-on", "bad"}, {"scan", dir + "/nowhere", "--quiet"},
		{"scan", dir, "--quiet"}, {"bench"}, {"prevalence", "--detected", "300"}, {"validate"}, {"scan", "--quiet", "--repos", dir + "/nowhere"},
	} {
		_, _, err := run(t, args...)
		var usage studycmd.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%v: error %v is no usage error", args, err)
		}
	}
}

func TestStudyFromScanToTable(t *testing.T) {
	clones := folder(t, map[string]string{"o+a/m/a.go": loop, "o+b/m/b.go": "package m\n", "o+a/m/silent.go": "package m // retry\n"})
	data, out := filepath.Join(t.TempDir(), "data"), t.TempDir()
	if _, talk, err := run(t, "scan", "--repos", clones, "--out", data, "--quiet"); err != nil || !strings.Contains(talk, "1 findings in 2 repositories") {
		t.Fatalf("scan: %v, %s", err, talk)
	}
	if flow, _, err := run(t, "clean", "--in", data); err != nil || !strings.Contains(flow, "detections,0,1\n") {
		t.Errorf("clean: %v, %s", err, flow)
	}
	if _, _, err := run(t, "table", "--in", data, "--out", out); err != nil {
		t.Errorf("table: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(out, "tables.md"))
	if err != nil || !strings.Contains(string(text), "| repositories with a retry detected | 1/2 = 50.0% |") {
		t.Errorf("tables: %v\n%s", err, text)
	}
	list := folder(t, map[string]string{"list": "# clones\n" + filepath.Join(clones, "o+a") + "\to/a\n"})
	if _, _, err := run(t, "validate", "--in", data, "--repos", filepath.Join(list, "list"), "--out", out, "--quiet", "--seed", "3"); err != nil {
		t.Errorf("validate: %v", err)
	}
	sheet, err := os.ReadFile(filepath.Join(out, "sheet.csv"))
	if err != nil || !strings.Contains(string(sheet), "F001,finding,o/a,,m/a.go,4,") || !strings.Contains(string(sheet), "S001,silent,o/a,,m/silent.go") {
		t.Errorf("sheet: %v\n%s", err, sheet)
	}
	if score, _, err := run(t, "validate", "--score", filepath.Join(out, "sheet.csv")); err != nil || !strings.Contains(score, "without a verdict          2") {
		t.Errorf("score: %v\n%s", err, score)
	}
}

func TestPrevalenceOfThePaper(t *testing.T) {
	out, _, err := run(t, "prevalence")
	if err != nil || !strings.Contains(out, "41.0% (28.5-56.8)") || !strings.Contains(out, "11.5%") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Every rule has its section in the documentation.
func TestRulesAreDocumented(t *testing.T) {
	out, _, err := run(t, "rules")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../docs/study-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out) {
		id := strings.Fields(line)[0]
		if !strings.Contains(string(doc), "## "+id+"\n") {
			t.Errorf("docs/study-rules.md has no section %q", id)
		}
	}
}
