//go:build cgo

package study_test

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"retrylab/study/confscan"
	"retrylab/study/finding"
	"retrylab/study/goscan"
	"retrylab/study/treesit"
)

// idiomFolder holds table.tsv, the list of the idioms a detector must understand
// (id, idiom), and *.txt with the cases. A case starts with a line
//
//	=== id yes|no file: what is to be found
//
// followed by the file's text; a line "--- file" starts another file of the same
// repository. A yes must give exactly what is written: rule, attempts in all
// ("ever", "?" for not known, "off"), backoff with "+jitter", "local" and "low"
// when it is that, several ones by "; ". A no is the near miss: nothing of it may
// count as a retry against a dependency, though it may be found as switched off
// or as local when that is written.
const idiomFolder = "testdata/idioms"

// idiomCase is one case of the table.
type idiomCase struct {
	at, id   string
	positive bool
	file     string
	want     string
	tree     sources
}

func TestEveryIdiomAndItsNearMiss(t *testing.T) {
	idioms := readIdioms(t)
	has := map[string][2]int{}
	for _, c := range readCases(t) {
		if idioms[c.id] == "" {
			t.Errorf("%s: idiom %q is not in table.tsv", c.at, c.id)
		}
		n := has[c.id]
		if c.positive {
			n[0]++
		} else {
			n[1]++
		}
		has[c.id] = n
		t.Run(c.id+"/"+c.at, func(t *testing.T) { c.check(t) })
	}
	for id, idiom := range idioms {
		if n := has[id]; n[0] == 0 || n[1] == 0 {
			t.Errorf("%s (%s): %d positive cases and %d near misses, expected at least one of each", id, idiom, n[0], n[1])
		}
	}
}

func (c *idiomCase) check(t *testing.T) {
	f := &finding.File{Path: c.file, Text: []byte(c.tree[c.file]), Tree: c.tree}
	var got []string
	counts := 0
	for _, d := range idiomDetectors(t) {
		if !d.Wants(c.file) {
			continue
		}
		list, err := d.Scan(f)
		if err != nil {
			t.Fatalf("the case cannot be read: %v", err)
		}
		for _, x := range list {
			x.Finish(f)
			got = append(got, inShort(&x))
			if !x.Disabled && x.Scope != finding.ScopeLocal && x.Confidence != finding.Low && x.Production {
				counts++
			}
		}
	}
	sort.Strings(got)
	if s := strings.Join(got, "; "); s != c.want {
		t.Errorf("found %q, expected %q in\n%s", s, c.want, c.tree[c.file])
	}
	if c.positive != (counts > 0) {
		t.Errorf("%d findings count as retries against a dependency; positive is %v", counts, c.positive)
	}
}

func idiomDetectors(t *testing.T) []finding.Detector {
	more, leftOut := treesit.Detectors()
	if leftOut != "" {
		t.Fatal(leftOut)
	}
	return append(more, goscan.Detector{}, confscan.Detector{})
}

// inShort is a finding in a few words.
func inShort(f *finding.Finding) string {
	n := fmt.Sprint(f.TotalAttempts)
	switch {
	case f.Disabled:
		n = "off"
	case f.Unlimited:
		n = "ever"
	case f.TotalAttempts == 0:
		n = "?"
	}
	s := strings.TrimPrefix(f.Rule, "retry-") + " " + n + " " + f.Backoff
	if f.Jitter == finding.Yes {
		s += "+jitter"
	}
	if f.Scope == finding.ScopeLocal {
		s += " local"
	}
	if f.Confidence == finding.Low {
		s += " low"
	}
	return s
}

func readIdioms(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(idiomFolder, "table.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		id, idiom, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || out[id] != "" {
			t.Fatalf("table.tsv: %q, expected a new id, a tab and the idiom", line)
		}
		out[id] = idiom
	}
	return out
}

func readCases(t *testing.T) []*idiomCase {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(idiomFolder, "*.txt"))
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	var out []*idiomCase
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewScanner(strings.NewReader(string(text)))
		var c *idiomCase
		now := ""
		for n := 1; in.Scan(); n++ {
			line := in.Text()
			if head, ok := strings.CutPrefix(line, "=== "); ok {
				c = newCase(t, fmt.Sprintf("%s:%d", filepath.Base(name), n), head)
				out, now = append(out, c), c.file
			} else if file, ok := strings.CutPrefix(line, "--- "); ok && c != nil {
				now = file
			} else if c != nil {
				c.tree[now] += line + "\n"
			}
		}
	}
	return out
}

func newCase(t *testing.T, at, head string) *idiomCase {
	t.Helper()
	head, want, _ := strings.Cut(head, ":")
	part := strings.Fields(head)
	if len(part) != 3 || part[1] != "yes" && part[1] != "no" {
		t.Fatalf("%s: %q, expected id, yes or no, file: what is found", at, head)
	}
	return &idiomCase{at: at, id: part[0], positive: part[1] == "yes", file: part[2], want: strings.TrimSpace(want), tree: sources{}}
}

// sources is a small repository in memory.
type sources map[string]string

func (f sources) Read(p string) ([]byte, error) {
	if s, ok := f[p]; ok {
		return []byte(s), nil
	}
	return nil, fmt.Errorf("%s: no such file", p)
}

func (f sources) Dir(dir string) []string {
	return f.list(func(p string) bool { return path.Dir(p) == path.Clean(dir) })
}

func (f sources) Named(base string) []string {
	return f.list(func(p string) bool { return path.Base(p) == base })
}

func (f sources) list(want func(string) bool) (out []string) {
	for p := range f {
		if want(p) {
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

func (f sources) Memo(_ string, build func() any) any { return build() }
