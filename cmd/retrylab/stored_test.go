package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab/results"
)

// smallResults runs a small model, or a small sweep, into a folder of its own.
func smallResults(t *testing.T, command string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	if command == "sweep" {
		expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--quiet", "--out", dir)
	} else {
		expect(t, exitOK, "run", "testdata/small.yaml", "--strategy", "NR,SR", "--trials", "4", "--quiet", "--out", dir)
	}
	return dir
}

// changeManifest edits a folder's manifest.
func changeManifest(t *testing.T, dir string, edit func(m *results.Manifest)) {
	t.Helper()
	m, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	edit(m)
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
}

// admit makes the manifest say of a file what it is now.
func admit(t *testing.T, dir, name string) {
	t.Helper()
	changeManifest(t, dir, func(m *results.Manifest) {
		m.Files = slices.DeleteFunc(m.Files, func(f results.FileEntry) bool { return f.Name == name })
		if err := m.AddFile(dir, name); err != nil {
			t.Fatal(err)
		}
	})
}

// tableOf is where a table is in a folder of results.
func tableOf(t *testing.T, dir, table string) string {
	t.Helper()
	m, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Files {
		if strings.HasPrefix(f.Name, "data/"+table+".") || strings.HasPrefix(f.Name, "data/"+table+"/") {
			return f.Name
		}
	}
	t.Fatalf("no table %s in %s", table, dir)
	return ""
}

// A manifest that says something else of its rows than they do is found, though all digests hold.
func TestVerifyAsksTheRows(t *testing.T) {
	for _, kind := range []string{"run", "sweep"} {
		for want, edit := range map[string]func(m *results.Manifest){
			"seed: 12345, but trials were drawn from": func(m *results.Manifest) { m.Seed = 12345 },
			"parameter trials: 400":                   func(m *results.Manifest) { m.Parameters["trials"] = "400" },
			"report.html: line":                       func(m *results.Manifest) { m.Parameters["notice"] = "All is well." },
		} {
			dir := smallResults(t, kind)
			changeManifest(t, dir, edit)
			if r := expect(t, exitDiffer, "verify", dir); !strings.Contains(r.stdout, want) {
				t.Errorf("%s: %q is not in\n%s", kind, want, r.stdout)
			}
		}
	}
	// Of a part too, which has no report.
	part := filepath.Join(t.TempDir(), "part")
	expect(t, exitOK, "run", "testdata/small.yaml", "--trials", "4", "--shard", "2/3", "--quiet", "--out", part)
	changeManifest(t, part, func(m *results.Manifest) { m.Seed++ })
	if r := expect(t, exitDiffer, "verify", part); !strings.Contains(r.stdout, "seed: ") {
		t.Errorf("%s", r.stdout)
	}
}

