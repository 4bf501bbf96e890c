package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"retrylab/results"
)

// Every scheduler's array, run as processes with its variables, merges into the bytes of one local run.
func TestArraysOfEveryScheduler(t *testing.T) {
	tmp := t.TempDir()
	whole := filepath.Join(tmp, "whole")
	expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--quiet", "--out", whole)
	want := files(t, whole)
	for name, env := range map[string]func(i int) []string{
		"kubernetes": func(i int) []string { return []string{fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i)} },
		// Task 3 alone is run a second time, as after a failure: the scheduler then counts one task, from 3 on.
		"slurm": func(i int) []string {
			return []string{fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i+1), fmt.Sprintf("SLURM_ARRAY_TASK_MIN=%d", 1+2*(i/2)), "SLURM_ARRAY_TASK_COUNT=1", "SGE_TASK_ID=undefined"}
		},
		"sge": func(i int) []string { return []string{fmt.Sprintf("SGE_TASK_ID=%d", i+1), "SGE_TASK_FIRST=1"} },
	} {
		var parts []string
		for i := range 3 {
			part := filepath.Join(tmp, name+strconv.Itoa(i))
			r := process(t, child(t, env(i), os.Args[0], "sweep", "testdata/sweep.yaml", "--shards", "3", "--quiet", "--out", part))
			if r.code != exitOK {
				t.Fatalf("%s, part %d: exit code %d\n%s", name, i, r.code, r.stderr)
			}
			parts = append(parts, part)
		}
		merged := filepath.Join(tmp, name)
		expect(t, exitOK, append([]string{"merge", "--out", merged}, parts...)...)
		compareFiles(t, name, want, files(t, merged))
	}
}

// A number outside the array, or no array, runs nothing.
func TestTasksOutsideTheArray(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0", `SLURM_ARRAY_TASK_ID is "0", expected 1 to 3 for 3 shards: number the tasks from 1 on`},
		{"SLURM_ARRAY_TASK_ID=4", `is "4", expected 1 to 3`},
		{"JOB_COMPLETION_INDEX=3", `is "3", expected 0 to 2`},
		{"JOB_COMPLETION_INDEX=-1", `is "-1", expected 0 to 2`},
		{"SGE_TASK_ID=one", `is "one", expected 1 to 3`},
		{"SGE_TASK_ID=undefined", "none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and SGE_TASK_ID is set"},
		{"SGE_TASK_ID=1 JOB_COMPLETION_INDEX=1", "JOB_COMPLETION_INDEX names part 2/3 and SGE_TASK_ID part 1/3"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		r := process(t, child(t, strings.Fields(c.env), os.Args[0], "sweep", "testdata/sweep.yaml", "--shards", "3", "--quiet", "--out", out))
		if r.code != exitUsage || !strings.Contains(r.stderr, c.want) {
			t.Errorf("%s: exit code %d, %s", c.env, r.code, r.stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a folder was made", c.env)
		}
	}
}

// job is what a manifest of Kubernetes may hold here; a key that is not in it fails the test.
type job struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int
		Parallelism          int
		Suspend              bool
		BackoffLimit         *int `yaml:"backoffLimit"`
		BackoffLimitPerIndex int  `yaml:"backoffLimitPerIndex"`
		PodFailurePolicy     struct {
			Rules []struct {
				Action      string
				OnExitCodes *struct {
					ContainerName string `yaml:"containerName"`
					Operator      string
					Values        []int
				} `yaml:"onExitCodes"`
				OnPodConditions []struct{ Type string } `yaml:"onPodConditions"`
			}
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec struct {
				RestartPolicy                 string `yaml:"restartPolicy"`
				TerminationGracePeriodSeconds int    `yaml:"terminationGracePeriodSeconds"`
				Containers                    []container
				Volumes                       []struct {
					Name                  string
					PersistentVolumeClaim struct {
						ClaimName string `yaml:"claimName"`
					} `yaml:"persistentVolumeClaim"`
				}
			}
		}
	}
}

type container struct {
	Name, Image   string
	Command, Args []string
	Resources     struct{ Requests map[string]string }
	VolumeMounts  []struct {
		Name      string
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

// readJobs parses a file of two Jobs, the parts' and the merge's.
func readJobs(t *testing.T, path string) (parts, merge job) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader([]byte(read(t, path))))
	d.KnownFields(true)
	for _, j := range []*job{&parts, &merge} {
		if err := d.Decode(j); err != nil {
			t.Fatal(err)
		}
		if j.APIVersion != "batch/v1" || j.Kind != "Job" || len(j.Spec.Template.Spec.Containers) != 1 || j.Spec.Template.Spec.RestartPolicy != "Never" {
			t.Fatalf("not a Job with one container: %+v", j)
		}
	}
	if err := d.Decode(new(job)); err != io.EOF {
		t.Fatalf("a third document: %v", err)
	}
	return parts, merge
}

