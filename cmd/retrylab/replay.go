package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"retrylab/engine"
	"retrylab/experiments"
	"retrylab/internal/atomicfile"
)

func (a *app) replayCommand() *cobra.Command {
	var id, trace string
	c := &cobra.Command{
		Use:   "replay DIR --trial CELL:NUMBER",
		Short: "Run one stored trial again and compare its rows",
		Long: `Run one trial of stored results again, from the model that they hold, and compare all its rows. With --trace every
arrival, attempt, retry and end is written as a line of JSON, to a file or, with -, to the standard output.`,
		Example: "  retrylab replay results/paper --trial reference/S1/SR:17\n  retrylab replay results/paper --trial reference/S1/SR:17 --trace - | head",
		Args:    cobra.ExactArgs(1),
	}
	c.Flags().StringVar(&id, "trial", "", "cell and number of the trial, e.g. reference/S1/SR:17")
	c.Flags().StringVar(&trace, "trace", "", "write the trial's events to this file; - is the standard output")
	if err := c.MarkFlagRequired("trial"); err != nil {
		panic(err) // only a misspelt name can cause it
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		r, err := a.replay(args[0], id, trace)
		if err != nil {
			return err
		}
		for _, d := range r.Differences {
			fmt.Fprintln(a.stderr, d)
		}
		if len(r.Differences) > 0 {
			return fmt.Errorf("%w: trial %s is not what is stored", errDiffer, id)
		}
		if trace != "-" {
			t := &r.Rows.Trial
			fmt.Fprintf(a.stdout, "%s: equal rows; %d requests, %d succeeded, %d attempts sent, %d events, seed %d\n",
				id, t.Requests, t.RequestsSucceeded, t.AttemptsSent, t.Events, t.Seed)
		}
		return nil
	}
	return c
}

// replay writes the trace, if there is to be one, while the trial runs.
func (a *app) replay(dir, id, trace string) (*experiments.Replayed, error) {
	if trace == "" {
		return experiments.Replay(dir, id, nil)
	}
	var out io.Writer = a.stdout
	var file *atomicfile.File
	if trace != "-" {
		var err error
		if file, err = atomicfile.Create(trace); err != nil {
			return nil, err
		}
		defer file.Abort()
		out = file
	}
	buffered := bufio.NewWriter(out)
	lines := json.NewEncoder(buffered)
	lines.SetEscapeHTML(false) // edges have a > in their names
	r, err := experiments.Replay(dir, id, func(p *engine.Program, e engine.TraceEvent) {
		_ = lines.Encode(traceLine(p, e)) // Flush reports the error
	})
	if err != nil {
		return nil, err
	}
	if err := buffered.Flush(); err != nil {
		return nil, err
	}
	if file != nil {
		return r, file.Commit()
	}
	return r, nil
}

// tracedEvent is a line of a trace.
type tracedEvent struct {
	TimeNs  int64  `json:"time_ns"`
	Event   string `json:"event"`
	Request uint32 `json:"request"`
	Edge    string `json:"edge"`
	Attempt int    `json:"attempt"`
	Outcome string `json:"outcome,omitempty"`
}

func traceLine(p *engine.Program, e engine.TraceEvent) tracedEvent {
	line := tracedEvent{e.Now, e.Kind.String(), e.Request, p.Edges()[e.Edge], e.Attempt, ""}
	if e.Kind == engine.TraceEnded || e.Kind == engine.TraceRequestEnded {
		line.Outcome = e.Outcome.String()
	}
	return line
}
