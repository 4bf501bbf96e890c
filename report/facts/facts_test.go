package facts_test

import (
	"math"
	"testing"

	"retrylab/report/facts"
)

var (
	strategies = []string{"NR", "SR", "CB", "ARB"}
	scenarios  = []string{"S1", "S2", "S3"}
)

// The printed tables are the authors' run, rounded: a slip in either file shows.
func TestPaperIsTheAuthorsRunRounded(t *testing.T) {
	for _, strategy := range strategies {
		for _, scenario := range scenarios {
			ours, ok := facts.Authors(strategy, scenario)
			if !ok {
				t.Fatalf("no result of the authors for %s %s", strategy, scenario)
			}
			success, ok := facts.Paper().TableIII.Cell(strategy, scenario)
			if !ok || math.Abs(success-ours.SuccessPct) > 0.0501 {
				t.Errorf("%s %s: the paper prints %v, the authors' run gave %v", strategy, scenario, success, ours.SuccessPct)
			}
			raf, ok := facts.Paper().TableIV.Cell(strategy, scenario)
			if !ok || math.Abs(raf-ours.RAF) > 0.00501 {
				t.Errorf("%s %s: the paper prints RAF %v, the authors' run gave %v", strategy, scenario, raf, ours.RAF)
			}
		}
	}
}

// Shares follow from their counts, and the counts of each question add up.
func TestSharesFollowFromCounts(t *testing.T) {
	study := facts.Paper().TableI
	counts := append([]facts.Count{study.DetectionRate, study.Precision, study.FalseNegatives}, study.Rows...)
	for _, c := range append(counts, facts.Paper().AntiPatterns...) {
		if got := 100 * float64(c.Count) / float64(c.Of); math.Abs(got-c.Share) > 0.0501 {
			t.Errorf("%s%s: %d/%d is %.2f%%, not %v%%", c.Row, c.Name, c.Count, c.Of, got, c.Share)
		}
	}
	if retries := study.Rows[0].Count + study.Rows[1].Count + study.Rows[2].Count; retries != 73 {
		t.Errorf("retry counts add up to %d, want 73", retries)
	}
	if backoff := study.Rows[3].Count + study.Rows[4].Count + study.Rows[5].Count; backoff != study.Configurations {
		t.Errorf("backoff kinds add up to %d, want %d", backoff, study.Configurations)
	}
	if left := study.RawDetections - study.NonProduction - study.Duplicates; left != study.Configurations {
		t.Errorf("cleaning leaves %d, want %d", left, study.Configurations)
	}
}

func TestUnknownCell(t *testing.T) {
	if _, ok := facts.Authors("NR", "S4"); ok {
		t.Error("the authors have no scenario S4")
	}
	if _, ok := facts.Paper().TableIII.Cell("XX", "S1"); ok {
		t.Error("the paper has no strategy XX")
	}
}
