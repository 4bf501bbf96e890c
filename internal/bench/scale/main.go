//go:build unix

// Command scale measures what docs/scale.md says: trials and events per second of one core, what a second core adds,
// memory against the number of trials, and what writing costs. Times are processor times, which a busy machine does not
// change much; only the two-core line needs an idle machine. Each line is measured in a process of its own.
//
//	go run -pgo=internal/bench/engine.pgo ./internal/bench/scale
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"retrylab/experiments"
	"retrylab/results"
)

// short is a trial of some tens of microseconds: what the number of trials costs, as against the trials themselves.
const short = `
name: short
base:
  duration: 200ms
  window: 50ms
  clients: [{arrivals: {rate: 50}, call: {to: A}}]
  services: [{name: A, servers: 2, calls: [{to: B}]}, {name: B}]
  faults: [{services: [B], from: 50ms, to: 100ms, p: 0.5}]
strategies: [SR]
trials: 1
`

// long is the paper's reference model.
const long = `
name: long
model: reference
scenario: S1
strategies: [SR]
trials: 1
`

// run is one measurement, done in a process of its own.
type run struct {
	Name    string // short or long
	Trials  int
	Workers int
	Write   bool // whether the sweep is written, or its rows thrown away
	Parts   int  // measure the merge of that many parts instead; 0 is none
}

// cost is what a run took.
type cost struct {
	Wall, CPU time.Duration
	PeakMB    float64 // resident memory
	Events    int64
	Bytes     int64 // of the tables
}

func main() {
	child := flag.String("run", "", "measure this one run (JSON); for the command's own use")
	quick := flag.Bool("quick", false, "a tenth of the trials")
	flag.Parse()
	var err error
	if *child != "" {
		err = measure(*child)
	} else {
		err = report(*quick)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// report prints the tables of docs/scale.md.
func report(quick bool) error {
	n := func(trials int) int {
		if quick {
			return max(trials/10, 1)
		}
		return trials
	}
	fmt.Printf("%s, %s/%s, %d cores\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Println("| trial | workers | written | trials | time, s | processor time, s | trials per core-second | events per core-second | peak memory, MB | bytes per trial |")
	fmt.Println("|:---|---:|:---|---:|---:|---:|---:|---:|---:|---:|")
	for _, r := range []run{
		{"long", n(400), 1, false, 0}, {"long", n(400), 1, true, 0}, {"long", n(400), 2, true, 0},
		{"short", n(100_000), 1, false, 0}, {"short", n(100_000), 1, true, 0}, {"short", n(100_000), 2, true, 0},
		{"short", n(1_000), 2, true, 0}, {"short", n(10_000), 2, true, 0}, {"short", n(1_000_000), 2, true, 0},
	} {
		c, err := inChild(r)
		if err != nil {
			return err
		}
		cpu := c.CPU.Seconds()
		fmt.Printf("| %s | %d | %v | %d | %.2f | %.2f | %.0f | %.2fM | %.0f | %.0f |\n", r.Name, r.Workers, yes(r.Write), r.Trials, c.Wall.Seconds(), cpu,
			float64(r.Trials)/cpu, float64(c.Events)/cpu/1e6, c.PeakMB, float64(c.Bytes)/float64(r.Trials))
	}
	fmt.Println("\n| merge of | trials | processor time, s | microseconds per trial | peak memory, MB |")
	fmt.Println("|:---|---:|---:|---:|---:|")
	for _, r := range []run{{"short", n(100_000), 2, true, 4}, {"short", n(1_000_000), 2, true, 40}} {
		c, err := inChild(r)
		if err != nil {
			return err
		}
		fmt.Printf("| %d parts | %d | %.2f | %.1f | %.0f |\n", r.Parts, r.Trials, c.CPU.Seconds(), c.CPU.Seconds()*1e6/float64(r.Trials), c.PeakMB)
	}
	return nil
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// inChild measures a run in a new process.
func inChild(r run) (cost, error) {
	var c cost
	text, err := json.Marshal(r)
	if err != nil {
		return c, err
	}
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	cmd := exec.Command(self, "-run", string(text))
	cmd.Stderr = os.Stderr
	cmd.Env = append(os.Environ(), "GOGC=50") // as the command sweep has it
	out, err := cmd.Output()
	if err != nil {
		return c, fmt.Errorf("%s: %w", text, err)
	}
	return c, json.Unmarshal(out, &c)
}

// measure does one run and prints its cost.
func measure(text string) error {
	var r run
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return err
	}
	file := short
	if r.Name == "long" {
		file = long
	}
	s, err := experiments.ParseSweep("scale.yaml", ".", []byte(file), experiments.SweepChanges{Trials: r.Trials})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "retrylab-scale-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	parts, err := r.parts(s, dir)
	if err != nil {
		return err
	}
	var c cost
	started, before := time.Now(), processorTime()
	switch {
	case r.Parts > 0:
		_, err = experiments.MergeSweep(parts, filepath.Join(dir, "whole"))
	case r.Write:
		_, err = s.Execute(context.Background(), dir, r.options())
	default:
		runner := experiments.Runner{Seed: s.Seed, Trials: r.Trials, Workers: r.Workers}
		err = runner.Run(context.Background(), s.Cells, func(rows *experiments.Rows) error {
			c.Events += rows.Trial.Events
			return nil
		})
	}
	if err != nil {
		return err
	}
	c.Wall, c.CPU = time.Since(started), processorTime()-before
	c.PeakMB = peak()
	if r.Write && r.Parts == 0 {
		if c.Events, c.Bytes, err = written(dir); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(c)
}

func (r run) options() experiments.SweepOptions {
	return experiments.SweepOptions{Version: "scale", Workers: r.Workers}
}

// parts runs what is to be merged.
func (r run) parts(s *experiments.Sweep, dir string) ([]string, error) {
	var list []string
	for i := range r.Parts {
		part := filepath.Join(dir, fmt.Sprint("part", i+1))
		o := r.options()
		o.Shard = experiments.Shard{Index: i + 1, Count: r.Parts}
		if _, err := s.Execute(context.Background(), part, o); err != nil {
			return nil, err
		}
		list = append(list, part)
	}
	return list, nil
}

// written sums the events of the trials that a run has written, and the sizes of its tables.
func written(dir string) (events, bytes int64, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "data", "*", "*", "*.parquet"))
	if err != nil {
		return 0, 0, err
	}
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil {
			return 0, 0, err
		}
		bytes += info.Size()
		if filepath.Base(filepath.Dir(filepath.Dir(path))) != "trials" {
			continue
		}
		for b, err := range results.Batches[results.Trial](path) {
			if err != nil {
				return 0, 0, err
			}
			for i := range b.Rows {
				events += b.Rows[i].Events
			}
		}
	}
	return events, bytes, nil
}

// processorTime is that of this process, user and system.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the largest resident memory so far, in MB.
func peak() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Maxrss) / 1024
}
