//go:build unix

package results_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"retrylab/results"
)

// The tests below run this test binary again as a child that these variables turn into a writer.
const (
	childDir   = "RESULTS_TEST_DIR"   // where to write
	childLimit = "RESULTS_TEST_LIMIT" // largest file the system lets the child write; empty: write and wait to be killed
)

func TestMain(m *testing.M) {
	dir := os.Getenv(childDir)
	if dir == "" {
		os.Exit(m.Run())
	}
	path := filepath.Join(dir, "a.parquet")
	if limit := os.Getenv(childLimit); limit != "" {
		os.Exit(writeLimited(path, limit))
	}
	w, err := results.NewWriter[mixed](path, results.Options{RowGroupRows: 1000})
	if err == nil {
		err = w.Append(rowsOf(10_000))
	}
	fmt.Println("waiting:", err)
	select {}
}

// writeLimited writes a table although files may not grow beyond limit bytes, and prints the error.
func writeLimited(path, limit string) int {
	n, err := strconv.ParseUint(limit, 10, 63)
	if err != nil {
		panic(err)
	}
	signal.Ignore(syscall.SIGXFSZ) // so that the write fails, as on a full disk, instead of killing the process
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: n}); err != nil {
		panic(err)
	}
	if _, err := results.WriteTable(path, rowsOf(10_000)); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

func child(t *testing.T, dir, limit string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), childDir+"="+dir, childLimit+"="+limit)
	return cmd
}

func TestKilledWriterLeavesNothingWhole(t *testing.T) {
	dir := t.TempDir()
	cmd := child(t, dir, "")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if line != "waiting: <nil>\n" {
		t.Fatalf("child said %q", line)
	}
	if m, _ := filepath.Glob(filepath.Join(dir, "*.parquet")); len(m) != 0 {
		t.Errorf("after the kill there is %q", m)
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*.tmp"))
	if len(left) != 1 {
		t.Fatalf("temporary files %q, want one", left)
	}
	if rows, err := results.Read[mixed](left[0]); err == nil {
		t.Errorf("the killed writer's temporary file reads as whole, with %d rows", len(rows))
	}
}

// A full disk at any point: error with the file's name, and nothing left.
func TestFullDisk(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "a.parquet")
	write(t, whole, rowsOf(10_000))
	info, err := os.Stat(whole)
	if err != nil {
		t.Fatal(err)
	}
	size := info.Size()
	for _, limit := range []int64{0, 4, size / 2, size - 600, size - 1, size} {
		dir := t.TempDir()
		out, err := child(t, dir, strconv.FormatInt(limit, 10)).Output()
		entries, _ := os.ReadDir(dir)
		if limit == size {
			if err != nil || len(entries) != 1 {
				t.Errorf("with just enough room: %v, %s, files %v", err, out, entries)
			}
			continue
		}
		text := string(out)
		if err == nil || strings.Count(text, filepath.Join(dir, "a.parquet")) != 1 || !strings.Contains(text, "too large") {
			t.Errorf("room for %d of %d bytes: %v, said %q, want the file's name once and the cause", limit, size, err, text)
		}
		if len(entries) != 0 {
			t.Errorf("room for %d of %d bytes: left %v", limit, size, entries)
		}
	}
}
