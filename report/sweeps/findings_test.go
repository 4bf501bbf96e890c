package sweeps

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"retrylab/results"
)

// findingsOf are the two lines of a published sweep, after its rows were changed.
func findingsOf(t *testing.T, name string, change func(*results.Trial)) []string {
	t.Helper()
	dir := filepath.Join(published, strings.ReplaceAll(name, "_", "-"))
	d, err := loadCells(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	path, err := tablePath(dir, results.Trial{}.TableName())
	if err != nil {
		t.Fatal(err)
	}
	err = d.summarize(func(yield func(results.Batch[results.Trial], error) bool) {
		for b, err := range results.Batches[results.Trial](path) {
			for i := range b.Rows {
				change(&b.Rows[i])
			}
			if !yield(b, err) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &parts{}
	if err := own[name].make(d, p); err != nil {
		t.Fatal(err)
	}
	return p.findings
}

// A finding is computed: with other rows it says something else.
func TestFindingsFollowTheRows(t *testing.T) {
	changes := map[string]func(*results.Trial){
		"harm_map": func(r *results.Trial) {
			if r.Strategy != "NR" {
				r.SucceededDuring, r.SucceededAfter, r.Recovered = 0, 0, false
			}
		},
		"recovery": func(r *results.Trial) {
			if r.Strategy == "ARB" {
				r.SucceededAfter = r.RequestsAfter / 10
			}
		},
		"topology": func(r *results.Trial) {
			r.RequestsSucceeded /= 2
			if r.Strategy != "NR" {
				r.AttemptsAllServices *= 3
			}
		},
		"correlation": func(r *results.Trial) { r.SucceededDuring /= 2 },
	}
	for name, change := range changes {
		before, after := findingsOf(t, name, func(*results.Trial) {}), findingsOf(t, name, change)
		if len(before) != 2 || len(after) != 2 {
			t.Fatalf("%s: %q, %q", name, before, after)
		}
		for i := range before {
			if before[i] == after[i] {
				t.Errorf("%s: with other rows the finding is still %q", name, before[i])
			}
			if strings.Contains(before[i], "NaN") || strings.Contains(before[i], "Inf") {
				t.Errorf("%s: %q", name, before[i])
			}
		}
	}
}

// The findings whose rows are not trials say what their tables say.
func TestFindingsAgreeWithTheTables(t *testing.T) {
	head, rows := rowsOf(t, "jitter/tables/jitter.csv")
	text := strings.Join(findingsOf(t, "jitter", func(*results.Trial) {}), " ")
	lowest := math.Inf(1)
	for _, r := range rows {
		lowest = math.Min(lowest, number(t, r[head["peak"]]))
		if want := fmt.Sprintf("%s %.1f in %.2f s", r[head["jitter"]], number(t, r[head["peak"]]), number(t, r[head["spread_s"]])); !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if want := fmt.Sprintf(", %.1f.", lowest); !strings.Contains(text, want) {
		t.Errorf("the lowest peak %q is not in %q", want, text)
	}
	head, rows = rowsOf(t, "amplification/tables/amplification.csv")
	text = strings.Join(findingsOf(t, "amplification", func(*results.Trial) {}), " ")
	above, below := 0, 0
	for _, r := range rows {
		if ratio := number(t, r[head["raf_eq3"]]) / number(t, r[head["raf_exact"]]); r[head["calls"]] != "1" && ratio > 1.01 {
			above++
		} else if r[head["calls"]] != "1" && ratio < 0.99 {
			below++
		}
	}
	for _, want := range []string{fmt.Sprintf("too high in %d cells", above), fmt.Sprintf("too low in %d.", below), fmt.Sprintf("all %d cells", len(rows))} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}

// Where trials fall into two groups the page says so, and draws each trial.
func TestTwoGroupsAreFlaggedAndDrawn(t *testing.T) {
	dir := filepath.Join(published, "recovery")
	m, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := compose(dir, m)
	if err != nil {
		t.Fatal(err)
	}
	f := doc.Figures[len(doc.Figures)-1]
	if f.Name != "two-groups" || len(doc.Sections) != 1 || !strings.Contains(doc.Sections[0].HTML, "#figure-two-groups") {
		t.Fatalf("the last figure is %s; sections %v", f.Name, doc.Sections)
	}
	trials := f.Panels[0][0].Series[0]
	if cells := len(f.Panels[0][0].YTicks); cells < 3 || len(trials.Values) != 20*cells || !trials.Dots {
		t.Errorf("%d marks for %d cells", len(trials.Values), cells)
	}
	marked := 0
	for row := range doc.Tables[0].Rows {
		for _, c := range doc.Tables[0].Cells(row) {
			if c.Mark != "" {
				marked++
			}
		}
	}
	if marked < 2 {
		t.Errorf("%d means are marked in the table, want those of SR at least", marked)
	}
}

// What is said of two groups is true of none, of some and where there are too few trials.
func TestTwoGroupsInWords(t *testing.T) {
	for want, got := range map[string]string{
		"In none of 6 cells does the trials' success of all fall into two groups 5 points apart.": humpsText(0, 6, 0, "of all"),
		"6160 cells have fewer than 10 trials, too few to tell two groups.":                       humpsText(0, 0, 6160, "of all"),
		"In 5 of 8 cells the trials' success of all falls into two groups whose means are 5 points apart or more, so that the mean of all describes neither. 2 cells have fewer than 10 trials, too few to tell two groups.": humpsText(5, 8, 2, "of all"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
