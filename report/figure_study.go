package report

import (
	"fmt"

	"retrylab/report/claims"
	"retrylab/report/figure"
	"retrylab/study"
)

// studyLine is a line of a dot plot of the study: a row of its tables and what it is called there.
type studyLine struct{ row, label string }

// studyPanel sets rows of the study's tables one below the other, with a dot for each language and for the paper.
func studyPanel(s *claims.Study, lines []studyLine) figure.Panel {
	p := figure.Panel{Quantity: "share", Unit: "%", Sideways: true, XLabel: "share, %",
		Y: figure.Range{Min: -float64(len(lines)) + 0.45, Max: 0.55}}
	for i, l := range lines {
		p.YTicks = append(p.YTicks, figure.Tick{At: -float64(i), Label: l.label})
	}
	groups := len(studyLanguages) + 2
	offset := func(i int) float64 { return 0.36 - 0.72*float64(i)/float64(groups-1) }
	add := func(style int, name string, value func(study.TableRow) (study.Interval, bool), group string) {
		series := figure.Series{Name: name, Style: figure.StyleAt(style), Dots: true, Offset: offset(style)}
		for i, l := range lines {
			v, ok := value(s.Row(group, l.row))
			if !ok {
				continue
			}
			series.X, series.Category, series.Values = append(series.X, -float64(i)), append(series.Category, l.row), append(series.Values, 100*v.Share)
			series.Lo, series.Hi = append(series.Lo, 100*v.Low), append(series.Hi, 100*v.High)
		}
		if len(series.Values) > 0 {
			p.Series = append(p.Series, series)
		}
	}
	add(0, "all", ownShare, claims.AllGroups)
	for i, l := range studyLanguages {
		add(i+1, l.name, ownShare, l.group)
	}
	add(groups-1, "paper (Python)", printedShare, claims.AllGroups)
	p.X, p.XTicks = axisFrom0(highest([]figure.Panel{p}), 5)
	return p
}

// ownShare is a row's share with the interval that its cases call for; false without cases.
func ownShare(r study.TableRow) (study.Interval, bool) {
	low, high := claims.Ends(r)
	return study.Interval{Share: r.Share, Low: low, High: high}, r.Of > 0
}

// printedShare is the paper's share in a row, with Wilson's interval; false where it prints no counts.
func printedShare(r study.TableRow) (study.Interval, bool) {
	hit, of, _, _ := parsePaperShare(r.Paper)
	return study.Wilson(hit, of), of > 0
}

const studyBars = "Bars: 95% intervals with repositories as clusters; the paper's are Wilson's from its counts. Denominators are in the tables."

// studyWaits shows how retries wait, and how many have jitter.
func studyWaits(d *data) (*figure.Figure, error) {
	s := d.repositories()
	if s == nil {
		return nil, nil
	}
	left := studyPanel(s, []studyLine{{"exponential backoff", "exponential"}, {claims.RowLinear, "linear"}, {"constant backoff", "constant"}, {claims.RowNoBackoff, "no wait"}})
	left.Facet, left.Title = "wait", "wait between attempts"
	right := studyPanel(s, []studyLine{{claims.RowJitter, "of all"}, {claims.RowJitterWait, "of those that wait"}, {"jitter only by the library's default", "by default only"}})
	right.Facet, right.Title = "jitter", "jitter"
	jitter, linear := s.Row(claims.AllGroups, claims.RowJitter), s.Row(claims.AllGroups, claims.RowLinear)
	return &figure.Figure{
		Title: "How retries wait, by language",
		Alt: fmt.Sprintf("Two dot plots of shares of configurations by language. Over all languages %.1f%% wait exponentially, %.1f%% linearly (the paper: %.1f%%), %.1f%% a constant time and %.1f%% not at all. "+
			"Jitter: %.1f%% of all configurations, %.1f%% of those that wait; the paper has %.1f%% of all.",
			100*s.Row(claims.AllGroups, "exponential backoff").Share, 100*linear.Share, 100*paperOf(s, claims.RowLinear), 100*s.Row(claims.AllGroups, "constant backoff").Share,
			100*s.Row(claims.AllGroups, claims.RowNoBackoff).Share, 100*jitter.Share, 100*s.Row(claims.AllGroups, claims.RowJitterWait).Share, 100*paperOf(s, claims.RowJitter)),
		Caption: "Left: of the configurations whose wait the source tells. Right: jitter, of all configurations, of those that wait, and by the default of a library alone, of all. " + studyBars,
		XName:   "row", Panels: [][]figure.Panel{{left, right}}, WidthInch: 8.4, HeightInch: 4.4,
	}, nil
}

