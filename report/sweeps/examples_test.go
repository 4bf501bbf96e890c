package sweeps

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

var block = regexp.MustCompile("(?s)```(python|sql)\n(.*?)```")

// The examples of the README and of docs/sweeps.md run, as they stand, and print something.
func TestDocumentedExamplesRun(t *testing.T) {
	const python = "../../.venv/bin/python"
	if _, err := os.Stat(python); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no .venv: run make tools")
		}
		t.Skip("no .venv: run make tools")
	}
	for name, want := range map[string]int{"docs/sweeps.md": 3, "README.md": 3} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		blocks := block.FindAllSubmatch(text, -1)
		if len(blocks) < want {
			t.Errorf("%s: %d examples, expected DuckDB, pandas and polars", name, len(blocks))
		}
		for _, b := range blocks {
			program := string(b[2])
			if string(b[1]) == "sql" {
				program = "import duckdb\nprint(duckdb.sql(r\"\"\"" + program + "\"\"\"))"
			}
			c := exec.Command(".venv/bin/python", "-c", program)
			c.Dir = "../.."
			if out, err := c.CombinedOutput(); err != nil || len(out) < 100 {
				t.Errorf("%s:\n%s\n%v\n%s", name, program, err, out)
			}
		}
	}
}
