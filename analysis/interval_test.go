package analysis_test

import (
	"encoding/json"
	"math"
	"testing"

	"retrylab/analysis"
)

func TestIntervalQuestions(t *testing.T) {
	i := analysis.Interval{Estimate: 2, Low: 1, High: 4, Level: 0.95, Method: "by hand", N: 7}
	near(t, "half", i.Half(), 1.5, 0)
	for x, want := range map[float64]int{0.5: 1, 1: 0, 2: 0, 4: 0, 4.5: -1} {
		if got := i.Excludes(x); got != want {
			t.Errorf("Excludes(%v) = %d, want %d", x, got, want)
		}
		if i.Contains(x) != (want == 0) {
			t.Errorf("Contains(%v) disagrees with Excludes", x)
		}
	}
	scaled := i.Scale(100)
	if scaled.Estimate != 200 || scaled.Low != 100 || scaled.High != 400 || scaled.Level != 0.95 {
		t.Errorf("Scale(100) = %+v", scaled)
	}
	mustPanic(t, "a negative factor would swap the ends", func() { i.Scale(-1) })
	if got, want := i.String(), "2 [1, 4] (95%, by hand, n=7)"; got != want {
		t.Errorf("String: got %q, want %q", got, want)
	}
}

// A time that was not reached is infinite, which JSON cannot say.
func TestIntervalJSON(t *testing.T) {
	i := analysis.Interval{Estimate: math.Inf(1), Low: 3, High: math.NaN(), Level: 0.9, Method: "m", N: 2, Warnings: []string{"w"}}
	got, err := json.Marshal(i)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"estimate":null,"low":3,"high":null,"level":0.9,"method":"m","n":2,"warnings":["w"]}`
	if string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Copies of an interval must not share their warnings.
func TestWarningsAreNotShared(t *testing.T) {
	rule := analysis.StopRule{HalfWidth: 0.01, MinTrials: 2, MaxTrials: 3}
	original := analysis.Mean([]float64{1, 2, 3}, 0.95)
	before := len(original.Warnings)
	a, b := rule.Mark(original), rule.Mark(original)
	a.Warnings[0] = "changed"
	if len(original.Warnings) != before || original.Warnings[0] == "changed" || b.Warnings[0] == "changed" {
		t.Errorf("warnings are shared: %q, %q", original.Warnings, b.Warnings)
	}
}
