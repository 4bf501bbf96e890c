// Command retrylab simulates services that retry, and writes the paper's tables and
// figures from the simulation. See "retrylab help".
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(untilSignal(context.Background(), os.Stderr), os.Args[1:], os.Stdout, os.Stderr))
}
