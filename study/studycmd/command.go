// Package studycmd is the command line of the study: retrylab study ....
package studycmd

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"retrylab/study"
	"retrylab/study/baseline"
	"retrylab/study/confscan"
	"retrylab/study/finding"
	"retrylab/study/goscan"
	"retrylab/study/treesit"
)

// UsageError is a mistake of the user found after the command line was parsed;
// the program ends with code 2.
type UsageError struct{ Err error }

// Error is the mistake.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap gives the mistake.
func (e UsageError) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error { return UsageError{fmt.Errorf(format, args...)} }

// ErrFails is returned by scan when --fail-on is met; the program ends with code 1.
var ErrFails = errors.New("findings at or above the severity of --fail-on")

// Commands builds the study command with its sub-commands. They write data to
// the command's output and talk to its error output.
func Commands() *cobra.Command {
	root := &cobra.Command{
		Use:   "study",
		Short: "Find out how source code configures retries",
		Long: `Scan repositories for retry code, by syntax: Go, Python, Java, JavaScript and
TypeScript, and configuration files (meshes, gRPC, Spring, Dapr, Argo ...).

For a team:    retrylab study scan . --fail-on warning
For a study:   collect, scan --out, clean, validate, table, in this order.`,
	}
	root.AddCommand(scanCommand(), collectCommand(), cleanCommand(), validateCommand(), tableCommand(), benchCommand(), prevalenceCommand(), rulesCommand())
	return root
}

// common are the flags that several commands share.
type common struct {
	workers int
	quiet   bool
	seed    uint64
}

func (c *common) add(cmd *cobra.Command) {
	cmd.Flags().IntVar(&c.workers, "workers", 0, "files read at once; 0 is one a core")
	cmd.Flags().BoolVar(&c.quiet, "quiet", false, "no progress")
}

func (c *common) addSeed(cmd *cobra.Command) {
	cmd.Flags().Uint64Var(&c.seed, "seed", 1, "root seed of all random draws")
}

// detectors lists the detectors of this build and what it has to leave out.
func detectors(paper bool) ([]finding.Detector, string) {
	if paper {
		return []finding.Detector{baseline.Detector{}}, ""
	}
	list := []finding.Detector{goscan.Detector{}, confscan.Detector{}}
	more, leftOut := treesit.Detectors()
	return append(list, more...), leftOut
}

// options makes scan options with the progress on the error output.
func (c *common) options(cmd *cobra.Command, list []finding.Detector) study.Options {
	opt := study.Options{Workers: c.workers, Detectors: list}
	if c.workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if c.quiet {
		return opt
	}
	opt.Progress = progressOn(cmd.ErrOrStderr())
	return opt
}

func rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rules", Short: "List the rules of advice", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, r := range study.AdviceRules {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%-16s %-8s %s\n", r.ID, r.Severity, r.Short); err != nil {
					return err
				}
			}
			return nil
		},
	}
}
