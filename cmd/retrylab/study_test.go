package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const eager = `package m

func f() error {
	for i := 0; i < 9; i++ { // attempts
		if err := c.Call(); err == nil {
			return nil
		}
	}
	return nil
}
`

// repository is a small folder with one retry that deserves advice.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(eager), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestStudyScanFormats(t *testing.T) {
	dir := repository(t)
	text := expect(t, exitOK, "study", "scan", dir, "--quiet")
	if !strings.Contains(text.stdout, "a.go:4: warning: 9 attempts") || !strings.Contains(text.stdout, "[no-backoff]") {
		t.Errorf("text:\n%s%s", text.stdout, text.stderr)
	}
	var plain struct {
		Advice []struct{ Rule string } `json:"advice"`
	}
	var sarif struct {
		Version string `json:"version"`
		Runs    []struct {
			Results []struct {
				RuleID string `json:"ruleId"`
			} `json:"results"`
		} `json:"runs"`
	}
	for format, into := range map[string]any{"json": &plain, "sarif": &sarif} {
		r := expect(t, exitOK, "study", "scan", dir, "--quiet", "--format", format)
		if err := json.Unmarshal([]byte(r.stdout), into); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
	}
	if sarif.Version != "2.1.0" || len(sarif.Runs) != 1 || len(plain.Advice) == 0 || len(sarif.Runs[0].Results) != len(plain.Advice) {
		t.Errorf("json %+v, sarif %+v", plain, sarif)
	}
}

func TestStudyExitCodes(t *testing.T) {
	dir := repository(t)
	for _, c := range []struct {
		code int
		args []string
		want string
	}{
		{exitFailed, []string{"scan", dir, "--fail-on", "warning"}, "--fail-on"},
		{exitOK, []string{"scan", dir, "--fail-on", "none"}, ""},
		{exitUsage, []string{"scan", dir, "--fail-on", "bad"}, "expected note, warning, error or none"},
		{exitUsage, []string{"scan", dir, "--format", "xml"}, "expected text, json or sarif"},
		{exitUsage, []string{"scan", filepath.Join(dir, "nowhere")}, "nowhere"},
		{exitUsage, []string{"scna"}, `unknown command "scna" for "retrylab study"`},
		{exitUsage, []string{"scan", "--fromat", "json"}, "unknown flag: --fromat"},
		{exitFailed, []string{"table", "--in", filepath.Join(dir, "nowhere")}, "findings.parquet"},
		{exitOK, nil, ""},
	} {
		r := expect(t, c.code, append([]string{"study"}, c.args...)...)
		if !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: %q is not in %s", c.args, c.want, r.stderr)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r := commandContext(t, ctx, "study", "scan", dir, "--quiet"); r.code != exitInterrupted {
		t.Errorf("interrupted: code %d, %s", r.code, r.stderr)
	}
}

// Without a C compiler the program still builds, reads Go, and says what it left out.
func TestStudyWithoutCompiler(t *testing.T) {
	program := filepath.Join(t.TempDir(), "retrylab")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	scan := exec.Command(program, "study", "scan", repository(t), "--quiet")
	out, err := scan.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Python, Java, JavaScript and TypeScript are left out") || !strings.Contains(string(out), "a.go:4: warning") {
		t.Errorf("%v:\n%s", err, out)
	}
}
