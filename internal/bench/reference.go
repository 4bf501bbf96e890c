package main

import (
	"context"
	"fmt"

	"retrylab/experiments"
)

// referenceTrials runs the 1,200 trials behind the paper's Tables III and IV on all cores,
// windows included, and gives the CPU time in seconds.
func referenceTrials() (float64, error) {
	set, err := experiments.Paper()
	if err != nil {
		return 0, err
	}
	runner := experiments.Runner{Seed: set.Seed, Trials: set.Trials, Windows: set.Windows}
	trials, events := 0, int64(0)
	began := processCPU()
	err = runner.Run(context.Background(), set.Cells, func(r *experiments.Rows) error {
		trials++
		events += r.Trial.Events
		return nil
	})
	seconds := float64(processCPU()-began) / 1e9
	if err != nil {
		return 0, err
	}
	fmt.Printf("reference: %d trials, %d events, %.1f CPU ns/event, %.1f trials per CPU-s\n", trials, events, seconds*1e9/float64(events), float64(trials)/seconds)
	return seconds, nil
}
