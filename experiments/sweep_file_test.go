package experiments_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrylab/experiments"
)

var updateSchema = flag.Bool("update-schema", false, "rewrite docs/sweep.schema.json")

func TestPublishedSchemaIsCurrent(t *testing.T) {
	const path = "../docs/sweep.schema.json"
	want := experiments.SweepSchema()
	if *updateSchema {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("docs/sweep.schema.json is not what the sweep file's types say; rewrite with: go test ./experiments -update-schema")
	}
	var tree map[string]any
	if err := json.Unmarshal(got, &tree); err != nil {
		t.Fatal(err)
	}
	if tree["additionalProperties"] != false || tree["properties"].(map[string]any)["blocks"] == nil || tree["$defs"].(map[string]any)["factor"] == nil {
		t.Error("the schema lacks what it must have")
	}
}

// Every embedded sweep is right, in full and quick, and has as many cells as it should.
func TestEmbeddedSweeps(t *testing.T) {
	want := map[string][2]int{ // cells in full and quick
		"amplification": {75, 20}, "correlation": {132, 12}, "harm-map": {6160, 0}, "jitter": {6, 6}, "recovery": {150, 24}, "topology": {60, 20},
	}
	for _, name := range experiments.Sweeps() {
		for i, quick := range []bool{false, true} {
			if name == "harm-map" && testing.Short() {
				continue
			}
			s, err := experiments.LoadSweep(name, experiments.SweepChanges{Quick: quick})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if w := want[name][i]; w != 0 && len(s.Cells) != w {
				t.Errorf("%s, quick %v: %d cells, want %d", name, quick, len(s.Cells), w)
			}
			if s.About == "" {
				t.Errorf("%s: does not say what it asks", name)
			}
		}
	}
}

const sweepHead = `
name: x
base:
  clients: [{call: {to: A}}]
  services: [{name: A}]
`

