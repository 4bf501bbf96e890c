package tree_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"retrylab/study/tree"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// strange makes a folder with everything that a reader must survive.
func strange(t *testing.T) string {
	dir := t.TempDir()
	write(t, dir, "a.go", "package a\n")
	write(t, dir, "sub/b.py", "retry = 1\n")
	write(t, dir, "sub/binary.py", "x\x00y")
	write(t, dir, "sub/utf16.py", "\xff\xfer\x00=\x001\x00")
	write(t, dir, "sub/bom.py", "\xef\xbb\xbfx = 1\n")
	write(t, dir, "node_modules/x/index.js", "retry()")
	write(t, dir, "web/dist/bundle.js", "retry()")
	write(t, dir, "big.json", strings.Repeat("x", tree.MaxFileBytes+1))
	write(t, dir, "we ird/ü'$(touch x).py", "x = 2\n")
	for link, to := range map[string]string{"loop": ".", "out.py": "/etc/passwd", "sub/up": "../..", "dangling.py": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func paths(r *tree.Repository) string {
	var list []string
	for _, e := range r.Files {
		list = append(list, e.Path)
	}
	return strings.Join(list, " | ")
}

const wantPaths = "a.go | sub/b.py | sub/binary.py | sub/bom.py | sub/utf16.py | we ird/ü'$(touch x).py"

func open(t *testing.T, dir, name, commit string) *tree.Repository {
	t.Helper()
	r, err := tree.Open(t.Context(), dir, name, commit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func checkStrange(t *testing.T, r *tree.Repository) {
	t.Helper()
	if got := paths(r); got != wantPaths {
		t.Errorf("files %q, want %q", got, wantPaths)
	}
	if r.Skipped[tree.SkipSymlink] != 4 || r.Skipped[tree.SkipLarge] != 1 || r.Skipped[tree.SkipVendored] < 2 {
		t.Errorf("skipped %v", r.Skipped)
	}
	for p, want := range map[string]string{"sub/b.py": "retry = 1\n", "sub/utf16.py": "r=1", "sub/bom.py": "x = 1\n", "we ird/ü'$(touch x).py": "x = 2\n"} {
		if got, err := r.Read(p); err != nil || string(got) != want {
			t.Errorf("Read(%q) = %q, %v", p, got, err)
		}
	}
	if _, err := r.Read("sub/binary.py"); err != tree.ErrBinary {
		t.Errorf("binary file: %v", err)
	}
	for _, p := range []string{"../x", "/etc/passwd", "out.py", "nowhere", ""} {
		if _, err := r.Read(p); err == nil {
			t.Errorf("Read(%q) gave a text", p)
		}
	}
	if got := r.Dir("sub"); len(got) != 4 || r.Dir("")[0] != "a.go" {
		t.Errorf("Dir: %q, %q", got, r.Dir(""))
	}
	if got := r.Named("b.py"); len(got) != 1 || got[0] != "sub/b.py" {
		t.Errorf("Named: %q", got)
	}
}

func TestFolder(t *testing.T) {
	r := open(t, strange(t), "", "")
	checkStrange(t, r)
	if r.Commit != "" {
		t.Errorf("commit %q of a plain folder", r.Commit)
	}
}

func TestWorkTreeBareAndOldCommit(t *testing.T) {
	dir := strange(t)
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "one")
	first := git(t, dir, "rev-parse", "HEAD")
	checkStrange(t, open(t, filepath.Join(dir, ".git"), "o/r", ""))

	write(t, dir, "new.py", "not committed\n")
	if got := paths(open(t, dir, "", "")); !strings.Contains(got, "new.py") {
		t.Errorf("a work tree is read as it is, got %q", got)
	}
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "two")

	bare := filepath.Join(t.TempDir(), "o+r")
	git(t, dir, "clone", "-q", "--bare", "--depth=1", "file://"+dir, bare)
	r := open(t, bare, "", "")
	if r.Name != "o/r" || !r.Shallow || !strings.Contains(paths(r), "new.py") {
		t.Errorf("bare clone: name %q, shallow %v, files %q", r.Name, r.Shallow, paths(r))
	}
	old := open(t, dir, "", first)
	if old.Commit != first || strings.Contains(paths(old), "new.py") {
		t.Errorf("old commit %q has files %q", old.Commit, paths(old))
	}
	if _, err := tree.Open(t.Context(), dir, "", "--upload-pack=touch x"); err == nil {
		t.Error("an option as a commit must not reach git")
	}
}

func TestSubmodulesAreCounted(t *testing.T) {
	inner, dir := t.TempDir(), t.TempDir()
	write(t, inner, "x.py", "x = 1\n")
	git(t, inner, "init", "-q")
	git(t, inner, "add", "-A")
	git(t, inner, "commit", "-q", "-m", "x")
	git(t, dir, "init", "-q")
	git(t, dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", inner, "dep")
	git(t, dir, "commit", "-q", "-m", "y")
	for _, d := range []string{dir, filepath.Join(dir, ".git")} {
		r := open(t, d, "", "")
		if r.Skipped[tree.SkipSubmodule] != 1 || strings.Contains(paths(r), "x.py") {
			t.Errorf("%s: skipped %v, files %q", d, r.Skipped, paths(r))
		}
	}
}

// A damaged clone gives what is left and records the rest.
func TestDamagedObjects(t *testing.T) {
	dir := t.TempDir()
	for i := range 5 {
		write(t, dir, fmt.Sprintf("f%d.py", i), fmt.Sprintf("x = %d\n", i))
	}
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "x")
	gitDir := filepath.Join(dir, ".git")
	r := open(t, gitDir, "", "")
	id := git(t, dir, "rev-parse", "HEAD:f2.py")
	object := filepath.Join(gitDir, "objects", id[:2], id[2:])
	if err := os.Chmod(object, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object, []byte("garbage"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read("f2.py"); err == nil {
		t.Error("a damaged object gave a text")
	}
	if got, err := r.Read("f3.py"); err != nil || string(got) != "x = 3\n" {
		t.Errorf("after a damaged object: %q, %v", got, err)
	}
	if err := os.Remove(object); err != nil {
		t.Fatal(err)
	}
	missing := open(t, gitDir, "", "")
	if _, err := missing.Read("f2.py"); err == nil || len(missing.Failed) != 1 && len(missing.Files) != 5 {
		t.Errorf("missing object: %v, failed %v", err, missing.Failed)
	}
	// No commit at all.
	empty := t.TempDir()
	git(t, empty, "init", "-q")
	if _, err := tree.Open(t.Context(), filepath.Join(empty, ".git"), "", ""); err == nil {
		t.Error("a git directory without a commit opened")
	}
	if _, err := tree.Open(t.Context(), filepath.Join(dir, "f1.py"), "", ""); err == nil {
		t.Error("a file opened as a repository")
	}
}

func TestManyReadersShareOneProcess(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		write(t, dir, fmt.Sprintf("f%d.py", i), strings.Repeat(fmt.Sprintf("%d", i), 100*i))
	}
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "x")
	r := open(t, filepath.Join(dir, ".git"), "", "")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 40 {
				got, err := r.Read(fmt.Sprintf("f%d.py", i))
				if err != nil || string(got) != strings.Repeat(fmt.Sprintf("%d", i), 100*i) {
					t.Errorf("f%d: %d bytes, %v", i, len(got), err)
				}
			}
		})
	}
	wg.Wait()
}