// The manifest says what Kubernetes is to do, and its containers' own commands, run here with the variable that each index gets, make the
// bytes of one local run, from the files beside the results alone.
func TestKubernetesManifest(t *testing.T) {
	tmp := t.TempDir()
	out := filepath.Join(tmp, "it's a folder")
	source := filepath.Join(tmp, "source")
	if err := os.CopyFS(source, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	change := []string{"--set", "services[*].limit.max=25", "--sweep", "p=0.2,0.6", "--trials", "5", "--seed", "7", "--checkpoint", "30s"}
	r := expect(t, exitOK, append([]string{"submit", filepath.Join(source, "sweep.yaml"), "--shards", "4", "--at-once", "2", "--kubernetes", "--image", "registry.example/retrylab:1", "--out", out}, change...)...)
	if err := os.RemoveAll(source); err != nil {
		t.Fatal(err)
	}
	parts, merge := readJobs(t, strings.TrimSpace(r.stdout))
	s := parts.Spec
	if s.CompletionMode != "Indexed" || s.Completions != 4 || s.Parallelism != 2 || s.BackoffLimitPerIndex < 1 || s.Suspend || merge.Spec.Completions > 1 || !merge.Spec.Suspend {
		t.Errorf("parts %+v\nmerge %+v", s, merge.Spec)
	}
	rules := map[int]string{}
	for _, rule := range s.PodFailurePolicy.Rules {
		if c := rule.OnExitCodes; c != nil {
			if c.ContainerName != s.Template.Spec.Containers[0].Name || c.Operator != "In" {
				t.Errorf("rule %+v", c)
			}
			for _, code := range c.Values {
				rules[code] = rule.Action
			}
		}
	}
	if rules[exitInterrupted] != "Ignore" || rules[exitUsage] != "FailJob" || rules[exitFailed] != "" {
		t.Errorf("what exit codes do: %v", rules)
	}
	path := programOnPath(t)
	perform := func(j job, env ...string) {
		t.Helper()
		c := j.Spec.Template.Spec.Containers[0]
		if c.Image != "registry.example/retrylab:1" || len(c.VolumeMounts) != 1 || c.VolumeMounts[0].MountPath != out {
			t.Errorf("container %+v", c)
		}
		words := slices.Concat(c.Command, c.Args)
		p := child(t, append(env, path), words[0], words[1:]...)
		p.Dir = tmp
		if r := process(t, p); r.code != exitOK {
			t.Fatalf("%v: exit code %d\n%s", words, r.code, r.stderr)
		}
	}
	for i := range s.Completions {
		perform(parts, fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i))
	}
	perform(merge)
	local := filepath.Join(tmp, "local")
	expect(t, exitOK, append([]string{"sweep", "testdata/sweep.yaml", "--quiet", "--out", local}, change...)...)
	compareFiles(t, "the manifest's results", files(t, local), files(t, filepath.Join(out, "merged")))
}

// The Slurm array's own script does the same, one task after the other.
func TestSlurmScripts(t *testing.T) {
	tmp := t.TempDir()
	out := filepath.Join(tmp, "out")
	expect(t, exitOK, "submit", "testdata/sweep.yaml", "--shards", "3", "--slurm", "--out", out, "--seed", "7")
	// The script names this test's binary, which is the program for its children.
	run := func(script string, env ...string) {
		t.Helper()
		if r := process(t, child(t, env, "bash", filepath.Join(out, script))); r.code != exitOK {
			t.Fatalf("%s: exit code %d\n%s", script, r.code, r.stderr)
		}
	}
	for i := 1; i <= 3; i++ {
		run("array.sbatch", fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i))
	}
	run("merge.sbatch")
	local := filepath.Join(tmp, "local")
	expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--quiet", "--out", local, "--seed", "7")
	compareFiles(t, "the scripts' results", files(t, local), files(t, filepath.Join(out, "merged")))
}

