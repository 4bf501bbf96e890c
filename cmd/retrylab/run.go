package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/results"
)

// chosen are the flags that choose what is put together with a model.
type chosen struct {
	scenarios, strategies []string
	set                   []string
}

func (f *chosen) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringSliceVar(&f.scenarios, "scenario", nil, "add a scenario's faults: a name such as S1 or a file; several make several cells")
	flags.StringSliceVar(&f.strategies, "strategy", nil, "put a strategy's policy where the model says: a name such as SR or a file; several make several cells")
	flags.StringArrayVar(&f.set, "set", nil, "change a field of the model, e.g. services.API.servers=25 or 'services[*].limit.max=100'")
}

// cells composes the models with what was chosen.
func (f *chosen) cells(models []string) (*experiments.Set, error) {
	var errs []error
	var set []experiments.Setting
	for _, text := range f.set {
		s, err := experiments.ParseSetting(text)
		if err != nil {
			errs = append(errs, usageError{err})
		}
		set = append(set, s)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	s := &experiments.Set{Name: "run"}
	return s, s.Add(models, f.scenarios, f.strategies, set)
}

func (a *app) runCommand() *cobra.Command {
	var f running
	var parts chosen
	c := &cobra.Command{
		Use:   "run MODEL...",
		Short: "Run model files and print what they measure",
		Long: `Run models, given by file or by the name of an embedded one, and print one line a cell: means over the trials with
95% intervals. With --out the rows, a report and a manifest are written too.`,
		Example: "  retrylab run my-model.yaml\n  retrylab run reference --scenario S1,S3 --strategy NR,SR --trials 30\n" +
			"  retrylab run reference --scenario S1 --strategy SR --set 'services[*].servers=25' --out results/sr25",
		Args: cobra.MinimumNArgs(1),
	}
	f.add(c, 30, -1, "")
	parts.add(c)
	c.RunE = func(c *cobra.Command, models []string) error {
		s, err := parts.cells(models)
		if err != nil {
			return err
		}
		a.warnOfWindows(s.Cells)
		if f.out == "" {
			return a.measure(c, s, &f)
		}
		if err := a.execute(c, s, &f, ""); err != nil {
			return err
		}
		rows, err := results.Read[results.Trial](trialsPath(f.out))
		if err != nil {
			return err
		}
		sum := newSummary(s.Cells)
		for i := range rows {
			sum.add(&rows[i])
		}
		return sum.print(a.stdout)
	}
	return c
}

// measure runs without writing files.
func (a *app) measure(c *cobra.Command, s *experiments.Set, f *running) error {
	r, err := f.runner()
	if err != nil {
		return err
	}
	r.Windows = 0
	bar := a.progress(s.Name, f.quiet)
	r.Progress = bar.step
	sum := newSummary(s.Cells)
	err = r.Run(c.Context(), s.Cells, func(rows *experiments.Rows) error {
		sum.add(&rows.Trial)
		return nil
	})
	bar.finish()
	if err != nil {
		return err
	}
	return sum.print(a.stdout)
}

func (a *app) validateCommand() *cobra.Command {
	var parts chosen
	var show bool
	c := &cobra.Command{
		Use:   "validate MODEL...",
		Short: "Check model files and list every mistake",
		Long: `Check models, alone or with scenarios and strategies, and list every mistake as file:line: path: problem. With --show
the composed models are printed, each a file that runs alone.`,
		Example: "  retrylab validate my-model.yaml\n  retrylab validate reference --scenario S1 --strategy ARB --show",
		Args:    cobra.MinimumNArgs(1),
	}
	parts.add(c)
	c.Flags().BoolVar(&show, "show", false, "print the composed models")
	c.RunE = func(_ *cobra.Command, models []string) error {
		s, err := parts.cells(models)
		if err != nil {
			return err
		}
		a.warnOfWindows(s.Cells)
		for i, cell := range s.Cells {
			if !show {
				fmt.Fprintf(a.stdout, "%s: %d clients, %d services, %d edges, %d faults, sha256 %s\n", cell.ID(),
					len(cell.Spec.Clients), len(cell.Spec.Services), len(cell.Program.Edges()), len(cell.Spec.Faults), cell.SHA256[:16])
				continue
			}
			if i > 0 {
				fmt.Fprintln(a.stdout)
			}
			fmt.Fprintf(a.stdout, "# %s\n%s", cell.ID(), cell.YAML())
		}
		return nil
	}
	return c
}
