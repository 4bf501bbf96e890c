package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"

	"retrylab/internal/atomicfile"
)

// TestNeverReplacesWhatIsNoFile: a folder stays a folder, and a link's target is what is written.
func TestNeverReplacesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if err := atomicfile.WriteBytes(dir, []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if err := atomicfile.WriteBytes(os.DevNull, []byte("x")); err == nil {
		t.Errorf("%s was replaced", os.DevNull)
	}
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.WriteBytes(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "new" {
		t.Errorf("the link's target holds %q, %v", text, err)
	}
}
