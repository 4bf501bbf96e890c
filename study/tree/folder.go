package tree

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// folder reads a directory tree through os.Root, which refuses every path and
// link that leads out of it.
type folder struct{ root *os.Root }

func (r *Repository) openFolder(ctx context.Context, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	r.src = folder{root}
	git := filepath.Join(dir, ".git")
	if isGitDir(git) {
		r.Commit, _ = headOf(ctx, git) // an empty repository has no commit yet
		_, serr := os.Stat(filepath.Join(git, "shallow"))
		r.Shallow = serr == nil
	}
	err = fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if cerr := ctx.Err(); cerr != nil {
			return cerr
		}
		if err != nil {
			r.Failed = append(r.Failed, p+": "+reason(err))
			return nil // the rest of the tree is still read
		}
		return r.visit(root, p, d)
	})
	if err != nil {
		return errors.Join(err, root.Close())
	}
	return nil
}

func (r *Repository) visit(root *os.Root, p string, d fs.DirEntry) error {
	switch {
	case p == ".":
	case d.IsDir():
		if d.Name() == ".git" {
			return fs.SkipDir
		}
		if vendored(p) {
			r.Skipped[SkipVendored]++ // counted once, as a folder: it is not listed
			return fs.SkipDir
		}
		if _, err := root.Lstat(path.Join(p, ".git")); err == nil {
			r.Skipped[SkipSubmodule]++
			return fs.SkipDir
		}
	case d.Type()&fs.ModeSymlink != 0:
		r.Skipped[SkipSymlink]++
	case !d.Type().IsRegular():
		if d.Name() != ".git" {
			r.Skipped[SkipSpecial]++
		}
	default:
		info, err := d.Info()
		if err != nil {
			r.Failed = append(r.Failed, p+": "+reason(err))
			return nil
		}
		r.keep(Entry{Path: p, Size: info.Size()})
	}
	return nil
}

func (f folder) read(e Entry) ([]byte, error) {
	file, err := f.root.Open(filepath.FromSlash(e.Path))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// The file may have grown, or be endless: never read more than the limit.
	text, err := io.ReadAll(io.LimitReader(file, MaxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxFileBytes {
		return nil, errors.New(SkipLarge)
	}
	return text, nil
}

func (f folder) close() error { return f.root.Close() }

// reason is an error's text without the path, which the record holds already.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
}
