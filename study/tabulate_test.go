package study_test

import (
	"fmt"
	"strings"
	"testing"

	"retrylab/study"
	"retrylab/study/finding"
)

func config(repo, lang, backoff, jitter string, attempts int64) study.FindingRow {
	return study.FindingRow{Repo: repo, Language: lang, Backoff: backoff, Jitter: jitter, AttemptsTotal: attempts, Retries: attempts - 1,
		Bound: finding.BoundCount, CountSource: finding.SourceLiteral, Mechanism: finding.MechLibrary, Production: true}
}

func tables(t *testing.T) []study.TableRow {
	t.Helper()
	rows := []study.FindingRow{
		config("o/a", "python", "exponential", "no", 4),
		config("o/a", "python", "none", "no", 9),
		config("o/a", "yaml", "exponential", "yes", 3),
		config("o/b", "typescript", "exponential", "yes", 6),
		config("o/c", "go", "unknown", "unknown", 0),
	}
	rows[4].Unlimited, rows[4].Bound = true, finding.BoundNone
	repos := []study.RepositoryRow{{Repo: "o/a", Language: "python"}, {Repo: "o/b", Language: "javascript"}, {Repo: "o/c", Language: "go"}, {Repo: "o/d", Language: "go"}, {Repo: "o/e", Error: "gone"}}
	return study.Tabulate(rows, repos)
}

func TestTabulate(t *testing.T) {
	got := map[string]string{}
	for _, r := range tables(t) {
		got[r.Table+"/"+r.Group+"/"+r.Row] = fmt.Sprintf("%d/%d", r.Hit, r.Of)
	}
	for key, want := range map[string]string{
		"repositories/all/repositories with a retry detected": "3/4", // one could not be read
		"repositories/go/repositories with a retry detected":  "1/2",
		"configurations/all/retry count 1-3":                  "2/4",
		"configurations/all/retry count 4-5":                  "1/4",
		"configurations/all/retry count > 5":                  "1/4",
		"configurations/all/exponential backoff":              "3/4", // the unknown one leaves the denominator
		"configurations/all/no limit of any kind":             "1/5",
		"configurations/all/jitter":                           "2/5",
		"configurations/javascript/jitter":                    "1/1", // TypeScript counts here
		"configurations/configuration/jitter":                 "1/1",
		"configurations/python/jitter":                        "0/2", // by the file's language
		"anti-patterns/all/No Backoff":                        "1/3",
		"anti-patterns/all/Missing Jitter":                    "1/3",
		"anti-patterns/all/Missing Jitter (narrow)":           "1/3",
		"anti-patterns/all/Aggressive Retry":                  "1/3",
		"anti-patterns/all/Static Configuration":              "3/3",
		"anti-patterns/python/Missing Jitter":                 "0/1", // by the repository: its YAML has jitter
		"concentration/all/share of the largest repository":   "3/5",
		"concentration/all/share of the three largest":        "5/5",
	} {
		if got[key] != want {
			t.Errorf("%s = %s, want %s", key, got[key], want)
		}
	}
}

func TestMarkdownHasThePaperBesideOurs(t *testing.T) {
	text := study.Markdown(tables(t))
	for _, want := range []string{"### configurations: python", "| jitter | 0/2 = 0.0% |", "| 1/113, 0.9% |", "14/23, 60.9%"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if go_ := text[strings.Index(text, "### configurations: go"):]; strings.Contains(go_[:strings.Index(go_, "###  ")+1+600], "1/113") {
		t.Error("the paper has no Go numbers")
	}
}
