package main

import (
	"errors"
	"os"
	"runtime/pprof"
	"time"

	"retrylab/engine"
)

// writeProfile runs each workload for a while under the CPU profiler.
func writeProfile(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	_, err = referenceTrials()
	sim := engine.NewSim()
	for _, p := range []*engine.Program{chains(1, 0, time.Minute), chains(1, time.Second, time.Minute), chains(100, 0, 2*time.Second)} {
		for began, trial := threadCPU(), uint64(0); threadCPU()-began < 5e9; trial++ {
			sim.Run(p, engine.Key{Seed: 42, Trial: trial})
		}
	}
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}
