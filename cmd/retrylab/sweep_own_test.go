package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What a user's own sweep may be called, and what its factors may be called, must not end it after its trials have run.
func TestSweepsOfOnesOwn(t *testing.T) {
	tmp := t.TempDir()
	model, err := filepath.Abs("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, factor string) string {
		file := filepath.Join(tmp, "sweep.yaml")
		text := fmt.Sprintf("name: %s\nmodel: %s\nstrategies: [NR, SR, ARB]\ntrials: 2\nfactors: [{name: %s, path: services.B.servers, list: [2, 4]}]\n", name, model, factor)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	out := func(name string) string { return filepath.Join(tmp, name) }
	// A standard sweep's name: its own report reads other factors, strategies and tables.
	for _, name := range []string{"topology", "recovery", "amplification", "jitter", "correlation", "harm_map"} {
		expect(t, exitOK, "sweep", write(name, "servers"), "--quiet", "--out", out(name))
		expect(t, exitOK, "verify", out(name))
	}
	// The name of any column of the report's tables.
	for _, table := range []string{"cells", "pairs"} {
		head, _, _ := strings.Cut(read(t, filepath.Join(out("topology"), "tables", table+".csv")), "\n")
		columns := strings.Split(head, ",")
		if !slices.Contains(columns, "servers") {
			t.Fatalf("columns %v", columns)
		}
		for _, column := range columns {
			if column == "servers" {
				continue
			}
			if r := expect(t, exitUsage, "sweep", write("mine", column), "--quiet", "--out", out("none")); !strings.Contains(r.stderr, "is a column of the tables already") {
				t.Errorf("a factor %s: %s", column, r.stderr)
			}
		}
	}
	// No request at all.
	expect(t, exitOK, "sweep", write("mine", "servers"), "--set", "clients[*].arrivals.rate=1e-6", "--quiet", "--out", out("empty"))
	expect(t, exitOK, "verify", out("empty"))
}

// What the command line changes is written down: the page of a standard sweep says it on top, and a merge has it too.
func TestChangesAreWrittenDown(t *testing.T) {
	tmp := t.TempDir()
	out := func(name string) string { return filepath.Join(tmp, name) }
	changes := []string{"jitter", "--set", "clients.clients.arrivals.users=100", "--sweep", "jitter=full,none", "--trials", "2", "--quiet"}
	expect(t, exitOK, append([]string{"sweep", "--out", out("whole")}, changes...)...)
	const want = "--set clients.clients.arrivals.users=100 --sweep jitter=full,none"
	if page := read(t, filepath.Join(out("whole"), "report.html")); !strings.Contains(page, "Changed by "+want) {
		t.Error("the page does not say what was changed")
	}
	if manifest := read(t, filepath.Join(out("whole"), "manifest.json")); !strings.Contains(manifest, `"changed": "`+want+`"`) {
		t.Errorf("the manifest is\n%s", manifest)
	}
	for _, part := range []string{"1/2", "2/2"} {
		expect(t, exitOK, append([]string{"sweep", "--out", out("part" + part[:1]), "--shard", part}, changes...)...)
	}
	// The same changes in other words make the same rows; other changes are named, and not their fingerprint.
	expect(t, exitOK, "sweep", "--out", out("other"), "jitter", "--shard", "2/2", "--trials", "2", "--quiet", "--sweep", "jitter=full,none", "--set", "clients[0].arrivals.users=100")
	expect(t, exitOK, "merge", "--out", out("mixed"), out("part1"), out("other"))
	expect(t, exitOK, "sweep", "--out", out("less"), "jitter", "--shard", "2/2", "--trials", "2", "--quiet", "--sweep", "jitter=full,none")
	if r := expect(t, exitUsage, "merge", "--out", out("none"), out("part1"), out("less")); !strings.Contains(r.stderr, "disagree: parameter changed: --set clients.clients.arrivals.users=100 ") {
		t.Error(r.stderr)
	}
	before := files(t, out("part1"))
	if r := expect(t, exitUsage, "merge", "--out", filepath.Join(out("part1"), "a", "b"), out("part1"), out("part2")); !strings.Contains(r.stderr, "lies in the shard") {
		t.Error(r.stderr)
	}
	compareFiles(t, "a part after a merge into it", before, files(t, out("part1")))
	expect(t, exitOK, "merge", "--out", out("merged"), out("part1"), out("part2"))
	compareFiles(t, "merged", files(t, out("whole")), files(t, out("merged")))
}

// A standard sweep can be copied out of the program, and the copy is the same sweep.
func TestSweepsCanBeCopied(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(expect(t, exitOK, "library", "jitter").stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	head := func(name string) string {
		text, _, _ := strings.Cut(expect(t, exitOK, "sweep", name, "--dry-run", "--trials", "1").stdout, "pilot")
		return text
	}
	if a, b := head("jitter"), head(file); a != b || !strings.Contains(a, "6 cells") {
		t.Errorf("the copy is\n%s\nnot\n%s", b, a)
	}
	if one := expect(t, exitOK, "sweep", "jitter", "--sweep", "jitter=full", "--dry-run").stdout; !strings.HasPrefix(one, "jitter: 1 cell, 100 trials\n") {
		t.Error(one)
	}
	if list := expect(t, exitOK, "library").stdout; !strings.Contains(list, "harm-map") || !strings.Contains(list, "when do retries harm requests?") {
		t.Errorf("list: %s", list)
	}
}
