package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// stopSignals ask the program to stop: the terminal's two, and what Slurm, Kubernetes and init send before they kill.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// untilSignal gives a context that the first of these signals ends, so that trials that run are finished and kept. The
// second ends the program at once, with code 128 and the signal's number, as shells count. Under nohup a terminal that
// goes away stops nothing.
func untilSignal(parent context.Context, talk io.Writer) context.Context {
	ctx, cancel := context.WithCancel(parent)
	asked := make(chan os.Signal, len(stopSignals))
	for _, s := range stopSignals {
		if s != syscall.SIGHUP || !signal.Ignored(s) {
			signal.Notify(asked, s)
		}
	}
	go func() {
		<-asked
		fmt.Fprintln(talk, "stopping: what runs is finished first; a second signal stops at once")
		cancel()
		code := exitSignal
		if s, ok := (<-asked).(syscall.Signal); ok {
			code += int(s)
		}
		os.Exit(code)
	}()
	return ctx
}
