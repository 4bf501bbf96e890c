package claims

import (
	"fmt"
	"math"
	"strings"

	"retrylab/report/facts"
	"retrylab/report/measure"
)

// Thresholds of the cells of Tables III and IV: what the authors' own run needed (0.25 points, 0.003), and half a unit of the last
// printed digit.
const (
	successTolerancePP = 0.30
	rafTolerance       = 0.008
)

var reference = model("reference")

// setupRulings are about the simulated system as the text states it.
func setupRulings() []ruling {
	return []ruling{
		{claim: Claim{
			ID: "half-loaded", Section: "V, VIII-B", Text: "Utilization starts at 50%: each service can take 1000/s and is offered 500/s.",
			Rule: "Reproduced if, in the model that gives the paper's Table III, the entry's workers are 40% to 60% occupied in the last second before the fault.",
			See:  []string{"utilization", "causes"},
		}, needs: []Key{reference.Key("NR", "S1"), model("reference-25").Key("NR", "S1")}, judge: halfLoaded},
		{claim: Claim{
			ID: "three-retries", Section: "V", Text: "Each service applies three retries.",
			Rule: fmt.Sprintf("Reproduced if three retries give Table III's SR row within %.2f percentage points.", successTolerancePP), See: []string{"models"},
		}, needs: append(reference.all(), model("reference-3").all()...), judge: threeRetries},
		{claim: Claim{
			ID: "correlated", Section: "V, VII", Text: "S3 is a correlated failure of three tiers.",
			Rule: "Reproduced if the printed S3 row needs failures that share a coin: independent draws must miss NR's 55.4%.", See: []string{"table3", "models"},
		}, needs: []Key{reference.Key("NR", "S3"), {"text-released", "S3-shared", "NR", ""}, {"text-released", "S3", "NR", ""}}, judge: correlated},
	}
}

func halfLoaded(e *Evidence, c *Claim) {
	busy := e.utilizationBefore(reference.Key("NR", "S1"), "API").Scale(100)
	c.number("API's workers occupied in the last second before the fault", "%", busy)
	c.value("load offered to API, reference", "%", e.entryLoad(reference.Key("NR", "S1"), "API"))
	c.value("load offered to API, reference-25", "%", e.entryLoad(model("reference-25").Key("NR", "S1"), "API"))
	c.decide(busy.Estimate >= 40 && busy.Estimate <= 60, "The entry is about half loaded.",
		"A worker is held while its request waits downstream, so API finishes 10 workers / (5 × 5 ms) = 400 of the 500 requests/s that are offered: 125% before any fault. "+
			"The numbers of Table III need this: with 25 workers, which is 50%, they do not come out (see causes).")
}

func threeRetries(e *Evidence, c *Claim) {
	worst2, worst3 := 0.0, 0.0
	for _, s := range Scenarios {
		printed, _ := facts.Paper().TableIII.Cell("SR", s)
		three := e.Over(measure.SuccessPerAttempt, model("reference-3").Key("SR", s), 100)
		two := e.Over(measure.SuccessPerAttempt, reference.Key("SR", s), 100)
		c.number(s+", three retries, per attempt", "%", three)
		c.number("two retries, per attempt", "%", two)
		worst2, worst3 = math.Max(worst2, math.Abs(two.Estimate-printed)), math.Max(worst3, math.Abs(three.Estimate-printed))
	}
	c.decide(worst3 <= successTolerancePP, "Three retries give the printed row.",
		fmt.Sprintf("Three retries miss the printed row by up to %s points; two (\"three attempts\", as VII-A has it) by %s. And only the client retries, not each service.", plain(worst3), plain(worst2)))
}

func correlated(e *Evidence, c *Claim) {
	printed, _ := facts.Paper().TableIII.Cell("NR", "S3")
	own := e.Over(measure.SuccessPerAttempt, reference.Key("NR", "S3"), 100)
	independent, shared := Key{"text-released", "S3", "NR", ""}, Key{"text-released", "S3-shared", "NR", ""}
	c.number("reference, NR, independent coins, per attempt", "%", own)
	c.number("text-released, NR, independent coins, per arrival", "%", e.Over(measure.SuccessPerArrival, independent, 100))
	c.number("one coin for all tiers, per arrival", "%", e.Over(measure.SuccessPerArrival, shared, 100))
	c.decide(math.Abs(own.Estimate-printed) > successTolerancePP, "Independent draws miss the printed value.",
		"Independent draws at each tier give the printed value. With one coin a request fewer requests fail, and a retry cannot help: the same coin falls again.")
}

// successRulings are Table III and what is said about it.
func successRulings() []ruling {
	var list []ruling
	for _, strategy := range Strategies {
		for _, scenario := range Scenarios {
			list = append(list, tableCell("table3", "VII-B, Table III", "success of %s in %s is %.1f%%", strategy, scenario))
		}
	}
	return append(list, ruling{claim: Claim{
		ID: "retries-rank-last", Section: "VII-B", Text: "Standard retry ranks last in every scenario, below no retries at all.",
		Rule: "Holds in a model and a way of counting if SR − NR is below 0 with its whole interval in S1, S2 and S3. Reproduced if it holds per attempt and per arrival in every model.",
		See:  []string{"table3", "causes", "models"},
	}, needs: allModels(), judge: ranksLast}, ruling{claim: Claim{
		ID: "quarter-worse", Section: "VII-B", Text: "In S3 retries lower success by a quarter, from 55.4% to 41.5%.",
		Rule: "Holds for a way of counting if 1 − SR/NR rounds to 25%. Reproduced if it holds per attempt and per arrival.", See: []string{"table3", "causes"},
	}, needs: reference.all(), judge: quarterWorse})
}

