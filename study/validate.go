package study

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"

	"retrylab/study/finding"
	"retrylab/study/tree"
)

// Kinds of items on a validation sheet.
const (
	ItemFinding = "finding" // is it a retry against a dependency? measures precision
	ItemSilent  = "silent"  // a file that speaks of retrying and has no finding: was one missed?
)

// Verdicts of a reviewer.
const (
	VerdictTrue   = "true"   // finding: a retry as described; silent: a retry was missed
	VerdictFalse  = "false"  // finding: no retry; silent: nothing to find
	VerdictUnsure = "unsure" // counts neither way
)

// Item is one line of a validation sheet.
type Item struct {
	ID, Kind, Repo, Commit, Path string
	Line, SpanEnd                int
	// Says sums up a finding's fields; empty for a silent file.
	Says string
	// Verdict and Reason are the reviewer's; Fields lists fields that are
	// wrong ("attempts backoff jitter"), empty when all are right.
	Verdict, Fields, Reason string
}

// OrderKey is a seeded random order that anybody can recompute: by the SHA-256
// of "seed:key".
func OrderKey(seed uint64, key string) string {
	sum := sha256.Sum256([]byte(strconv.FormatUint(seed, 10) + ":" + key))
	return hex.EncodeToString(sum[:8])
}

// SampleFindings draws n findings at random, the same for the same rows and seed.
func SampleFindings(rows []FindingRow, n int, seed uint64) []Item {
	rows = append([]FindingRow(nil), rows...)
	sort.SliceStable(rows, func(i, j int) bool {
		return OrderKey(seed, rows[i].String()) < OrderKey(seed, rows[j].String())
	})
	var out []Item
	for i, r := range rows[:min(n, len(rows))] {
		out = append(out, Item{ID: fmt.Sprintf("F%03d", i+1), Kind: ItemFinding, Repo: r.Repo, Commit: r.Commit, Path: r.Path,
			Line: int(r.Line), SpanEnd: int(r.SpanEnd), Says: Describe(r.Finding())})
	}
	return out
}

// Describe writes a finding's fields in one line.
func Describe(f finding.Finding) string {
	n := "count not known"
	switch {
	case f.Unlimited:
		n = "no count (" + f.Bound + ")"
	case f.TotalAttempts > 0:
		n = fmt.Sprintf("%d attempts (%s)", f.TotalAttempts, f.CountSource)
	}
	what := f.API
	if what == "" {
		what = f.Form
	}
	wait := f.Backoff + " backoff"
	if f.Base > 0 {
		wait += " from " + f.Base.String()
	}
	return fmt.Sprintf("%s: %s, %s, %s, jitter %s", f.Rule, what, n, wait, f.Jitter)
}

// silentWords says that a file speaks of retrying.
var silentWords = finding.NewGate("retry", "retries", "attempt", "backoff", "reconnect")

// SampleSilent draws n production files that speak of retrying and have no
// finding, over all sources; the detectors' languages are those of rows' scan.
func SampleSilent(ctx context.Context, sources []Source, rows []FindingRow, wants func(path string) bool, n int, seed uint64) ([]Item, error) {
	found := map[string]bool{}
	for _, r := range rows {
		found[r.Repo+"\x00"+r.Path] = true
	}
	var all []Item
	for _, s := range sources {
		repo, err := tree.Open(ctx, s.Dir, s.Name, s.Commit)
		if err != nil {
			continue // the scan has recorded it
		}
		for _, e := range repo.Files {
			if !wants(e.Path) || !finding.Production(e.Path) || found[repo.Name+"\x00"+e.Path] {
				continue
			}
			if text, err := repo.Read(e.Path); err == nil && silentWords(text) {
				all = append(all, Item{Kind: ItemSilent, Repo: repo.Name, Commit: repo.Commit, Path: e.Path})
			}
		}
		if err := repo.Close(); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		return OrderKey(seed, all[i].Repo+":"+all[i].Path) < OrderKey(seed, all[j].Repo+":"+all[j].Path)
	})
	all = all[:min(n, len(all))]
	for i := range all {
		all[i].ID = fmt.Sprintf("S%03d", i+1)
	}
	return all, nil
}

var sheetHeader = []string{"id", "kind", "repo", "commit", "path", "line", "span_end", "says", "verdict", "wrong_fields", "reason"}

