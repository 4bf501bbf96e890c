package study_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"retrylab/study"
	"retrylab/study/finding"
)

// paperAudit holds the paper's counts.
var paperAudit = study.Audit{Detected: 23, Repositories: 200, Missed: 10, Searched: 30}

func TestPaperPrevalence(t *testing.T) {
	if got := paperAudit.Prevalence().String(); got != "41.0% (28.5-56.8)" {
		t.Errorf("prevalence %s, want 41.0%% (28.5-56.8)", got)
	}
	if got := study.Wilson(23, 200).String(); got != "11.5% (7.8-16.7)" {
		t.Errorf("detection rate %s", got)
	}
	if got := study.Wilson(10, 30).String(); got != "33.3% (19.2-51.2)" {
		t.Errorf("false-negative rate %s", got)
	}
	full := paperAudit.PrevalenceFull(20000, 1)
	plain := paperAudit.Prevalence()
	if full.Share != plain.Share || full.High-full.Low <= (plain.High-plain.Low)*0.95 {
		t.Errorf("carrying every uncertainty gives %v, narrower than %v", full, plain)
	}
	if again := paperAudit.PrevalenceFull(20000, 1); again != full {
		t.Error("the same seed gives another interval")
	}
	less := paperAudit
	less.TruePositives, less.Checked = 15, 30
	if got := less.PrevalenceFull(20000, 1); got.Share >= full.Share {
		t.Errorf("false alarms must lower the prevalence: %v", got)
	}
}

// The prevalence with all three samples drawn anew: repositories, silent files searched, findings checked.
func TestPrevalenceFullCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	count := func(of int, p float64) (n int) {
		for range of {
			if rng.Float64() < p {
				n++
			}
		}
		return n
	}
	const trials, detected, missed, precise = 2000, 0.3, 0.1, 0.85
	truth := detected*precise + (1-detected)*missed
	covered := 0
	for k := range trials {
		a := study.Audit{Repositories: 190, Searched: 60, Checked: 60}
		a.Detected, a.Missed, a.TruePositives = count(a.Repositories, detected), count(a.Searched, missed), count(a.Checked, precise)
		if i := a.PrevalenceFull(400, uint64(k)); i.Low <= truth && truth <= i.High {
			covered++
		}
	}
	if got := float64(covered) / trials; got < 0.92 || got > 0.97 {
		t.Errorf("covers %.1f%%", 100*got)
	}
}

func TestWilsonEdges(t *testing.T) {
	if w := study.Wilson(0, 10); w.Low != 0 || w.High < 0.2 || w.High > 0.4 {
		t.Errorf("0 of 10: %v", w)
	}
	if w := study.Wilson(10, 10); math.Abs(w.High-1) > 1e-12 || w.Low < 0.6 {
		t.Errorf("10 of 10: %v", w)
	}
	if study.Wilson(0, 0).String() != "no data" {
		t.Error("0 of 0 has no share")
	}
}

// The interval over clusters must cover a known share about 95% of the time
// where Wilson's, which takes cases as independent, does not.
func TestClusterIntervalCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const trials, share = 2000, 0.3
	cluster, wilson := 0, 0
	for range trials {
		var list []study.Cluster
		hit, of := 0, 0
		for range 40 {
			// Each repository has its own rate: a mixture with mean 0.3.
			p := 0.1
			if rng.Float64() < 0.25 {
				p = 0.9
			}
			c := study.Cluster{Of: 5 + rng.IntN(11)}
			for range c.Of {
				if rng.Float64() < p {
					c.Hit++
				}
			}
			hit, of = hit+c.Hit, of+c.Of
			list = append(list, c)
		}
		if i := study.ClusterInterval(list); i.Low <= share && share <= i.High {
			cluster++
		}
		if i := study.Wilson(hit, of); i.Low <= share && share <= i.High {
			wilson++
		}
	}
	if got := float64(cluster) / trials; got < 0.92 || got > 0.97 {
		t.Errorf("covers %.1f%%", 100*got)
	}
	if wilson > trials*8/10 {
		t.Errorf("Wilson covers %d of %d: the test has no clusters to speak of", wilson, trials)
	}
}

