package report_test

import (
	"path/filepath"
	"strings"
	"testing"

	"retrylab/results"
)

// published is the project's own results. That they follow from their rows is a test of the command verify.
const published = "../results/paper"

// The two causes of the paper's headline, each by itself: per request retries change nothing at 125% load and help at 50%; per
// attempt they look bad at either.
func TestCausesApart(t *testing.T) {
	records := readCSV(t, published, filepath.Join("tables", "causes.csv"))
	column := columns(records)
	for _, scenario := range []string{"S1", "S2", "S3"} {
		for workers, load := range map[string]string{"10": "125%", "25": "50%"} {
			r := row(t, records, workers, load, "SR − NR", scenario)
			if high := number(t, r[column["attempt_hi_pp"]]); high > -5 {
				t.Errorf("%s workers, %s: per attempt up to %v points, want below -5", workers, scenario, high)
			}
			low, high := number(t, r[column["request_lo_pp"]]), number(t, r[column["request_hi_pp"]])
			if workers == "10" && (low < -0.01 || high > 0.25) {
				t.Errorf("10 workers, %s: per request [%v, %v] points, want 0 to 0.2", scenario, low, high)
			}
			if workers == "25" && low < 5 {
				t.Errorf("25 workers, %s: per request from %v points, want above 5", scenario, low)
			}
		}
	}
}

// A released and a held worker make opposite rankings of the same system; the breaker that stops traffic is far below both.
func TestModelsSideBySide(t *testing.T) {
	records := readCSV(t, published, filepath.Join("tables", "models.csv"))
	if want := 6*3*4 + 1; len(records) != want {
		t.Fatalf("%d lines, want %d", len(records), want)
	}
	column := columns(records)
	gain := func(model, scenario, strategy string) (low, high float64) {
		r := row(t, records, model, scenario, "", strategy)
		return number(t, r[column["gain_lo_pp"]]), number(t, r[column["gain_hi_pp"]])
	}
	for _, scenario := range []string{"S1", "S2", "S3"} {
		if low, _ := gain("text-released", scenario, "SR"); low < 15 {
			t.Errorf("released, %s: retries gain from %v points, want above 15", scenario, low)
		}
		for _, model := range []string{"text-held", "reference-hop"} {
			if _, high := gain(model, scenario, "SR"); high >= 0 {
				t.Errorf("%s, %s: retries gain up to %v points, want a loss", model, scenario, high)
			}
		}
		if _, high := gain("text-released", scenario, "CB"); high > -20 {
			t.Errorf("text-released, %s: a breaker that stops traffic gains up to %v points, want below -20", scenario, high)
		}
	}
}

// A row of the tables of models says of how many trials its services and edges are recorded, which are fewer than all: what it has
// from these rows is a mean over so many.
func TestDetailedTrialsAreCounted(t *testing.T) {
	edges, err := results.Read[results.Edge](filepath.Join(published, "data", "edges.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]int{} // by model, scenario and strategy
	for i := range edges {
		if e := &edges[i]; strings.Count(e.Cell, "/") == 2 {
			key := e.Experiment + " " + e.Scenario + " " + e.Strategy
			recorded[key] = max(recorded[key], int(e.Trial)+1)
		}
	}
	for _, table := range []string{"models", "arb-lens"} {
		records := readCSV(t, published, filepath.Join("tables", table+".csv"))
		column := columns(records)
		for _, strategy := range []string{"SR", "CB", "ARB"} {
			for model, own := range map[string]string{"reference": strategy, "text-released": strategy + "-text"} {
				begin := []string{model, "S1", strategy}
				if table == "models" {
					begin = []string{model, "S1", "", strategy}
				}
				r := row(t, records, begin...)
				want := recorded[model+" S1 "+own]
				if got := number(t, r[column["detailed_trials"]]); want == 0 || int(got) != want {
					t.Errorf("%s, %v: %v detailed trials, the rows have %d", table, begin, got, want)
				}
			}
		}
	}
}

// columns maps the names of a table's columns to their places.
func columns(records [][]string) map[string]int {
	column := map[string]int{}
	for i, name := range records[0] {
		column[name] = i
	}
	return column
}

// ARB under the lens: it retries few of the failures and never hears a signal; a static budget keeps its own bound.
func TestLens(t *testing.T) {
	records := readCSV(t, published, filepath.Join("tables", "arb-lens.csv"))
	at := columns(records)
	seen := 0
	for _, r := range records[1:] {
		retried, signalled := number(t, r[at["retried_pct"]]), number(t, r[at["signalled_pct"]])
		switch r[at["strategy"]] {
		case "ARB", "ARB, signal by all hops":
			seen++
			if retried > 10 || signalled != 0 || r[at["dead_zone_pct"]] == "" && r[at["strategy"]] == "ARB" {
				t.Errorf("%v: %v%% retried, %v%% signalled, want few and none, and a dead zone", r[:3], retried, signalled)
			}
		case "static budget 10%":
			seen++
			if raf := number(t, r[at["raf_client"]]); r[0] == "reference" && raf > 1.1 {
				t.Errorf("%v: RAF %v under a budget of 10%%", r[:3], raf)
			}
		case "SR":
			if retried < 30 {
				t.Errorf("%v: plain retries retry %v%% of failures", r[:3], retried)
			}
		}
	}
	if seen != 15 { // 2 models and 3 scenarios of ARB and of the budget, 3 of ARB with relayed signals
		t.Errorf("%d rows of ARB and budgets, want 15", seen)
	}
}

// Table V has no blank: both static budgets are there and within their bounds.
func TestTable5OfThePublishedRows(t *testing.T) {
	records := readCSV(t, published, filepath.Join("tables", "table5.csv"))
	at := columns(records)
	for name, most := range map[string]float64{"Mesh budget, 10% of calls": 1.1, "Mesh budget, 20% of calls": 1.2} {
		if raf := number(t, row(t, records, name)[at["s3_raf"]]); raf <= 1.01 || raf > most {
			t.Errorf("%s: RAF %v, want above 1 and at most %v", name, raf, most)
		}
	}
}
