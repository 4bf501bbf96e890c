//go:build cluster || kubernetes

package cluster

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// wait is how long anything may take on a busy machine.
const wait = 5 * time.Minute

// compare checks that two folders hold the same, but for who made them, when and where.
func compare(t *testing.T, want, got string) {
	t.Helper()
	files := func(dir string) map[string]string {
		all := map[string]string{}
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || e.Name() == "provenance.json" {
				return err
			}
			text, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			all[name] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	a, b := files(want), files(got)
	if len(a) < 5 {
		t.Errorf("only %d files in %s", len(a), want)
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s differs", name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			t.Errorf("%s is in the merged results only", name)
		}
	}
}
