package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"retrylab/internal/atomicfile"
)

// What was made is unmade, but for what is in use and what was there before.
func TestMakeFoldersAndUndo(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	if err := os.Mkdir(there, 0o755); err != nil {
		t.Fatal(err)
	}
	undo, err := atomicfile.MakeFolders(filepath.Join(there, "a", "b", "c") + "/")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(there, "a", "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	undo()
	if _, err := os.Stat(filepath.Join(there, "a", "b")); err == nil {
		t.Error("b is still there")
	}
	if _, err := os.Stat(filepath.Join(there, "a", "mine")); err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(filepath.Join(there, "a")); err != nil {
		t.Fatal(err)
	}
	if undo, err = atomicfile.MakeFolders(there); err != nil {
		t.Fatal(err)
	}
	undo()
	if _, err := os.Stat(there); err != nil {
		t.Error("a folder that was there before is gone")
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if undo, err = atomicfile.MakeFolders(filepath.Join(file, "below")); err == nil {
		t.Error("a folder below a file was made")
	}
	undo()
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
