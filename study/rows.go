package study

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"retrylab/results"
	"retrylab/study/finding"
)

// FindingRow is a finding as it is stored and published: facts only.
type FindingRow struct {
	Repo          string `col:"repo" doc:"repository, owner/name"`
	Commit        string `col:"commit" doc:"commit that was read, empty outside git"`
	Path          string `col:"path" doc:"file within the repository"`
	Line          int64  `col:"line" doc:"first line of the construct, from 1"`
	SpanEnd       int64  `col:"span_end" doc:"last line of the construct"`
	Language      string `col:"language" doc:"language of the file"`
	Mechanism     string `col:"mechanism" doc:"by what means the code retries"`
	API           string `col:"api" doc:"library and function or key, empty for hand-rolled code"`
	Rule          string `col:"rule" doc:"rule that fired, see docs/study-rules.md"`
	Form          string `col:"form" doc:"how hand-rolled code repeats: loop, recursion, timer, re-queue, goto, inline second try"`
	Bound         string `col:"bound" doc:"what ends the retrying: count, elapsed time, deadline, none, unknown"`
	AttemptsTotal int64  `col:"attempts_total" doc:"total attempts with the first; 0 = not known from the source"`
	Retries       int64  `col:"retries" doc:"attempts after the first; -1 = not known or unlimited"`
	Unlimited     bool   `col:"unlimited" doc:"no count limits the attempts"`
	CountSource   string `col:"count_source" doc:"literal, constant (resolved), default (of the library), runtime, unknown"`
	Backoff       string `col:"backoff" doc:"none, constant, linear, exponential, server-driven, unknown"`
	BackoffSub    string `col:"backoff_sub" doc:"refinement such as polynomial or fibonacci"`
	BackoffBase   int64  `col:"backoff_base_ns" unit:"ns" doc:"first wait; 0 = none or not known"`
	BackoffCap    int64  `col:"backoff_cap_ns" unit:"ns" doc:"longest wait; 0 = none or not known"`
	Jitter        string `col:"jitter" doc:"does a random value flow into the wait: yes, no, unknown"`
	JitterSource  string `col:"jitter_source" doc:"how that is known: flow (in the code), default (of the library), literal, constant, unknown"`
	Failures      string `col:"failures" doc:"failures that are retried, as the code names them"`
	Production    bool   `col:"production" doc:"not under test, sample, documentation or similar path segments"`
	Scope         string `col:"scope" doc:"remote or local resource"`
	Confidence    string `col:"confidence" doc:"high, medium or low"`
	Disabled      bool   `col:"disabled" doc:"the configuration switches retrying off"`
	Note          string `col:"note" doc:"remark of the detector"`
}

// TableName returns "findings".
func (FindingRow) TableName() string { return "findings" }

// RepositoryRow is a record of one repository.
type RepositoryRow struct {
	Repo            string `col:"repo" doc:"repository, owner/name"`
	Commit          string `col:"commit" doc:"commit that was read, empty outside git"`
	Language        string `col:"language" doc:"language of most files read; JavaScript and TypeScript count as javascript"`
	Shallow         bool   `col:"shallow" doc:"clone without history"`
	FilesRead       int64  `col:"files_read" doc:"files that a detector saw"`
	BytesRead       int64  `col:"bytes_read" unit:"bytes" doc:"size of these files"`
	FilesPython     int64  `col:"files_python" doc:"Python files read"`
	FilesGo         int64  `col:"files_go" doc:"Go files read"`
	FilesJava       int64  `col:"files_java" doc:"Java files read"`
	FilesJavaScript int64  `col:"files_javascript" doc:"JavaScript and TypeScript files read"`
	FilesConfig     int64  `col:"files_config" doc:"YAML, JSON and properties files read"`
	FilesSkipped    int64  `col:"files_skipped" doc:"files left out, see the table exclusions"`
	FilesFailed     int64  `col:"files_failed" doc:"files not read or only in part, see the table exclusions"`
	Error           string `col:"error" doc:"why the repository could not be read at all, empty if it could"`
}

// TableName returns "repositories".
func (RepositoryRow) TableName() string { return "repositories" }

// ExclusionRow says what was not read of a repository, and why.
type ExclusionRow struct {
	Repo   string `col:"repo" doc:"repository, owner/name"`
	Kind   string `col:"kind" doc:"skipped (by rule) or failed"`
	Reason string `col:"reason" doc:"why; for a failure with the path"`
	Files  int64  `col:"files" doc:"number of files"`
}

// TableName returns "exclusions".
func (ExclusionRow) TableName() string { return "exclusions" }

