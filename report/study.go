package report

import (
	"fmt"
	"html/template"
	"strings"

	"retrylab/report/claims"
	"retrylab/report/facts"
	"retrylab/report/table"
	"retrylab/study"
	"retrylab/study/finding"
)

// StudyFolder is where a run keeps the study of repositories, relative to its folder with slashes. Without it a report
// has no part about it.
const StudyFolder = claims.StudyFolder

// studyLanguages are the languages of the study with their names, in the order of tables and figures.
var studyLanguages = []struct{ group, name string }{
	{finding.LangPython, "Python"}, {finding.LangGo, "Go"}, {finding.LangJava, "Java"}, {finding.LangJavaScript, "JS/TS"},
}

// repositories is the study of repositories that the run holds, or nil.
func (d *data) repositories() *claims.Study {
	if d.evidence == nil {
		return nil
	}
	return d.evidence.Study()
}

// studyMethod is the line above the study's tables.
const studyMethod = "n is the denominator of each row; 95% intervals: Wilson's, and with repositories as clusters (ratio of cluster totals, logit scale, Student's t); nothing is drawn, so there is no seed."

// studyLimits ends the captions of the study's tables.
func studyLimits(s *claims.Study) string {
	p := s.Score.Precision
	return fmt.Sprintf("Our repositories and the paper's are drawn by other rules. Of %d reviewed findings %d are retries (one reviewer), so shares of configurations carry some that are none.", p.Of, p.Hit)
}

// percents are the three values of a share with its interval, in percent.
func percents(share, low, high float64) []table.Value {
	return []table.Value{table.Number(100 * share), table.Number(100 * low), table.Number(100 * high)}
}

// printedIn is what the paper prints in a row. How much the largest repositories hold is no share of independent cases and
// gets no interval.
func printedIn(r study.TableRow) []table.Value {
	values := paperShare(r.Paper)
	if r.Table == "concentration" {
		values[3], values[4] = table.None, table.None
	}
	return values
}

// paperShare is what the paper prints: count, denominator, share, and Wilson's interval, as far as it does.
func paperShare(text string) []table.Value {
	hit, of, share, ok := parsePaperShare(text)
	if !ok {
		return make([]table.Value, 5)
	}
	if of == 0 {
		return []table.Value{table.None, table.None, table.Number(share), table.None, table.None}
	}
	w := study.Wilson(hit, of)
	return append([]table.Value{table.Int(int64(hit)), table.Int(int64(of))}, percents(w.Share, w.Low, w.High)...)
}

// parsePaperShare reads "25/73, 34.2%" or "44%".
func parsePaperShare(text string) (hit, of int, share float64, ok bool) {
	if n, _ := fmt.Sscanf(text, "%d/%d,", &hit, &of); n == 2 { // the error says no more than the count
		return hit, of, 100 * float64(hit) / float64(of), true
	}
	n, _ := fmt.Sscanf(text, "%f%%", &share)
	return 0, 0, share, n == 1
}

var studySectionTemplate = template.Must(template.New("study").Parse(
	`{{range .Sentences}}<p>{{.}}</p>
{{end}}<p class="soft">Tables: {{range $i, $t := .Tables}}{{if $i}}, {{end}}<a href="#table-{{$t.Name}}">{{$t.Label}}</a>{{end}}. Figures: {{range $i, $f := .Figures}}{{if $i}}, {{end}}<a href="#figure-{{$f.Name}}">{{$f.Title}}</a>{{end}}.</p>`))

// studySection is the study's part of the page, with links to the document's tables and figures about it; none without it.
func (d *Document) studySection(s *claims.Study) []Section {
	if s == nil {
		return nil
	}
	view := struct {
		Sentences []string
		Tables    []*table.Table
		Figures   []struct{ Name, Title string }
	}{Sentences: studySentences(s)}
	for _, t := range d.Tables {
		if t.Name == "study" || strings.HasPrefix(t.Name, "study-") {
			view.Tables = append(view.Tables, t)
		}
	}
	for _, f := range d.Figures {
		if strings.HasPrefix(f.Name, "study-") {
			view.Figures = append(view.Figures, struct{ Name, Title string }{f.Name, f.Title})
		}
	}
	var out strings.Builder
	if err := studySectionTemplate.Execute(&out, view); err != nil {
		panic(fmt.Sprintf("report: the study's section: %v", err)) // the template and its values are ours
	}
	return []Section{{ID: "repositories", Title: "How code retries: a study of repositories", HTML: out.String()}}
}

// studySentences say what the study found, each from its rows.
func studySentences(s *claims.Study) []string {
	share := func(name string) string {
		r := s.Row(claims.AllGroups, name)
		low, high := claims.Ends(r)
		return fmt.Sprintf("%.1f%% (%.1f to %.1f)", 100*r.Share, 100*low, 100*high)
	}
	found := s.Row(claims.AllGroups, claims.RowDetected)
	audit := s.Audit
	_, p := s.Prevalence()
	silent := s.Score.Silent
	return []string{
		fmt.Sprintf("%d public repositories in Python, Go, Java and JavaScript or TypeScript were scanned by syntax for retries against a dependency; %d have some: %s. Of %d others that were searched in full, %d retry after all; carried over, that makes %.1f%% (%.1f to %.1f, both samplings).",
			audit.Repositories, found.Hit, share(claims.RowDetected), audit.Searched, audit.Missed, p.Estimate, p.Low, p.High),
		fmt.Sprintf("They hold %d configurations. Jitter: %s; the paper finds it in one of %d. No wait: %s of those whose wait is known. Linear: %s, the paper %.1f%%. More than five retries: %s of those with a known count. No limit of any kind: %s.",
			s.Row(claims.AllGroups, claims.RowJitter).Of, share(claims.RowJitter), facts.Paper().TableI.Configurations, share(claims.RowNoBackoff),
			share(claims.RowLinear), 100*paperOf(s, claims.RowLinear), share(claims.RowMany), share(claims.RowUnbounded)),
		fmt.Sprintf("Review of samples: %v of %d findings are retries, and %v of %d files that speak of retrying without a finding hide one. %s",
			study.Wilson(s.Score.Precision.Hit, s.Score.Precision.Of), s.Score.Precision.Of, study.Wilson(silent.Hit, silent.Of), silent.Of, "One reviewer, no second opinion."),
	}
}

// paperOf is the paper's share in a row of ours.
func paperOf(s *claims.Study, name string) float64 {
	_, _, share, _ := parsePaperShare(s.Row(claims.AllGroups, name).Paper)
	return share / 100
}
