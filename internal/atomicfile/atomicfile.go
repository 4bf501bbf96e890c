// Package atomicfile writes files that are either whole or not there.
//
// The bytes go to a temporary name in the same folder (".NAME.*.tmp", which no
// pattern like *.parquet matches); Commit flushes them to the disk, renames, and
// flushes the folder. After an error, an Abort or a kill, the final name still
// means what it meant before: nothing, or the older whole file. Only a kill
// leaves the temporary file behind.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// handle is what a File needs of an open file, so that tests can let each step fail.
type handle interface {
	io.WriteCloser
	Sync() error
	Name() string
}

// open creates a file that must not exist yet; tests replace it.
var open = func(name string) (handle, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// File is a file that is being written. It is for one goroutine, and must end in
// Commit or Abort; a deferred Abort after a Commit does nothing.
type File struct {
	h    handle
	path string // final name
	err  error  // first failed write; Commit refuses to publish after one
	done bool
}

// Create starts a file whose final name is path, or what path links to. The folder must exist.
// What is there already and is no regular file, such as a device or a pipe, is never replaced.
func Create(path string) (*File, error) {
	const tries = 100
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if there, err := os.Stat(path); err == nil && !there.Mode().IsRegular() {
		return nil, fmt.Errorf("cannot create %s: it exists and is not a regular file", path)
	}
	for range tries {
		name := filepath.Join(filepath.Dir(path),
			"."+filepath.Base(path)+"."+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
		h, err := open(name)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("cannot create %s: %w", path, err)
		}
		return &File{h: h, path: path}, nil
	}
	return nil, fmt.Errorf("cannot create %s: no free temporary name after %d tries", path, tries)
}

// Write appends to the temporary file. After an error the file can only be aborted.
func (f *File) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, err := f.h.Write(p)
	if err != nil {
		f.err = fmt.Errorf("cannot write %s: %w", f.path, err)
	}
	return n, f.err
}

// Commit makes the file durable and gives it its final name, replacing an older
// file of that name. On an error the temporary file is removed and the final name
// untouched; the one exception is a folder that cannot be flushed, where the whole
// file is in place but might not survive a power cut.
func (f *File) Commit() error {
	if f.done {
		return fmt.Errorf("cannot write %s: already committed or aborted", f.path)
	}
	f.done = true
	err := f.err
	if err == nil {
		err = f.h.Sync()
	}
	if cerr := f.h.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.h.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.h.Name()) // the first error is the one to report
		if err == f.err {
			return err
		}
		return fmt.Errorf("cannot write %s: %w", f.path, err)
	}
	if err := syncFolder(filepath.Dir(f.path)); err != nil {
		return fmt.Errorf("wrote %s, but cannot flush its folder: %w", f.path, err)
	}
	return nil
}

// Abort removes the temporary file and leaves the final name as it was. It does
// nothing after Commit or Abort.
func (f *File) Abort() {
	if f.done {
		return
	}
	f.done = true
	_ = f.h.Close()
	_ = os.Remove(f.h.Name())
}

// Write writes a whole file through fill, which may buffer as it likes. An error
// of fill is returned as it is, and nothing is written under the final name.
func Write(path string, fill func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := fill(f); err != nil {
		return err
	}
	return f.Commit()
}

// WriteBytes writes data as a whole file.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// syncFolder makes a rename durable. Windows cannot open folders, and some file
// systems refuse to flush them; there the rename is as durable as it gets.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		return nil
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
