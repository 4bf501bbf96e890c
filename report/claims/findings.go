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
`, e.cellsHeld(), e.EntryLoad(reference.Key("NR", "S1"), "API"), gain("reference", "S3"), gain("reference-25", "S1"), gain("reference-25", "S2"), gain("reference-25", "S3"), gain("text-held", "S1")))
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

// functions are what the text of the findings calls.
func (e *Evidence) functions(list []Claim) template.FuncMap {
	key := func(m, strategy, scenario string) Key { return model(m).Key(strategy, scenario) }
	return template.FuncMap{
		"totals": func() string { return Totals(list) },
		"verdict": func(id string) (string, error) {
			for _, c := range list {
				if c.ID == id {
					return c.Full(), nil
				}
			}
			return "", fmt.Errorf("no claim %s", id)
		},
		"success": func(m, strategy, scenario string) string {
			return fixed(e.Over(measure.SuccessPerArrival, key(m, strategy, scenario), 100), 1, false)
		},
		"attempts": func(m, strategy, scenario string) string {
			return fixed(e.Over(measure.SuccessPerAttempt, key(m, strategy, scenario), 100), 1, false)
		},
		"gain": func(m, strategy, scenario string) string {
			return withEnds(e.GainPerArrival(key(m, strategy, scenario)).Interval, 2)
		},
		"gainPerAttempt": func(m, strategy, scenario string) string {
			return withEnds(e.Difference(measure.SuccessPerAttempt, key(m, strategy, scenario), key(m, "NR", scenario), 100).Interval, 2)
		},
		"load": func(m string) string { return fmt.Sprintf("%.0f", e.EntryLoad(key(m, "NR", "S1"), "API")) },
		"printed": func(strategy, scenario string) string {
			x, _ := facts.Paper().TableIII.Cell(strategy, scenario)
			return fmt.Sprintf("%.1f", x)
		},
		"held":  func() int { return e.cellsHeld() },
		"worst": func() string { return fmt.Sprintf("%.2f", math.Ceil(100*e.worstCell()-1e-6)/100) },
		"busy": func() string {
			return fixed(e.UtilizationBefore(reference.Key("NR", "S1"), "API").Scale(100), 0, false)
		},
		"equation":   func(steady string) string { return plain(predicted(steady).Equation()) },
		"exact":      func(steady string) string { x, _ := predicted(steady).Exact(); return plain(x) },
		"perRequest": func(steady string) string { _, x := predicted(steady).Exact(); return plain(x) },
		"free":       func(steady string) string { return e.simulatedText(steady, predicted(steady).Free()) },
		"limited":    func(steady string) string { return e.simulatedText(steady, predicted(steady).Limited()) },
		"raf": func(m, strategy, scenario string) string {
			return fixed(e.Over(measure.RAF, key(m, strategy, scenario), 1), 3, false)
		},
		"gap":       e.TakeGap,
		"queues":    func() string { return fmt.Sprintf("%.0f", 100*e.TakeGap().Queues()) },
		"plain":     plain,
		"retried":   func(m, scenario string) string { return fixed(e.Retried(key(m, "ARB", scenario)), 1, false) },
		"recovered": func(scenario, strategy string) string { return fmt.Sprintf("%.0f", e.Recovered(scenario, strategy)) },
		"timeout": func(timeout, room string) string {
			return withEnds(e.GainPerArrival(TimeoutKey("SR-text", timeout, room)).Interval, 1)
		},
		"budgetGain": func(m string, percent int, scenario string) string {
			return withEnds(e.budgetGain(m, percent, scenario), 2)
		},
		"budgetRAF": func(percent int) string {
			return fixed(e.Over(measure.RAF, BudgetKey("reference", percent, "S3"), 1), 3, false)
		},
		"transitions": func(m, strategy, scenario string) string {
			return fixed(e.Transitions(key(m, strategy, scenario)), 0, false)
		},
		"harm":      func() []HarmGroup { return e.HarmGroups() },
		"map":       e.HasHarmMap,
		"harmSplit": func() HarmSplit { return SplitHarm(e.HarmGroups()) },
		"swing": func(percent int) string {
			k := reference.Key("ARB", "S3")
			if percent > 0 {
				k = BudgetKey("reference", percent, "S3")
			}
			return fixed(e.RetryDeviation(k), 0, false)
		},
		"study": func() *studyText {
			if e.study == nil {
				return nil
			}
			return &studyText{e.study}
		},
		"trials": func(m string) int { return len(e.trials[key(m, "NR", "S1")]) },
	}
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

// fixed prints an estimate with so many digits, signed if asked.
func fixed(i analysis.Interval, digits int, signed bool) string {
	return decimal(i.Estimate, digits, signed)
}

// withEnds prints a signed estimate with its interval, where it has one; amplifications are never negative and get no sign.
func withEnds(i analysis.Interval, digits int) string {
	text := decimal(i.Estimate, digits, false)
	if i.Low == i.High {
		return text
	}
	return fmt.Sprintf("%s [%s, %s]", text, decimal(i.Low, digits, false), decimal(i.High, digits, false))
}

func decimal(x float64, digits int, signed bool) string {
	text := fmt.Sprintf("%.*f", digits, x)
	switch {
	case text[0] == '-':
		return "−" + text[1:]
	case signed:
		return "+" + text
	}
	return text
}
