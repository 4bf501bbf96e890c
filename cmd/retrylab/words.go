package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wanted says what a flag of a type takes.
var wanted = map[string]string{
	"int":      "a whole number, such as 1000",
	"uint64":   "a whole number from 0 on, such as 1000",
	"float64":  "a number, such as 0.5",
	"duration": "a duration with its unit, such as 10s or 1m30s",
	"bool":     "true or false",
}

// flagMistake says what was expected, where the parser tells only that it could not read a value.
func flagMistake(_ *cobra.Command, err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) || wanted[bad.GetFlag().Value.Type()] == "" {
		return err
	}
	return fmt.Errorf("invalid argument %q for --%s: expected %s", bad.GetValue(), bad.GetFlag().Name, wanted[bad.GetFlag().Value.Type()])
}

// checkWords refuses what no command can mean. Arguments and values of flags that are empty, as those of a shell's unset variable are, would
// mean the current folder, or what is meant without the flag.
func checkWords(c *cobra.Command, args []string) error {
	var errs []error
	for i, arg := range args {
		if arg == "" {
			errs = append(errs, fmt.Errorf("argument %d is empty", i+1))
		}
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			empty = len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
		}
		if empty {
			errs = append(errs, fmt.Errorf("--%s is empty; leave it out or give it a value", f.Name))
		}
		// All whole numbers of the study are counts; other commands look at theirs with what else is wrong.
		if c.HasParent() && c.Parent().Name() == "study" && f.Value.Type() == "int" && strings.HasPrefix(f.Value.String(), "-") {
			errs = append(errs, fmt.Errorf("--%s: must be at least 0, got %s", f.Name, f.Value))
		}
	})
	if err := errors.Join(errs...); err != nil {
		return usageError{err}
	}
	return nil
}
