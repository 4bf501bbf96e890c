package study

import (
	"fmt"
	"math"
	"strings"
	"time"

	"retrylab/study/finding"
)

// TableRow is one line of a study table with its uncertainty.
type TableRow struct {
	Table       string  `col:"table" doc:"repositories, configurations, anti-patterns or concentration"`
	Group       string  `col:"group" doc:"all, or the language (of the repository for repositories and anti-patterns, of the file for configurations)"`
	Row         string  `col:"row" doc:"what is counted"`
	Hit         int64   `col:"hit" doc:"number counted"`
	Of          int64   `col:"of" doc:"denominator"`
	Share       float64 `col:"share" doc:"hit / of; not a number without a denominator"`
	WilsonLow   float64 `col:"wilson_low" doc:"95% Wilson score interval, lower end"`
	WilsonHigh  float64 `col:"wilson_high" doc:"95% Wilson score interval, upper end"`
	ClusterLow  float64 `col:"cluster_low" doc:"95% interval with repositories as clusters, lower end; not a number where repositories are the cases"`
	ClusterHigh float64 `col:"cluster_high" doc:"the same, upper end"`
	Clusters    int64   `col:"clusters" doc:"repositories that contribute to the denominator"`
	Paper       string  `col:"paper" doc:"the paper's count and share in this row, Python only; empty where it has none"`
}

// TableName returns "study_tables".
func (TableRow) TableName() string { return "study_tables" }

// Groups are the groups of the tables, in order.
var Groups = []string{"all", finding.LangPython, finding.LangGo, finding.LangJava, finding.LangJavaScript, "configuration"}

// paperRows are the paper's own figures for the same rows.
var paperRows = map[string]string{
	"repositories with a retry detected": "23/200, 11.5%",
	"retry count 1-3":                    "25/73, 34.2%",
	"retry count 4-5":                    "16/73, 21.9%",
	"retry count > 5":                    "32/73, 43.8%",
	"exponential backoff":                "24/113, 21.2%",
	"linear backoff":                     "54/113, 47.8%",
	"no backoff":                         "35/113, 31.0%",
	"jitter":                             "1/113, 0.9%",
	"No Backoff":                         "14/23, 60.9%",
	"Missing Jitter":                     "22/23, 95.7%",
	"Missing Jitter (narrow)":            "9/23, 39.1%",
	"Aggressive Retry":                   "7/23, 30.4%",
	"Static Configuration":               "23/23, 100%",
	"No Cross-Service Coordination":      "23/23, 100%",
	"share of the largest repository":    "23/113, 20.4%",
	"share of the three largest":         "44%",
}

// feature is a row of the configuration table: when it applies to a
// configuration, and whether the configuration has it.
type feature struct {
	name string
	base func(*FindingRow) bool // the denominator
	has  func(*FindingRow) bool
}

func every(*FindingRow) bool { return true }

func counted(r *FindingRow) bool { return r.AttemptsTotal > 1 && !r.Unlimited }

// knownWait leaves out configurations whose wait the source does not say.
func knownWait(r *FindingRow) bool { return r.Backoff != finding.BackoffUnknown }

func backoff(kind string) func(*FindingRow) bool {
	return func(r *FindingRow) bool { return r.Backoff == kind }
}

var features = []feature{
	{"retry count 1-3", counted, func(r *FindingRow) bool { return r.Retries <= 3 }},
	{"retry count 4-5", counted, func(r *FindingRow) bool { return r.Retries == 4 || r.Retries == 5 }},
	{"retry count > 5", counted, func(r *FindingRow) bool { return r.Retries > 5 }},
	{"count known", every, counted},
	{"no limit of any kind", every, func(r *FindingRow) bool { return r.Unlimited && r.Bound == finding.BoundNone }},
	{"limited by time alone", every, func(r *FindingRow) bool {
		return r.Unlimited && (r.Bound == finding.BoundElapsed || r.Bound == finding.BoundDeadline)
	}},
	{"count set at run time", every, func(r *FindingRow) bool { return r.CountSource == finding.SourceRuntime }},
	{"exponential backoff", knownWait, backoff(finding.BackoffExponential)},
	{"linear backoff", knownWait, backoff(finding.BackoffLinear)},
	{"constant backoff", knownWait, backoff(finding.BackoffConstant)},
	{"no backoff", knownWait, backoff(finding.BackoffNone)},
	{"jitter", every, func(r *FindingRow) bool { return r.Jitter == finding.Yes }},
	{"jitter among those that wait", func(r *FindingRow) bool { return r.Backoff != finding.BackoffNone }, func(r *FindingRow) bool { return r.Jitter == finding.Yes }},
	{"jitter only by the library's default", every, func(r *FindingRow) bool { return r.Jitter == finding.Yes && r.JitterSource == finding.SourceDefault }},
	{"hand-rolled", every, func(r *FindingRow) bool { return r.Mechanism == finding.MechHandRolled }},
}