// Each way to write a design gives the ids that it should.
func TestSweepDesigns(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"list and product", `
factors:
  - {name: rate, path: "clients.client.arrivals.rate", list: [10, 20]}
  - {name: ms, path: services.A.time.mean, suffix: ms, list: [1, 2.5]}`, "ms=1,rate=10 ms=2.5,rate=10 ms=1,rate=20 ms=2.5,rate=20"},
		{"range", `
factors: [{name: n, path: services.A.servers, range: {from: 1, to: 2, step: 0.5}, times: 2}]`, "n=1 n=1.5 n=2"},
		{"linspace", `
factors: [{name: r, path: clients.client.arrivals.rate, linspace: {from: 0.1, to: 0.4, n: 4}, times: 100}]`, "r=0.1 r=0.2 r=0.3 r=0.4"},
		{"logspace", `
factors: [{name: r, path: clients.client.arrivals.rate, logspace: {from: 1, to: 100, n: 3}}]`, "r=1 r=10 r=100"},
		{"zip", `
factors: [{zip: [{name: r, path: clients.client.arrivals.rate, list: [1, 2]}, {name: s, path: services.A.servers, list: [3, 4]}]}]`, "r=1,s=3 r=2,s=4"},
		{"levels", `
factors: [{name: size, levels: {small: {services.A.servers: 1}, large: {services.A.servers: 9, services.A.limit.max: 90}}}]`, "size=small size=large"},
		{"sobol", `
factors: [{sobol: {n: 3, factors: [{name: r, path: clients.client.arrivals.rate, from: 10, to: 110, whole: true}, {name: s, path: services.A.servers, from: 1, to: 9, whole: true}]}}]`, "r=10,s=1 r=60,s=5 r=85,s=3"},
		{"blocks", `
factors: [{name: r, path: clients.client.arrivals.rate, list: [1, 2]}]
blocks: [{factors: [{name: s, path: services.A.servers, list: [1]}]}, {factors: [{name: s, path: services.A.servers, list: [2]}, {name: q, path: services.A.limit.max, list: [5]}]}]`,
			"r=1,s=1 r=2,s=1 q=5,r=1,s=2 q=5,r=2,s=2"},
	} {
		s, err := experiments.ParseSweep("x.yaml", ".", []byte(sweepHead+c.text), experiments.SweepChanges{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var ids []string
		for _, cell := range s.Cells {
			ids = append(ids, strings.TrimPrefix(cell.ID(), "x/model/model/"))
		}
		if got := strings.Join(ids, " "); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// What a level sets arrives in the model, with its factor and unit.
func TestSweepSetsTheModel(t *testing.T) {
	s, err := experiments.ParseSweep("x.yaml", ".", []byte(sweepHead+`
set: {services.A.limit.max: 7}
factors: [{name: u, path: clients.client.arrivals.rate, times: 1000, list: [0.3]}, {name: ms, path: services.A.time.mean, suffix: ms, list: [2.5]}]`),
		experiments.SweepChanges{Set: []experiments.Setting{{Path: "services.A.servers", Value: "3"}}, Sweep: []string{"u=0.4..0.6:2"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Cells) != 2 {
		t.Fatalf("%d cells, want 2", len(s.Cells))
	}
	m := s.Cells[1].Spec
	if m.Clients[0].Arrivals.Rate != 600 || m.Services[0].Limit.Max != 7 || m.Services[0].Servers != 3 || m.Services[0].Time.Mean.String() != "2.5ms" {
		t.Errorf("the model is %+v", m)
	}
	if got := fmt.Sprint(s.Values[1][0].Float, s.Values[1][1].Float, s.Columns[1].Unit); got != "0.6 2.5ms" {
		t.Errorf("the factors' columns hold %s", got)
	}
}

// Every mistake is named with its line, all of a kind at once.
func TestSweepMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "factor: []", `x.yaml:6: factor: unknown key, did you mean "factors"?`},
		{"no levels", "factors: [{name: a, path: services.A.servers, list: []}]", "x.yaml:6: factors[0].list: is empty, expected at least one level"},
		{"empty range", "factors: [{name: a, path: services.A.servers, range: {from: 1, to: 0, step: 1}}]", "x.yaml:6: factors[0].range: step must lead from 1 to 0, got 1"},
		{"no such path", "factors: [{name: a, path: services.A.server, list: [1, 2]}]", `x.yaml:6: factors[0]: path "services.A.server": does not exist, did you mean "servers"?`},
		{"wrong value", "factors: [{name: a, path: services.A.servers, list: [1, -2]}]", "x.yaml:6: factors[0]: services[0].servers: "},
		{"same cell twice", "factors: [{name: a, path: services.A.servers, list: [1, 1]}]", "x.yaml:6: factors[0].list[1]: the level 1 is that of factors[0].list[0] (line 6) too"},
		{"factor twice", "factors: [{name: a, path: services.A.servers, list: [1]}, {name: a, path: services.A.servers, list: [2]}]", `x.yaml:6: factors[1]: the name "a" is that of factors[0] (line 6) too`},
		{"unequal zip", "factors: [{zip: [{name: a, path: services.A.servers, list: [1]}, {name: b, path: services.A.servers, list: [1, 2]}]}]", "a has 1 levels and b has 2"},
		{"a column's name", "factors: [{name: trials, path: services.A.servers, list: [1]}]", `"trials" is a column of the tables already`},
		{"asks for nothing", "until: {min: 3}", "until: asks for nothing"},
		{"both", "trials: 3\nuntil: {success: 0.1}", "trials: cannot be given with until"},
		{"table", "tables: [service]", `tables[0]: unknown "service"`},
		{"strategy", "strategies: [SRR]", `x.yaml:6: strategies[0]: "SRR": unknown strategy`},
		{"keeps an unknown factor", "factors: [{name: a, path: services.A.servers, list: [1, 2]}]\nquick: {keep: {aa: [1]}}", `quick.keep.aa: no factor has this name, did you mean "a"?`},
		{"keeps an unknown level", "factors: [{name: a, path: services.A.servers, list: [1, 2]}]\nquick: {keep: {a: [1, 3]}}", "quick.keep.a[1]: no cell has this level"},
		{"no trials", "trials: 0", "trials: must be between 1"},
	} {
		_, err := experiments.ParseSweep("x.yaml", ".", []byte(sweepHead+c.text), experiments.SweepChanges{Quick: strings.HasPrefix(c.name, "keeps")})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.want)
		}
	}
	two := "factors: [{name: A, path: services.A.servers, list: [1]}, {name: b, list: [1]}]"
	_, err := experiments.ParseSweep("x.yaml", ".", []byte(sweepHead+two), experiments.SweepChanges{})
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("two mistakes are reported as %v", err)
	}
	for text, want := range map[string]string{"p": "expected name=levels", "p=": "expected name=levels", "services.A.serves=1,2": `did you mean "servers"?`} {
		_, err := experiments.ParseSweep("x.yaml", ".", []byte(sweepHead), experiments.SweepChanges{Sweep: []string{text}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("--sweep %s: got %v, want %s", text, err, want)
		}
	}
	if _, err := experiments.LoadSweep("harm-mat", experiments.SweepChanges{}); err == nil || !strings.Contains(err.Error(), `did you mean "harm-map"?`) {
		t.Errorf("an unknown sweep: %v", err)
	}
}

