package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"retrylab/internal/atomicfile"
	"retrylab/results"
)

// staged lets fill make results in a new folder beside out and puts them in out's place when they are
// whole. After an error, an interrupt or a full disk, out is as it was; only a kill leaves the new folder, hidden.
func staged(out string, fill func(dir string) error) (err error) {
	out = resolved(out)
	there, statErr := os.Stat(out)
	if statErr == nil && !there.IsDir() {
		return notFolder(out)
	}
	undo, err := atomicfile.MakeFolders(filepath.Dir(out))
	dir := beside(out, strconv.FormatUint(rand.Uint64(), 36))
	defer func() {
		_ = os.RemoveAll(dir)
		if err != nil {
			undo()
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

func notFolder(path string) error {
	return fmt.Errorf("cannot write results to %s: it is not a folder", path)
}

// resolved is a folder's own path, if it is there.
func resolved(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return filepath.Clean(path)
}

// keptWord names the folder beside a run's results in which it keeps finished trials.
const keptWord = "checkpoint"

// beside is a hidden folder beside another, or in it where that is needed to be on the same disk. Version control does not see it.
func beside(path, word string) string {
	path = resolved(path)
	if mounted(path) {
		return filepath.Join(path, "."+word+".tmp")
	}
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+word+".tmp")
}

// clearLeft removes new folders that killed writers of out have left. Only one that knows that no other writer is at it may call this.
func clearLeft(out string) {
	sample := beside(out, "*")
	before, after, _ := strings.Cut(filepath.Base(sample), "*")
	entries, _ := os.ReadDir(filepath.Dir(sample)) // what cannot be listed stays
	for _, e := range entries {
		word, hidden := strings.CutPrefix(e.Name(), before)
		word, temporary := strings.CutSuffix(word, after)
		if hidden && temporary && word != keptWord && e.IsDir() && !strings.Contains(word, ".") {
			_ = os.RemoveAll(filepath.Join(filepath.Dir(sample), e.Name()))
		}
	}
}

// replace moves all files of dir into out. What only out's old manifest names goes; the manifest comes last. While other rows come
// in there is no manifest; around the same rows the old one stays, since without it they could not be reported again.
func replace(dir, out string) error {
	fresh, err := results.ReadManifest(dir)
	if err != nil {
		return err
	}
	old, _ := results.ReadManifest(out) // without one there is nothing to clear away
	if old == nil || !slices.Equal(tables(old), tables(fresh)) {
		if err := os.Remove(filepath.Join(out, results.ManifestName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
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
	removeStale(out, old, fresh)
	return os.Rename(filepath.Join(dir, results.ManifestName), filepath.Join(out, results.ManifestName))
}

// tables are a manifest's tables of rows, in order.
func tables(m *results.Manifest) []results.FileEntry {
	var list []results.FileEntry
	for _, f := range m.Files {
		if ofData(f.Name) {
			list = append(list, f)
		}
	}
	return list
}

// removeStale removes the files that only the old manifest names, and a figure's other forms with it. What cannot be removed stays.
func removeStale(out string, old, fresh *results.Manifest) {
	if old == nil {
		return
	}
	kept := map[string]bool{}
	for _, f := range fresh.Files {
		kept[f.Name] = true
	}
	for _, f := range old.Files {
		name := filepath.FromSlash(f.Name)
		if kept[f.Name] || !filepath.IsLocal(name) {
			continue
		}
		_ = os.Remove(filepath.Join(out, name))
		if figure, ok := strings.CutSuffix(name, ".svg"); ok {
			_ = os.Remove(filepath.Join(out, figure+".pdf"))
			_ = os.Remove(filepath.Join(out, figure+".png"))
		}
	}
}
