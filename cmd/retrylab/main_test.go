package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// result is what one command line did.
type result struct {
	code           int
	stdout, stderr string
}

// command runs a command line in process.
func command(t *testing.T, args ...string) result {
	t.Helper()
	return commandContext(t, context.Background(), args...)
}

func commandContext(t *testing.T, ctx context.Context, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(ctx, args, &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// expect runs a command line and checks its exit code.
func expect(t *testing.T, code int, args ...string) result {
	t.Helper()
	r := command(t, args...)
	if r.code != code {
		t.Fatalf("retrylab %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), r.code, code, r.stdout, r.stderr)
	}
	return r
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s (rewrite with: go test ./cmd/retrylab -update)\ngot\n%s\nwant\n%s", path, got, want)
	}
}

func TestGoldenOutputs(t *testing.T) {
	for name, args := range map[string][]string{
		"help.txt":           {"--help"},
		"help_run.txt":       {"run", "--help"},
		"help_study.txt":     {"study", "--help"},
		"help_scan.txt":      {"study", "scan", "--help"},
		"policies_retry.txt": {"policies", "retry"},
		"validate.txt":       {"validate", "reference", "--scenario", "S1,S2", "--strategy", "NR,ARB"},
		"validate_show.txt":  {"validate", "reference", "--scenario", "S3", "--strategy", "SR", "--set", "services[*].servers=25", "--show"},
		"run.txt":            {"run", "testdata/small.yaml", "--strategy", "NR,SR", "--trials", "3", "--seed", "5", "--quiet"},
	} {
		t.Run(name, func(t *testing.T) {
			r := expect(t, exitOK, args...)
			golden(t, name, r.stdout)
			if r.stderr != "" {
				t.Errorf("talk on the standard error: %s", r.stderr)
			}
		})
	}
}

// All mistakes of a bad model come at once, with exit code 2 and nothing on the standard output.
func TestBadModel(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	r := expect(t, exitUsage, "run", "testdata/bad.yaml", "--strategy", "testdata/bad_strategy.yaml", "--out", out)
	golden(t, "bad.txt", r.stderr)
	if r.stdout != "" {
		t.Errorf("standard output: %s", r.stdout)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a folder was made")
	}
	v := expect(t, exitUsage, "validate", "testdata/bad.yaml", "--strategy", "testdata/bad_strategy.yaml")
	if v.stderr != r.stderr {
		t.Errorf("validate says something else:\n%s", v.stderr)
	}
}

func TestUsageMistakes(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"papr"}, `unknown command "papr"`},
		{[]string{"paper", "extra"}, `unknown command "extra"`},
		{[]string{"paper", "--trails", "3"}, "unknown flag: --trails"},
		{[]string{"paper", "--trials", "x"}, "invalid argument"},
		{[]string{"paper", "--trials", "0"}, "trials: must be between 1"},
		{[]string{"paper", "--shard", "5/4", "--workers", "-1"}, "shard \"5/4\": expected i/n with i from 1 to n, e.g. 2/8\nworkers: must be"},
		{[]string{"run"}, "requires at least 1 arg"},
		{[]string{"run", "refrence"}, `unknown model, did you mean "reference"?`},
		{[]string{"run", "reference", "--set", "x"}, "expected path=value"},
		{[]string{"run", "reference", "--set", "services.Api.serves=3"}, `no item has this name, did you mean "API"?`},
		{[]string{"policies", "rety"}, `unknown policy "rety", did you mean "retry"?`},
		{[]string{"library", "S9"}, `unknown file "S9", did you mean "S`},
		{[]string{"replay", "x"}, `required flag(s) "trial" not set`},
		{[]string{"merge", "x"}, `required flag(s) "out" not set`},
	} {
		r := expect(t, exitUsage, c.args...)
		if !strings.Contains(r.stderr, c.want) {
			t.Errorf("%v: %q is not in %s", c.args, c.want, r.stderr)
		}
	}
}

// A run is written, verified, replayed, reported again, and its shards merge into the same files.
func TestLifeOfResults(t *testing.T) {
	tmp := t.TempDir()
	whole := filepath.Join(tmp, "whole")
	base := []string{"run", "testdata/small.yaml", "--strategy", "NR,SR", "--trials", "6", "--seed", "5"}
	with := func(args ...string) []string { return append(append([]string{}, base...), args...) }
	r := expect(t, exitOK, with("--out", whole, "--workers", "2")...)
	if !strings.Contains(r.stderr, "run: 12 of 12 trials") || !strings.Contains(r.stdout, "small/model/SR") {
		t.Errorf("talk: %s\ndata: %s", r.stderr, r.stdout)
	}
	want := files(t, whole)
	for _, name := range []string{"manifest.json", "data/trials.parquet", "report.html"} {
		if want[name] == "" {
			t.Fatalf("%s is missing", name)
		}
	}
	expect(t, exitOK, "verify", whole)
	if r := expect(t, exitOK, "replay", whole, "--trial", "small/model/SR:4"); !strings.Contains(r.stdout, "equal rows") {
		t.Errorf("replay: %s", r.stdout)
	}
	trace := expect(t, exitOK, "replay", whole, "--trial", "small/model/SR:4", "--trace", "-").stdout
	first, _, _ := strings.Cut(trace, "\n")
	if !regexp.MustCompile(`^\{"time_ns":\d+,"event":"request","request":1,"edge":"client>A","attempt":\d+\}$`).MatchString(first) {
		t.Errorf("trace begins with %s", first)
	}
	expect(t, exitOK, "report", whole)
	compareFiles(t, "after report", want, files(t, whole))

	var parts []string
	for _, shard := range []string{"3/3", "1/3", "2/3"} {
		part := filepath.Join(tmp, "part"+shard[:1])
		expect(t, exitOK, with("--out", part, "--shard", shard, "--quiet", "--workers", "1")...)
		expect(t, exitOK, "verify", part)
		parts = append(parts, part)
	}
	merged := filepath.Join(tmp, "merged")
	expect(t, exitOK, append([]string{"merge", "--out", merged}, parts...)...)
	compareFiles(t, "merged", want, files(t, merged))
	expect(t, exitUsage, append([]string{"merge", "--out", filepath.Join(tmp, "hole")}, parts[:2]...)...)
}

func TestVerifyFindsDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	make := func() {
		expect(t, exitOK, "run", "testdata/small.yaml", "--strategy", "SR", "--trials", "4", "--out", dir, "--quiet")
	}
	make()
	table := filepath.Join(dir, "tables", "cells.csv")
	if _, err := os.Stat(table); err != nil {
		found, _ := filepath.Glob(filepath.Join(dir, "tables", "*.csv"))
		if len(found) == 0 {
			t.Fatal("no tables")
		}
		table = found[0]
	}
	change(t, table, func(b []byte) []byte { return append(b, '1') })
	r := expect(t, exitDiffer, "verify", dir)
	if !strings.Contains(r.stdout, filepath.Base(table)) {
		t.Errorf("verify does not name the table: %s", r.stdout)
	}
	make()
	change(t, filepath.Join(dir, "data", "trials.parquet"), func(b []byte) []byte { return b[:len(b)/2] })
	for _, name := range []string{"verify", "report"} {
		r := command(t, name, dir)
		if r.code != exitDiffer && r.code != exitFailed || !strings.Contains(r.stdout+r.stderr, "trials.parquet") {
			t.Errorf("%s: %d %s%s", name, r.code, r.stdout, r.stderr)
		}
	}
	if r := expect(t, exitFailed, "verify", t.TempDir()); !strings.Contains(r.stderr, "manifest.json") {
		t.Errorf("an empty folder: %s", r.stderr)
	}
}

func TestInterruptedRunLeavesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out := filepath.Join(t.TempDir(), "deep", "out")
	r := commandContext(t, ctx, "run", "testdata/small.yaml", "--out", out)
	if r.code != exitInterrupted || !strings.Contains(r.stderr, "interrupted") {
		t.Errorf("%d %s", r.code, r.stderr)
	}
	if _, err := os.Stat(filepath.Dir(out)); err == nil {
		t.Error("something is left")
	}
}

func TestUnwritableOutput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{file, filepath.Join(file, "below")} {
		expect(t, exitFailed, "run", "testdata/small.yaml", "--trials", "1", "--out", out, "--quiet")
		expect(t, exitFailed, "sweep", "testdata/sweep.yaml", "--out", out, "--quiet")
		expect(t, exitFailed, "submit", "testdata/sweep.yaml", "--shards", "2", "--slurm", "--out", out)
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "mine" {
		t.Errorf("the file holds %q, %v", data, err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestQuickSaysSo(t *testing.T) {
	out := filepath.Join(t.TempDir(), "quick")
	expect(t, exitOK, "paper", "--quick", "--trials", "2", "--claims=false", "--out", out, "--quiet")
	all := files(t, out)
	for name, text := range all {
		if strings.HasPrefix(name, "tables/table3") && strings.HasSuffix(name, ".md") && !strings.Contains(text, "Quick run") {
			t.Errorf("%s does not say that it is a quick run:\n%s", name, text)
		}
	}
	if !strings.Contains(all["manifest.json"], "Quick run") {
		t.Error("the manifest does not say that it is a quick run")
	}
	// The published study of repositories comes with the paper's results, wherever they are written.
	if !strings.Contains(all["tables/study.md"], "Repositories with a retry detected") || !strings.Contains(all["manifest.json"], "data/study/findings.parquet") {
		t.Error("the study of repositories is not in the report or the manifest")
	}
	expect(t, exitOK, "verify", out)
	expect(t, exitOK, "report", out)
	compareFiles(t, "after report", all, files(t, out))
}

// A file of the library, copied, is the same model.
func TestLibraryFilesCanBeCopied(t *testing.T) {
	if list := expect(t, exitOK, "library").stdout; !strings.Contains(list, "strategy  ARB") {
		t.Errorf("list: %s", list)
	}
	path := filepath.Join(t.TempDir(), "copy.yaml")
	if err := os.WriteFile(path, []byte(expect(t, exitOK, "library", "reference").stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	a, b := expect(t, exitOK, "validate", path, "--show").stdout, expect(t, exitOK, "validate", "reference", "--show").stdout
	if a != b {
		t.Errorf("the copy is\n%s\nnot\n%s", a, b)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if r := expect(t, exitOK, "completion", shell); !strings.Contains(r.stdout, "retrylab") {
			t.Errorf("%s: %s", shell, r.stdout)
		}
	}
}

// files is every file that does not differ between two equal runs.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "provenance.json" {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func compareFiles(t *testing.T, what string, want, got map[string]string) {
	t.Helper()
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: %s is new", what, name)
		}
	}
}

func change(t *testing.T, path string, f func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f(data), 0o644); err != nil {
		t.Fatal(err)
	}
}