// WriteSheet writes items as CSV, to be filled in by the reviewer.
func WriteSheet(w io.Writer, items []Item) error {
	out := csv.NewWriter(w)
	if err := out.Write(sheetHeader); err != nil {
		return err
	}
	for _, i := range items {
		err := out.Write([]string{i.ID, i.Kind, i.Repo, i.Commit, i.Path, strconv.Itoa(i.Line), strconv.Itoa(i.SpanEnd), i.Says, i.Verdict, i.Fields, i.Reason})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// ReadSheet reads a sheet back. All mistakes are reported at once; name is used
// in their messages.
func ReadSheet(name string, r io.Reader) ([]Item, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	lines, err := in.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(lines) == 0 || strings.Join(lines[0], ",") != strings.Join(sheetHeader, ",") {
		return nil, fmt.Errorf("%s:1: not a validation sheet, expected the columns %s", name, strings.Join(sheetHeader, ","))
	}
	var out []Item
	var bad []string
	for n, l := range lines[1:] {
		if len(l) != len(sheetHeader) {
			bad = append(bad, fmt.Sprintf("%s:%d: %d columns, expected %d", name, n+2, len(l), len(sheetHeader)))
			continue
		}
		i := Item{ID: l[0], Kind: l[1], Repo: l[2], Commit: l[3], Path: l[4], Says: l[7], Verdict: l[8], Fields: l[9], Reason: l[10]}
		line, err1 := strconv.Atoi(l[5])
		end, err2 := strconv.Atoi(l[6])
		i.Line, i.SpanEnd = line, end
		switch i.Verdict {
		case "", VerdictTrue, VerdictFalse, VerdictUnsure:
		default:
			bad = append(bad, fmt.Sprintf("%s:%d: verdict: %q, expected true, false, unsure or nothing", name, n+2, i.Verdict))
		}
		if err1 != nil || err2 != nil || i.Kind != ItemFinding && i.Kind != ItemSilent {
			bad = append(bad, fmt.Sprintf("%s:%d: line, span_end or kind is not readable", name, n+2))
		}
		if i.Verdict != "" && strings.TrimSpace(i.Reason) == "" {
			bad = append(bad, fmt.Sprintf("%s:%d: reason: missing, a verdict needs one", name, n+2))
		}
		out = append(out, i)
	}
	if bad != nil {
		return nil, fmt.Errorf("%s", strings.Join(bad, "\n"))
	}
	return out, nil
}

// SheetScore is what a filled-in sheet says.
type SheetScore struct {
	Precision Share // findings that are retries, of those judged
	Silent    Share // silent files in which something was missed, of those judged
	Attempts  Share // true findings with the right number of attempts
	Backoff   Share // and with the right backoff kind
	Jitter    Share // and with the right jitter
	Unsure    int
	Open      int // items without a verdict
}

// ScoreSheet counts the verdicts.
func ScoreSheet(items []Item) SheetScore {
	var s SheetScore
	for _, i := range items {
		switch {
		case i.Verdict == "":
			s.Open++
		case i.Verdict == VerdictUnsure:
			s.Unsure++
		case i.Kind == ItemSilent:
			s.Silent.add(i.Verdict == VerdictTrue)
		default:
			s.Precision.add(i.Verdict == VerdictTrue)
			if i.Verdict == VerdictTrue {
				s.Attempts.add(!strings.Contains(i.Fields, "attempts"))
				s.Backoff.add(!strings.Contains(i.Fields, "backoff"))
				s.Jitter.add(!strings.Contains(i.Fields, "jitter"))
			}
		}
	}
	return s
}

// WriteReview writes items as Markdown with the code around them, read from the
// local clones, for a reviewer's eyes only: it is never published.
func WriteReview(ctx context.Context, w io.Writer, items []Item, dirOf func(repo string) string) error {
	p := &printer{w: w}
	for _, i := range items {
		p.line("## %s %s %s\n\n%s\n", i.ID, i.Repo, i.Path, i.Says)
		repo, err := tree.Open(ctx, dirOf(i.Repo), i.Repo, i.Commit)
		if err != nil {
			p.line("(not readable: %s)\n", oneLine(err))
			continue
		}
		text, err := repo.Read(i.Path)
		if cerr := repo.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			p.line("(not readable: %s)\n", oneLine(err))
			continue
		}
		p.line("```\n%s```\n", excerpt(text, i))
	}
	return p.err
}

// excerpt shows a finding with lines around it, or the lines of a silent file
// that speak of retrying.
func excerpt(text []byte, i Item) string {
	var b strings.Builder
	n := 0
	near := 0
	lines := bytes.SplitAfter(text, []byte("\n"))
	for k, line := range lines {
		n = k + 1
		show := i.Kind == ItemFinding && n >= i.Line-6 && n <= min(i.SpanEnd, i.Line+60)+6
		if i.Kind == ItemSilent {
			for d := max(0, k-3); d < min(len(lines), k+4); d++ {
				show = show || silentWords(lines[d])
			}
		}
		if show && near < 160 {
			near++
			fmt.Fprintf(&b, "%5d %s", n, line)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
