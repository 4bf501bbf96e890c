// Package wasmtest has no code of its own: its test holds the promise that the simulator runs in a browser.
package wasmtest

import (
	"os"
	"os/exec"
	"testing"

	// The test is run again when these change.
	_ "retrylab/engine"
	_ "retrylab/policy"
)

// TestBuildsForTheBrowser compiles the simulator and the policies for WebAssembly.
func TestBuildsForTheBrowser(t *testing.T) {
	build := exec.Command("go", "build", "retrylab/engine/...", "retrylab/policy/...")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
}
