package claims

import (
	"fmt"

	"retrylab/analysis"
	"retrylab/report/measure"
)

// budgetRulings are about Table V.
func budgetRulings() []ruling {
	return []ruling{{claim: Claim{
		ID: "static-budgets", Section: "VII-D, Table V", Text: "ARB improves on a mesh's static budget, whose amplification Table V leaves blank.",
		Rule: "Holds in a model if ARB's success per arrival is above a static 10% budget's, whole interval, in S1 to S3. Reproduced if in reference and reference-25.",
		See:  []string{"table5", "arb-lens"},
	}, needs: budgetKeys(), judge: budgets}}
}

// BudgetKey is a cell of a static budget of so many percent.
func BudgetKey(modelName string, percent int, scenario string) Key {
	strategy := fmt.Sprintf("B%d", percent)
	switch modelName {
	case "reference":
		modelName = "reference-budgets"
	case "text-released", "text-held", "transient":
		strategy += "-text"
	}
	return Key{modelName, scenario, strategy, ""}
}

func budgetKeys() []Key {
	var keys []Key
	for _, m := range []string{"reference", "reference-25"} {
		for _, s := range Scenarios {
			keys = append(keys, BudgetKey(m, 10, s), BudgetKey(m, 20, s), model(m).Key("ARB", s))
		}
	}
	return keys
}

func budgets(e *Evidence, c *Claim) {
	wins := 0
	for _, m := range []string{"reference", "reference-25"} {
		for _, s := range Scenarios {
			d := e.Difference(measure.SuccessPerArrival, model(m).Key("ARB", s), BudgetKey(m, 10, s), 100)
			c.number(fmt.Sprintf("%s, %s: ARB − 10%% budget per arrival", m, s), "points", d.Interval)
			if d.Excludes(0) > 0 {
				wins++
			}
		}
	}
	c.number("RAF in S3, 10% budget", "", e.Over(measure.RAF, BudgetKey("reference", 10, "S3"), 1))
	c.number("20% budget", "", e.Over(measure.RAF, BudgetKey("reference", 20, "S3"), 1))
	c.number("ARB", "", e.Over(measure.RAF, reference.Key("ARB", "S3"), 1))
	c.decide(wins == 2*len(Scenarios), "ARB serves more requests.",
		fmt.Sprintf("ARB serves more requests in %d of %d cells. A static budget bounds the amplification of each edge by its own percentage, and gains more where there is room; it needs no signal and no failure rate.", wins, 2*len(Scenarios)))
}

// Retried is the share of failed attempts that ARB, or another strategy, retried, in percent.
func (e *Evidence) Retried(k Key) analysis.Interval {
	return e.OnEdges(k, func(x *Edges) int64 { return x.Retries }, (*Edges).Failed, 100)
}

// deviationDifference is the paired difference of two cells' standard deviations over time of the retry rate, a - b, per second.
func (e *Evidence) deviationDifference(a, b Key) analysis.Interval {
	x, y := e.inFaultByTrial(a, deviation), e.inFaultByTrial(b, deviation)
	n := min(len(x), len(y))
	return analysis.Paired(x[:n], y[:n], measure.Level).Interval
}
