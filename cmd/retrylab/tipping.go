package main

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"retrylab/analysis"
	"retrylab/experiments"
)

func (a *app) tippingCommand() *cobra.Command {
	var t experiments.Tipping
	var set []string
	c := &cobra.Command{
		Use:   "tipping FILE --factor NAME --from X --to Y",
		Short: "Find where along a factor of a sweep something tips",
		Long: `Find by sequential bisection where along one factor the probability of collapse, or the difference that retries make,
passes a target. The other factors of the sweep must be left one level each. The quantity must rise or fall with the factor. The 95% interval is that
of a test on three values close to the tipping point; where all changes within the width, it lies between two values that are sure, and the method says so.
Quantities: ` + strings.Join(experiments.Quantities(), ", ") + `.`,
		Example: "  retrylab tipping recovery --factor utilization --from 0.3 --to 0.95 --sweep 'fault=5 s' --strategy SR",
		Args:    cobra.ExactArgs(1),
	}
	flags := c.Flags()
	flags.StringVar(&t.Factor, "factor", "", "factor to vary")
	flags.Float64Var(&t.From, "from", 0, "lower end")
	flags.Float64Var(&t.To, "to", 0, "upper end")
	flags.Float64Var(&t.Width, "width", 0.02, "width at which the search ends")
	flags.StringVar(&t.Quantity, "quantity", "collapse", "what tips")
	flags.Float64Var(&t.Target, "target", 0.5, "value that it passes")
	flags.StringVar(&t.Strategy, "strategy", "", "strategy that is looked at; a difference is its success minus that of the first strategy; default the last")
	flags.IntVar(&t.MinTrials, "min-trials", 20, "trials at each value before the first look")
	flags.IntVar(&t.MaxTrials, "max-trials", 4000, "most trials in all")
	flags.IntVar(&t.Workers, "workers", 0, "trials that run at once; 0 is one a core")
	flags.StringArrayVar(&set, "set", nil, "as in sweep")
	flags.StringArrayVar(&t.Changes.Sweep, "sweep", nil, "as in sweep")
	for _, name := range []string{"factor", "from", "to"} {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // only a misspelt name can cause it
		}
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		t.Sweep = args[0]
		var err error
		if t.Changes.Set, err = settings(set); err != nil {
			return err
		}
		if err := t.Check(); err != nil {
			return usageError{err}
		}
		at, probes, err := t.Find(c.Context())
		if err != nil {
			return err
		}
		tab := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintf(tab, "%s\ttrials\t%s\t\n", t.Factor, t.Quantity)
		for _, p := range probes {
			fmt.Fprintf(tab, "%.4g\t%d\t%.4g [%.4g, %.4g]\t%s\n", p.X, p.At.N, p.At.Estimate, p.At.Low, p.At.High, []string{"below", "undecided", "above"}[p.Side+1])
		}
		if slices.Contains(at.Warnings, analysis.WarnNoCrossing) {
			fmt.Fprintf(tab, "\n%s\n", noCrossing(&t, probes, at.N))
			return tab.Flush()
		}
		fmt.Fprintf(tab, "\n%s passes %g at %s %.4g [%.4g, %.4g] (95%%, %d trials; %s)\n", t.Quantity, t.Target, t.Factor, at.Estimate, at.Low, at.High, at.N, at.Method)
		for _, w := range at.Warnings {
			fmt.Fprintf(tab, "warning: %s\n", w)
		}
		return tab.Flush()
	}
	return c
}

// noCrossing says that the quantity lies on one side of the target at both ends of the range, or that it cannot be told
// at either.
func noCrossing(t *experiments.Tipping, probes []analysis.Probed, trials int) string {
	switch side := probes[len(probes)-1].Side; {
	case side < 0:
		return fmt.Sprintf("%s stays below %g from %s %g to %g (%d trials)", t.Quantity, t.Target, t.Factor, t.From, t.To, trials)
	case side > 0:
		return fmt.Sprintf("%s stays above %g from %s %g to %g (%d trials)", t.Quantity, t.Target, t.Factor, t.From, t.To, trials)
	}
	return fmt.Sprintf("%s cannot be told from %g at %s %g or at %g (%d trials)", t.Quantity, t.Target, t.Factor, t.From, t.To, trials)
}