// tableCell is the ruling on a cell of Table III or IV.
func tableCell(name, section, text, strategy, scenario string) ruling {
	printed, tolerance, unit, scale := facts.Paper().TableIII, successTolerancePP, "%", 100.0
	ratio := measure.SuccessPerAttempt
	if name == "table4" {
		printed, tolerance, unit, scale, ratio = facts.Paper().TableIV, rafTolerance, "", 1, measure.RAF
	}
	value, _ := printed.Cell(strategy, scenario)
	return ruling{claim: Claim{
		ID: fmt.Sprintf("%s-%s-%s", name, strings.ToLower(strategy), strings.ToLower(scenario)), Section: section,
		Text: "The " + fmt.Sprintf(text, strategy, scenario, value) + ".",
		Rule: fmt.Sprintf("Reproduced if the reference model is within %g of it.", tolerance), See: []string{name},
	}, needs: []Key{reference.Key(strategy, scenario)}, judge: func(e *Evidence, c *Claim) {
		ours := e.Over(ratio, reference.Key(strategy, scenario), scale)
		c.number("reference, counted as the authors count", unit, ours)
		c.value("printed", unit, value)
		c.decide(math.Abs(ours.Estimate-value) <= tolerance,
			"The reference model, counted as the authors count, gives it.", "The reference model does not give it.")
	}}
}

// allModels are the cells of all models.
func allModels() []Key {
	var keys []Key
	for _, m := range Models {
		keys = append(keys, m.all()...)
	}
	return keys
}

// below says in how many scenarios SR - NR lies below 0 with its whole interval.
func (e *Evidence) below(m Model, r measure.Ratio) int {
	n := 0
	for _, s := range Scenarios {
		if e.Difference(r, m.Key("SR", s), m.Key("NR", s), 100).Excludes(0) < 0 {
			n++
		}
	}
	return n
}

func ranksLast(e *Evidence, c *Claim) {
	var holds []string
	all := true
	for _, m := range Models {
		for _, s := range Scenarios {
			c.number(fmt.Sprintf("%s, %s: SR − NR per arrival", m.Name, s), "points", e.Difference(measure.SuccessPerArrival, m.Key("SR", s), m.Key("NR", s), 100).Interval)
		}
		if e.below(m, measure.SuccessPerArrival) == len(Scenarios) {
			holds = append(holds, m.Name)
		} else {
			all = false
		}
	}
	attempts := e.below(reference, measure.SuccessPerAttempt)
	for _, s := range Scenarios {
		c.number("reference, "+s+": SR − NR per attempt", "points", e.Difference(measure.SuccessPerAttempt, reference.Key("SR", s), reference.Key("NR", s), 100).Interval)
	}
	switch {
	case all && attempts == len(Scenarios):
		c.Verdict, c.Reason = Reproduced, "SR is below NR everywhere."
	case attempts < len(Scenarios) && len(holds) == 0:
		c.Verdict, c.Reason = Contradicted, "SR is not below NR in all scenarios, in no model and by no way of counting."
	default:
		c.only(fmt.Sprintf("counting attempts, or workers held through the waits and backoffs of hop-level retries (%s)", listOr(holds, "no model")),
			fmt.Sprintf("Per attempt SR is last in %d of %d scenarios of the reference model, because a retry adds an attempt to the denominator whatever it does for its request. "+
				"Per arrival it is last in all scenarios only in: %s. There the cause is starvation, workers asleep in backoff. With the entry at 50%% load and the paper's own program, retries gain.",
				attempts, len(Scenarios), listOr(holds, "none of the models")))
	}
}

// listOr joins names, or says what stands for none.
func listOr(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}

func quarterWorse(e *Evidence, c *Claim) {
	loss := func(r measure.Ratio) float64 {
		return 100 * (1 - e.Over(r, reference.Key("SR", "S3"), 1).Estimate/e.Over(r, reference.Key("NR", "S3"), 1).Estimate)
	}
	perAttempt, perArrival := loss(measure.SuccessPerAttempt), loss(measure.SuccessPerArrival)
	c.value("relative loss per attempt", "%", perAttempt)
	c.value("relative loss per arrival", "%", perArrival)
	c.number("SR − NR per arrival", "points", e.Difference(measure.SuccessPerArrival, reference.Key("SR", "S3"), reference.Key("NR", "S3"), 100).Interval)
	printed := facts.Paper().RelativeLoss
	switch a, r := rounds(perAttempt, printed, 0), rounds(perArrival, printed, 0); {
	case a && r:
		c.Verdict, c.Reason = Reproduced, "Both ways of counting give it."
	case a:
		c.only("counting attempts", "Of the same rows, per arrival, nothing is lost: the 14 points are retries in the denominator.")
	default:
		c.Verdict, c.Reason = Contradicted, "Neither way of counting gives it."
	}
}
