// Package tree reads the files of one repository for the scanner: a folder, a
// clone with a work tree, or a bare git directory (through git ls-tree and git
// cat-file). Nothing is swallowed: every file that is not handed out is counted
// with its reason. Nothing in a repository is ever executed, no link is
// followed, and no path leaves it.
package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"
)

// MaxFileBytes is the size from which a file is skipped: no hand-written source
// file is larger, and generated ones hold no retry worth counting.
const MaxFileBytes = 2 << 20

// Reasons for skipping a file.
const (
	SkipLarge     = "too large"
	SkipBinary    = "binary"
	SkipSymlink   = "symbolic link"
	SkipSubmodule = "submodule"
	SkipSpecial   = "not a regular file"
	SkipVendored  = "third-party or generated"
	SkipPath      = "unusable path"
)

// Repository is one opened repository. Close it after use.
type Repository struct {
	// Name is owner/name as far as the folder's name tells.
	Name string
	// Commit is the commit that is read; empty when there is none.
	Commit string
	// Shallow is true for a clone without its history.
	Shallow bool
	// Files lists the regular files that may be read, sorted by path.
	Files []Entry
	// Skipped counts the files left out, by reason.
	Skipped map[string]int
	// Failed lists what could not be read, as "path: why".
	Failed []string

	src    source
	byPath map[string]int
	byBase map[string][]string
	byDir  map[string][]string
	memo   memo
}

// Entry is one regular file.
type Entry struct {
	// Path is slash separated and relative to the root.
	Path string
	// Size is in bytes.
	Size int64
	id   string // object name, for git
}

// source reads one entry's bytes; safe for concurrent use.
type source interface {
	read(e Entry) ([]byte, error)
	close() error
}

// ErrNoRepository is returned by Open for a path that holds no readable tree.
var ErrNoRepository = errors.New("no folder or git directory")

// Open opens a folder, a clone or a bare git directory. name may be empty: then
// it is made from the folder's name, where owner+name stands for owner/name.
// commit may be empty; otherwise a git directory is read at that commit (a
// folder or work tree is always read as it is). The error says what is wrong
// with the path itself; unreadable files inside are recorded in Failed.
func Open(ctx context.Context, dir, name, commit string) (*Repository, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: %w", dir, ErrNoRepository)
	}
	if name == "" {
		name = nameOf(dir)
	}
	r := &Repository{Name: name, Skipped: map[string]int{}}
	switch {
	case isGitDir(dir):
		err = r.openGit(ctx, dir, commit)
	case commit != "" && isGitDir(filepath.Join(dir, ".git")):
		err = r.openGit(ctx, filepath.Join(dir, ".git"), commit)
	default:
		err = r.openFolder(ctx, dir)
	}
	if err != nil {
		return nil, err
	}
	r.index()
	return r, nil
}

// Close ends the helper process of a git directory.
func (r *Repository) Close() error { return r.src.close() }

// nameOf makes a repository's name from its folder. A folder named repo or .git
// gives its parent's name.
func nameOf(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	base := filepath.Base(abs)
	for base == "repo" || base == ".git" {
		abs = filepath.Dir(abs)
		base = filepath.Base(abs)
	}
	base = strings.TrimSuffix(base, ".git")
	return strings.Replace(base, "+", "/", 1)
}

func isGitDir(dir string) bool {
	for _, name := range []string{"HEAD", "objects"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// keep decides by path and size; it counts what it leaves out.
func (r *Repository) keep(e Entry) {
	switch {
	case !usable(e.Path):
		r.Skipped[SkipPath]++
	case vendored(e.Path):
		r.Skipped[SkipVendored]++
	case e.Size > MaxFileBytes:
		r.Skipped[SkipLarge]++
	default:
		r.Files = append(r.Files, e)
	}
}

// usable rejects paths that leave the tree or cannot be written down in one line.
func usable(p string) bool {
	return p != "" && !path.IsAbs(p) && path.Clean(p) == p && p != ".." && !strings.HasPrefix(p, "../") && !strings.ContainsAny(p, "\x00\n\r")
}

// vendored recognises copies of other projects and minified output by whole
// path segments.
func vendored(p string) bool {
	for s := range strings.SplitSeq(p, "/") {
		switch s {
		case "vendor", "node_modules", "third_party", "third-party", "bower_components", "site-packages", "Godeps", "_vendor":
			return true
		}
	}
	base := path.Base(p)
	if script := strings.HasSuffix(base, ".js") || strings.HasSuffix(base, ".mjs") || strings.HasSuffix(base, ".cjs"); script &&
		(strings.HasPrefix(p, "dist/") || strings.Contains(p, "/dist/")) { // a bundle made from the sources beside it
		return true
	}
	return strings.HasSuffix(base, ".min.js") || strings.HasSuffix(base, ".bundle.js") || strings.HasSuffix(base, "_pb2.py") ||
		base == "package-lock.json" || base == "composer.lock"
}

func (r *Repository) index() {
	sort.Slice(r.Files, func(i, j int) bool { return r.Files[i].Path < r.Files[j].Path })
	r.byPath = make(map[string]int, len(r.Files))
	r.byBase, r.byDir = map[string][]string{}, map[string][]string{}
	for i, e := range r.Files {
		r.byPath[e.Path] = i
		base, dir := path.Base(e.Path), strings.TrimSuffix(path.Dir(e.Path), ".")
		if path.Dir(e.Path) != "." {
			dir = path.Dir(e.Path)
		}
		r.byBase[base] = append(r.byBase[base], e.Path)
		r.byDir[dir] = append(r.byDir[dir], e.Path)
	}
}

// Read returns a file's text as UTF-8 (see Text), or why it has none.
func (r *Repository) Read(p string) ([]byte, error) {
	i, known := r.byPath[p]
	if !known {
		return nil, fmt.Errorf("%s: %w", p, os.ErrNotExist)
	}
	raw, err := r.src.read(r.Files[i])
	if err != nil {
		return nil, err
	}
	return Text(raw)
}

// Dir lists the files directly in a directory, sorted.
func (r *Repository) Dir(dir string) []string { return r.byDir[dir] }

// Named lists the files with a base name, sorted.
func (r *Repository) Named(base string) []string { return r.byBase[base] }

// Memo computes a value once per key.
func (r *Repository) Memo(key string, build func() any) any { return r.memo.get(key, build) }

type memo struct{ m sync.Map }

func (m *memo) get(key string, build func() any) any {
	f, _ := m.m.LoadOrStore(key, sync.OnceValue(build))
	return f.(func() any)()
}
