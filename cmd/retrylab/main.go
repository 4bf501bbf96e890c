// Command retrylab simulates services that retry, and writes the paper's tables and
// figures from the simulation. See "retrylab help".
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// The first interrupt lets running trials end; after it the signals mean what they usually do.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
