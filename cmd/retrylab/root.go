package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"retrylab/experiments"
	"retrylab/internal/yamldoc"
)

// Exit codes; the help of the root command documents them.
const (
	exitOK          = 0
	exitFailed      = 1   // something went wrong: a disk, a broken file of results, a broken invariant; or findings as --fail-on has them
	exitUsage       = 2   // the command line or a model file is wrong; nothing was written
	exitDiffer      = 4   // results differ from what they should be
	exitInterrupted = 75  // stopped by a signal; the same command goes on
	exitSignal      = 128 // and the number of the signal: stopped at once by a second one
)

const rootHelp = `retrylab simulates systems of services that retry, and measures what retries do.

Exit codes:
  0   all is well
  1   failure: something could not be read, written or run; or study scan found what --fail-on names
  2   the command line, a file or the shards to merge are wrong; every mistake is listed, nothing is written
  4   results differ: verify or replay found something that should be equal and is not
  75  interrupted by SIGINT, SIGTERM or SIGHUP: the trials that ran are finished and kept (run keeps them only with --out),
      nothing is published, and the same command goes on where it was and gives the same results
  128 and the number of the signal, e.g. 130: stopped at once by a second signal; what is on the disk is kept`

// errDiffer marks results that are not what they should be.
var errDiffer = errors.New("the results differ")

// app is one execution of the command line.
type app struct {
	stdout, stderr io.Writer
	started        bool // the command line was understood
}

// run executes one command line and gives its exit code. Data goes to stdout, talk to stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{to: stdout}
	a := &app{stdout: out, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if out.err != nil && (err == nil || !a.started) {
		err, a.started = out.err, true
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
	}
	return a.exitCode(err)
}

func (a *app) exitCode(err error) int {
	var mistakes yamldoc.Problems
	var usage usageError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, experiments.ErrInterrupted), isInterrupted(err):
		return exitInterrupted
	case errors.Is(err, errDiffer):
		return exitDiffer
	case !a.started, errors.As(err, &mistakes), errors.As(err, &usage), isStudyUsage(err), errors.Is(err, experiments.ErrIncompatible):
		return exitUsage
	}
	return exitFailed
}

// usageError is a mistake on the command line that is found late.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "retrylab",
		Short:         "Simulate services that retry, and measure what retries do",
		Long:          rootHelp,
		Version:       versionText(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(a.paperCommand(), a.runCommand(), a.reportCommand(), a.verifyCommand(), a.replayCommand(),
		a.mergeCommand(), a.sweepCommand(), a.submitCommand(), a.tippingCommand(), a.studyCommand(),
		a.docsCommand(), a.validateCommand(), a.policiesCommand(), a.libraryCommand(), a.versionCommand())
	root.SetFlagErrorFunc(flagMistake)
	for _, c := range root.Commands() {
		a.begun(c)
	}
	return root
}
