package main

import (
	"fmt"
	"runtime"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/internal/yamldoc"
	"retrylab/policy"
	"retrylab/results"
)

// version is the version of the tool, as manifests hold it.
const version = "0.1.0"

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and what it was built with",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.stdout, versionText())
			return nil
		},
	}
}

func versionText() string {
	m := results.NewManifest(version, 0)
	return fmt.Sprintf("retrylab %s, schema %d, %s, %s/%s %s", version, results.SchemaVersion, m.GoVersion, runtime.GOOS, m.GOARCH, m.GOAMD64)
}

func (a *app) policiesCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "policies [KIND]",
		Short: "List the kinds of policy, or all fields of one with their defaults",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				tab := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
				for _, e := range policy.Catalog() {
					fmt.Fprintf(tab, "%s\t%s\n", e.Kind, e.Summary)
				}
				return tab.Flush()
			}
			e, ok := policy.Find(args[0])
			if !ok {
				var kinds []string
				for _, e := range policy.Catalog() {
					kinds = append(kinds, e.Kind)
				}
				return usageError{fmt.Errorf("unknown policy %q%s see: retrylab policies", args[0], orComma(yamldoc.Suggest(args[0], kinds)))}
			}
			fmt.Fprintf(a.stdout, "# %s\n%s", e.Summary, experiments.PolicyYAML(e.Default, true))
			return nil
		},
	}
}

func (a *app) libraryCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "library [NAME]",
		Short:   "List the embedded models, scenarios, strategies and sweeps, or print one to copy and edit",
		Example: "  retrylab library\n  retrylab library reference > my-model.yaml",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			tab := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			var known []string
			for _, shelf := range []struct {
				word  string
				names []string
				load  func(string) (*experiments.Source, error)
			}{
				{"model", experiments.Models(), experiments.LoadModel},
				{"scenario", experiments.Scenarios(), experiments.LoadScenario},
				{"strategy", experiments.Strategies(), experiments.LoadStrategy},
				{"sweep", experiments.Sweeps(), experiments.SweepSource},
			} {
				for _, name := range shelf.names {
					s, err := shelf.load(name)
					if err != nil {
						return err
					}
					known = append(known, name)
					if len(args) > 0 && args[0] == name {
						_, err := a.stdout.Write(s.Bytes)
						return err
					}
					fmt.Fprintf(tab, "%s\t%s\t%s\n", shelf.word, name, s.About)
				}
			}
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown file %q%s see: retrylab library", args[0], orComma(yamldoc.Suggest(args[0], known)))}
			}
			return tab.Flush()
		},
	}
}

func orComma(suggestion string) string {
	if suggestion == "" {
		return ","
	}
	return suggestion
}
