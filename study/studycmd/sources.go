package studycmd

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"retrylab/study"
)

// sourcesFrom makes the list of repositories to read: the paths given, and
// everything that --repos names, a folder of clones or a list of them.
func sourcesFrom(paths []string, repos string) ([]study.Source, error) {
	var out []study.Source
	for _, p := range paths {
		if _, err := os.Stat(p); err != nil {
			return nil, UsageError{err}
		}
		out = append(out, study.Source{Dir: p})
	}
	if repos == "" {
		if len(out) == 0 {
			out = []study.Source{{Dir: "."}}
		}
		return out, nil
	}
	info, err := os.Stat(repos)
	if err != nil {
		return nil, UsageError{err}
	}
	if info.IsDir() {
		more, err := clonesIn(repos)
		return append(out, more...), err
	}
	more, err := readList(repos)
	return append(out, more...), err
}

// clonesIn lists the folders of a folder; one that holds a folder repo with a
// git directory stands for that.
func clonesIn(dir string) ([]study.Source, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []study.Source
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		p := filepath.Join(dir, e.Name())
		for _, inner := range []string{"repo/.git", "repo"} {
			if _, err := os.Stat(filepath.Join(p, inner, "HEAD")); err == nil {
				p = filepath.Join(p, inner)
				break
			}
		}
		out = append(out, study.Source{Dir: p})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Dir < out[j].Dir })
	if len(out) == 0 {
		return nil, usagef("%s: no folders in it, expected clones", dir)
	}
	return out, nil
}

// readList reads one clone a line: its folder, then (after tabs) its owner/name
// and the commit to read, both optional. # starts a comment line. A folder that
// does not exist stays in the list: the scan records it.
func readList(name string) ([]study.Source, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []study.Source
	var bad []error
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		part := strings.Split(line, "\t")
		if len(part) > 3 {
			bad = append(bad, fmt.Errorf("%s:%d: %d columns, expected folder, owner/name, commit", name, n, len(part)))
			continue
		}
		part = append(part, "", "")
		dir := part[0]
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(name), dir)
		}
		out = append(out, study.Source{Dir: dir, Name: part[1], Commit: part[2]})
	}
	if err := errors.Join(append(bad, in.Err())...); err != nil {
		return nil, UsageError{err}
	}
	return out, nil
}
