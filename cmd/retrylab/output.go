package main

import (
	"fmt"
	"io"
)

// output is the standard output of a command. It remembers the first write that failed, so that no command has to look
// at each of its own.
type output struct {
	to  io.Writer
	err error
}

// Write writes until something has failed.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	if err != nil {
		o.err = fmt.Errorf("cannot write the standard output: %w", err)
	}
	return n, o.err
}