// A task of an array that forgot --shards is told that it runs everything.
func TestTaskWithoutShards(t *testing.T) {
	const want = "no --shards N was given: all of the sweep is run"
	for _, c := range []struct {
		env, value string
		flags      []string
		warned     bool
	}{
		{"SLURM_ARRAY_TASK_ID", "2", nil, true},
		{"JOB_COMPLETION_INDEX", "0", nil, true},
		{"SGE_TASK_ID", "undefined", nil, false},
		{"SLURM_ARRAY_TASK_ID", "2", []string{"--shards", "3"}, false},
		{"SLURM_ARRAY_TASK_ID", "2", []string{"--shard", "1/3"}, false},
	} {
		t.Setenv("SLURM_ARRAY_TASK_ID", "")
		t.Setenv("JOB_COMPLETION_INDEX", "")
		t.Setenv("SGE_TASK_ID", "")
		t.Setenv(c.env, c.value)
		r := expect(t, exitOK, append([]string{"sweep", "testdata/sweep.yaml", "--quiet", "--trials", "3", "--out", filepath.Join(t.TempDir(), "out")}, c.flags...)...)
		if warned := strings.Contains(r.stderr, c.env+"="+c.value+" names a task, but "+want); warned != c.warned || strings.Count(r.stderr, "\n") > 1 {
			t.Errorf("%+v: %s", c, r.stderr)
		}
	}
}

// Files that pods cannot see are refused; for Slurm, whose nodes share them, they stay where they are.
func TestSubmitOfFilesElsewhere(t *testing.T) {
	tmp := t.TempDir()
	model, err := filepath.Abs("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(tmp, "sweep.yaml")
	text := strings.Replace(read(t, "testdata/sweep.yaml"), "model: small.yaml", "model: "+model, 1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(tmp, "out")
	r := expect(t, exitUsage, "submit", file, "--shards", "3", "--kubernetes", "--out", out)
	if !strings.Contains(r.stderr, model) {
		t.Errorf("%s", r.stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a folder was made")
	}
	expect(t, exitOK, "submit", file, "--shards", "3", "--slurm", "--out", out)
	if array := read(t, filepath.Join(out, "array.sbatch")); !strings.Contains(array, " sweep "+file+" ") {
		t.Errorf("the array is\n%s", array)
	}
}

// More parts than trials still share the work out: none is empty, and they merge into the whole.
func TestMorePartsThanTrials(t *testing.T) {
	tmp := t.TempDir()
	args := []string{"sweep", "testdata/sweep.yaml", "--trials", "2", "--quiet", "--out"}
	whole := filepath.Join(tmp, "whole")
	expect(t, exitOK, append(args, whole)...)
	for _, count := range []int{5, 16} { // 8 cells, 16 trials
		var parts []string
		for i := 1; i <= count; i++ {
			part := filepath.Join(tmp, fmt.Sprintf("%d-of-%d", i, count))
			expect(t, exitOK, append(args, part, "--shard", fmt.Sprintf("%d/%d", i, count))...)
			expect(t, exitOK, "verify", part)
			rows, err := results.Read[results.Trial](filepath.Join(part, filepath.FromSlash(tableOf(t, part, "trials"))))
			if err != nil {
				t.Fatal(err)
			}
			if n := len(rows); n < 16/count-1 || n > 16/count+1 || n == 0 {
				t.Errorf("part %d/%d has %d of 16 trials", i, count, n)
			}
			parts = append(parts, part)
		}
		slices.Reverse(parts)
		merged := filepath.Join(tmp, "merged"+strconv.Itoa(count))
		expect(t, exitOK, append([]string{"merge", "--out", merged}, parts...)...)
		compareFiles(t, fmt.Sprintf("%d parts", count), files(t, whole), files(t, merged))
	}
	for _, refused := range [][]string{
		append(args, filepath.Join(tmp, "no"), "--shard", "1/17"),
		append(args, filepath.Join(tmp, "no"), "--sweep", "p=0.5", "--shard", "1/1000"),
		{"run", "testdata/small.yaml", "--trials", "3", "--quiet", "--shard", "1/4"},
		{"submit", "testdata/sweep.yaml", "--trials", "2", "--shards", "17", "--slurm", "--out", filepath.Join(tmp, "no")},
	} {
		if r := expect(t, exitUsage, refused...); !strings.Contains(r.stderr, "expected at most as many parts") {
			t.Errorf("%v: %s", refused, r.stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(tmp, "no")); err == nil {
		t.Error("a folder was made")
	}
}

// The programs that the tests of jobs need are there, so that none of them can pass by not running.
func TestShellsAreThere(t *testing.T) {
	for _, name := range []string{"sh", "bash", "seq"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Error(err)
		}
	}
}
