package atomicfile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

var errDisk = errors.New("the disk is on fire")

// broken is a file that fails at one step.
type broken struct {
	*os.File
	room      int // bytes that fit; negative is without limit
	syncErr   error
	closeErr  error
	writeable io.Writer // where the bytes go instead of the file, if set
}

func (b *broken) Write(p []byte) (int, error) {
	if b.writeable != nil {
		return b.writeable.Write(p)
	}
	if b.room >= 0 && len(p) > b.room {
		n, _ := b.File.Write(p[:b.room])
		b.room = 0
		return n, syscall.ENOSPC
	}
	if b.room >= 0 {
		b.room -= len(p)
	}
	return b.File.Write(p)
}

func (b *broken) Sync() error {
	if b.syncErr != nil {
		return b.syncErr
	}
	return b.File.Sync()
}

func (b *broken) Close() error {
	err := b.File.Close()
	if b.closeErr != nil {
		return b.closeErr
	}
	return err
}

// inject lets every file created during the test be broken as b says.
func inject(t *testing.T, b broken) {
	real := open
	open = func(name string) (handle, error) {
		h, err := real(name)
		if err != nil {
			return nil, err
		}
		b.File = h.(*os.File)
		return &b, nil
	}
	t.Cleanup(func() { open = real })
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWriteBytes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	for _, text := range []string{"first", "second, replacing the first"} {
		if err := WriteBytes(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Fatalf("read %q, %v; want %q", got, err, text)
		}
	}
	if list := names(t, dir); len(list) != 1 {
		t.Errorf("folder holds %q, want only a.txt", list)
	}
}

func TestNothingUnderTheFinalNameBeforeCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.parquet")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("half of it")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("final name before Commit: %v, want that it does not exist", err)
	}
	if m, _ := filepath.Glob(filepath.Join(dir, "*.parquet")); len(m) != 0 {
		t.Errorf("*.parquet matches the temporary file: %q", m)
	}
	f.Abort()
	f.Abort()
	if list := names(t, dir); len(list) != 0 {
		t.Errorf("after Abort the folder holds %q", list)
	}
	if err := f.Commit(); err == nil {
		t.Error("Commit after Abort succeeded")
	}
}

func TestFailuresLeaveTheOldFile(t *testing.T) {
	cases := []struct {
		name string
		b    broken
		want error
	}{
		{"disk full at the first byte", broken{room: 0}, syscall.ENOSPC},
		{"disk full in the middle", broken{room: 100}, syscall.ENOSPC},
		{"flush fails", broken{room: -1, syncErr: errDisk}, errDisk},
		{"close fails", broken{room: -1, closeErr: errDisk}, errDisk},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.txt")
			if err := WriteBytes(path, []byte("old")); err != nil {
				t.Fatal(err)
			}
			inject(t, c.b)
			err := WriteBytes(path, bytes.Repeat([]byte("new"), 100))
			if !errors.Is(err, c.want) || !bytes.Contains([]byte(err.Error()), []byte(path)) {
				t.Errorf("error %v, want %v with the path %s", err, c.want, path)
			}
			checkOnlyOld(t, dir, path)
		})
	}
}

// A writer that ignores errors, as a buffered encoder may, must not publish a file with a hole.
func TestCommitRefusesAfterAFailedWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := WriteBytes(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	inject(t, broken{room: 10})
	err := Write(path, func(w io.Writer) error {
		_, _ = w.Write(make([]byte, 20)) // fails
		_, _ = w.Write([]byte("tail"))
		return nil
	})
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want %v", err, syscall.ENOSPC)
	}
	checkOnlyOld(t, dir, path)
}

func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		if runtime.GOOS == "linux" {
			t.Fatal(err)
		}
		t.Skip("no /dev/full on this system")
	}
	defer full.Close()
	dir := t.TempDir()
	inject(t, broken{writeable: full})
	if err := WriteBytes(filepath.Join(dir, "a.txt"), []byte("x")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want %v", err, syscall.ENOSPC)
	}
	if list := names(t, dir); len(list) != 0 {
		t.Errorf("folder holds %q", list)
	}
}

func TestFillError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	if err := WriteBytes(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, func(io.Writer) error { return errDisk }); err != errDisk {
		t.Errorf("error %v, want %v itself", err, errDisk)
	}
	checkOnlyOld(t, dir, path)
}

func TestUnusableFolder(t *testing.T) {
	dir := t.TempDir()
	if err := WriteBytes(filepath.Join(dir, "missing", "a.txt"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := WriteBytes(filepath.Join(file, "a.txt"), nil); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a file as the folder: %v", err)
	}
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := WriteBytes(taken, []byte("x")); err == nil {
		t.Error("renaming over a folder succeeded")
	}
	if list := names(t, dir); len(list) != 2 {
		t.Errorf("folder holds %q, want file and taken only", list)
	}
	// The superuser may write anywhere, so refusal of the folder itself comes from the injected opener.
	real := open
	t.Cleanup(func() { open = real })
	open = func(string) (handle, error) { return nil, os.ErrPermission }
	if err := WriteBytes(filepath.Join(dir, "a.txt"), nil); !errors.Is(err, os.ErrPermission) {
		t.Errorf("folder without permission: %v", err)
	}
}

func checkOnlyOld(t *testing.T, dir, path string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("final name holds %q, %v; want the old file", got, err)
	}
	if list := names(t, dir); len(list) != 1 {
		t.Errorf("folder holds %q, want only the old file", list)
	}
}
