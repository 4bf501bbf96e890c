package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A sweep is planned, run, verified, replayed, reported again, and its parts merge into the same files.
func TestLifeOfASweep(t *testing.T) {
	tmp := t.TempDir()
	dry := expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--dry-run").stdout
	for _, text := range []string{"small_sweep: 8 cells, 48 trials", "pilot:", "MB of data", "p: failure probability"} {
		if !strings.Contains(dry, text) {
			t.Errorf("%q is not in the plan:\n%s", text, dry)
		}
	}
	whole := filepath.Join(tmp, "whole")
	r := expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--out", whole, "--workers", "2")
	if !strings.Contains(r.stderr, "48 of 48 trials") || r.stdout != "" {
		t.Errorf("talk: %s\ndata: %s", r.stderr, r.stdout)
	}
	want := files(t, whole)
	for _, name := range []string{"manifest.json", "data/trials/experiment=small_sweep/part-0.parquet", "report.html", "tables/cells.csv", "tables/pairs.csv"} {
		if want[name] == "" {
			t.Fatalf("%s is missing", name)
		}
	}
	expect(t, exitOK, "verify", whole)
	if r := expect(t, exitOK, "replay", whole, "--trial", "small/model/SR/p=0.6,servers=2:4"); !strings.Contains(r.stdout, "equal rows") {
		t.Errorf("replay: %s", r.stdout)
	}
	expect(t, exitOK, "report", whole)
	compareFiles(t, "after report", want, files(t, whole))
	expect(t, exitUsage, "sweep", "testdata/sweep.yaml", "--trials", "7", "--out", whole, "--quiet")
	compareFiles(t, "after another sweep was refused", want, files(t, whole))

	var parts []string
	for _, index := range []string{"2", "0", "1"} {
		t.Setenv("JOB_COMPLETION_INDEX", index)
		part := filepath.Join(tmp, "part"+index)
		expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--shards", "3", "--out", part, "--quiet")
		parts = append(parts, part)
	}
	merged := filepath.Join(tmp, "merged")
	expect(t, exitOK, append([]string{"merge", "--out", merged}, parts...)...)
	compareFiles(t, "merged", want, files(t, merged))
	hole := expect(t, exitUsage, append([]string{"merge", "--out", filepath.Join(tmp, "hole")}, parts[:2]...)...)
	if !strings.Contains(hole.stderr, "shard 2/3 is missing") {
		t.Errorf("a merge with a hole: %s", hole.stderr)
	}
	other := filepath.Join(tmp, "other")
	expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--shard", "2/3", "--seed", "9", "--out", other, "--quiet")
	if r := expect(t, exitUsage, "merge", "--out", filepath.Join(tmp, "mixed"), parts[0], parts[1], other); !strings.Contains(r.stderr, "seed") {
		t.Errorf("a merge of two seeds: %s", r.stderr)
	}
	if _, err := os.Stat(filepath.Join(tmp, "mixed")); err == nil {
		t.Error("a merge that was refused left a folder")
	}
}

