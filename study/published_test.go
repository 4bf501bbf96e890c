package study_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"retrylab/study"
	"retrylab/study/finding"
)

const published = "../results/study"

// The published tables are those of the published dataset.
func TestPublishedTablesFollowFromThePublishedRows(t *testing.T) {
	d, err := study.Load(published)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(published + "/tables.md")
	if err != nil {
		t.Fatal(err)
	}
	if got := study.Markdown(study.Tabulate(study.Clean(d.Findings, study.CleanOptions{}).Kept, d.Repositories)); got != string(want) {
		t.Error("results/study/tables.md differs from the tables of its rows: run retrylab study table --out results/study")
	}
	languages := map[string]int{}
	for _, r := range d.Repositories {
		languages[r.Language]++
		if r.Error == "" && len(r.Commit) != 40 {
			t.Errorf("%s: commit %q", r.Repo, r.Commit)
		}
	}
	if len(d.Repositories) < 150 || languages["python"] < 40 || languages["go"] < 40 || languages["java"] < 40 {
		t.Errorf("%d repositories, by language %v", len(d.Repositories), languages)
	}
}

// The same of the paper's detector, cleaned as the paper cleans.
func TestPapersDetectorsTablesFollowFromItsRows(t *testing.T) {
	d, err := study.Load(published + "/paper-detector")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(published + "/tables-paper-detector.md")
	if err != nil {
		t.Fatal(err)
	}
	kept := study.Clean(d.Findings, study.CleanOptions{TenLines: true, KeepLocal: true, KeepUnsure: true}).Kept
	if got := study.Markdown(study.Tabulate(kept, d.Repositories)); !strings.HasSuffix(string(want), "\n\n"+got) {
		t.Error("results/study/tables-paper-detector.md does not end in the tables of results/study/paper-detector; the command stands at its head")
	}
	ours, err := study.Load(published)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Repositories) != len(ours.Repositories) {
		t.Fatalf("%d repositories, ours %d", len(d.Repositories), len(ours.Repositories))
	}
	for i, r := range d.Repositories {
		if o := ours.Repositories[i]; r.Repo != o.Repo || r.Commit != o.Commit {
			t.Errorf("the paper's detector read %s %s, ours %s %s", r.Repo, r.Commit, o.Repo, o.Commit)
		}
	}
}

// What is production code is decided by the path alone, so the stored rows show
// whether a scan was made before the rules of paths changed.
func TestPublishedRowsFollowTodaysRulesOfPaths(t *testing.T) {
	for _, folder := range []string{published, published + "/paper-detector", published + "/rescan"} {
		d, err := study.Load(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range d.Findings {
			if r.Production != finding.Production(r.Path) {
				t.Errorf("%s: %s %s:%d: production is %v, the path says otherwise: scan again", folder, r.Repo, r.Path, r.Line, r.Production)
			}
		}
	}
}

// What the README says of the scan by later rules follows from its rows and its sheet.
func TestRescanIsWhatTheReadmeSays(t *testing.T) {
	d, err := study.Load(published + "/rescan")
	if err != nil {
		t.Fatal(err)
	}
	kept := study.Clean(d.Findings, study.CleanOptions{}).Kept
	at, repos := map[string]bool{}, map[string]bool{}
	place := func(repo, path string, line int) string { return fmt.Sprint(repo, " ", path, ":", line) }
	for _, r := range kept {
		at[place(r.Repo, r.Path, int(r.Line))], repos[r.Repo] = true, true
	}
	var right, rightKept, wrong, wrongKept int
	for _, x := range sheet(t, "/validation.csv") {
		found := at[place(x.Repo, x.Path, x.Line)]
		switch {
		case x.Kind != study.ItemFinding:
		case x.Verdict == study.VerdictTrue:
			right++
			if found {
				rightKept++
			}
		case x.Verdict == study.VerdictFalse:
			wrong++
			if found {
				wrongKept++
			}
		}
	}
	if right != rightKept {
		t.Errorf("%d of %d right findings are found again", rightKept, right)
	}
	earlier := map[string]bool{}
	for _, x := range append(sheet(t, "/validation.csv"), sheet(t, "/validation-first.csv")...) {
		earlier[place(x.Repo, x.Path, x.Line)] = true
	}
	fresh := sheet(t, "/rescan/validation.csv")
	for _, x := range fresh {
		if p := place(x.Repo, x.Path, x.Line); earlier[p] || !at[p] || x.Reason == "" {
			t.Errorf("%s: not new, no configuration of the rescan, or without a reason", p)
		}
	}
	before, err := study.Load(published)
	if err != nil {
		t.Fatal(err)
	}
	shares := map[string]float64{}
	for _, r := range study.Tabulate(study.Clean(before.Findings, study.CleanOptions{}).Kept, before.Repositories) {
		shares[r.Table+r.Group+r.Row] = r.Share
	}
	for _, r := range study.Tabulate(kept, d.Repositories) {
		if moved := math.Abs(r.Share - shares[r.Table+r.Group+r.Row]); r.Group == study.Groups[0] && moved > 0.015 {
			t.Errorf("%s: moved by %.1f points", r.Row, 100*moved)
		}
	}
	s := study.ScoreSheet(fresh)
	text := words(t, published+"/README.md")
	for _, want := range []string{
		fmt.Sprintf("give %d,%03d findings, %d configurations in %d repositories", len(d.Findings)/1000, len(d.Findings)%1000, len(kept), len(repos)),
		fmt.Sprintf("Of the %d findings judged right all are found again, of the %d wrong ones %d", right, wrong, wrongKept),
		fmt.Sprintf("%d findings drawn anew", len(fresh)),
		fmt.Sprintf("in %d of %d judged, %v", s.Precision.Hit, s.Precision.Of, study.Wilson(s.Precision.Hit, s.Precision.Of)),
		fmt.Sprintf("Total attempts are right in %d of the %d, the backoff kind in %d", s.Attempts.Hit, s.Attempts.Of, s.Backoff.Hit),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

func sheet(t *testing.T, name string) []study.Item {
	t.Helper()
	text, err := os.ReadFile(published + name)
	if err != nil {
		t.Fatal(err)
	}
	items, err := study.ReadSheet(name, strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// words is a text with its line ends as spaces.
func words(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

func TestPublishedVerdictsHaveReasons(t *testing.T) {
	text, err := os.ReadFile(published + "/validation.csv")
	if err != nil {
		t.Fatal(err)
	}
	items, err := study.ReadSheet("validation.csv", strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	s := study.ScoreSheet(items)
	if s.Open != 0 || s.Precision.Of+s.Silent.Of+s.Unsure < 120 {
		t.Errorf("score %+v", s)
	}
	readme, err := os.ReadFile(published + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	audit := study.Audit{Detected: 97, Repositories: 187, Missed: 3, Searched: 30}
	for _, want := range []string{
		study.Wilson(s.Precision.Hit, s.Precision.Of).String(), study.Wilson(s.Silent.Hit, s.Silent.Of).String(),
		study.Wilson(audit.Detected, audit.Repositories).String(), audit.Prevalence().String(),
	} {
		if !strings.Contains(string(readme), want) {
			t.Errorf("README.md does not state %s", want)
		}
	}
}
