package claims_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"retrylab/report/claims"
	"retrylab/report/measure"
)

var update = flag.Bool("update", false, "rewrite testdata/verdicts.txt")

const published = "../../results/paper"

var evidence = sync.OnceValues(func() (*claims.Evidence, error) { return claims.Load(published) })

func load(t *testing.T) *claims.Evidence {
	t.Helper()
	e, err := evidence()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A verdict that changes is news: it fails here until the file says so too.
func TestVerdictsOfThePublishedRows(t *testing.T) {
	var got strings.Builder
	for _, c := range claims.Judge(load(t)) {
		fmt.Fprintf(&got, "%s: %s\n", c.ID, c.Full())
		if c.Verdict == claims.NotRun {
			t.Errorf("%s: the published rows do not hold its cells", c.ID)
		}
		if c.Rule == "" || c.Reason == "" || c.Section == "" || len(c.Numbers) == 0 || len(c.See) == 0 {
			t.Errorf("%s: a claim needs a section, a rule, a reason, numbers, and a table or figure", c.ID)
		}
	}
	const path = "testdata/verdicts.txt"
	if *update {
		if err := os.WriteFile(path, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("verdicts have changed (rewrite with: go test ./report/claims -update); got\n%s\nwant\n%s", got.String(), want)
	}
}

// The published ledger and findings are what the published rows give, to the last number.
func TestPublishedFilesFollowFromTheRows(t *testing.T) {
	e := load(t)
	list := claims.Judge(e)
	findings, err := claims.Findings(e, list)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{
		"claims.json": claims.JSON(list), "claims.md": claims.Markdown(list, ""), "findings.md": findings, "headline.md": claims.Headline(e),
	} {
		got, err := os.ReadFile(filepath.Join(published, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the rows give; run: bin/retrylab report results/paper", name)
		}
	}
}

// What independent implementations of the same models gave, in percent.
func TestModelsGiveTheKnownNumbers(t *testing.T) {
	e := load(t)
	for _, c := range []struct {
		model, strategy string
		ratio           measure.Ratio
		want            [3]float64
		within          float64
	}{
		{"reference-25", "NR", measure.SuccessPerRequest, [3]float64{81.8, 77.8, 65.9}, 0.5},
		{"reference-25", "SR", measure.SuccessPerRequest, [3]float64{95.6, 90.6, 71.7}, 0.5},
		{"reference-25", "ARB", measure.SuccessPerRequest, [3]float64{82.7, 79.1, 66.0}, 0.5},
		{"reference-hop", "NR", measure.SuccessPerRequest, [3]float64{71.8, 65.7, 55.6}, 0.5},
		{"reference-hop", "SR", measure.SuccessPerRequest, [3]float64{54.7, 55.2, 53.1}, 0.5},
	} {
		for i, scenario := range claims.Scenarios {
			for _, m := range claims.Models {
				if m.Name != c.model {
					continue
				}
				got := e.Over(c.ratio, m.Key(c.strategy, scenario), 100)
				if !(math.Abs(got.Estimate-c.want[i]) <= c.within) || got.N != 100 {
					t.Errorf("%s, %s, %s: %v, want %v within %v over 100 trials", c.model, scenario, c.strategy, got, c.want[i], c.within)
				}
			}
		}
	}
}

// Without limits the simulator must give the exact recursion, at |z| < 4.
func TestSimulatedWithoutLimitsIsExact(t *testing.T) {
	e := load(t)
	for _, p := range claims.Predictions() {
		exact, _ := p.Exact()
		got := e.Simulated(p, p.Free())
		if z := (got.Estimate - exact) / (got.Half() / 2.06); !(math.Abs(z) < 4) { // 2.06: Student's t for 24 degrees of freedom
			t.Errorf("%s, p = %v: simulated %v, exact %v, z = %.1f", p.Scenario, p.P, got, exact, z)
		}
	}
}
