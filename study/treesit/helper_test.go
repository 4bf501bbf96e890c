//go:build cgo

package treesit_test

import (
	"fmt"
	"path"
	"sort"
	"strings"
	"testing"

	"retrylab/study/finding"
	"retrylab/study/treesit"
)

// files is a small repository in memory.
type files map[string]string

func (f files) Read(p string) ([]byte, error) {
	if s, ok := f[p]; ok {
		return []byte(s), nil
	}
	return nil, fmt.Errorf("%s: no such file", p)
}

func (f files) Dir(string) []string { return nil }

func (f files) Named(base string) []string {
	var out []string
	for p := range f {
		if path.Base(p) == base {
			out = append(out, p)
		}
	}
	sort.Strings(out)
	return out
}

func (f files) Memo(_ string, build func() any) any { return build() }

// scan runs the detector that wants the path.
func scan(t *testing.T, tree files, p string) []finding.Finding {
	t.Helper()
	list, leftOut := treesit.Detectors()
	if leftOut != "" {
		t.Fatal(leftOut)
	}
	for _, d := range list {
		if d.Wants(p) {
			f := &finding.File{Path: p, Text: []byte(tree[p]), Tree: tree}
			found, err := d.Scan(f)
			if err != nil {
				t.Fatalf("%s: %v\n%s", p, err, tree[p])
			}
			for i := range found {
				found[i].Finish(f)
			}
			return found
		}
	}
	t.Fatalf("no detector wants %s", p)
	return nil
}

// short is a finding in one line: total attempts (for ever, run time), backoff,
// jitter.
func short(f finding.Finding) string {
	n := fmt.Sprint(f.TotalAttempts)
	switch {
	case f.Disabled:
		n = "off"
	case f.Unlimited:
		n = "ever"
	case f.TotalAttempts == 0:
		n = "?"
	}
	jitter := ""
	if f.Jitter == finding.Yes {
		jitter = "+jitter"
	}
	return fmt.Sprintf("%s %s%s", n, f.Backoff, jitter)
}

// sample is one small program and what should be found: "rule total backoff+jitter",
// "" = nothing at all.
type sample struct {
	name, want, code string
}

func run(t *testing.T, ext string, samples []sample) {
	t.Helper()
	for _, c := range samples {
		t.Run(c.name, func(t *testing.T) {
			found := scan(t, files{"src/main" + ext: c.code}, "src/main"+ext)
			var got []string
			for _, f := range found {
				got = append(got, strings.TrimPrefix(f.Rule, "retry-")+" "+short(f))
			}
			sort.Strings(got)
			if s := strings.Join(got, "; "); s != c.want {
				t.Errorf("got %q, want %q in\n%s", s, c.want, c.code)
			}
		})
	}
}
