package claims

import (
	"fmt"
	"maps"
	"math"
	"text/template"

	"retrylab/report/facts"
	"retrylab/report/measure"
)

// functions are what the text of the findings calls.
func (e *Evidence) functions(list []Claim) template.FuncMap {
	all := template.FuncMap{
		"totals": func() string { return Totals(list) },
		"verdict": func(id string) (string, error) {
			for _, c := range list {
				if c.ID == id {
					return c.Full(), nil
				}
			}
			return "", fmt.Errorf("no claim %s", id)
		},
		"plain": plain,
		"held":  e.cellsHeld,
		"worst": func() string { return fmt.Sprintf("%.2f", math.Ceil(100*e.worstCell()-1e-6)/100) },
		"printed": func(strategy, scenario string) string {
			x, _ := facts.Paper().TableIII.Cell(strategy, scenario)
			return fmt.Sprintf("%.1f", x)
		},
		"gap":       e.takeGap,
		"queues":    func() string { return fmt.Sprintf("%.0f", 100*e.takeGap().Queues()) },
		"harm":      e.HarmGroups,
		"map":       e.hasHarmMap,
		"harmSplit": func() HarmSplit { return SplitHarm(e.HarmGroups()) },
		"study": func() *studyText {
			if e.study == nil {
				return nil
			}
			return &studyText{e.study}
		},
	}
	maps.Copy(all, e.cellFunctions())
	maps.Copy(all, e.predictionFunctions())
	return all
}

// cellFunctions print what was measured in a cell, or in two.
func (e *Evidence) cellFunctions() template.FuncMap {
	key := func(m, strategy, scenario string) Key { return model(m).Key(strategy, scenario) }
	return template.FuncMap{
		"trials": func(m string) int { return len(e.trials[key(m, "NR", "S1")]) },
		"success": func(m, strategy, scenario string) string {
			return fixed(e.Over(measure.SuccessPerArrival, key(m, strategy, scenario), 100), 1)
		},
		"attempts": func(m, strategy, scenario string) string {
			return fixed(e.Over(measure.SuccessPerAttempt, key(m, strategy, scenario), 100), 1)
		},
		"gain": func(m, strategy, scenario string) string {
			return withEnds(e.GainPerArrival(key(m, strategy, scenario)).Interval, 2)
		},
		"gainPerAttempt": func(m, strategy, scenario string) string {
			return withEnds(e.Difference(measure.SuccessPerAttempt, key(m, strategy, scenario), key(m, "NR", scenario), 100).Interval, 2)
		},
		"raf": func(m, strategy, scenario string) string {
			return fixed(e.Over(measure.RAF, key(m, strategy, scenario), 1), 3)
		},
		"load": func(m string) string { return fmt.Sprintf("%.0f", e.entryLoad(key(m, "NR", "S1"), "API")) },
		"busy": func() string {
			return fixed(e.utilizationBefore(reference.Key("NR", "S1"), "API").Scale(100), 0)
		},
		"retried":   func(m, scenario string) string { return fixed(e.Retried(key(m, "ARB", scenario)), 1) },
		"recovered": func(scenario, strategy string) string { return fmt.Sprintf("%.0f", e.Recovered(scenario, strategy)) },
		"transitions": func(m, strategy, scenario string) string {
			return fixed(e.Transitions(key(m, strategy, scenario)), 0)
		},
		"timeout": func(timeout, room string) string {
			return withEnds(e.GainPerArrival(TimeoutKey("SR-text", timeout, room)).Interval, 1)
		},
		"budgetGain": func(m string, percent int, scenario string) string {
			return withEnds(e.budgetGain(m, percent, scenario), 2)
		},
		"budgetRAF": func(percent int) string {
			return fixed(e.Over(measure.RAF, BudgetKey("reference", percent, "S3"), 1), 3)
		},
		"swing": func(percent int) string {
			k := reference.Key("ARB", "S3")
			if percent > 0 {
				k = BudgetKey("reference", percent, "S3")
			}
			return fixed(e.RetryDeviation(k), 0)
		},
	}
}

// predictionFunctions print what is predicted for a steady scenario, exact and simulated.
func (e *Evidence) predictionFunctions() template.FuncMap {
	return template.FuncMap{
		"equation":   func(steady string) string { return plain(predicted(steady).Equation()) },
		"exact":      func(steady string) string { x, _ := predicted(steady).Exact(); return plain(x) },
		"perRequest": func(steady string) string { _, x := predicted(steady).Exact(); return plain(x) },
		"free":       func(steady string) string { return e.simulatedText(steady, predicted(steady).Free()) },
		"limited":    func(steady string) string { return e.simulatedText(steady, predicted(steady).Limited()) },
	}
}
