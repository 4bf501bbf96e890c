package study

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"retrylab/study/finding"
)

// Label is one row of a labelled set: a place that is a retry, or one that only
// looks like it.
type Label struct {
	ID            string `json:"id"`
	Label         string `json:"label"` // positive or negative
	Repo          string `json:"repo"`
	Commit        string `json:"commit"`
	Path          string `json:"path"`
	Line          int    `json:"line"`
	SpanEnd       int    `json:"span_end"`
	Language      string `json:"language"`
	Mechanism     string `json:"mechanism"`
	LoopStatement *bool  `json:"loop_statement"`
	MaxAttempts   *int64 `json:"max_attempts"`
	MaxSemantics  string `json:"max_semantics"` // total attempts, retries, unbounded
	Backoff       string `json:"backoff"`
	Jitter        *bool  `json:"jitter"`
	Scope         string `json:"scope"`
	Confidence    string `json:"confidence"`
	Kind          string `json:"kind"` // of a negative
	Production    bool   `json:"production"`
}

// Total is the labelled number of total attempts; known is false without one.
func (l *Label) Total() (n int64, known bool) {
	if l.MaxAttempts == nil {
		return 0, false
	}
	if l.MaxSemantics == "retries" {
		return *l.MaxAttempts + 1, true
	}
	return *l.MaxAttempts, true
}

// ReadLabels reads a labelled set, one JSON object a line. All bad lines are
// reported at once.
func ReadLabels(path string) ([]Label, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Label
	var bad []string
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		var l Label
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			bad = append(bad, fmt.Sprintf("%s:%d: %v", path, n, err))
			continue
		}
		if l.Label != "positive" && l.Label != "negative" || l.Repo == "" || l.Path == "" || l.Line < 1 {
			bad = append(bad, fmt.Sprintf("%s:%d: label, repo, path or line missing or wrong", path, n))
			continue
		}
		l.SpanEnd = max(l.SpanEnd, l.Line)
		out = append(out, l)
	}
	if err := in.Err(); err != nil {
		bad = append(bad, fmt.Sprintf("%s: %v", path, err))
	}
	if bad != nil {
		return nil, fmt.Errorf("%s", strings.Join(bad, "\n"))
	}
	return out, nil
}

// Window is the number of lines around a label within which a finding hits it,
// the paper's duplicate window.
const Window = 10

// LabelResult is one label with what was found for it.
type LabelResult struct {
	Label
	// Missing says why the label could not be tested (no clone, file not read); empty when it was.
	Missing string
	// Hit is the finding that hits it; nil when none does.
	Hit *finding.Finding
}

// Bench scans the labelled repositories' clones and matches. It reads only
// files named by labels (constants are resolved in the others on demand).
func Bench(ctx context.Context, labels []Label, clones string, opt Options) ([]LabelResult, error) {
	byRepo := map[string][]int{}
	for i := range labels {
		byRepo[labels[i].Repo] = append(byRepo[labels[i].Repo], i)
	}
	repos := make([]string, 0, len(byRepo))
	for r := range byRepo {
		repos = append(repos, r)
	}
	sort.Strings(repos)
	out := make([]LabelResult, len(labels))
	for i := range labels {
		out[i].Label = labels[i]
	}
	for _, name := range repos {
		rows := byRepo[name]
		wanted := map[string]bool{}
		for _, i := range rows {
			wanted[labels[i].Path] = true
		}
		o := opt
		o.Detectors = nil
		for _, d := range opt.Detectors {
			o.Detectors = append(o.Detectors, only{d, wanted})
		}
		dir := FindClone(clones, name)
		res, err := Scan(ctx, []Source{{Dir: dir, Name: name, Commit: labels[rows[0]].Commit}}, o)
		if err != nil {
			return nil, err
		}
		match(out, rows, res)
	}
	return out, nil
}

func match(out []LabelResult, rows []int, res Result) {
	for _, i := range rows {
		if res.Records[0].Err != "" {
			out[i].Missing = "no clone: " + res.Records[0].Err
			continue
		}
		out[i].Hit = nearest(&out[i].Label, res.Findings)
	}
}

// nearest picks, among the findings within the window, one that overlaps the
// label best: a finding inside the span first, then the closest line.
func nearest(l *Label, list []finding.Finding) (best *finding.Finding) {
	distance := func(f *finding.Finding) int {
		d := f.Line - l.Line
		if d < 0 {
			d = -d
		}
		if f.Mechanism != l.Mechanism && l.Mechanism != "" {
			d += 3
		}
		return d
	}
	for i := range list {
		f := &list[i]
		if f.Path != l.Path || f.Line < l.Line-Window || f.Line > l.SpanEnd+Window || f.Disabled && l.Label == "negative" {
			continue
		}
		if best == nil || distance(f) < distance(best) {
			best = f
		}
	}
	return best
}

// FindClone guesses where a clone lies under a folder: owner/name, owner+name or
// name, each with or without an inner repo folder or a .git suffix.
func FindClone(root, name string) string {
	owner, short, _ := strings.Cut(name, "/")
	for _, base := range []string{owner + "+" + short, filepath.Join(owner, short), owner + "__" + short, short, short + ".git"} {
		for _, inner := range []string{"repo", "repo/.git", ""} {
			p := filepath.Join(root, base, inner)
			if info, err := os.Stat(p); err == nil && info.IsDir() {
				return p
			}
		}
	}
	return filepath.Join(root, owner+"+"+short)
}

// only restricts a detector to some files.
type only struct {
	finding.Detector
	paths map[string]bool
}

// Wants narrows the inner detector's wish.
func (o only) Wants(p string) bool { return o.paths[p] && o.Detector.Wants(p) }