func TestMemoBuildsOnce(t *testing.T) {
	r := open(t, t.TempDir(), "", "")
	n := 0
	for range 3 {
		if got := r.Memo("k", func() any { n++; return n }); got != 1 {
			t.Errorf("got %v", got)
		}
	}
}

func TestGenerated(t *testing.T) {
	for name, c := range map[string]struct {
		path, text string
		want       bool
	}{
		"minified":         {"a.js", strings.Repeat("function a(){return b};", 200), true},
		"one endless line": {"a.js", "var x = 1;\n" + strings.Repeat("y", 10001) + "\n" + strings.Repeat("z;\n", 9000), true},
		"written by hand":  {"a.js", strings.Repeat("var x = 1;\n", 500), false},
		"long in Python":   {"a.py", strings.Repeat("x", 5000), false},
		"marked":           {"a.go", "// Code generated by x. DO NOT EDIT.\npackage a\n", true},
		"empty":            {"a.js", "", false},
	} {
		if got := tree.Generated(c.path, []byte(c.text)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("\xff\xfea"))
	f.Add([]byte("\xfe\xff\xd8\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		text, err := tree.Text(raw)
		if err == nil && !bytes.HasPrefix(raw, []byte{0xff, 0xfe}) && !bytes.HasPrefix(raw, []byte{0xfe, 0xff}) && len(text) > len(raw) {
			t.Error("text longer than the file")
		}
	})
}
