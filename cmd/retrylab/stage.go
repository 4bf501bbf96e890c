package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"

	"retrylab/results"
)

// staged lets fill make results in a new folder beside out and puts them in out's place when they are
// whole. After an error, an interrupt or a full disk, out is as it was; only a kill leaves the new folder, hidden.
func staged(out string, fill func(dir string) error) (err error) {
	if target, err := filepath.EvalSymlinks(out); err == nil {
		out = target
	}
	there, statErr := os.Stat(out)
	if statErr == nil && !there.IsDir() {
		return fmt.Errorf("cannot write results to %s: it is not a folder", out)
	}
	made, err := makeFolders(filepath.Dir(out))
	dir := filepath.Join(filepath.Dir(out), "."+filepath.Base(out)+"."+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
	defer func() {
		_ = os.RemoveAll(dir)
		for i := len(made) - 1; err != nil && i >= 0; i-- {
			_ = os.Remove(made[i]) // only if it is empty
		}
	}()
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	if err := fill(dir); err != nil {
		return err
	}
	if statErr != nil {
		return os.Rename(dir, out)
	}
	return replace(dir, out)
}

// makeFolders makes a folder and those above it, and tells which were missing, outermost first.
func makeFolders(path string) (made []string, err error) {
	for p := path; ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) || p == filepath.Dir(p) {
			break
		}
		made = append([]string{p}, made...)
	}
	return made, os.MkdirAll(path, 0o777)
}

// replace moves all files of dir into out. What only out's old manifest names goes; the manifest comes last.
func replace(dir, out string) error {
	fresh, err := results.ReadManifest(dir)
	if err != nil {
		return err
	}
	old, _ := results.ReadManifest(out) // without one there is nothing to clear away
	if err := os.Remove(filepath.Join(out, results.ManifestName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || name == results.ManifestName {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(out, name), 0o777)
		}
		return os.Rename(path, filepath.Join(out, name))
	})
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	for _, f := range fresh.Files {
		kept[f.Name] = true
	}
	if old != nil {
		for _, f := range old.Files {
			if name := filepath.FromSlash(f.Name); !kept[f.Name] && filepath.IsLocal(name) {
				_ = os.Remove(filepath.Join(out, name))
			}
		}
	}
	return os.Rename(filepath.Join(dir, results.ManifestName), filepath.Join(out, results.ManifestName))
}
