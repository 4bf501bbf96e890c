package study_test

import (
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
	for _, folder := range []string{published, published + "/paper-detector"} {
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
