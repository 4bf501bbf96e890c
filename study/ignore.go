package study

import (
	"bufio"
	"bytes"
	"fmt"
	"path"
	"strings"

	"retrylab/study/finding"
)

// IgnoreFile is the name of a repository's list of exceptions, in its root.
const IgnoreFile = ".retrylabignore"

// ignoreMark is the comment that makes exceptions for its own line and the next:
// "retrylab:ignore" for every rule, "retrylab:ignore no-backoff, unbounded" for some.
const ignoreMark = "retrylab:ignore"

// Ignores holds the exceptions of a repository.
type Ignores struct{ rules []ignoreRule }

type ignoreRule struct {
	pattern string // of path.Match, or a folder ending in a slash
	ids     []string
}

// ParseIgnores reads an exceptions file: one path pattern a line, then the rules
// it excepts (none = all); # starts a comment. A folder ends in a slash. All
// mistakes are reported at once.
func ParseIgnores(name string, text []byte) (Ignores, error) {
	var ig Ignores
	var bad []string
	in := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; in.Scan(); n++ {
		line, _, _ := strings.Cut(in.Text(), "#")
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' })
		if len(words) == 0 {
			continue
		}
		if _, err := path.Match(words[0], "x"); err != nil {
			bad = append(bad, fmt.Sprintf("%s:%d: pattern %q is not valid", name, n, words[0]))
		}
		for _, id := range words[1:] {
			if !knownRule(id) {
				bad = append(bad, fmt.Sprintf("%s:%d: rule %q does not exist, expected one of %s", name, n, id, ruleNames()))
			}
		}
		ig.rules = append(ig.rules, ignoreRule{words[0], words[1:]})
	}
	if bad != nil {
		return Ignores{}, fmt.Errorf("%s", strings.Join(bad, "\n"))
	}
	return ig, in.Err()
}

func knownRule(id string) bool {
	for _, r := range AdviceRules {
		if r.ID == id {
			return true
		}
	}
	return false
}

func ruleNames() string {
	var names []string
	for _, r := range AdviceRules {
		names = append(names, r.ID)
	}
	return strings.Join(names, ", ")
}

// covers says whether a path pattern covers a file: a folder covers all below
// it, a pattern without a slash any file of that name.
func (r ignoreRule) covers(p string) bool {
	if strings.HasSuffix(r.pattern, "/") {
		return strings.HasPrefix(p, r.pattern)
	}
	if !strings.Contains(r.pattern, "/") {
		p = path.Base(p)
	}
	hit, _ := path.Match(r.pattern, p) // the pattern was checked when it was read
	return hit
}

// Filter takes out advice that is excepted by the file or by a comment on the
// finding's first line or the line above. read gives a file's text.
func (ig Ignores) Filter(list []Advice, read func(path string) ([]byte, error)) []Advice {
	marks := map[string]map[int]string{}
	var out []Advice
	for _, a := range list {
		p := a.Finding.Path
		if _, known := marks[p]; !known {
			marks[p] = map[int]string{}
			if text, err := read(p); err == nil {
				marks[p] = markedLines(text)
			}
		}
		if !ig.excepts(a) && !marked(marks[p], a.Finding, a.Rule.ID) {
			out = append(out, a)
		}
	}
	return out
}

func (ig Ignores) excepts(a Advice) bool {
	for _, r := range ig.rules {
		if r.covers(a.Finding.Path) && (len(r.ids) == 0 || contains(r.ids, a.Rule.ID)) {
			return true
		}
	}
	return false
}

func marked(lines map[int]string, f finding.Finding, id string) bool {
	for _, n := range []int{f.Line, f.Line - 1} {
		rest, has := lines[n]
		if !has {
			continue
		}
		ids := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
		named := false
		for _, w := range ids {
			named = named || knownRule(w)
			if w == id {
				return true
			}
		}
		if !named {
			return true
		}
	}
	return false
}

// markedLines maps the lines that bear the mark to what follows it.
func markedLines(text []byte) map[int]string {
	m := map[int]string{}
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if i := bytes.Index(line, []byte(ignoreMark)); i >= 0 {
			rest := strings.TrimSpace(string(line[i+len(ignoreMark):]))
			m[n] = strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(rest, "-->")), "*/")
		}
	}
	return m
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
