package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checkFull looks at a sweep that a full disk ended, and at the same command with room again.
func checkFull(t *testing.T, why string, full, again result, want, got map[string]string) {
	t.Helper()
	if full.code != exitFailed || !strings.Contains(full.stderr, why) || !strings.Contains(full.stderr, "the same command goes on from there") {
		t.Errorf("full: exit code %d, want %d\n%s", full.code, exitFailed, full.stderr)
	}
	if again.code != exitOK {
		t.Fatalf("with room again: exit code %d\n%s", again.code, again.stderr)
	}
	compareFiles(t, "with room again", want, got)
}

// Every write may be the one that does not fit: a limit on the size of files, which needs no rights, lets the tables fail that are
// written last, when all trials are finished. None of them is run again.
func TestSweepWithoutRoomForItsTables(t *testing.T) {
	tmp := t.TempDir()
	args := []string{"sweep", "testdata/sweep.yaml", "--trials", "200", "--workers", "2", "--checkpoint", "1ns", "--out"}
	whole, dir := filepath.Join(tmp, "whole"), filepath.Join(tmp, "dir")
	expect(t, exitOK, append(args, whole)...)
	full := process(t, limited(t, 100, append(args, dir)...))
	if !strings.Contains(full.stderr, "1600 of 1600 trials") {
		t.Errorf("the disk was full before the trials were finished:\n%s", full.stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "manifest.json")); err == nil {
		t.Error("an unfinished sweep has a manifest")
	}
	again := command(t, append(args, dir)...)
	if firstDone.MatchString(again.stderr) {
		t.Errorf("finished trials were run again:\n%s", again.stderr)
	}
	checkFull(t, "file too large", full, again, files(t, whole), files(t, dir))
}

// A disk that is really full in the middle of the trials: a file system in memory, in a name space of its own, that has room
// for some of the checkpoint, and then for all: however the trials are cut into segments, they take more than it has, and one segment less.
// Where nobody may mount, the test above stands for it.
func TestSweepOnAFullDisk(t *testing.T) {
	tmp := t.TempDir()
	disk, kept := filepath.Join(tmp, "disk"), filepath.Join(tmp, "kept")
	args := "sweep testdata/sweep.yaml --trials 2000 --workers 2 --out " + disk + "/out"
	text := fmt.Sprintf(`set -e
mkdir %[1]s %[2]s
mount -t tmpfs -o size=300k tmpfs %[1]s
echo mounted
code=0; "$0" %[3]s 2>%[2]s/full || code=$?
echo $code >%[2]s/code
ls -A %[1]s/out >%[2]s/left
code=0; "$0" run testdata/small.yaml --trials 400 --out %[1]s/run 2>%[2]s/run >/dev/null || code=$?
echo $code >%[2]s/run-code
ls -A %[1]s >%[2]s/run-left
mount -o remount,size=64m %[1]s
code=0; "$0" %[3]s 2>%[2]s/again || code=$?
cp -r %[1]s/out %[2]s/out
exit $code
`, disk, kept, args)
	r := privately(t, text)
	if !strings.Contains(r.stdout, "mounted") {
		t.Logf("mounting is not allowed here: %s", r.stderr)
		return
	}
	full := result{stderr: read(t, filepath.Join(kept, "full"))}
	if _, err := fmt.Sscan(read(t, filepath.Join(kept, "code")), &full.code); err != nil {
		t.Fatal(err)
	}
	if left := strings.Fields(read(t, filepath.Join(kept, "left"))); len(left) != 1 || left[0] != ".checkpoint" {
		t.Errorf("left behind: %v", left)
	}
	r.stderr = read(t, filepath.Join(kept, "again"))
	if before, after := strings.Count(full.stderr, " trials, "), doneFirst(t, r.stderr); before == 0 || after < 100 {
		t.Errorf("the disk was full after %d lines of progress, the next run began at trial %d\n%s", before, after, full.stderr)
	}
	whole := filepath.Join(tmp, "whole")
	expect(t, exitOK, append(strings.Fields(args)[:6], "--quiet", "--out", whole)...)
	checkFull(t, "no space left on device", full, r, files(t, whole), files(t, filepath.Join(kept, "out")))
	// A run of which not even the first trials fit leaves nothing at all.
	if code := strings.TrimSpace(read(t, filepath.Join(kept, "run-code"))); code != "1" || !strings.Contains(read(t, filepath.Join(kept, "run")), "no space left on device") {
		t.Errorf("a run on a full disk: exit code %s\n%s", code, read(t, filepath.Join(kept, "run")))
	}
	if left := strings.Fields(read(t, filepath.Join(kept, "run-left"))); len(left) != 1 || left[0] != "out" {
		t.Errorf("a run on a full disk left %v", left)
	}
}

// privately performs a script, whose $0 is the program, in a name space in which it may mount, if anybody may here.
func privately(t *testing.T, text string) result {
	t.Helper()
	flag := "-rm"
	if os.Geteuid() == 0 {
		flag = "-m"
	}
	if _, err := exec.LookPath("unshare"); err != nil {
		t.Fatal(err) // it is in every Linux
	}
	return process(t, child(t, nil, "unshare", flag, "sh", "-c", text, os.Args[0]))
}

// Results can be written to a folder that is a disk of its own, as the volume of a container is, again and again.
func TestOutIsAMount(t *testing.T) {
	tmp := t.TempDir()
	disk, kept := filepath.Join(tmp, "disk"), filepath.Join(tmp, "kept")
	r := privately(t, fmt.Sprintf(`set -e
mkdir %[1]s %[2]s
mount -t tmpfs -o size=64m tmpfs %[1]s
echo mounted
for trials in 2 3; do "$0" run testdata/small.yaml --trials $trials --quiet --out %[1]s; done
"$0" report %[1]s
"$0" verify %[1]s
ls -A %[1]s >%[2]s/left
cp -r %[1]s %[2]s/run
rm -r %[1]s/*
for i in 1 2; do "$0" sweep testdata/sweep.yaml --shard $i/2 --quiet --out %[2]s/part-$i; done
"$0" merge --out %[1]s %[2]s/part-1 %[2]s/part-2
cp -r %[1]s %[2]s/sweep
`, disk, kept))
	if !strings.Contains(r.stdout, "mounted") {
		t.Logf("mounting is not allowed here: %s", r.stderr)
		return
	}
	if r.code != exitOK {
		t.Fatalf("exit code %d\n%s%s", r.code, r.stdout, r.stderr)
	}
	if left := strings.Fields(read(t, filepath.Join(kept, "left"))); strings.Contains(strings.Join(left, " "), ".tmp") {
		t.Errorf("left behind: %v", left)
	}
	run, sweep := filepath.Join(tmp, "run"), filepath.Join(tmp, "sweep")
	expect(t, exitOK, "run", "testdata/small.yaml", "--trials", "3", "--quiet", "--out", run)
	expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--quiet", "--out", sweep)
	compareFiles(t, "a run", files(t, run), files(t, filepath.Join(kept, "run")))
	compareFiles(t, "a merge", files(t, sweep), files(t, filepath.Join(kept, "sweep")))
}
