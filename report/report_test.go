package report_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"retrylab/report"
	"retrylab/report/facts"
)

// written makes a report of the run and returns its folder.
func written(t *testing.T, r *run, opts report.Options) string {
	t.Helper()
	dir := r.write(t)
	if err := report.Write(dir, opts); err != nil {
		t.Fatal(err)
	}
	return dir
}

func readCSV(t *testing.T, dir, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// row finds the record that begins with the given fields.
func row(t *testing.T, records [][]string, begin ...string) []string {
	t.Helper()
	for _, record := range records[1:] {
		if slices.Equal(record[:len(begin)], begin) {
			return record
		}
	}
	t.Fatalf("no row %v", begin)
	return nil
}

// tFor95 is Student's t for madeTrials-1 = 5 degrees of freedom, from printed tables.
const tFor95 = 2.5706

func TestTable3(t *testing.T) {
	records := readCSV(t, reference(t), "tables/table3.csv")
	const header = "strategy,scenario,success_attempt_pct,lo_pct,hi_pct,paper_pct,authors_pct,difference_pp,success_request_pct,success_request_lo_pct,success_request_hi_pct"
	if got := strings.Join(records[0], ","); got != header {
		t.Errorf("header %s", got)
	}
	if len(records) != 13 || records[1][0] != "NR" || records[2][1] != "S2" || records[12][0] != "ARB" {
		t.Errorf("want NR, SR, CB, ARB by S1, S2, S3, got %v", records[1:])
	}
	authors, _ := facts.Authors("SR", "S3")
	got := row(t, records, "SR", "S3")
	ended := math.Round(authors.RAF * 10000)
	succeeded := math.Round(authors.SuccessPct / 100 * ended)
	// The trials' successes lie 10 below and 10 above in equal numbers: sd = 10 sqrt(6/5).
	half := tFor95 * 10 * math.Sqrt(6.0/5) / math.Sqrt(madeTrials)
	want := []float64{
		100 * succeeded / ended, 100 * (succeeded - half) / ended, 100 * (succeeded + half) / ended, 41.5, authors.SuccessPct,
		100*succeeded/ended - authors.SuccessPct, succeeded / 100, (succeeded - half) / 100, (succeeded + half) / 100,
	}
	for i, w := range want {
		if math.Abs(number(t, got[2+i])-w) > 1e-4 {
			t.Errorf("%s is %s, want %.5f", records[0][2+i], got[2+i], w)
		}
	}
}

func TestTable3PrintsArrivalsToo(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(reference(t), "tables", "table3.md"))
	if err != nil {
		t.Fatal(err)
	}
	// 10000 of 12500 arrivals ended; NR S1: 7169 of them succeeded.
	if !strings.Contains(string(text), "| NR | S1 | 71.69 [") || !strings.Contains(string(text), "| 57.35 [") {
		t.Errorf("no success per arrival in\n%s", text)
	}
	if want := "n = 6 trials per cell; seed 7; experiment reference."; !strings.Contains(string(text), want) {
		t.Errorf("no %q in\n%s", want, text)
	}
}