// Every file of a report is what the rows give: one that was changed is found, though the manifest was made to agree with it.
func TestVerifyMakesTheReportAgain(t *testing.T) {
	for _, kind := range []string{"run", "sweep"} {
		dir := smallResults(t, kind)
		expect(t, exitOK, "verify", dir)
		m, err := results.ReadManifest(dir)
		if err != nil {
			t.Fatal(err)
		}
		changed := 0
		for _, f := range m.Files {
			if strings.HasPrefix(f.Name, "data/") {
				continue
			}
			changed++
			path := filepath.Join(dir, filepath.FromSlash(f.Name))
			whole := read(t, path)
			change(t, path, func(b []byte) []byte { return bytes.Replace(b, []byte("e"), []byte("3"), 1) })
			admit(t, dir, f.Name)
			if r := expect(t, exitDiffer, "verify", dir); !strings.Contains(r.stdout, f.Name+": line ") {
				t.Errorf("%s: %s", f.Name, r.stdout)
			}
			change(t, path, func([]byte) []byte { return []byte(whole) })
			admit(t, dir, f.Name)
		}
		expect(t, exitOK, "verify", dir)
		if changed < 5 {
			t.Errorf("%s: a report of %d files", kind, changed)
		}
		extra := filepath.Join(dir, "tables", "mine.csv")
		if err := os.WriteFile(extra, []byte("a,b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		admit(t, dir, "tables/mine.csv")
		if r := expect(t, exitDiffer, "verify", dir); !strings.Contains(r.stdout, "tables/mine.csv: the rows give no such file") {
			t.Errorf("%s", r.stdout)
		}
	}
}

// A report of another version may differ, which is said and is no failure; rows may not.
func TestVerifyOfAnotherVersion(t *testing.T) {
	dir := smallResults(t, "run")
	changeManifest(t, dir, func(m *results.Manifest) { m.ToolVersion = "0.0.9" })
	change(t, filepath.Join(dir, "report.html"), func(b []byte) []byte { return append(b, '\n') })
	admit(t, dir, "report.html")
	if r := expect(t, exitOK, "verify", dir); !strings.Contains(r.stderr, "it was made by retrylab 0.0.9") || strings.Contains(r.stdout, "report as the rows") {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
	changeManifest(t, dir, func(m *results.Manifest) { m.Seed++ })
	expect(t, exitDiffer, "verify", dir)
}

// Rows that were edited get no report, and the old one stays.
func TestReportRefusesEditedRows(t *testing.T) {
	for _, kind := range []string{"run", "sweep"} {
		dir := smallResults(t, kind)
		name := tableOf(t, dir, map[string]string{"run": "services", "sweep": "trials"}[kind])
		path := filepath.Join(dir, filepath.FromSlash(name))
		if kind == "run" {
			rows, err := results.Read[results.Service](path)
			if err != nil {
				t.Fatal(err)
			}
			rows[0].Succeeded++
			if _, err := results.WriteTable(path, rows); err != nil {
				t.Fatal(err)
			}
		} else {
			rows, err := results.Read[results.Trial](path)
			if err != nil {
				t.Fatal(err)
			}
			rows[0].RequestsSucceeded++
			if _, err := results.WriteTable(path, rows); err != nil {
				t.Fatal(err)
			}
		}
		before := files(t, dir)
		r := expect(t, exitDiffer, "report", dir)
		if !strings.Contains(r.stdout, name+": row_digest") || !strings.Contains(r.stderr, "not those that its manifest describes") {
			t.Errorf("%s: %s%s", kind, r.stdout, r.stderr)
		}
		compareFiles(t, "after a refusal", before, files(t, dir))
	}
}

// A report, a merge and a run that cannot be written whole leave what was there, and nothing else.
func TestUnfinishedReportLeavesTheOld(t *testing.T) {
	for _, kind := range []string{"run", "sweep"} {
		dir := smallResults(t, kind)
		change(t, filepath.Join(dir, "report.html"), func([]byte) []byte { return []byte("old") })
		admit(t, dir, "report.html")
		before := files(t, dir)
		parts := []string{}
		for i := 1; i <= 2; i++ {
			part := filepath.Join(t.TempDir(), "part")
			args := []string{"run", "testdata/small.yaml", "--strategy", "NR,SR", "--trials", "4"}
			if kind == "sweep" {
				args = []string{"sweep", "testdata/sweep.yaml"}
			}
			expect(t, exitOK, append(args, "--quiet", "--out", part, "--shard", fmt.Sprintf("%d/2", i))...)
			parts = append(parts, part)
		}
		merged := filepath.Join(t.TempDir(), "new", "merged")
		for _, args := range [][]string{{"report", dir}, append([]string{"merge", "--out", merged}, parts...)} {
			// Rows and tables fit in so many blocks of 512 bytes; figures do not.
			if r := process(t, limited(t, 100, args...)); r.code != exitFailed || !strings.Contains(r.stderr, "file too large") {
				t.Errorf("%v: exit code %d\n%s", args, r.code, r.stderr)
			}
		}
		compareFiles(t, "after a failed report", before, files(t, dir))
		if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 1 {
			t.Errorf("left behind: %v", left)
		}
		if _, err := os.Stat(filepath.Dir(merged)); err == nil {
			t.Error("a failed merge left a folder")
		}
		expect(t, exitOK, "report", dir)
		expect(t, exitOK, "verify", dir)
		expect(t, exitOK, append([]string{"merge", "--out", merged}, parts...)...)
		compareFiles(t, "merged", files(t, dir), files(t, merged))
	}
}

// What a merge would mix or overwrite is refused, and a message shows values and no data structure.
func TestMergeSaysWhatDiffers(t *testing.T) {
	tmp := t.TempDir()
	part := func(name, shard string, args ...string) string {
		dir := filepath.Join(tmp, name)
		expect(t, exitOK, append([]string{"run", "testdata/small.yaml", "--quiet", "--out", dir, "--shard", shard}, args...)...)
		return dir
	}
	a, b := part("a", "1/2", "--trials", "4"), part("b", "2/2", "--trials", "6")
	r := expect(t, exitUsage, "merge", "--out", filepath.Join(tmp, "m"), a, b)
	if !strings.Contains(r.stderr, "disagree: parameter trials: 4 and 6") || strings.Contains(r.stderr, "map[") {
		t.Errorf("%s", r.stderr)
	}
	link := filepath.Join(tmp, "link")
	if err := os.Symlink(a, link); err != nil {
		t.Fatal(err)
	}
	if r := expect(t, exitUsage, "merge", "--out", link, a, part("c", "2/2", "--trials", "4")); !strings.Contains(r.stderr, "is one of the shards") {
		t.Errorf("%s", r.stderr)
	}
	finished := filepath.Join(tmp, "paper")
	expect(t, exitOK, "paper", "--quick", "--claims=false", "--trials", "1", "--quiet", "--out", finished)
	before := files(t, finished)
	if r := expect(t, exitUsage, "merge", "--out", finished, a, filepath.Join(tmp, "c")); !strings.Contains(r.stderr, `finished results of "paper"`) {
		t.Errorf("%s", r.stderr)
	}
	compareFiles(t, "finished results", before, files(t, finished))
}

// A part under another part's number is found by its rows: a manifest may say anything.
func TestMergeAsksTheRowsForTheirPart(t *testing.T) {
	tmp := t.TempDir()
	var parts []string
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		dir := filepath.Join(tmp, "part"+shard[:1])
		expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--quiet", "--shard", shard, "--out", dir)
		parts = append(parts, dir)
	}
	expect(t, exitOK, append([]string{"merge", "--out", filepath.Join(tmp, "good")}, parts...)...)
	forged := filepath.Join(tmp, "forged")
	if err := os.CopyFS(forged, os.DirFS(parts[2])); err != nil {
		t.Fatal(err)
	}
	manifest := filepath.Join(forged, "manifest.json")
	text := strings.Replace(read(t, manifest), `"3/3"`, `"2/3"`, 1)
	if err := os.WriteFile(manifest, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(tmp, "bad")
	if r := expect(t, exitUsage, "merge", "--out", bad, parts[0], forged, parts[2]); !strings.Contains(r.stderr, "trial 4 stands where trial 2 belongs") {
		t.Errorf("%s", r.stderr)
	}
	if _, err := os.Stat(bad); err == nil {
		t.Error("a refused merge left a folder")
	}
}

// Parts that two commits of the program have run are not joined.
func TestMergeRefusesOtherCommits(t *testing.T) {
	tmp := t.TempDir()
	var parts []string
	for i, shard := range []string{"1/2", "2/2"} {
		dir := filepath.Join(tmp, "part"+shard[:1])
		expect(t, exitOK, "sweep", "testdata/sweep.yaml", "--quiet", "--shard", shard, "--out", dir)
		path := filepath.Join(dir, "provenance.json")
		var p map[string]any
		if err := json.Unmarshal([]byte(read(t, path)), &p); err != nil {
			t.Fatal(err)
		}
		p["commit"] = strings.Repeat(strconv.Itoa(i+1), 40)
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, dir)
	}
	out := filepath.Join(tmp, "merged")
	if r := expect(t, exitUsage, append([]string{"merge", "--out", out}, parts...)...); !strings.Contains(r.stderr, "of commit 1111") || !strings.Contains(r.stderr, "of commit 2222") {
		t.Errorf("%s", r.stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused merge left a folder")
	}
}

// A folder named with a slash at its end, or that stands on a link, is the same folder.
func TestOutFolderByOtherNames(t *testing.T) {
	tmp := t.TempDir()
	out := filepath.Join(tmp, "new", "out")
	expect(t, exitOK, "run", "testdata/small.yaml", "--trials", "2", "--quiet", "--out", out+"/")
	want := files(t, out)
	link := filepath.Join(tmp, "link")
	if err := os.Symlink(out, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{link, link + "/", out + "/."} {
		expect(t, exitOK, "run", "testdata/small.yaml", "--trials", "2", "--quiet", "--out", name)
		expect(t, exitOK, "report", name)
		expect(t, exitOK, "verify", name)
		compareFiles(t, name, want, files(t, out))
	}
	if left, _ := os.ReadDir(filepath.Dir(out)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// A run inside somebody's own repository does not take that one's commit for the program's: parts run in different places could not be merged.
func TestCommitOfAForeignRepository(t *testing.T) {
	model, err := filepath.Abs("testdata/small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "--allow-empty", "-m", "theirs"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
	expect(t, exitOK, "run", model, "--trials", "1", "--quiet", "--out", "out")
	p, err := results.ReadProvenance("out")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Fatal(err)
	}
	if p.Commit == strings.TrimSpace(string(theirs)) {
		t.Errorf("the provenance names commit %s of another project", p.Commit)
	}
}

// Parts that are missing, unfinished or of another schema are all named, with code 2, and nothing is written.
func TestMergeListsWhatIsMissing(t *testing.T) {
	for _, kind := range [][]string{{"run", "testdata/small.yaml", "--trials", "6"}, {"sweep", "testdata/sweep.yaml"}} {
		tmp := t.TempDir()
		var parts []string
		for i := 1; i <= 4; i++ {
			part := filepath.Join(tmp, fmt.Sprintf("part-%d", i))
			expect(t, exitOK, append(kind, "--quiet", "--out", part, "--shard", fmt.Sprintf("%d/4", i))...)
			parts = append(parts, part)
		}
		if err := os.RemoveAll(parts[0]); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(parts[2], "manifest.json")); err != nil {
			t.Fatal(err)
		}
		change(t, filepath.Join(parts[3], "manifest.json"), func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"schema_version": `), []byte(`"schema_version": 9`), 1)
		})
		out := filepath.Join(tmp, "merged")
		r := expect(t, exitUsage, append([]string{"merge", "--out", out}, parts...)...)
		for _, want := range []string{"part-1/manifest.json: no such file", "part-3/manifest.json: no such file", "part-4/manifest.json: schema_version: 9"} {
			if !strings.Contains(r.stderr, want) {
				t.Errorf("%s: %q is not in\n%s", kind[0], want, r.stderr)
			}
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("a folder was made")
		}
	}
}
