package sweeps

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

var pythonBlock = regexp.MustCompile("(?s)```python\n(.*?)```")

// The examples of docs/sweeps.md run, as they stand, and print something.
func TestDocumentedExamplesRun(t *testing.T) {
	const python = "../../.venv/bin/python"
	if _, err := os.Stat(python); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no .venv: run make tools")
		}
		t.Skip("no .venv: run make tools")
	}
	text, err := os.ReadFile("../../docs/sweeps.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := pythonBlock.FindAllSubmatch(text, -1)
	if len(blocks) != 3 {
		t.Fatalf("%d examples, expected one each for DuckDB, pandas and polars", len(blocks))
	}
	for _, b := range blocks {
		c := exec.Command(".venv/bin/python", "-c", string(b[1]))
		c.Dir = "../.."
		out, err := c.CombinedOutput()
		if err != nil || len(out) < 100 {
			t.Errorf("%s\n%v\n%s", b[1], err, out)
		}
	}
}