// AggressiveAttempts and AggressiveWait define the anti-pattern of many
// attempts with minimal backoff: more attempts than the first, and no wait or a
// constant one shorter than the second.
const (
	AggressiveAttempts = 5
	AggressiveWait     = 100 * time.Millisecond
)

func aggressive(r *FindingRow) bool {
	many := r.AttemptsTotal > AggressiveAttempts || r.Unlimited && r.Bound == finding.BoundNone
	minimal := r.Backoff == finding.BackoffNone || r.Backoff == finding.BackoffConstant && r.BackoffBase > 0 && r.BackoffBase < int64(AggressiveWait)
	return many && minimal
}

// adapts says whether a configuration reacts to the state of the system: the
// server sets the wait, or a budget limits the retries.
func adapts(r *FindingRow) bool {
	return r.Backoff == finding.BackoffServer || strings.Contains(r.Note, "budget") || strings.Contains(r.Note, "adaptive")
}

func budgetedRow(r *FindingRow) bool { return strings.Contains(r.Note, "budget") }

// patterns are the paper's anti-patterns; each is judged on all configurations
// of a repository.
var patterns = []struct {
	name  string
	shown func([]FindingRow) bool
}{
	{"No Backoff", anyOf(backoff(finding.BackoffNone))},
	{"Missing Jitter", noneOf(func(r *FindingRow) bool { return r.Jitter == finding.Yes })},
	{"Missing Jitter (narrow)", anyOf(func(r *FindingRow) bool { return r.Backoff == finding.BackoffExponential && r.Jitter == finding.No })},
	{"Aggressive Retry", anyOf(aggressive)},
	{"Static Configuration", noneOf(adapts)},
	{"No Cross-Service Coordination", noneOf(budgetedRow)},
}

func anyOf(has func(*FindingRow) bool) func([]FindingRow) bool {
	return func(rows []FindingRow) bool {
		for i := range rows {
			if has(&rows[i]) {
				return true
			}
		}
		return false
	}
}

func noneOf(has func(*FindingRow) bool) func([]FindingRow) bool {
	shown := anyOf(has)
	return func(rows []FindingRow) bool { return !shown(rows) }
}

// Tabulate makes the study's tables from cleaned rows and the repositories that
// were scanned.
func Tabulate(rows []FindingRow, repos []RepositoryRow) []TableRow {
	var out []TableRow
	language := map[string]string{}
	for _, r := range repos {
		language[r.Repo] = r.Language
	}
	for _, g := range Groups {
		inRepo := func(repo string) bool { return g == "all" || language[repo] == g }
		byRepo := map[string][]FindingRow{}
		var configs []FindingRow
		for _, r := range rows {
			if inRepo(r.Repo) {
				byRepo[r.Repo] = append(byRepo[r.Repo], r)
			}
			if inGroup(g, r.Language) {
				configs = append(configs, r)
			}
		}
		if g != "configuration" {
			out = append(out, repositoryTable(g, repos, inRepo, byRepo)...)
		}
		out = append(out, configurationTable(g, configs)...)
		if g != "configuration" {
			out = append(out, patternTable(g, byRepo)...)
		}
	}
	for i := range out {
		if p, has := paperRows[out[i].Row]; has && (out[i].Group == "all" || out[i].Group == finding.LangPython) {
			out[i].Paper = p
		}
	}
	return out
}

