package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The published documents whose numbers are generated, and the root of the project they are relative to.
var generatedDocs = []string{"README.md", "docs/findings.md"}

const projectRoot = "../.."

func readProject(name string) ([]byte, error) { return os.ReadFile(filepath.Join(projectRoot, name)) }

// What the documents say is what the published results say; that these follow from the rows is tested in package report.
func TestDocumentsHoldThePublishedNumbers(t *testing.T) {
	for _, name := range generatedDocs {
		text, err := readProject(name)
		if err != nil {
			t.Fatal(err)
		}
		filled, err := fillBlocks(name, text, readProject)
		if err != nil {
			t.Fatal(err)
		}
		if string(filled) != string(text) {
			t.Errorf("%s is not what the published results give; run: bin/retrylab docs %s", name, strings.Join(generatedDocs, " "))
		}
	}
}

var (
	blocks     = regexp.MustCompile(`(?s)<!-- ([a-z0-9-]+) begin: \S+ -->.*?<!-- ([a-z0-9-]+) end -->`)
	fences     = regexp.MustCompile("(?s)```.*?```")
	resultText = regexp.MustCompile(`\d+(\.\d+)?\s?(%|pp|points)|\b\d+ cells`)
)

// Outside the generated blocks no result may be typed in: nothing would notice when it changes.
func TestNoResultsAreTypedIn(t *testing.T) {
	for _, name := range generatedDocs {
		text, err := readProject(name)
		if err != nil {
			t.Fatal(err)
		}
		own := fences.ReplaceAllString(blocks.ReplaceAllString(string(text), ""), "")
		if found := resultText.FindAllString(own, -1); len(found) > 0 {
			t.Errorf("%s has results outside of generated blocks: %q", name, found)
		}
	}
}

func TestFillBlocks(t *testing.T) {
	read := func(name string) ([]byte, error) {
		if name != filepath.FromSlash("results/paper/part.md") {
			return nil, fs.ErrNotExist
		}
		return []byte("new ![a](figures/a.svg) [b](../b.md#c) [web](https://example.org)\n"), nil
	}
	got, err := fillBlocks("docs/x.md", []byte("before\n<!-- p begin: results/paper/part.md -->\nold\n<!-- p end -->\nafter\n"), read)
	want := "before\n<!-- p begin: results/paper/part.md -->\nnew ![a](../results/paper/figures/a.svg) [b](../b.md#c) [web](https://example.org)\n<!-- p end -->\nafter\n"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	again, err := fillBlocks("docs/x.md", got, read)
	if err != nil || string(again) != want {
		t.Errorf("filling twice gives %q, %v", again, err)
	}
	if _, err := fillBlocks("x.md", []byte("<!-- p begin: results/paper/part.md -->\n"), read); err == nil || !strings.Contains(err.Error(), "block p has no end") {
		t.Errorf("a block without end: %v", err)
	}
	if _, err := fillBlocks("x.md", []byte("<!-- p begin: none.md -->\n<!-- p end -->"), read); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a block without file: %v", err)
	}
}
