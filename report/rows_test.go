package report_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"retrylab/report"
	"retrylab/report/facts"
	"retrylab/results"
)

// The tests make a run by formula: rows whose ratios are known without the code under test.

const (
	madeTrials  = 6
	madeWindows = 12
	madeSeed    = 7
)

var (
	madeStrategies = []string{"NR", "SR", "CB", "ARB"}
	madeScenarios  = []string{"S1", "S2", "S3"}
	madeTiers      = []string{"API", "Auth", "Catalog"}
)

type (
	cell  = results.Cell
	trial = results.Trial
)

// run is the rows of a made-up run; tests may change them before writing.
type run struct {
	cells   []results.Cell
	trials  []results.Trial
	windows []results.Window
}

// makeRun gives the cells of an experiment. Every trial has 10000 first attempts that ended; attempts and
// successes follow the authors' RAF and success, the trials alternating a little above and below.
func makeRun(experiment string) *run {
	r := &run{}
	for _, scenario := range madeScenarios {
		for _, strategy := range madeStrategies {
			cell := results.Cell{
				Experiment: experiment, Cell: scenario + "-" + strategy, Model: "reference", Strategy: strategy, Scenario: scenario,
				Trials: madeTrials, DurationNs: madeWindows * 1e9, WindowNs: 1e9, FaultFromNs: 3e9, FaultToNs: 7e9, OfferedPerS: 500,
			}
			r.cells = append(r.cells, cell)
			for i := range int64(madeTrials) {
				r.trials = append(r.trials, makeTrial(cell, i))
				r.windows = append(r.windows, makeWindows(cell, i)...)
			}
		}
	}
	return r
}

func makeTrial(c results.Cell, i int64) results.Trial {
	authors, _ := facts.Authors(c.Strategy, c.Scenario)
	const first = 10000
	ended := int64(math.Round(authors.RAF * first))
	swing := 10 * (2*(i%2) - 1) // -10, +10, -10, ...
	succeeded := int64(math.Round(authors.SuccessPct/100*float64(ended))) + swing
	return results.Trial{
		Experiment: c.Experiment, Cell: c.Cell, Model: c.Model, Strategy: c.Strategy, Scenario: c.Scenario, Trial: i, Seed: madeSeed,
		Requests: first + 2500, RequestsSucceeded: succeeded, RequestsUnfinished: 2500,
		AttemptsSent: ended + 900, AttemptsEnded: ended, AttemptsEndedFirst: first, AttemptsRetry: ended - first, AttemptsSucceeded: succeeded,
		LatencyNsP50: 2e9, LatencyNsP99: 3e9, WorkNs: 1000, WastedNs: 250, Recovered: i > 0, RecoveryNs: 1e9,
	}
}

// makeWindows: the client sends 500 per second and trial number more while the fault lasts; the entry is fully busy, each
// further tier half as much as the one above.
func makeWindows(c results.Cell, trial int64) []results.Window {
	var rows []results.Window
	for w := range int64(madeWindows) {
		fault := w >= 3 && w < 7
		client := results.Window{
			Experiment: c.Experiment, Cell: c.Cell, Strategy: c.Strategy, Scenario: c.Scenario, Trial: trial, Window: w,
			Station: "client", IsClient: true, Attempts: 500, Succeeded: 400 - trial, Budget: 1, FailureRate: 0.1,
		}
		if fault {
			client.Attempts += 100 + trial
			client.Budget, client.FailureRate = 0.25, 0.5
			if trial%2 == 1 {
				client.BreakerOpen = 1
			}
		}
		rows = append(rows, client)
		busy := int64(10e9)
		for _, tier := range madeTiers {
			rows = append(rows, results.Window{
				Experiment: c.Experiment, Cell: c.Cell, Strategy: c.Strategy, Scenario: c.Scenario, Trial: trial, Window: w,
				Station: tier, Servers: 10, QueueEnd: 10 + w, BusyNs: busy,
			})
			busy /= 2
		}
	}
	return rows
}

var shared struct {
	once sync.Once
	dir  string
	err  error
}

// reference returns the folder of a report of the made-up reference run, which tests share and only read.
func reference(t *testing.T) string {
	t.Helper()
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "report"); shared.err == nil {
			if shared.err = makeRun("reference").writeTo(shared.dir); shared.err == nil {
				shared.err = report.Write(shared.dir, report.Options{})
			}
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.dir != "" {
		_ = os.RemoveAll(shared.dir) // a leftover in the system's folder for such files harms nobody
	}
	os.Exit(code)
}

// write puts the run into a new folder and returns it.
func (r *run) write(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := r.writeTo(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func (r *run) writeTo(dir string) error {
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o777); err != nil {
		return err
	}
	return errors.Join(writeTable(dir, r.cells), writeTable(dir, r.trials), writeTable(dir, r.windows))
}

func writeTable[T results.Row](dir string, rows []T) error {
	var row T
	w, err := results.NewWriter[T](filepath.Join(dir, "data", row.TableName()+".parquet"), results.Options{})
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.Append(rows); err != nil {
		return err
	}
	return w.Close()
}
