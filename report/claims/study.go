package claims

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"retrylab/analysis"
	"retrylab/report/measure"
	"retrylab/study"
)

// StudyFolder is where a run keeps the study of repositories, with slashes.
const StudyFolder = "data/study"

// The groups of the study's tables that are looked at one by one.
const (
	// AllGroups is every language.
	AllGroups = "all"
	// paperGroup is the language of the paper's own sample.
	paperGroup = "python"
)

// Names of rows of the study's tables.
const (
	RowDetected   = "repositories with a retry detected"
	RowJitter     = "jitter"
	RowJitterWait = "jitter among those that wait"
	RowMany       = "retry count > 5"
	RowNoBackoff  = "no backoff"
	RowLinear     = "linear backoff"
	RowUnbounded  = "no limit of any kind"
)

// Study is our own study of repositories.
type Study struct {
	// Rows are its tables: shares by language with their intervals.
	Rows []study.TableRow
	// Flow is how the findings were cleaned.
	Flow []study.FlowStep
	// Audit counts what was detected, and what a full search of some undetected repositories found.
	Audit study.Audit
	// Score is the review of a sample of findings and of silent files.
	Score study.SheetScore
}

// Study returns the study of repositories; nil if the run does not hold it.
func (e *Evidence) Study() *Study { return e.study }

// Row is a row of the study's tables; a row without cases if there is none.
func (s *Study) Row(group, name string) study.TableRow {
	for _, r := range s.Rows {
		if r.Group == group && r.Row == name {
			return r
		}
	}
	return study.TableRow{Group: group, Row: name, Share: math.NaN(), WilsonLow: math.NaN(), WilsonHigh: math.NaN(), ClusterLow: math.NaN(), ClusterHigh: math.NaN()}
}

// Ends is the interval of a row to be quoted: with repositories as clusters, or Wilson's where repositories are the cases.
func Ends(r study.TableRow) (low, high float64) {
	if math.IsNaN(r.ClusterLow) {
		return r.WilsonLow, r.WilsonHigh
	}
	return r.ClusterLow, r.ClusterHigh
}

// Prevalence is the share of repositories that retry, those that were missed included, in percent, by two intervals: one
// carries the audit's uncertainty alone, as the paper does; the other the sampling of the repositories too (MOVER).
func (s *Study) Prevalence() (auditOnly, both analysis.Interval) {
	a := analysis.Audit{Found: s.Audit.Detected, Scanned: s.Audit.Repositories, Missed: s.Audit.Missed, Checked: s.Audit.Searched}
	return analysis.PrevalenceAuditOnly(a, measure.Level).Scale(100), analysis.Prevalence(a, measure.Level).Scale(100)
}

// percent is a row as an interval in percent over its repositories.
func percent(r study.TableRow) analysis.Interval {
	low, high := Ends(r)
	return analysis.Interval{Estimate: 100 * r.Share, Low: 100 * low, High: 100 * high, Level: measure.Level, N: int(r.Clusters)}
}

// loadStudy reads the study's files; nil if there is no such folder.
func loadStudy(dir string) (*Study, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	d, err := study.Load(dir)
	if err != nil {
		return nil, err
	}
	cleaned := study.Clean(d.Findings, study.CleanOptions{})
	s := &Study{Rows: study.Tabulate(cleaned.Kept, d.Repositories), Flow: cleaned.Flow}
	detected := s.Row(AllGroups, RowDetected)
	s.Audit.Detected, s.Audit.Repositories = int(detected.Hit), int(detected.Of)
	if s.Audit.Missed, s.Audit.Searched, err = readAudit(filepath.Join(dir, "audit.csv")); err != nil {
		return nil, err
	}
	sheet, err := os.Open(filepath.Join(dir, "validation.csv"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = sheet.Close() }() // opened for reading: nothing can be lost
	items, err := study.ReadSheet(sheet.Name(), sheet)
	if err != nil {
		return nil, err
	}
	s.Score = study.ScoreSheet(items)
	return s, nil
}

// readAudit counts the repositories without a finding that were searched in full, and those that retry after all.
func readAudit(path string) (missed, searched int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = file.Close() }() // opened for reading: nothing can be lost
	records, err := csv.NewReader(file).ReadAll()
	if err != nil || len(records) < 2 {
		return 0, 0, fmt.Errorf("%s: expected a header and rows: %w", path, errors.Join(err, fs.ErrInvalid))
	}
	const column = "retries_after_all"
	at := -1
	for i, name := range records[0] {
		if name == column {
			at = i
		}
	}
	if at < 0 {
		return 0, 0, fmt.Errorf("%s:1: no column %s", path, column)
	}
	for line, r := range records[1:] {
		switch r[at] {
		case "true":
			missed++
		case "false":
		default:
			return 0, 0, fmt.Errorf("%s:%d: %s: %q, expected true or false", path, line+2, column, r[at])
		}
	}
	return missed, len(records) - 1, nil
}
