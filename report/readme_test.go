package report_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var updateReadme = flag.Bool("update-readme", false, "rewrite the tables in README.md from results/paper")

// block is a part of README.md that repeats a stored file.
var block = regexp.MustCompile(`(?s)<!-- (\w+) begin: (\S+) -->\n(.*?)<!-- (\w+) end -->`)

// TestReadme: the tables in README.md are those of the published results.
func TestReadme(t *testing.T) {
	const readme = "../README.md"
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	fresh := block.ReplaceAllStringFunc(string(text), func(b string) string {
		found++
		m := block.FindStringSubmatch(b)
		stored, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(m[2])))
		if err != nil {
			t.Fatal(err)
		}
		return "<!-- " + m[1] + " begin: " + m[2] + " -->\n" + strings.TrimSpace(string(stored)) + "\n<!-- " + m[4] + " end -->"
	})
	if found == 0 {
		t.Fatal("README.md has no table")
	}
	if *updateReadme {
		if err := os.WriteFile(readme, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if fresh != string(text) {
		t.Error("a table in README.md is not that of the published results; rewrite it by: go test ./report -run TestReadme -update-readme")
	}
}
