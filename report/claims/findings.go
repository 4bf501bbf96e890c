package claims

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"text/template"

	"retrylab/analysis"
	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/report/table"
)

//go:embed findings.md.tmpl
var findingsText string

// Complete says whether every claim was judged.
func Complete(list []Claim) bool { return Count(list, NotRun) == 0 }

// Findings is a short paper made from the rows; every number in it is computed. Links are relative to the folder of the report.
func Findings(e *Evidence, list []Claim) ([]byte, error) {
	t, err := template.New("findings").Funcs(e.functions(list)).Option("missingkey=error").Parse(findingsText)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := t.Execute(&out, struct{ Notice string }{e.Notice}); err != nil {
		return nil, fmt.Errorf("findings: %w", err)
	}
	return out.Bytes(), nil
}

// Headline is what the project's front page says of the results, in one paragraph.
func Headline(e *Evidence) []byte {
	gain := func(m, s string) string { return withEnds(e.GainPerArrival(model(m).Key("SR", s)).Interval, 2) }
	return []byte(fmt.Sprintf(`It reproduces %d of the 24 cells of Tables III and IV, and shows what they rest on. The authors' program offers its
entry service %.0f%% of what it can finish, not the 50%% that the text states, and divides by attempts, not by requests. Counted per arrival,
of all requests that arrive, retries change success there by %s percentage points in S3, where the paper says that they cost a
quarter; with an entry that really is half loaded, they gain %s, %s and %s points in S1, S2 and S3.
They do harm where workers are held through hop-level backoff (%s points in S1) and where attempt timeouts are
shorter than a full queue takes to drain.
`, e.cellsHeld(), e.entryLoad(reference.Key("NR", "S1"), "API"), gain("reference", "S3"), gain("reference-25", "S1"), gain("reference-25", "S2"), gain("reference-25", "S3"), gain("text-held", "S1")))
}

// cellsHeld is how many cells of Tables III and IV are reproduced.
func (e *Evidence) cellsHeld() int {
	held := 0
	for _, r := range append(successRulings(), rafRulings()...) {
		c := r.claim
		if c.Section != "VII-B, Table III" && c.Section != "VII-B, Table IV" {
			continue
		}
		r.judge(e, &c)
		if c.Verdict == Reproduced {
			held++
		}
	}
	return held
}

// worstCell is the largest distance of Table III's cells to the printed ones, in points.
func (e *Evidence) worstCell() float64 {
	worst := 0.0
	for _, strategy := range Strategies {
		for _, scenario := range Scenarios {
			printed, _ := facts.Paper().TableIII.Cell(strategy, scenario)
			worst = max(worst, math.Abs(e.Over(measure.SuccessPerAttempt, reference.Key(strategy, scenario), 100).Estimate-printed))
		}
	}
	return worst
}

// budgetGain is the paired gain per arrival of a static budget over no retries.
func (e *Evidence) budgetGain(m string, percent int, scenario string) analysis.Interval {
	return e.GainPerArrival(BudgetKey(m, percent, scenario)).Interval
}

func (e *Evidence) simulatedText(steady string, k Key) string {
	return withEnds(e.Simulated(predicted(steady), k), 2)
}

// predicted is the prediction of a steady scenario.
func predicted(steady string) Prediction {
	for _, p := range Predictions() {
		if p.Steady == steady {
			return p
		}
	}
	panic("claims: no prediction " + steady)
}

// fixed prints an estimate with so many digits.
func fixed(i analysis.Interval, digits int) string { return table.Fixed(i.Estimate, digits) }

// withEnds prints an estimate with its interval, where it has one.
func withEnds(i analysis.Interval, digits int) string {
	text := table.Fixed(i.Estimate, digits)
	if i.Low == i.High {
		return text
	}
	return fmt.Sprintf("%s [%s, %s]", text, table.Fixed(i.Low, digits), table.Fixed(i.High, digits))
}
