package study

import (
	"fmt"
	"io"
	"slices"
	"sort"

	"retrylab/study/finding"
)

// Share is a number of successes out of a number of cases.
type Share struct{ Hit, Of int }

// add counts one case.
func (s *Share) add(hit bool) {
	s.Of++
	if hit {
		s.Hit++
	}
}

// String is "hit/of = percent".
func (s Share) String() string {
	if s.Of == 0 {
		return "0/0"
	}
	return fmt.Sprintf("%d/%d = %.1f%%", s.Hit, s.Of, 100*float64(s.Hit)/float64(s.Of))
}

// BenchScore sums up a benchmark. Recall counts production, remote positives.
type BenchScore struct {
	Overall     Share
	HighOnly    Share // without borderline rows
	ByLanguage  map[string]*Share
	ByMechanism map[string]*Share
	HandRolled  Share // hand-rolled retries of every form
	NoLoop      Share // hand-rolled retries without a loop statement
	Library     Share // library calls and decorators
	Negatives   Share // negatives flagged: lower is better
	Attempts    Share // on hits whose label states a number
	Stated      Share // the same, of those hits whose finding states a number
	Unbounded   Share // on hits labelled unbounded: found without a count
	Backoff     Share
	Jitter      Share
	Missing     []LabelResult // not tested, with the reason
}

// Score sums up benchmark results.
func Score(results []LabelResult) BenchScore {
	s := BenchScore{ByLanguage: map[string]*Share{}, ByMechanism: map[string]*Share{}}
	for _, r := range results {
		if r.Missing != "" {
			s.Missing = append(s.Missing, r)
			continue
		}
		if r.Label.Label == "negative" {
			s.Negatives.add(r.Hit != nil)
			continue
		}
		if r.Production && r.Scope == finding.ScopeRemote {
			s.recall(&r)
		}
		if r.Hit != nil {
			s.fields(&r)
		}
	}
	return s
}

func (s *BenchScore) recall(r *LabelResult) {
	hit := r.Hit != nil
	s.Overall.add(hit)
	if r.Confidence != "borderline" {
		s.HighOnly.add(hit)
	}
	count(s.ByLanguage, r.Language, hit)
	count(s.ByMechanism, r.Mechanism, hit)
	switch r.Mechanism {
	case finding.MechHandRolled:
		s.HandRolled.add(hit)
		if r.LoopStatement != nil && !*r.LoopStatement {
			s.NoLoop.add(hit)
		}
	case finding.MechLibrary, finding.MechDecorator:
		s.Library.add(hit)
	}
}

func (s *BenchScore) fields(r *LabelResult) {
	if n, known := r.Total(); known {
		if r.Hit.Rule == "paper-pattern" {
			n = *r.MaxAttempts // the paper's detector keeps the raw number
		}
		s.Attempts.add(RightCount(r.Hit, n))
		if r.Hit.TotalAttempts > 0 || r.Hit.Unlimited {
			s.Stated.add(RightCount(r.Hit, n))
		}
	} else if r.MaxSemantics == "unbounded" {
		s.Unbounded.add(r.Hit.Unlimited || r.Hit.TotalAttempts == 0)
	}
	s.Backoff.add(r.Hit.Backoff == r.Backoff)
	if r.Jitter != nil {
		s.Jitter.add((r.Hit.Jitter == finding.Yes) == *r.Jitter)
	}
}

// RightCount compares a finding's total with the labelled total; a labelled
// total that is no bound in practice counts as unlimited.
func RightCount(f *finding.Finding, total int64) bool {
	if total >= finding.Huge {
		return f.Unlimited
	}
	return f.TotalAttempts == total
}

func count(m map[string]*Share, key string, hit bool) {
	if m[key] == nil {
		m[key] = &Share{}
	}
	m[key].add(hit)
}

// WriteBench prints a score as text; with verbose also every miss, every
// negative flagged and every wrong field.
func WriteBench(w io.Writer, results []LabelResult, verbose bool) error {
	s := Score(results)
	p := &printer{w: w}
	p.line("recall, production and remote      %v", s.Overall)
	p.line("  without borderline rows          %v", s.HighOnly)
	for _, k := range sortedKeys(s.ByLanguage) {
		p.line("  %-32s %v", k, *s.ByLanguage[k])
	}
	for _, k := range sortedKeys(s.ByMechanism) {
		p.line("  %-32s %v", k, *s.ByMechanism[k])
	}
	p.line("  hand-rolled, no loop statement   %v", s.NoLoop)
	p.line("  library calls and decorators     %v", s.Library)
	p.line("negatives flagged                  %v", s.Negatives)
	p.line("on hits: total attempts right      %v", s.Attempts)
	p.line("  of those that state a number     %v", s.Stated)
	p.line("on hits: unbounded seen as such    %v", s.Unbounded)
	p.line("on hits: backoff kind right        %v", s.Backoff)
	p.line("on hits: jitter right              %v", s.Jitter)
	p.line("not tested                         %d", len(s.Missing))
	for _, m := range s.Missing {
		p.line("  missing %s %s:%d: %s", m.Repo, m.Path, m.Line, m.Missing)
	}
	if verbose {
		for _, r := range results {
			p.detail(&r)
		}
	}
	return p.err
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) detail(r *LabelResult) {
	at := fmt.Sprintf("%s %s %s:%d", r.ID, r.Repo, r.Path, r.Line)
	switch {
	case r.Missing != "":
	case r.Label.Label == "negative" && r.Hit != nil:
		p.line("flagged  %s (%s) by %s at %d", at, r.Kind, r.Hit.Rule, r.Hit.Line)
	case r.Label.Label == "positive" && r.Hit == nil && r.Production && r.Scope == finding.ScopeRemote:
		p.line("missed   %s (%s)", at, r.Mechanism)
	case r.Label.Label == "positive" && r.Hit != nil:
		var wrong []string
		if n, known := r.Total(); known && !RightCount(r.Hit, n) {
			wrong = append(wrong, fmt.Sprintf("attempts %d want %d (%s)", r.Hit.TotalAttempts, n, r.Hit.CountSource))
		}
		if r.Hit.Backoff != r.Backoff {
			wrong = append(wrong, fmt.Sprintf("backoff %s want %s", r.Hit.Backoff, r.Backoff))
		}
		if r.Jitter != nil && (r.Hit.Jitter == finding.Yes) != *r.Jitter {
			wrong = append(wrong, fmt.Sprintf("jitter %s want %v", r.Hit.Jitter, *r.Jitter))
		}
		if wrong != nil {
			p.line("field    %s by %s at %d: %v", at, r.Hit.Rule, r.Hit.Line, wrong)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return slices.Clip(keys)
}
