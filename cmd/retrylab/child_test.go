package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asProgram is the variable that makes this test's own binary be the program, for tests of processes.
const asProgram = "RETRYLAB_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main() // which ends the process
	}
	os.Exit(m.Run())
}

// child is the program as a process that is not started yet, with further variables of the environment and without those of the
// scheduler that may run the tests.
func child(t *testing.T, env []string, name string, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(name, args...)
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !strings.HasPrefix(name, "SLURM_") && !strings.HasPrefix(name, "SGE_") && !strings.HasPrefix(name, "JOB_") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(append(c.Env, asProgram+"=1"), env...)
	return c
}

// process runs a process to its end.
func process(t *testing.T, c *exec.Cmd) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &stdout
	}
	c.Stderr = &stderr
	err := c.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return result{c.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// programOnPath puts the program into a folder, as retrylab, and gives a PATH that finds it there.
func programOnPath(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\nexec env %s=1 '%s' \"$@\"\n", asProgram, program)
	if err := os.WriteFile(filepath.Join(dir, "retrylab"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")
}

// limited is the program with a limit on the size of the files that it writes, in blocks of 512 bytes: a write beyond it fails as
// one on a full disk does.
func limited(t *testing.T, blocks int, args ...string) *exec.Cmd {
	t.Helper()
	return child(t, nil, "sh", append([]string{"-c", fmt.Sprintf(`ulimit -f %d && exec "$0" "$@"`, blocks), os.Args[0]}, args...)...)
}
