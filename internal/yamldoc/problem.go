package yamldoc

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one mistake in a file.
type Problem struct {
	File string // name of the file, or what else the text came from, e.g. "--set a=1"
	Line int    // from 1; 0 if it has none
	Path string // of the field, e.g. services[2].servers; empty for the whole file
	Text string // what is wrong and what is expected
}

// String is "file:line: path: text", without the parts that are missing.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Path != "" {
		b.WriteString(p.Path)
		b.WriteString(": ")
	}
	b.WriteString(p.Text)
	return b.String()
}

// Problems is every mistake found; it is an error if it is not empty.
type Problems []Problem

// Error is one problem a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Err is ps as an error, or nil if there are none.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Sort puts problems in the order of their lines, file by file as first met.
func (ps Problems) Sort() {
	first := map[string]int{}
	for i, p := range ps {
		if _, seen := first[p.File]; !seen {
			first[p.File] = i
		}
	}
	slices.SortStableFunc(ps, func(a, b Problem) int {
		if a.File != b.File {
			return first[a.File] - first[b.File]
		}
		return a.Line - b.Line
	})
}