func TestTable4(t *testing.T) {
	records := readCSV(t, reference(t), "tables/table4.csv")
	if got := strings.Join(records[0], ","); got != "strategy,scenario,raf,lo,hi,paper,authors,difference" {
		t.Errorf("header %s", got)
	}
	got := row(t, records, "SR", "S1")
	if want := "SR,S1,1.1757,1.1757,1.1757,1.18,1.1757,0"; strings.Join(got, ",") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestTable1RecomputesThePaper(t *testing.T) {
	records := readCSV(t, reference(t), "tables/table1.csv")
	// From the paper: 11.5% +-4.4 (half the Wilson width), false negatives 33.3% (19.2 to 51.2).
	detected := row(t, records, "Repositories with retry logic detected")
	if half := (number(t, detected[5]) - number(t, detected[4])) / 2; math.Abs(half-4.4) > 0.05 {
		t.Errorf("half-width of the detection rate is %.3f, the paper prints 4.4", half)
	}
	missed := row(t, records, "False negatives among undetected")
	if lo, hi := number(t, missed[4]), number(t, missed[5]); math.Abs(lo-19.2) > 0.05 || math.Abs(hi-51.2) > 0.05 {
		t.Errorf("false negatives %.2f to %.2f, the paper prints 19.2 to 51.2", lo, hi)
	}
	if last := records[len(records)-1]; last[1] != "23" || last[3] != "100" {
		t.Errorf("last row %v", last)
	}
}

func TestTable2(t *testing.T) {
	records := readCSV(t, reference(t), "tables/table2.csv")
	s1, s2 := row(t, records, "S1"), row(t, records, "S2")
	// Leaf-like S1: three tiers of callers retry what tier 3 fails: (1-p^16)/(1-p) with 4 attempts on 2 edges.
	if got, want := number(t, s1[6]), (1-math.Pow(0.5, 16))/0.5; math.Abs(got-want) > 1e-9 {
		t.Errorf("exact RAF of S1 is %v, want %v", got, want)
	}
	if number(t, s1[4]) != 1.875 || math.Abs(number(t, s2[5])-2.533*2.533) > 1e-3 {
		t.Errorf("eq. 2 and 3 give %s and %s", s1[4], s2[5])
	}
}

func TestTable5(t *testing.T) {
	records := readCSV(t, reference(t), "tables/table5.csv")
	if mesh := row(t, records, "Mesh budget (Envoy, Linkerd)"); mesh[4] != "" || mesh[5] != "" {
		t.Errorf("nobody measured mesh budgets: %v", mesh)
	}
	if arb := row(t, records, "ARB (this work)"); arb[4] != "1.01" || arb[5] != "1.0088" {
		t.Errorf("got %v", arb)
	}
}

func TestTableOfAllCells(t *testing.T) {
	records := readCSV(t, written(t, makeRun("mine"), report.Options{}), "tables/cells.csv")
	got := map[string]string{}
	for i, name := range records[0] {
		got[name] = row(t, records, "mine", "reference", "CB", "S2")[i]
	}
	for name, want := range map[string]string{"trials": "6", "latency_ms_p50": "2000", "wasted_pct": "25", "recovered_pct": "83.33333333"} {
		if got[name] != want {
			t.Errorf("%s is %s, want %s", name, got[name], want)
		}
	}
}

// A user's own run is not set against the paper, but gets its cells and its figures.
func TestOtherExperiments(t *testing.T) {
	dir := written(t, makeRun("mine"), report.Options{})
	for name, want := range map[string]bool{
		"tables/table3.csv": false, "tables/table4.csv": false, "tables/table5.csv": false, "figures/success.svg": false,
		"tables/table1.csv": false, "figures/raf-against-p.svg": false, "tables/cells.tex": true, "figures/load-over-time.svg": true, "figures/utilization.csv": true,
	} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

func TestMissingCellsAreSaid(t *testing.T) {
	r := makeRun("reference")
	r.cells = slices.DeleteFunc(r.cells, func(c cell) bool { return c.Strategy == "CB" })
	r.trials = slices.DeleteFunc(r.trials, func(tr trial) bool { return tr.Strategy == "CB" })
	dir := written(t, r, report.Options{})
	if got := row(t, readCSV(t, dir, "tables/table3.csv"), "CB", "S1"); strings.Join(got, ",") != "CB,S1,,,,71.4,71.37,,,," {
		t.Errorf("got %v", got)
	}
	text, err := os.ReadFile(filepath.Join(dir, "tables", "table3.md"))
	if err != nil || !strings.Contains(string(text), "| CB | S1 | — (a) |") || !strings.Contains(string(text), "(a) No data.") {
		t.Errorf("no footnote (%v) in\n%s", err, text)
	}
}

// The cells of a sweep differ in more than strategy and scenario: no table can show them as if they did not.
func TestAmbiguousCells(t *testing.T) {
	r := makeRun("reference")
	twin := r.cells[0]
	twin.Cell = "twin"
	r.cells = append(r.cells, twin)
	err := report.Write(r.write(t), report.Options{})
	if err == nil || !strings.Contains(err.Error(), "twin") || !strings.Contains(err.Error(), r.cells[0].Cell) {
		t.Errorf("want an error that names both cells, got %v", err)
	}
}

// A changed reference model must not be set against the paper's numbers.
func TestFactorsAreAnotherExperiment(t *testing.T) {
	r := makeRun("reference")
	for i := range r.cells {
		r.cells[i].Factors = "services.0.servers=25"
	}
	dir := written(t, r, report.Options{})
	if _, err := os.Stat(filepath.Join(dir, "tables", "table3.csv")); err == nil {
		t.Error("Table III was made of a changed model")
	}
	if text := page(t, dir); !strings.Contains(text, "n = 6 trials per cell, experiment reference with services.0.servers=25.") {
		t.Error("the page does not say which factors its figures show")
	}
}

// Both the unchanged model and a variant of it: the unchanged one is shown, whatever the order.
func TestUnchangedModelComesFirst(t *testing.T) {
	r, variant := makeRun("reference"), makeRun("reference")
	for i := range variant.cells {
		variant.cells[i].Factors, variant.cells[i].Cell = "x=1", variant.cells[i].Cell+"-x"
	}
	for i := range variant.trials {
		variant.trials[i].Cell += "-x"
		variant.trials[i].AttemptsSucceeded = 0
	}
	r.cells, r.trials = append(variant.cells, r.cells...), append(variant.trials, r.trials...)
	dir := written(t, r, report.Options{})
	if got := row(t, readCSV(t, dir, "tables/table3.csv"), "NR", "S1"); got[2] != "71.69" {
		t.Errorf("success is %s, want 71.69", got[2])
	}
	if cells := readCSV(t, dir, "tables/cells.csv"); len(cells) != 25 {
		t.Errorf("%d lines in the table of all cells, want 25", len(cells))
	}
}

func TestEqualRowsGiveEqualBytes(t *testing.T) {
	a, b := reference(t), written(t, makeRun("reference"), report.Options{})
	files := 0
	err := filepath.WalkDir(a, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		name, _ := filepath.Rel(a, path)
		one, errOne := os.ReadFile(path)
		two, errTwo := os.ReadFile(filepath.Join(b, name))
		if errOne != nil || errTwo != nil || !bytes.Equal(one, two) {
			t.Errorf("%s differs (%v, %v)", name, errOne, errTwo)
		}
		return nil
	})
	if want := 3 + 6*3 + 7*4 + 2 + 1; err != nil || files != want {
		t.Errorf("%d files (%v), want %d", files, err, want)
	}
}

func TestNoticeIsOnEveryTable(t *testing.T) {
	const notice = "QUICK run, 6 trials."
	dir := written(t, makeRun("reference"), report.Options{Notice: notice})
	for i := range 5 {
		for _, ext := range []string{"md", "tex"} {
			text, err := os.ReadFile(filepath.Join(dir, "tables", fmt.Sprintf("table%d.%s", i+1, ext)))
			if err != nil || !bytes.Contains(text, []byte(notice)) {
				t.Errorf("table%d.%s has no notice (%v)", i+1, ext, err)
			}
		}
	}
}

func TestBrokenRowsAreNamed(t *testing.T) {
	dir := makeRun("reference").write(t)
	path := filepath.Join(dir, "data", "windows.parquet")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if err := report.Write(dir, report.Options{}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("want an error that names %s, got %v", path, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "report.html")); err == nil {
		t.Error("a report was written from broken rows")
	}
}

func TestWithoutWindows(t *testing.T) {
	dir := makeRun("reference").write(t)
	if err := os.Remove(filepath.Join(dir, "data", "windows.parquet")); err != nil {
		t.Fatal(err)
	}
	if err := report.Write(dir, report.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "figures", "raf.svg")); err != nil {
		t.Error(err)
	}
}
