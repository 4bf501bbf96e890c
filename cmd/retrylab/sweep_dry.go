package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"retrylab/experiments"
)

// dryRun says what a sweep would do.
func (a *app) dryRun(c *cobra.Command, s *experiments.Sweep, o experiments.SweepOptions) error {
	e, err := s.Estimate(c.Context(), o)
	if err != nil {
		return err
	}
	least, most := s.TotalTrials()
	fmt.Fprintf(a.stdout, "%s: %d cells", s.Name, len(s.Cells))
	if least == most {
		fmt.Fprintf(a.stdout, ", %d trials\n", most)
	} else {
		fmt.Fprintf(a.stdout, ", %d to %d trials\n", least, most)
	}
	for _, col := range s.Columns {
		fmt.Fprintf(a.stdout, "  %s: %s\n", col.Name, col.Doc)
	}
	fmt.Fprintf(a.stdout, "pilot: %d trials, %.2f ms and %.0f events each\n", e.Pilot, e.PerTrial.Seconds()*1e3, e.Events)
	if e.WarmUp >= 0 {
		fmt.Fprintf(a.stdout, "no faults: the first cell has settled after %v (MSER-5 on open requests); its warmup is %v\n", e.WarmUp, s.Cells[0].Spec.Warmup)
	}
	part := ""
	if o.Shard.Count > 0 {
		part = fmt.Sprintf(" for the part %v", o.Shard)
	}
	fmt.Fprintf(a.stdout, "about %v on %d cores%s, %.1f MB of results, as much again while it runs\n",
		rounded(e.Time(most, o)), e.Workers, part, e.Bytes(most, o)/1e6)
	return nil
}

func rounded(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}
