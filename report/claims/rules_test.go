package claims_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"retrylab/report/claims"
	"retrylab/report/facts"
	"retrylab/results"
)

// made is a run of the paper's twelve cells by formula: per attempt and RAF as printed, moved by shift(strategy, scenario).
func made(t *testing.T, shift func(strategy, scenario string) float64) string {
	t.Helper()
	var cells []results.Cell
	var trials []results.Trial
	for _, scenario := range claims.Scenarios {
		for _, strategy := range claims.Strategies {
			id := "reference/" + scenario + "/" + strategy
			cells = append(cells, results.Cell{Experiment: "reference", Cell: id, Model: "reference", Strategy: strategy, Scenario: scenario,
				Trials: 4, DurationNs: 55e9, WindowNs: 1e9, FaultFromNs: 5e9, FaultToNs: 25e9})
			success, _ := facts.Paper().TableIII.Cell(strategy, scenario)
			raf, _ := facts.Paper().TableIV.Cell(strategy, scenario)
			const first = 100_000
			ended := int64(math.Round(raf * first))
			succeeded := int64(math.Round((success + shift(strategy, scenario)) / 100 * float64(ended)))
			for i := range int64(4) {
				trials = append(trials, results.Trial{Experiment: "reference", Cell: id, Model: "reference", Strategy: strategy, Scenario: scenario, Trial: i, Seed: 1,
					Requests: first, RequestsSucceeded: succeeded + i, AttemptsSent: ended, AttemptsEnded: ended, AttemptsEndedFirst: first,
					AttemptsSucceeded: succeeded + i, AttemptsRetry: ended - first})
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, dir, cells)
	write(t, dir, trials)
	return dir
}

func write[T results.Row](t *testing.T, dir string, rows []T) {
	t.Helper()
	var row T
	w, err := results.NewWriter[T](filepath.Join(dir, "data", row.TableName()+".parquet"), results.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.Append(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func judge(t *testing.T, dir string) map[string]claims.Claim {
	t.Helper()
	e, err := claims.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]claims.Claim{}
	for _, c := range claims.Judge(e) {
		if _, twice := list[c.ID]; twice {
			t.Errorf("two claims %s", c.ID)
		}
		list[c.ID] = c
	}
	return list
}

// Verdicts follow from the rows: the same rules give other verdicts for other rows.
func TestVerdictsFollowTheRows(t *testing.T) {
	asPrinted := judge(t, made(t, func(string, string) float64 { return 0 }))
	moved := judge(t, made(t, func(strategy, scenario string) float64 {
		if strategy == "SR" && scenario == "S3" {
			return 20
		}
		return 0
	}))
	for _, c := range []struct {
		id             string
		printed, moved claims.Verdict
	}{
		{"table3-sr-s3", claims.Reproduced, claims.Contradicted},
		{"table3-nr-s3", claims.Reproduced, claims.Reproduced},
		{"table4-sr-s3", claims.Reproduced, claims.Reproduced},
		{"quarter-worse", claims.OnlyUnder, claims.Contradicted},
		{"raf-near-one", claims.Reproduced, claims.Reproduced},
		{"retries-rank-last", claims.NotRun, claims.NotRun},
		{"nine-times", claims.Contradicted, claims.Contradicted},
	} {
		if got := asPrinted[c.id].Verdict; got != c.printed {
			t.Errorf("%s as printed: %q, want %q", c.id, got, c.printed)
		}
		if got := moved[c.id].Verdict; got != c.moved {
			t.Errorf("%s with SR 20 points higher in S3: %q, want %q", c.id, got, c.moved)
		}
	}
}

// Requests that fall by a quarter too make the claim hold by both ways of counting.
func TestQuarterWorseCanHold(t *testing.T) {
	dir := made(t, func(strategy, scenario string) float64 {
		if strategy == "SR" && scenario == "S3" {
			return 41.55*1/1.34 - 41.5 // per arrival 41.55%, which is 25% below 55.4%
		}
		return 0
	})
	c := judge(t, dir)["quarter-worse"]
	if c.Verdict != claims.Contradicted || *c.Numbers[1].Estimate < 24.9 || *c.Numbers[1].Estimate > 25.1 {
		t.Errorf("25%% per arrival but not per attempt: %q, %v", c.Verdict, c.Numbers)
	}
}

func TestLedgerOfAPartialRun(t *testing.T) {
	e, err := claims.Load(made(t, func(string, string) float64 { return 0 }))
	if err != nil {
		t.Fatal(err)
	}
	list := claims.Judge(e)
	if claims.Complete(list) || !strings.Contains(claims.Totals(list), "not run") {
		t.Errorf("a run without the other models is complete: %s", claims.Totals(list))
	}
	text := string(claims.Markdown(list, "Quick run."))
	if !strings.Contains(text, "**Quick run.**") || !strings.Contains(text, "## raf-bound\n") {
		t.Error("the page lacks its notice or a claim")
	}
	html, err := claims.HTML(list)
	if err != nil || !strings.Contains(html, `id="claim-raf-bound"`) {
		t.Errorf("no claim in the section: %v", err)
	}
}

func TestHarmMap(t *testing.T) {
	const header = "retries_at,workers,abandoned,room,timeout_s,utilization,p,difference_during,difference_during_lo,difference_during_hi," +
		"difference_after,difference_after_lo,difference_after_hi,collapsed_nr,collapsed_sr,staying_down_sr\n"
	harmed := "hops,held,goes_on,1000,0,0.7,0.5,-0.2,-0.3,-0.1,0,0,0,0,1,0\n"
	gained := "hops,held,goes_on,1000,0,0.3,0.5,0.2,0.1,0.3,0,0,0,0,0,0\n"
	undecided := "client,released,goes_on,100,0.5,0.5,0.5,-0.02,-0.035,-0.004,0,,,0,0,0\n"
	dir := made(t, func(string, string) float64 { return 0 })
	path := filepath.Join(filepath.Dir(dir), "sweeps", "harm-map", "tables", "harm-map.csv")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(header + harmed + gained + undecided)
	e, err := claims.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	groups := e.HarmGroups()
	if len(groups) != 2 || groups[0].Cells != 2 || groups[0].Harmed != 1 || groups[0].Safe || groups[1].Cells != 1 || groups[1].Harmed != 0 || !groups[1].Safe {
		t.Errorf("groups %+v", groups)
	}
	if s := claims.SplitHarm(groups); !s.Holds() || s.Safe.Cells != 1 || s.Risky.Cells != 2 || s.Risky.Harmed != 1 || s.Saturated.Cells != 0 {
		t.Errorf("split %+v", s)
	}
	if rule := claims.HarmRule(groups); !strings.Contains(rule, "in 0 of 1 cells") || !strings.Contains(rule, "no timeouts, 1 of 2") {
		t.Errorf("rule %q", rule)
	}
	for _, bad := range []string{"", "a,b\n1,2\n", header + strings.Replace(harmed, "0.7", "x", 1)} {
		put(bad)
		if _, err := claims.Load(dir); err == nil || !strings.Contains(err.Error(), "harm-map.csv") {
			t.Errorf("map %q: %v", bad, err)
		}
	}
}
