package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/report"
)

// dryRun says what a sweep would do. composing is how long it took to make its cells.
func (a *app) dryRun(c *cobra.Command, s *experiments.Sweep, o experiments.SweepOptions, composing time.Duration) error {
	e, err := s.Estimate(c.Context(), o)
	if err != nil {
		return err
	}
	least, most := s.TotalTrials()
	fmt.Fprintf(a.stdout, "%s: %s", s.Name, report.Count(len(s.Cells), "cell"))
	if least == most {
		fmt.Fprintf(a.stdout, ", %d trials\n", most)
	} else {
		fmt.Fprintf(a.stdout, ", %d to %d trials\n", least, most)
	}
	for _, col := range s.Columns {
		fmt.Fprintf(a.stdout, "  %s: %s\n", col.Name, col.Doc)
	}
	fmt.Fprintf(a.stdout, "pilot: %d trials, %.2f ms and %.0f events each\n", e.Pilot, e.PerTrial.Seconds()*1e3, e.Events)
	switch found := s.Settling(c.Context()); {
	case found == nil:
	case found.Settled && found.After == 0:
		fmt.Fprintf(a.stdout, "no faults: steady from the start in the %d cells looked at (MSER-5 on open requests)\n", found.Of)
	case found.Settled:
		fmt.Fprintf(a.stdout, "no faults: of %d cells %s settles last, after %v (MSER-5 on open requests); its warmup is %v\n", found.Of, found.Cell.ID(), found.After, found.Cell.Spec.Warmup)
	default:
		fmt.Fprintf(a.stdout, "no faults: %s has not settled within the trial (MSER-5 on open requests): make it longer\n", found.Cell.ID())
	}
	part := ""
	if o.Shard.Count > 0 {
		part = fmt.Sprintf(" for the part %v", o.Shard)
	}
	fmt.Fprintf(a.stdout, "about %v on %d cores%s, %.1f MB of data, as much again while it runs, and the report\n",
		rounded(e.Time(most, o)), e.Workers, part, e.Bytes(most, o)/1e6)
	if composing > time.Second { // of the harm map it is less
		fmt.Fprintf(a.stdout, "and before that about %v to compose the cells, in each part\n", rounded(composing))
	}
	return nil
}

// warnOfWarmup says once which cell without faults is measured before it has settled.
func (a *app) warnOfWarmup(c *cobra.Command, s *experiments.Sweep) {
	switch found := s.Settling(c.Context()); {
	case found == nil:
	case !found.Settled:
		fmt.Fprintf(a.stderr, "warning: %s has not settled within the trial (MSER-5 on open requests): make duration longer\n", found.Cell.ID())
	case found.Short:
		fmt.Fprintf(a.stderr, "warning: %s settles after %v (MSER-5 on open requests), warmup is %v: what is measured includes its start\n", found.Cell.ID(), found.After, found.Cell.Spec.Warmup)
	}
}

func rounded(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}
