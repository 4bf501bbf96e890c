// Command bench measures the engine against a C program written for one workload
// (c/ref.c: five single-server tiers in a chain, three retries a hop),
// in one run, interleaved, by CPU time, and prints ratios that hold on a busy machine too.
//
// Run it by `make bench`. With -cpuprofile FILE it only runs the workloads and writes a profile:
// `make profile` refreshes engine.pgo, by which the compiler inlines the engine's hot calls.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"retrylab/engine"
)

const (
	rounds  = 40
	repeats = 2 // runs of a round's trial, on both sides; the least counts
)

func main() {
	profile := flag.String("cpuprofile", "", "run the workloads once and write a CPU profile to this `file`")
	flag.Parse()
	todo := run
	if *profile != "" {
		todo = func() error { return writeProfile(*profile) }
	}
	if err := todo(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	ref, err := buildReference()
	if err != nil {
		fmt.Println("C reference not built:", err)
	} else {
		defer os.RemoveAll(filepath.Dir(ref))
	}
	var small, timeouts, wide result
	if small, err = compare(ref, chains(1, 0, time.Minute), nil); err != nil {
		return err
	}
	if timeouts, err = compare(ref, chains(1, time.Second, time.Minute), []string{"-t", "1"}); err != nil {
		return err
	}
	if wide, err = compare(ref, chains(100, 0, 2*time.Second), []string{"-k", "100", "-h", "2"}); err != nil {
		return err
	}
	small.print("5 services")
	timeouts.print("5 services, attempt timeout 1 s")
	wide.print("500 services")
	fmt.Printf("500 services / 5 services: %.2f\n", wide.engine/small.engine)
	seconds, err := referenceTrials()
	if err != nil {
		return err
	}
	if ref != "" {
		fmt.Printf("ratio engine/C: %.2f\n", small.engine/small.c)
	} else {
		fmt.Println("ratio engine/C: not measured, no C compiler")
	}
	fmt.Printf("ns/event: %.1f\n", small.engine)
	fmt.Printf("allocs/event: %g\n", small.allocs)
	fmt.Printf("reference trials: %.1f CPU-s\n", seconds)
	return nil
}

// result is what one workload costs: the least CPU ns per event over the rounds.
type result struct{ engine, c, allocs float64 }

func (r result) print(name string) {
	fmt.Printf("%s: engine %.1f ns/event (%.1f M events/s/core)", name, r.engine, 1e3/r.engine)
	if r.c > 0 {
		fmt.Printf(", C %.1f ns/event, ratio %.2f", r.c, r.engine/r.c)
	}
	fmt.Println()
}

// compare runs the engine and the C program in turn. Trials differ between rounds.
func compare(ref string, p *engine.Program, options []string) (result, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sim := engine.NewSim()
	for trial := range 3 {
		sim.Run(p, engine.Key{Seed: 42, Trial: uint64(trial)})
	}
	var r result
	for round := range rounds {
		for repeat := range repeats {
			began := threadCPU()
			tally := sim.Run(p, engine.Key{Seed: 42, Trial: uint64(round)})
			ns := float64(threadCPU()-began) / float64(tally.Events)
			if round+repeat == 0 || ns < r.engine {
				r.engine = ns
			}
		}
		if ref == "" {
			continue
		}
		ns, err := runReference(ref, append([]string{"-f", strconv.Itoa(round), "-r", strconv.Itoa(repeats)}, options...))
		if err != nil {
			return r, err
		}
		if round == 0 || ns < r.c {
			r.c = ns
		}
	}
	events := float64(sim.Run(p, engine.Key{Seed: 42}).Events)
	r.allocs = testing.AllocsPerRun(3, func() { sim.Run(p, engine.Key{Seed: 42}) }) / events
	return r, nil
}

// buildReference compiles ref.c; the program's path, or why there is none.
func buildReference() (string, error) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		return "", err
	}
	_, self, _, _ := runtime.Caller(0)
	dir, err := os.MkdirTemp("", "retrylab-bench")
	if err != nil {
		return "", err
	}
	out := filepath.Join(dir, "ref")
	source := filepath.Join(filepath.Dir(self), "c", "ref.c")
	if msg, err := exec.Command(cc, "-O3", "-march=native", "-ffp-contract=off", "-o", out, source, "-lm").CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("%v: %s", err, msg)
	}
	return out, nil
}

var least = regexp.MustCompile(`^C min ([0-9.]+)`)

// runReference gives the C program's least CPU ns per event.
func runReference(ref string, options []string) (float64, error) {
	out, err := exec.Command(ref, options...).Output()
	if err != nil {
		return 0, err
	}
	m := least.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("the C reference printed %q", out)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}
