package report_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrylab/report"
	"retrylab/study"
	"retrylab/study/finding"
)

// madeStudy is a study whose shares can be counted by hand: Python repository p1 holds three configurations, of which
// one has jitter and one more than five retries; go1 holds one with jitter; p2 and p3 have nothing.
func madeStudy() study.Dataset {
	f := func(repo, path string, line, attempts int64, backoff, jitter string, production bool) study.FindingRow {
		return study.FindingRow{
			Repo: repo, Path: path, Line: line, SpanEnd: line, Language: finding.LanguageOf(path), Mechanism: finding.MechHandRolled, Bound: finding.BoundCount,
			AttemptsTotal: attempts, Retries: attempts - 1, Backoff: backoff, Jitter: jitter, Production: production, Scope: finding.ScopeRemote, Confidence: finding.High,
		}
	}
	d := study.Dataset{Findings: []study.FindingRow{
		f("o/go1", "a.go", 1, 3, finding.BackoffExponential, finding.Yes, true),
		f("o/p1", "a.py", 1, 9, finding.BackoffNone, finding.No, true),
		f("o/p1", "a.py", 50, 3, finding.BackoffConstant, finding.No, true),
		f("o/p1", "b.py", 1, 4, finding.BackoffLinear, finding.Yes, true),
		f("o/p1", "test/b.py", 1, 4, finding.BackoffLinear, finding.Yes, false),
	}}
	for repo, language := range map[string]string{"o/go1": finding.LangGo, "o/p1": finding.LangPython, "o/p2": finding.LangPython, "o/p3": finding.LangPython} {
		d.Repositories = append(d.Repositories, study.RepositoryRow{Repo: repo, Language: language})
	}
	return d
}

const (
	madeAudit  = "repo,retries_after_all\no/p2,true\no/p3,false\n"
	madeReview = "id,kind,repo,commit,path,line,span_end,says,verdict,wrong_fields,reason\n" +
		"F001,finding,o/p1,,a.py,1,1,x,true,,asks again\nF002,finding,o/p1,,a.py,50,50,x,false,,a walk\nS001,silent,o/p2,,c.py,0,0,,false,,words only\n"
)

// withStudy writes the made-up run and study, and a report of both.
func withStudy(t *testing.T) string {
	t.Helper()
	dir := makeRun("reference").write(t)
	folder := filepath.Join(dir, filepath.FromSlash(report.StudyFolder))
	err := madeStudy().Save(folder)
	for name, text := range map[string]string{"audit.csv": madeAudit, "validation.csv": madeReview} {
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	if err = errors.Join(err, report.Write(dir, report.Options{})); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestStudyTables(t *testing.T) {
	dir := withStudy(t)
	records := readCSV(t, dir, "tables/study.csv")
	at := columns(records)
	for _, want := range []struct {
		row, column string
		value       float64
	}{
		{"Repositories with a retry detected", "count", 2},
		{"Repositories with a retry detected", "of", 4},
		{"Prevalence: detected plus missed", "share_pct", 75}, // 2 of 4, and half of the other half
		{"Jitter", "share_pct", 50},                           // 2 of 4 in production
		{"Jitter", "repositories", 2},
		{"Jitter", "paper_pct", 100.0 / 113},
		{"Retry count > 5", "share_pct", 25},
		{"No backoff", "count", 1},
		{"Share of the largest repository", "share_pct", 75},
		{"Precision: reviewed findings that are retries", "share_pct", 50},
	} {
		if got := number(t, row(t, records, want.row)[at[want.column]]); math.Abs(got-want.value) > 1e-6 {
			t.Errorf("%s, %s: %v, want %v", want.row, want.column, got, want.value)
		}
	}
	if r := row(t, records, "Share of the largest repository"); r[at["paper_pct"]] == "" || r[at["paper_lo_pct"]] != "" {
		t.Errorf("concentration is no share of independent cases: %v", r)
	}
	languages := readCSV(t, dir, "tables/study-languages.csv")
	at = columns(languages)
	jitter := row(t, languages, "Jitter")
	if jitter[at["python_count"]] != "1" || jitter[at["python_of"]] != "3" || jitter[at["go_pct"]] != "100" || jitter[at["java_of"]] != "0" || jitter[at["java_pct"]] != "" {
		t.Errorf("jitter by language: %v", jitter)
	}
	patterns := readCSV(t, dir, "tables/study-patterns.csv")
	if len(patterns) != 1+6*5 {
		t.Errorf("%d lines of anti-patterns, want 6 of 5 groups", len(patterns))
	}
	if r := row(t, patterns, "Missing Jitter", "all", "0", "2"); r[7] != "22" || r[8] != "23" {
		t.Errorf("the paper's count of missing jitter: %v", r)
	}
	if r := row(t, readCSV(t, dir, "tables/study-flow.csv"), "Non-production paths"); strings.Join(r, ",") != "Non-production paths,1,4,41,121" {
		t.Errorf("flow: %v", r)
	}
}

func TestStudyFiguresAndPage(t *testing.T) {
	dir := withStudy(t)
	records := readCSV(t, dir, "figures/study-waits.csv")
	if p := point(t, records, "share", "jitter", "Python", "jitter"); math.Abs(number(t, p[valueColumn])-100.0/3) > 1e-6 {
		t.Errorf("jitter in Python: %v", p)
	}
	if p := point(t, records, "share", "wait", "paper (Python)", "linear backoff"); math.Abs(number(t, p[valueColumn])-100*54.0/113) > 1e-6 {
		t.Errorf("linear in the paper: %v", p)
	}
	text := page(t, dir)
	for _, want := range []string{
		`<section id="repositories">`, "4 public repositories", "2 have some: 50.0%", "Of 2 others that were searched in full, 1 retry after all",
		`href="#table-study-patterns"`, `href="#figure-study-counts"`, `id="figure-study-waits"`, "Over all languages 25.0% wait exponentially",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	ledger, err := os.ReadFile(filepath.Join(dir, "claims.md"))
	if err != nil || !strings.Contains(string(ledger), "ours, Python 33.3") {
		t.Errorf("the ledger does not use the study (%v)", err)
	}
}

// Tables and figures follow the study's rows, and broken files of it are named.
func TestStudyIsRead(t *testing.T) {
	dir := withStudy(t)
	files := []string{"tables/study.csv", "tables/study-patterns.csv", "figures/study-waits.csv", "claims.md", "report.html"}
	before := map[string]string{}
	for _, name := range files {
		before[name] = contents(t, dir, name)
	}
	folder := filepath.Join(dir, filepath.FromSlash(report.StudyFolder))
	d := madeStudy()
	d.Findings[0].Jitter = finding.No
	if err := d.Save(folder); err != nil {
		t.Fatal(err)
	}
	if err := report.Write(dir, report.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if contents(t, dir, name) == before[name] {
			t.Errorf("%s is the same with another jitter", name)
		}
	}
	audit := filepath.Join(folder, "audit.csv")
	if err := os.WriteFile(audit, []byte("repo,retries_after_all\no/p2,maybe\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := report.Write(dir, report.Options{}); err == nil || !strings.Contains(err.Error(), audit+`:2: retries_after_all: "maybe"`) {
		t.Errorf("a broken audit: %v", err)
	}
}

// A run of other cells has no part about repositories, whatever lies in its folder.
func TestStudyBelongsToThePaper(t *testing.T) {
	if _, err := os.Stat(filepath.Join(reference(t), "tables", "study.csv")); err == nil {
		t.Error("a table of a study that is not there")
	}
	if strings.Contains(page(t, reference(t)), "study of repositories") {
		t.Error("a section about a study that is not there")
	}
}