func TestSubmitWritesJobs(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a b")
	r := expect(t, exitOK, "submit", "testdata/sweep.yaml", "--shards", "12", "--at-once", "4", "--slurm", "--out", out, "--set", "services[*].limit.max=3")
	if !strings.HasSuffix(strings.TrimSpace(r.stdout), "merge.sbatch") {
		t.Errorf("%s", r.stdout)
	}
	for _, text := range []string{"id=$(sbatch --parsable '" + filepath.Join(out, "array.sbatch") + "')\n", "sbatch --dependency=afterany:\"${id%%;*}\" '" + filepath.Join(out, "merge.sbatch") + "'\n"} {
		if !strings.Contains(r.stderr, text) {
			t.Errorf("%q is not in what is said:\n%s", text, r.stderr)
		}
	}
	array := read(t, filepath.Join(out, "array.sbatch"))
	for _, text := range []string{"#SBATCH --array=1-12%4\n", "--requeue", "exec ", " --shards 12 ", "--set 'services[*].limit.max=3'", `/part-"$SLURM_ARRAY_TASK_ID"`, "a b'/part-"} {
		if !strings.Contains(array, text) {
			t.Errorf("%q is not in\n%s", text, array)
		}
	}
	if merge := read(t, filepath.Join(out, "merge.sbatch")); !strings.Contains(merge, "seq 1 12") || strings.Contains(merge, "--array") {
		t.Errorf("the merge is\n%s", merge)
	}
	for _, name := range []string{"sweep.yaml", "small.yaml"} { // the model that the sweep names goes with it
		if read(t, filepath.Join(out, name)) != read(t, filepath.Join("testdata", name)) {
			t.Errorf("%s was not copied", name)
		}
	}
	const alone = "../../internal/cluster/testdata/sweep.yaml"
	expect(t, exitOK, "submit", alone, "--shards", "2", "--slurm", "--out", out)
	if read(t, filepath.Join(out, "sweep.yaml")) != read(t, alone) {
		t.Error("the sweep file was not copied")
	}
	expect(t, exitOK, "submit", "testdata/sweep.yaml", "--shards", "12", "--kubernetes", "--out", out, "--image", "x/retrylab:1")
	if parts, _ := readJobs(t, filepath.Join(out, "job.yaml")); parts.Metadata.Name != "retrylab-small-sweep" || parts.Spec.Parallelism != 12 {
		t.Errorf("job %s, %d at once", parts.Metadata.Name, parts.Spec.Parallelism)
	}
	for _, args := range [][]string{{"--slurm", "--kubernetes"}, {}, {"--kubernetes", "--run"}} {
		expect(t, exitUsage, append([]string{"submit", "testdata/sweep.yaml", "--shards", "2", "--out", out}, args...)...)
	}
	expect(t, exitUsage, "submit", "testdata/sweep.yaml", "--shards", "0", "--slurm", "--out", out)
	expect(t, exitUsage, "submit", "testdata/bad.yaml", "--shards", "2", "--slurm", "--out", filepath.Join(out, "none"))
}

// A sweep that could not be merged is refused before anything is written.
func TestAmbiguousSweepIsNotSubmitted(t *testing.T) {
	tmp := t.TempDir()
	file, out := filepath.Join(tmp, "sweep.yaml"), filepath.Join(tmp, "out")
	if err := os.WriteFile(file, []byte("model: reference\nstrategies:\n  - NR\n  - NR\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want := file + `:4: strategies[1]: has the name "NR", as strategies[0] (line 3) has`
	for _, args := range [][]string{{"sweep", file, "--dry-run"}, {"sweep", file, "--out", out}, {"submit", file, "--shards", "2", "--slurm", "--out", out}} {
		if r := expect(t, exitUsage, args...); !strings.Contains(r.stderr, want) {
			t.Errorf("%v: %s", args, r.stderr)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a folder was made")
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A trial can be replayed whatever tables the sweep recorded.
func TestReplayOfASweepWithSomeTables(t *testing.T) {
	model, err := filepath.Abs("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, tables := range []string{"[]", "[services]", "[edges]", "[edges, windows]", "[services, edges, windows]"} {
		dir := t.TempDir()
		file, out := filepath.Join(dir, "sweep.yaml"), filepath.Join(dir, "out")
		text := strings.Replace(read(t, "testdata/sweep.yaml"), "small.yaml", model, 1) + "tables: " + tables + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		expect(t, exitOK, "sweep", file, "--trials", "2", "--quiet", "--out", out)
		if r := expect(t, exitOK, "replay", out, "--trial", "small/model/SR/p=0.6,servers=2:1"); !strings.Contains(r.stdout, "equal rows") {
			t.Errorf("%s: %s", tables, r.stdout)
		}
	}
}
