package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// MakeFolders makes a folder and those above it. undo, which is never nil, removes those that it made, as far as they are empty.
func MakeFolders(path string) (undo func(), err error) {
	var made []string // innermost first
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) || p == filepath.Dir(p) {
			break
		}
		made = append(made, p)
	}
	undo = func() {
		for _, p := range made {
			_ = os.Remove(p) // only if it is empty
		}
	}
	return undo, os.MkdirAll(path, 0o777)
}
