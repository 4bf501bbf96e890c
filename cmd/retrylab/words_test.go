package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// badValues are command lines that mean nothing, and what is said to them; ” is the empty word.
var badValues = []struct{ args, want string }{
	{"sweep sweep.yaml --trials 0", "trials: must be between 1 and"},
	{"sweep sweep.yaml --trials -1", "got -1"},
	{"sweep sweep.yaml --trials 1e3", `invalid argument "1e3" for --trials: expected a whole number, such as 1000`},
	{"sweep sweep.yaml --trials 99999999999999999999", "expected a whole number, such as 1000"},
	{"sweep sweep.yaml --seed -1", "expected a whole number from 0 on"},
	{"sweep sweep.yaml --workers -1", "workers: must be between 0"},
	{"sweep sweep.yaml --shards 0", "shards: must be at least 1, got 0"},
	{"sweep sweep.yaml --shard ''", "--shard is empty"},
	{"sweep sweep.yaml --shard 0/3", "expected i/n with i from 1 to n"},
	{"sweep sweep.yaml --shard 1/1000", "shard 1/1000: there are 48 trials, expected at most as many parts"},
	{"sweep sweep.yaml --out ''", "--out is empty"},
	{"sweep sweep.yaml --set ''", "--set is empty"},
	{"sweep sweep.yaml --sweep ''", "--sweep is empty"},
	{"sweep sweep.yaml --checkpoint 0s", "checkpoint: must be above 0s"},
	{"sweep sweep.yaml --checkpoint -1s", "checkpoint: must be above 0s"},
	{"sweep sweep.yaml --checkpoint 5", "expected a duration with its unit, such as 10s"},
	{"sweep sweep.yaml --quick=maybe", "expected true or false"},
	{"sweep ''", "argument 1 is empty"},
	{"sweep none.yaml", "none.yaml: there is no such file"},
	{"sweep none", "unknown sweep"},
	{"run small.yaml --window-trials -2", "window-trials: must be at least 0, or -1 for all, got -2"},
	{"run small.yaml --trials 0 --workers -3 --window-trials -2", "trials: must be between"},
	{"run small.yaml --shard 1/31", "shard 1/31: there are 30 trials of a cell"},
	{"run small.yaml --out ''", "--out is empty"},
	{"run small.yaml --scenario ''", "--scenario is empty"},
	{"run small.yaml --strategy ,", "--strategy is empty"},
	{"run none.yaml", "none.yaml: there is no such file"},
	{"run ../testdata", "../testdata: is a folder, expected a file"},
	{"run ./none.yaml --strategy none.yml --scenario nine", "nine: unknown scenario"},
	{"run none", "unknown model, expected one of"},
	{"run ''", "argument 1 is empty"},
	{"validate none.yaml", "there is no such file"},
	{"validate ''", "argument 1 is empty"},
	{"paper --out ''", "--out is empty"},
	{"paper --trials 0", "trials: must be between 1"},
	{"paper --shard 1/101", "shard 1/101: there are 100 trials of a cell"},
	{"report ''", "argument 1 is empty"},
	{"verify ''", "argument 1 is empty"},
	{"merge --out '' a", "--out is empty"},
	{"merge --out a ''", "argument 1 is empty"},
	{"replay a --trial ''", "--trial is empty"},
	{"replay a --trial x", `trial "x": expected CELL:NUMBER`},
	{"replay a --trial x:-1", `trial "x:-1": expected CELL:NUMBER`},
	{"replay a --trial x:1 --trace ''", "--trace is empty"},
	{"submit sweep.yaml --shards 0 --slurm --out a", "shards: must be between 1"},
	{"submit sweep.yaml --shards 2 --slurm --out a --trials 0", "trials: must be between 1"},
	{"submit sweep.yaml --shards 2 --slurm --out a --at-once -1 --cores 0", "cores: must be between 1 and 4096, got 0\nat-once: must be at least 0"},
	{"submit sweep.yaml --shards 2 --kubernetes --out a --image ''", "--image is empty"},
	{"submit sweep.yaml --shards 2 --slurm --out ''", "--out is empty"},
	{"submit - --shards 2 --slurm --out a", "jobs have no standard input"},
	{"tipping sweep.yaml --factor p --from 1 --to 0 --width 0 --min-trials 1 --max-trials 1", "from 1: must be below to, got to 0\nwidth 0: must be above 0\nmin-trials 1: must be at least 2\nmax-trials 1: must be"},
	{"tipping sweep.yaml --factor p --from 0 --to 1 --quantity x", `quantity "x": expected one of collapse`},
	{"tipping sweep.yaml --factor p --from 0 --to 1 --target 1", "target 1: a probability of collapse is expected"},
	{"tipping sweep.yaml --factor p --from 0 --to 1", "leave the other factors one level each"},
	{"tipping sweep.yaml --factor p --from 0 --to 1 --sweep servers=2 --strategy XX", `strategy "XX": sweep.yaml has NR, SR`},
	{"tipping sweep.yaml --factor q --from 0 --to 1 --sweep servers=2", `no factor and no field of the model is called "q", did you mean "p"?`},
	{"tipping none.yaml --factor p --from 0 --to 1", "there is no such file"},
	{"library ''", "argument 1 is empty"},
	{"policies ''", "argument 1 is empty"},
	{"docs ''", "argument 1 is empty"},
	{"study scan ''", "argument 1 is empty"},
	{"study scan . --workers -1", "--workers: must be at least 0, got -1"},
	{"study scan . --format x", "expected text, json or sarif"},
	{"study scan none", "none: no such file"},
	{"study collect --n -1", "--n: must be at least 0, got -1"},
	{"study validate --silent -1 --findings -2", "--findings: must be at least 0, got -2\n--silent: must be"},
	{"study prevalence --detected 201", "detected 201 of repositories 200"},
	{"study prevalence --missed 1e1", "expected a whole number"},
}

