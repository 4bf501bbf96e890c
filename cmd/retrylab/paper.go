package main

import (
	"github.com/spf13/cobra"

	"retrylab/experiments"
)

// quickTrials is the number of trials of a quick run.
const quickTrials = 20

func (a *app) paperCommand() *cobra.Command {
	var f running
	var quick, claims bool
	c := &cobra.Command{
		Use:   "paper",
		Short: "Run the paper's experiments and write its tables, figures and report",
		Long: `Run the reference model under S1, S2 and S3 with NR, SR, CB and ARB, and the other models that the ledger of
claims rests on, and write rows, tables, figures, the report and the manifest. The results are the same for
any number of workers and any shards.`,
		Example: "  retrylab paper\n  retrylab paper --quick --out /tmp/quick\n  retrylab paper --shard 1/4 --out part1",
		Args:    cobra.NoArgs,
	}
	f.add(c, 100, 20, "results/paper")
	c.Flags().BoolVar(&quick, "quick", false, "fewer trials, and a note that says so on every table")
	c.Flags().BoolVar(&claims, "claims", true, "run the models behind the ledger of claims too, at most 100 trials of each cell")
	c.RunE = func(c *cobra.Command, _ []string) error {
		s, err := experiments.Paper()
		if err != nil {
			return err
		}
		if claims {
			if err := s.AddClaims(); err != nil {
				return err
			}
		}
		notice := ""
		if quick {
			s.Quick()
			if !c.Flags().Changed("out") {
				f.out = "out/quick"
			}
			if !c.Flags().Changed("trials") {
				f.trials = quickTrials
			}
			notice = "Quick run with fewer trials than the published results."
		}
		if err := a.execute(c, s, &f, notice); err != nil {
			return err
		}
		a.sayUnlessQuiet(f.quiet, "%s: %d cells, up to %d trials each, in %s", s.Name, len(s.Cells), f.trials, f.out)
		return nil
	}
	return c
}