func inGroup(g, lang string) bool {
	switch g {
	case "all":
		return true
	case "configuration":
		return group(lang) == ""
	}
	return group(lang) == g
}

func repositoryTable(g string, repos []RepositoryRow, in func(string) bool, byRepo map[string][]FindingRow) []TableRow {
	of := 0
	for _, r := range repos {
		if r.Error == "" && in(r.Repo) {
			of++
		}
	}
	row := caseRow("repositories", g, "repositories with a retry detected", len(byRepo), of)
	return []TableRow{row}
}

// caseRow is a row whose cases are repositories.
func caseRow(table, g, name string, hit, of int) TableRow {
	w := Wilson(hit, of)
	return TableRow{Table: table, Group: g, Row: name, Hit: int64(hit), Of: int64(of), Share: w.Share, WilsonLow: w.Low, WilsonHigh: w.High,
		ClusterLow: math.NaN(), ClusterHigh: math.NaN(), Clusters: int64(of)}
}

func configurationTable(g string, configs []FindingRow) (out []TableRow) {
	for _, f := range features {
		byRepo := map[string]*Cluster{}
		hit, of := 0, 0
		for i := range configs {
			r := &configs[i]
			if !f.base(r) {
				continue
			}
			c := byRepo[r.Repo]
			if c == nil {
				c = &Cluster{}
				byRepo[r.Repo] = c
			}
			c.Of++
			of++
			if f.has(r) {
				c.Hit++
				hit++
			}
		}
		row := caseRow("configurations", g, f.name, hit, of)
		ci := ClusterInterval(clusterList(byRepo))
		row.ClusterLow, row.ClusterHigh, row.Clusters = ci.Low, ci.High, int64(len(byRepo))
		out = append(out, row)
	}
	byRepo := map[string]*Cluster{}
	for _, r := range configs {
		if byRepo[r.Repo] == nil {
			byRepo[r.Repo] = &Cluster{}
		}
		byRepo[r.Repo].Of++
	}
	for k, name := range map[int]string{1: "share of the largest repository", 3: "share of the three largest"} {
		top := int(math.Round(TopShare(clusterList(byRepo), k) * float64(len(configs))))
		if len(configs) == 0 {
			top = 0
		}
		row := caseRow("concentration", g, name, top, len(configs))
		row.WilsonLow, row.WilsonHigh, row.Clusters = math.NaN(), math.NaN(), int64(len(byRepo))
		out = append(out, row)
	}
	if n := len(out); out[n-2].Row > out[n-1].Row { // map order must not show
		out[n-2], out[n-1] = out[n-1], out[n-2]
	}
	return out
}

func clusterList(m map[string]*Cluster) []Cluster {
	out := make([]Cluster, 0, len(m))
	for _, k := range sortedKeys(m) {
		out = append(out, *m[k])
	}
	return out
}

func patternTable(g string, byRepo map[string][]FindingRow) (out []TableRow) {
	for _, p := range patterns {
		hit := 0
		for _, rows := range byRepo {
			if p.shown(rows) {
				hit++
			}
		}
		out = append(out, caseRow("anti-patterns", g, p.name, hit, len(byRepo)))
	}
	return out
}

// Markdown writes tables for people: one per table and group of rows, with the
// paper's column beside ours.
func Markdown(rows []TableRow) string {
	var b strings.Builder
	last := ""
	for _, r := range rows {
		if key := r.Table + " " + r.Group; key != last {
			last = key
			fmt.Fprintf(&b, "\n### %s: %s\n\n| row | ours | 95%% Wilson | 95%% by repository | repositories | paper |\n|---|---|---|---|---|---|\n", r.Table, r.Group)
		}
		fmt.Fprintf(&b, "| %s | %d/%d = %s | %s | %s | %d | %s |\n", r.Row, r.Hit, r.Of, percent(r.Share), span(r.WilsonLow, r.WilsonHigh), span(r.ClusterLow, r.ClusterHigh), r.Clusters, r.Paper)
	}
	return strings.TrimPrefix(b.String(), "\n")
}

func percent(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*x)
}

func span(low, high float64) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return "-"
	}
	return fmt.Sprintf("%.1f-%.1f%%", 100*low, 100*high)
}