func TestClusterIntervalEdges(t *testing.T) {
	if i := study.ClusterInterval([]study.Cluster{{3, 3}, {5, 5}}); i.Share != 1 || i.High < 1-1e-9 || i.Low > 0.8 {
		t.Errorf("all of all: %v", i)
	}
	if i := study.ClusterInterval(nil); !math.IsNaN(i.Share) {
		t.Errorf("nothing: %v", i)
	}
	if got := study.TopShare([]study.Cluster{{0, 23}, {0, 17}, {0, 10}, {0, 63}}, 1); math.Abs(got-63.0/113) > 1e-12 {
		t.Errorf("top share %v", got)
	}
}

// paperRows makes 162 detections with the paper's flaws: 41 in non-production
// paths, 8 within ten lines of another.
func paperDetections() (rows []study.FindingRow) {
	add := func(path string, line int, prod bool) {
		rows = append(rows, study.FindingRow{Repo: "o/r", Path: path, Line: int64(line), SpanEnd: int64(line), Production: prod,
			Scope: finding.ScopeRemote, Confidence: finding.High, Mechanism: finding.MechLibrary, AttemptsTotal: 3})
	}
	for i := range 41 {
		add("docs/x.py", 100*(i+1), false)
	}
	for i := range 113 {
		add(fmt.Sprintf("p%d.py", i), 50, true)
		if i < 8 {
			add(fmt.Sprintf("p%d.py", i), 58, true)
		}
	}
	return rows
}

func TestPaperFlow(t *testing.T) {
	c := study.Clean(paperDetections(), study.CleanOptions{TenLines: true})
	want := "[{detections 0 162} {non-production paths 41 121} {within ten lines 8 113} {switched off 0 113} {local resources 0 113} {low confidence 0 113}]"
	if fmt.Sprint(c.Flow) != want || len(c.Kept) != 113 {
		t.Errorf("flow %v", c.Flow)
	}
	// Two library calls eight lines apart are two configurations by our rule.
	if ours := study.Clean(paperDetections(), study.CleanOptions{}); len(ours.Kept) != 121 {
		t.Errorf("by construct %d are kept, want 121", len(ours.Kept))
	}
}

func TestCleanByConstruct(t *testing.T) {
	row := func(line, end int64, mech string, n int64) study.FindingRow {
		return study.FindingRow{Path: "a.py", Line: line, SpanEnd: end, Mechanism: mech, AttemptsTotal: n, Production: true, Confidence: "high", Scope: "remote", Form: "loop"}
	}
	for _, c := range []struct {
		name string
		rows []study.FindingRow
		want int
	}{
		{"same line", []study.FindingRow{row(5, 5, "library call", 3), row(5, 9, "decorator", 4)}, 1},
		{"loop around the library call it stands for", []study.FindingRow{row(5, 20, finding.MechHandRolled, 3), row(8, 8, "library call", 3)}, 1},
		{"retry inside a retry", []study.FindingRow{row(5, 20, finding.MechHandRolled, 3), row(8, 8, "library call", 5)}, 2},
		{"neighbours", []study.FindingRow{row(5, 7, finding.MechHandRolled, 3), row(9, 11, finding.MechHandRolled, 3)}, 2},
		{"two readings of one loop", []study.FindingRow{row(5, 20, finding.MechHandRolled, 3), row(7, 18, finding.MechHandRolled, 3)}, 1},
	} {
		if got := study.Clean(c.rows, study.CleanOptions{}).Kept; len(got) != c.want {
			t.Errorf("%s: %d kept, want %d", c.name, len(got), c.want)
		}
	}
	off := row(5, 5, "library call", 1)
	off.Disabled = true
	local := row(50, 50, "library call", 3)
	local.Scope = finding.ScopeLocal
	c := study.Clean([]study.FindingRow{off, local}, study.CleanOptions{})
	if len(c.Kept) != 0 || len(c.Disabled) != 1 {
		t.Errorf("kept %v, set apart %v", c.Kept, c.Disabled)
	}
}