// RowOf makes the stored form of a finding.
func RowOf(f finding.Finding) FindingRow {
	n, known := f.Retries()
	if !known {
		n = -1
	}
	return FindingRow{
		Repo: f.Repo, Commit: f.Commit, Path: f.Path, Line: int64(f.Line), SpanEnd: int64(f.SpanEnd), Language: f.Language,
		Mechanism: f.Mechanism, API: f.API, Rule: f.Rule, Form: f.Form, Bound: f.Bound,
		AttemptsTotal: f.TotalAttempts, Retries: n, Unlimited: f.Unlimited, CountSource: f.CountSource,
		Backoff: f.Backoff, BackoffSub: f.BackoffSub, BackoffBase: int64(f.Base), BackoffCap: int64(f.Cap),
		Jitter: f.Jitter, JitterSource: f.JitterSource, Failures: f.Failures, Production: f.Production, Scope: f.Scope,
		Confidence: f.Confidence, Disabled: f.Disabled, Note: f.Note,
	}
}

// Finding gives the row's finding back, without the names that are not stored.
func (r FindingRow) Finding() finding.Finding {
	return finding.Finding{
		Repo: r.Repo, Commit: r.Commit, Path: r.Path, Line: int(r.Line), SpanEnd: int(r.SpanEnd), Language: r.Language,
		Mechanism: r.Mechanism, API: r.API, Rule: r.Rule, Form: r.Form, Bound: r.Bound,
		TotalAttempts: r.AttemptsTotal, Unlimited: r.Unlimited, CountSource: r.CountSource,
		Backoff: r.Backoff, BackoffSub: r.BackoffSub, Base: time.Duration(r.BackoffBase), Cap: time.Duration(r.BackoffCap),
		Jitter: r.Jitter, JitterSource: r.JitterSource, Failures: r.Failures, Production: r.Production, Scope: r.Scope,
		Confidence: r.Confidence, Disabled: r.Disabled, Note: r.Note,
	}
}

func repositoryRow(r *Record) RepositoryRow {
	row := RepositoryRow{Repo: r.Repo, Commit: r.Commit, Language: r.Language(), Shallow: r.Shallow, FilesRead: r.FilesRead,
		BytesRead: r.BytesRead, FilesFailed: int64(len(r.Failed)), Error: r.Err}
	for lang, n := range r.FilesByLanguage {
		switch group(lang) {
		case finding.LangPython:
			row.FilesPython += n
		case finding.LangGo:
			row.FilesGo += n
		case finding.LangJava:
			row.FilesJava += n
		case finding.LangJavaScript:
			row.FilesJavaScript += n
		default:
			row.FilesConfig += n
		}
	}
	for _, n := range r.Skipped {
		row.FilesSkipped += n
	}
	return row
}

func exclusionRows(r *Record) (rows []ExclusionRow) {
	for _, why := range sortedKeys(r.Skipped) {
		rows = append(rows, ExclusionRow{r.Repo, "skipped", why, r.Skipped[why]})
	}
	for _, why := range r.Failed {
		rows = append(rows, ExclusionRow{r.Repo, "failed", why, 1})
	}
	return rows
}

// Dataset is a stored scan.
type Dataset struct {
	Findings     []FindingRow
	Repositories []RepositoryRow
	Exclusions   []ExclusionRow
}

// DatasetOf makes the stored form of a scan: rows in canonical order, whatever
// the order of the sources.
func DatasetOf(res Result) Dataset {
	var d Dataset
	for _, f := range res.Findings {
		d.Findings = append(d.Findings, RowOf(f))
	}
	records := append([]Record(nil), res.Records...)
	sort.SliceStable(records, func(i, j int) bool { return records[i].Repo < records[j].Repo })
	for i := range records {
		d.Repositories = append(d.Repositories, repositoryRow(&records[i]))
		d.Exclusions = append(d.Exclusions, exclusionRows(&records[i])...)
	}
	return d
}

// Save writes the dataset's tables into a folder as Parquet, creating it.
func (d Dataset) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if _, err := results.WriteTable(filepath.Join(dir, "findings.parquet"), d.Findings); err != nil {
		return err
	}
	if _, err := results.WriteTable(filepath.Join(dir, "repositories.parquet"), d.Repositories); err != nil {
		return err
	}
	_, err := results.WriteTable(filepath.Join(dir, "exclusions.parquet"), d.Exclusions)
	return err
}

// Load reads a dataset that Save wrote. The error names the file.
func Load(dir string) (d Dataset, err error) {
	if d.Findings, err = results.Read[FindingRow](filepath.Join(dir, "findings.parquet")); err != nil {
		return d, err
	}
	if d.Repositories, err = results.Read[RepositoryRow](filepath.Join(dir, "repositories.parquet")); err != nil {
		return d, err
	}
	d.Exclusions, err = results.Read[ExclusionRow](filepath.Join(dir, "exclusions.parquet"))
	return d, err
}

// String names a row in messages: repo:path:line.
func (r FindingRow) String() string {
	return strings.TrimPrefix(fmt.Sprintf("%s:%s:%d", r.Repo, r.Path, r.Line), ":")
}