// Values that no command can mean are refused with code 2 and a message that names the flag, what is wrong and what is expected.
func TestBadValues(t *testing.T) {
	t.Chdir("testdata") // what a command made by mistake would be in the way of the next test
	before := files(t, ".")
	for _, c := range badValues {
		args := strings.Fields(c.args)
		for i := range args {
			if args[i] == "''" {
				args[i] = ""
			}
		}
		r := command(t, args...)
		if r.code != exitUsage || !strings.Contains(r.stderr, c.want) || r.stdout != "" {
			t.Errorf("retrylab %s: exit code %d\n%s%s%q is not in it", c.args, r.code, r.stdout, r.stderr, c.want)
		}
	}
	compareFiles(t, "files", before, files(t, "."))
}

// A command whose output cannot be written says so and fails, whichever it is.
func TestFullStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	dir := filepath.Join(t.TempDir(), "out")
	expect(t, exitOK, "run", "testdata/small.yaml", "--trials", "2", "--quiet", "--out", dir)
	for _, args := range [][]string{
		{"--help"}, {"help", "run"}, {"run", "--help"}, {"version"}, {"--version"}, {"policies"}, {"policies", "retry"}, {"library"}, {"library", "reference"},
		{"completion", "bash"}, {"validate", "testdata/small.yaml"}, {"validate", "testdata/small.yaml", "--show"},
		{"run", "testdata/small.yaml", "--trials", "2", "--quiet"}, {"run", "testdata/small.yaml", "--trials", "2", "--quiet", "--out", dir},
		{"sweep", "testdata/sweep.yaml", "--dry-run"}, {"verify", dir}, {"replay", dir, "--trial", "small/model/model:1"},
		{"replay", dir, "--trial", "small/model/model:1", "--trace", "-"},
		{"submit", "testdata/sweep.yaml", "--shards", "2", "--slurm", "--out", filepath.Join(dir, "jobs")},
		{"study", "rules"}, {"study", "prevalence"}, {"study"},
	} {
		var talk strings.Builder
		if code := run(t.Context(), args, full, &talk); code != exitFailed || !strings.Contains(talk.String(), "no space left on device") {
			t.Errorf("retrylab %s > /dev/full: exit code %d, %s", strings.Join(args, " "), code, talk.String())
		}
	}
}

// A trial of a cell that is not there is answered with a few near names, however many cells there are.
func TestReplayNamesNearCells(t *testing.T) {
	for args, want := range map[string]string{
		"../../results/paper --trial reference/S1/XR:1":     `no cell of this name, did you mean "reference/S1/`,
		"../../results/paper --trial reference/S1/nobody:1": "no cell of this name, the nearest of ",
		"../../results/paper --trial reference/S1/SR:99999": "cell reference/S1/SR has no trial 99999 here, it has ",
	} {
		r := expect(t, exitUsage, append([]string{"replay"}, strings.Fields(args)...)...)
		if !strings.Contains(r.stderr, want) || !strings.Contains(r.stderr, "reference/S1/") || strings.Count(r.stderr, ",") > 6 {
			t.Errorf("%s: %s", args, r.stderr)
		}
	}
}
