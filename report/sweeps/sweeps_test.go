package sweeps

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"retrylab/results"
)

const published = "../../results/sweeps"

// rowsOf reads a published table: its columns by name, and its rows.
func rowsOf(t *testing.T, path string) (head map[string]int, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(published, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head = map[string]int{}
	for i, name := range all[0] {
		head[name] = i
	}
	return head, all[1:]
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Where capacity is not touched, the simulation agrees with the exact recursion.
func TestAmplificationAgreesWithTheExactRecursion(t *testing.T) {
	head, rows := rowsOf(t, "amplification/tables/amplification.csv")
	if len(rows) != 75 {
		t.Fatalf("%d cells", len(rows))
	}
	sum := 0.0
	for _, r := range rows {
		z := number(t, r[head["z"]])
		if math.Abs(z) > 4 {
			t.Errorf("%v: z = %v", r, z)
		}
		sum += z * z
	}
	if mean := sum / float64(len(rows)); mean > 1.8 {
		t.Errorf("the mean of z squared is %.2f: the errors are larger than their intervals say", mean)
	}
	// The paper's own example: three attempts on two calls, failures of one half at the last service alone.
	for _, r := range rows {
		if r[head["calls"]] == "2" && r[head["retries"]] == "2" && r[head["failures_at"]] == "last" && r[head["p"]] == "0.5" {
			if x := number(t, r[head["attempts_exact"]]); math.Abs(x-1.99609375) > 1e-9 {
				t.Errorf("the exact amplification is %v, want 1.99609375", x)
			}
		}
	}
}

// The map shows what it was made for: no harm without timeouts and held workers, harm by starvation with held workers,
// and systems that stay down where attempts time out before a full queue drains.
func TestHarmMapShowsItsRegions(t *testing.T) {
	head, rows := rowsOf(t, "harm-map/tables/harm-map.csv")
	if len(rows) != 3080 {
		t.Fatalf("%d cells", len(rows))
	}
	starved, down := 0, 0
	for _, r := range rows {
		at := func(name string) string { return r[head[name]] }
		u, timeout := number(t, at("utilization")), number(t, at("timeout_s"))
		hi := number(t, at("difference_during_hi"))
		if timeout == 0 && at("workers") == "released" && u < 1 && hi < 0 {
			t.Errorf("harm without timeouts and held workers: %v", r)
		}
		if timeout == 0 && at("workers") == "held" && at("retries_at") == "hops" && hi < -0.005 {
			starved++
		}
		if timeout > 0 && timeout <= number(t, at("room"))/1000 && u < 1 && number(t, at("staying_down_sr")) == 1 && number(t, at("collapsed_nr")) == 0 {
			down++
			if number(t, at("difference_after_hi")) > -0.4 {
				t.Errorf("stays down and loses little: %v", r)
			}
		}
	}
	if starved < 30 || down < 200 {
		t.Errorf("%d starved cells and %d that stay down, expected at least 30 and 200", starved, down)
	}
	// Two of the figures that an independent program gave: with hop-level retries, held workers and no timeout, harm
	// begins at a utilization of about .55 with p = .5 at the third tier.
	head, rows = rowsOf(t, "harm-map/tables/boundary.csv")
	for _, r := range rows {
		at := func(name string) string { return r[head[name]] }
		if at("retries_at") == "hops" && at("workers") == "held" && at("timeout_s") == "0" && at("room") == "1000" && at("p") == "0.5" {
			if x := number(t, at("utilization_during")); x < 0.4 || x > 0.65 {
				t.Errorf("harm begins at %v, expected about .55", x)
			}
		}
	}
}

// Full jitter over 1 s spreads 1000 retries over 100 windows: the largest is about 19; without jitter it is 1000.
func TestJitterPeaks(t *testing.T) {
	head, rows := rowsOf(t, "jitter/tables/jitter.csv")
	for _, r := range rows {
		peak := number(t, r[head["peak"]])
		switch r[head["jitter"]] {
		case "none":
			if peak != 1000 {
				t.Errorf("without jitter the peak is %v", peak)
			}
		case "full":
			if peak < 17.5 || peak > 20 {
				t.Errorf("with full jitter the peak is %v, want about 18.8", peak)
			}
		}
	}
}

// Every figure says what it shows to those who do not see it, and every sweep has a finding of two lines.
func TestReportsAreComplete(t *testing.T) {
	for name := range own {
		dir := filepath.Join(published, strings.ReplaceAll(name, "_", "-"))
		m, err := results.ReadManifest(dir)
		if err != nil {
			t.Error(err)
			continue
		}
		doc, err := compose(dir, m)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(doc.Summary) != 2 || len(doc.Figures) == 0 {
			t.Errorf("%s: %d findings and %d figures", name, len(doc.Summary), len(doc.Figures))
		}
		for _, f := range doc.Figures {
			if f.Alt == "" || f.Caption == "" || len(f.Data().Rows) == 0 {
				t.Errorf("%s: figure %s lacks its description, caption or data", name, f.Name)
			}
		}
	}
}