// The part is taken from the environment of each scheduler, and the number of parts from the command line alone.
func TestFindShard(t *testing.T) {
	names := []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "SGE_TASK_ID", "SLURM_ARRAY_TASK_COUNT"}
	for _, c := range []struct {
		environment, value, text string
		count                    int
		want                     string
	}{
		{"", "", "2/5", 0, "2/5"},
		{"", "", "", 0, ""},
		{"SLURM_ARRAY_TASK_ID", "3", "", 8, "3/8"},
		{"JOB_COMPLETION_INDEX", "0", "", 8, "1/8"},
		{"JOB_COMPLETION_INDEX", "7", "", 8, "8/8"},
		{"SGE_TASK_ID", "8", "", 8, "8/8"},
		{"SLURM_ARRAY_TASK_ID", "3", "", 0, ""},
		{"SLURM_ARRAY_TASK_ID", "9", "", 8, "expected 1 to 8"},
		{"SLURM_ARRAY_TASK_ID", "0", "", 8, "expected 1 to 8"},
		{"JOB_COMPLETION_INDEX", "8", "", 8, "expected 0 to 7"},
		{"SGE_TASK_ID", "undefined", "", 8, "none of"},
		{"", "", "1/2", 2, "cannot be given together"},
		{"", "", "3/2", 0, "expected i/n"},
	} {
		for _, n := range names {
			t.Setenv(n, "")
		}
		t.Setenv("SLURM_ARRAY_TASK_COUNT", "1") // a single task that is run again
		if c.environment != "" {
			t.Setenv(c.environment, c.value)
		}
		s, err := experiments.FindShard(c.text, c.count)
		if got := fmt.Sprint(s, " ", err); err == nil && s.String() != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%+v: got %v, %v", c, s, err)
		}
	}
}

// A folder with finished results is neither run again nor touched.
func TestFinishedSweepIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	runSweep(t, smallSweep, dir, experiments.SweepOptions{})
	want := filesOf(t, dir)
	ran := 0
	runSweep(t, smallSweep, dir, experiments.SweepOptions{Progress: func(int, int) { ran++ }})
	if ran != 0 {
		t.Errorf("%d units were run again", ran)
	}
	sameFiles(t, "run again", want, filesOf(t, dir))
	other := parseSweep(t, strings.Replace(smallSweep, "trials: 40", "trials: 41", 1))
	if _, err := other.Execute(t.Context(), dir, experiments.SweepOptions{Version: "test"}); err == nil || !strings.Contains(err.Error(), "other results") {
		t.Errorf("another sweep into the folder: %v", err)
	}
	sameFiles(t, "after another sweep", want, filesOf(t, dir))
	if _, err := os.Stat(filepath.Join(dir, ".checkpoint")); err == nil {
		t.Error("a checkpoint is left")
	}
}

// A pilot tells how much a sweep would cost.
func TestEstimateTellsTheCost(t *testing.T) {
	steady := "name: x\nbase:\n  duration: 400s\n  clients: [{arrivals: {rate: 50}, call: {to: A}}]\n  services: [{name: A, time: {mean: 10ms}}]\n"
	s, err := experiments.ParseSweep("x.yaml", ".", []byte(steady), experiments.SweepChanges{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := s.Estimate(t.Context(), experiments.SweepOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if e.Pilot < 1 || e.Events < 30_000 || e.RowBytes <= 0 {
		t.Errorf("%+v", e)
	}
	if got := e.Time(1000, experiments.SweepOptions{Shard: experiments.Shard{Index: 1, Count: 4}}); got != e.PerTrial*1000/4/2 {
		t.Errorf("a quarter of 1000 trials of %v on two cores takes %v", e.PerTrial, got)
	}
	small := parseSweep(t, smallSweep)
	e, err = small.Estimate(t.Context(), experiments.SweepOptions{})
	if err != nil || e.Pilot < 12 {
		t.Errorf("%+v, %v", e, err)
	}
	dir := t.TempDir()
	if _, err := small.Execute(t.Context(), dir, experiments.SweepOptions{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for name, data := range filesOf(t, dir) {
		if strings.HasPrefix(name, "data/") && !strings.Contains(name, "/cells/") {
			total += float64(len(data))
		}
	}
	trials, _ := small.TotalTrials()
	if got := e.Bytes(trials, experiments.SweepOptions{}); math.Abs(got-total) > 0.1*total {
		t.Errorf("%.0f bytes estimated, %.0f written", got, total)
	}
}