// studyCounts shows how often retries are made, and what limits them.
func studyCounts(d *data) (*figure.Figure, error) {
	s := d.repositories()
	if s == nil {
		return nil, nil
	}
	left := studyPanel(s, []studyLine{{"retry count 1-3", "1 to 3"}, {"retry count 4-5", "4 or 5"}, {claims.RowMany, "more than 5"}})
	left.Facet, left.Title = "count", "retries, where the count is known"
	right := studyPanel(s, []studyLine{{"count known", "known count"}, {"count set at run time", "set at run time"}, {"limited by time alone", "time alone"}, {claims.RowUnbounded, "no limit"}})
	right.Facet, right.Title = "limit", "what limits them, of all"
	many, none := s.Row(claims.AllGroups, claims.RowMany), s.Row(claims.AllGroups, claims.RowUnbounded)
	return &figure.Figure{
		Title: "How often code retries, by language",
		Alt: fmt.Sprintf("Two dot plots of shares of configurations by language. Where the count is known, %.1f%% allow one to three retries and %.1f%% more than five (the paper: %.1f%%). %.1f%% of all configurations have no limit of any kind.",
			100*s.Row(claims.AllGroups, "retry count 1-3").Share, 100*many.Share, 100*paperOf(s, claims.RowMany), 100*none.Share),
		Caption: "Left: of the configurations whose number of retries the source tells. Right: of all; what is missing to 100% could not be told. " + studyBars,
		XName:   "row", Panels: [][]figure.Panel{{left, right}}, WidthInch: 8.4, HeightInch: 4.4,
	}, nil
}

// studyPatterns shows the anti-patterns.
func studyPatterns(d *data) (*figure.Figure, error) {
	s := d.repositories()
	if s == nil {
		return nil, nil
	}
	var lines []studyLine
	for _, r := range s.Rows {
		if r.Group == claims.AllGroups && r.Table == "anti-patterns" {
			lines = append(lines, studyLine{r.Row, r.Row})
		}
	}
	p := studyPanel(s, lines)
	p.Facet = "anti-patterns"
	missing := s.Row(claims.AllGroups, "Missing Jitter")
	return &figure.Figure{
		Title: "The paper's anti-patterns, by language",
		Alt: fmt.Sprintf("Dot plot of the shares of repositories with retries that show each of six anti-patterns, by language. Over all languages No Backoff is in %.1f%% (the paper: %.1f%%) and Missing Jitter in %.1f%% (%.1f%%); Static Configuration in %.1f%%, No Cross-Service Coordination in %.1f%%.",
			100*s.Row(claims.AllGroups, "No Backoff").Share, 100*paperOf(s, "No Backoff"), 100*missing.Share, 100*paperOf(s, "Missing Jitter"),
			100*s.Row(claims.AllGroups, "Static Configuration").Share, 100*s.Row(claims.AllGroups, "No Cross-Service Coordination").Share),
		Caption: "Of the repositories in which a retry was detected; n is in the table. Bars: Wilson's 95% intervals. Definitions are under the table.",
		XName:   "anti_pattern", Panels: [][]figure.Panel{{p}}, WidthInch: 7.6, HeightInch: 5.4,
	}, nil
}
