package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"retrylab/study/studycmd"
)

// studyCommand mounts the study of source code. Its mistakes of the user end with code 2 and --fail-on with code 1, as
// everywhere in this program.
func (a *app) studyCommand() *cobra.Command {
	c := studycmd.Commands()
	c.Args = cobra.NoArgs // a misspelt command is a mistake, not a call for help
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	return c
}

// isStudyUsage says whether an error is a mistake on the study's command line that is found late.
func isStudyUsage(err error) bool {
	var usage studycmd.UsageError
	return errors.As(err, &usage)
}

// begun wraps what a command and those below it do, to note that the command line was understood: errors before that
// are mistakes on it. What no command takes is refused here for all of them.
func (a *app) begun(c *cobra.Command) {
	if do := c.RunE; do != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			a.started = true
			if err := checkWords(c, args); err != nil {
				return err
			}
			return do(c, args)
		}
	}
	for _, below := range c.Commands() {
		a.begun(below)
	}
}

// isInterrupted says whether a command ended because its context did.
func isInterrupted(err error) bool { return errors.Is(err, context.Canceled) }
