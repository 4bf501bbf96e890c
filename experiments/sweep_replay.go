package experiments

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"retrylab/results"
)

// unrecorded tells whether the results in dir are those of a sweep that did not record T's table.
func unrecorded[T results.Row](dir string) bool {
	if info, err := os.Stat(filepath.Join(dir, "data", "trials")); err != nil || !info.IsDir() {
		return false
	}
	_, err := os.Stat(tablePath[T](dir))
	return errors.Is(err, fs.ErrNotExist)
}
