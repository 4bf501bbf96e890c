package report_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"retrylab/report"
	"retrylab/results"
)

func page(t *testing.T, dir string) string { return contents(t, dir, "report.html") }

// contents is a file of a report, named with slashes.
func contents(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestPageNeedsNoOtherFile(t *testing.T) {
	text := page(t, reference(t))
	for _, bad := range []string{"<script", "<link", "<img", "@import", "url(", "<iframe", `src="`} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	for _, link := range regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if strings.Contains(link[1], ":") || strings.HasPrefix(link[1], "/") {
			t.Errorf("link to %s is not relative", link[1])
		}
	}
}

func TestPageLinksLeadSomewhere(t *testing.T) {
	dir := reference(t)
	text := page(t, dir)
	links := 0
	for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		links++
		if anchor, ok := strings.CutPrefix(link[1], "#"); ok {
			if !strings.Contains(text, `id="`+anchor+`"`) {
				t.Errorf("no anchor %s", anchor)
			}
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(link[1]))); err != nil {
			t.Error(err)
		}
	}
	if links < 6*3+7*2 {
		t.Errorf("only %d links", links)
	}
}

func TestPageIsReadableByScreenReaders(t *testing.T) {
	text := page(t, reference(t))
	seen := map[string]bool{}
	for _, id := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if seen[id[1]] {
			t.Errorf("id %s twice", id[1])
		}
		seen[id[1]] = true
	}
	figures := strings.Count(text, "<svg")
	if figures != 7 || strings.Count(text, "<desc id=") != figures || strings.Count(text, "<title id=") != figures {
		t.Errorf("%d figures, %d titles, %d descriptions", figures, strings.Count(text, "<title id="), strings.Count(text, "<desc id="))
	}
	if details := strings.Count(text, "<details><summary>Data as a table"); details != figures {
		t.Errorf("%d figures have a table, of %d", details, figures)
	}
	if !strings.Contains(text, "prefers-color-scheme: dark") || !strings.Contains(text, "@media print") {
		t.Error("no dark or no print style")
	}
}

func TestPageShowsModelsSectionsAndOrigin(t *testing.T) {
	r := makeRun("reference")
	r.cells[0].ModelYAML = "name: composed & <run>\n"
	for _, c := range []results.Cell{{Cell: "o1", Scenario: "S1", ModelYAML: "name: other model\n"}, {Cell: "o2", Scenario: "S1", Strategy: "SR", ModelYAML: "name: other strategy\n"},
		{Cell: "o3", Scenario: "S2", ModelYAML: "name: other scenario\n"}, {Cell: "o4", Scenario: "S1", Factors: "x=1", ModelYAML: "name: other factor\n"}} {
		c.Experiment = "other"
		r.cells = append(r.cells, c)
	}
	dir := r.write(t)
	if err := os.Mkdir(filepath.Join(dir, "models"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "models", "own.yaml"), []byte("servers: 10\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m := results.NewManifest("1.2.3", madeSeed)
	m.Parameters = map[string]string{results.ParameterNotice: "QUICK run"}
	m.AddModel("own.yaml", []byte("servers: 10\n"))
	if err := m.AddFile(dir, "data/trials.parquet"); err != nil {
		t.Fatal(err)
	}
	m.Add(results.FileEntry{Name: "tables/table1.csv", SHA256: "not known before the report"})
	opts := report.Options{Manifest: m, Sections: []report.Section{{ID: "claims", Title: "Claims", HTML: "<p>Some <b>claims</b></p>"}}}
	if err := report.Write(dir, opts); err != nil {
		t.Fatal(err)
	}
	text := page(t, dir)
	for _, want := range []string{
		"models/own.yaml", "servers: 10", "composed &amp; &lt;run&gt;", "name: other model", "name: other strategy", `<section id="claims">`, "<p>Some <b>claims</b></p>",
		"<dd>1.2.3</dd>", `<p class="notice">QUICK run</p>`, m.Files[0].RowDigest, m.Models[0].SHA256,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, "name: other scenario") || strings.Contains(text, "name: other factor") {
		t.Error("the page shows all cells of another experiment, want its first scenario as the model has it")
	}
	if strings.Contains(text, "not known before") {
		t.Error("the page names the hash of a file that is written after it")
	}
}

func TestSummaryIsComputed(t *testing.T) {
	text := page(t, reference(t))
	for _, want := range []string{
		"in all 24 cells of Tables III and IV, success per attempt is within 0.01 percentage points and RAF within 0.0000",
		"ranks last in 3 of 3 scenarios", "API is already 100.0% busy",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	worse := makeRun("reference")
	for i := range worse.trials {
		if tr := &worse.trials[i]; tr.Strategy == "NR" && tr.Scenario == "S1" {
			tr.AttemptsSucceeded -= 5000
		}
	}
	if text = page(t, written(t, worse, report.Options{})); !strings.Contains(text, "ranks last in 2 of 3 scenarios") {
		t.Error("NR is last in S1 now, and the summary does not see it")
	}
}
