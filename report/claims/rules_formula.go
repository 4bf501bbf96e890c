package claims

import (
	"fmt"
	"math"

	"retrylab/analysis/queueing"
	"retrylab/report/facts"
)

// formulaRulings are about section III and the introduction's example.
func formulaRulings() []ruling {
	return []ruling{
		{claim: Claim{
			ID: "nine-times", Section: "I",
			Text: "If the last of three tiers fails half of its requests and each tier tries up to three times, the last tier gets about nine times its load.",
			Rule: "Reproduced if the exact amplification is at least half of 9.", See: []string{"table2", "raf-against-depth"},
		}, judge: nineTimes},
		{claim: Claim{
			ID: "eq2-value", Section: "III-B", Text: "Eq. 2 gives 1.875 at p = 0.5 and 3 retries.",
			Rule: "Reproduced if the formula rounds to the printed digits.", See: []string{"raf-against-p"},
		}, judge: func(_ *Evidence, c *Claim) {
			v := facts.Paper().Equations.Single
			arithmetic(c, queueing.RAFSingle(v.P, v.N), v.Value, 3)
		}},
		{claim: Claim{
			ID: "eq3-values", Section: "III-C", Text: "Eq. 3 gives 2.85 at p = 0.3 and 6.59 at p = 0.5, for three tiers with 3 retries.",
			Rule: "Reproduced if the formula rounds to both printed values.", See: []string{"raf-against-depth"},
		}, judge: equation3},
		{claim: Claim{
			ID: "raf-bound", Section: "III-C, VII-B", Text: "Eq. 3 bounds the amplification of the last tier from above; measured values below it confirm the bound.",
			Rule: "Reproduced if neither the exact values nor the simulated ones without limits (by eq. 1, lower end of the interval) exceed eq. 3 in S1 to S3.",
			See:  []string{"table2"},
		}, needs: cellsOf(Predictions()), judge: bound},
	}
}

// arithmetic says whether a formula's value rounds to a printed one.
func arithmetic(c *Claim, got, printed float64, digits int) {
	c.value("formula", "", got)
	c.value("printed", "", printed)
	c.decide(rounds(got, printed, digits), "The arithmetic is right.", "The formula gives another value than the one printed.")
}

// rounds says whether x, rounded to so many decimals, is the printed number. Half a unit in the last place more is allowed: the
// paper rounds some values twice.
func rounds(x, printed float64, digits int) bool {
	return math.Abs(x-printed) <= 0.5001*math.Pow(10, -float64(digits))
}

func nineTimes(_ *Evidence, c *Claim) {
	three := queueing.RAFNestedLeaf(0.5, 3, 2)
	four := queueing.RAFNestedLeaf(0.5, 4, 2)
	c.value("exact, three attempts on each of two edges", "", three)
	c.value("exact, three retries (four attempts)", "", four)
	c.value("said", "", 9)
	c.decide(three >= 4.5 || four >= 4.5, "The exact value is of that size.",
		fmt.Sprintf("Each caller stops at the first success, so two edges act like one caller with nine attempts: the leaf gets %s times its load. "+
			"When only the leaf fails the factor cannot exceed 1/(1 − p) = 2, however many tiers retry; nine is reached at p = 1.", plain(three)))
}

func equation3(_ *Evidence, c *Claim) {
	holds := true
	for _, v := range facts.Paper().Equations.Chain {
		got := queueing.RAFChain(v.P, v.N, v.D)
		c.value(fmt.Sprintf("formula, p = %g", v.P), "", got)
		c.value("printed", "", v.Value)
		holds = holds && rounds(got, v.Value, 2)
	}
	c.decide(holds, "The arithmetic is right; what the formula stands for is judged under raf-bound.", "The formula gives another value than the one printed.")
}

func bound(e *Evidence, c *Claim) {
	above := 0
	for _, p := range Predictions() {
		exact, _ := p.Exact()
		simulated := e.Simulated(p, p.Free())
		if exact > p.Equation()*1.0001 || simulated.Low > p.Equation() {
			above++
		}
		c.value(fmt.Sprintf("%s, p = %g: eq. 3", p.Scenario, p.P), "", p.Equation())
		c.value("exact", "", exact)
		c.number("simulated without limits", "", simulated)
	}
	c.decide(above == 0, "No exact or simulated value is above eq. 3.",
		fmt.Sprintf("In %d of %d cases the exact amplification (eq. 1) is above eq. 3, and the simulation agrees: a caller also retries what failed below its callee. "+
			"With failures at the leaf alone eq. 3 over all tiers is far too large instead. It is neither a bound nor the value. "+
			"Only if attempts are divided by the client's requests does eq. 3 bound them, because a failing tier calls less.", above, len(Predictions())))
}

// predictionRulings are the cells of Table II.
func predictionRulings() []ruling {
	var list []ruling
	for _, p := range Predictions() {
		id := fmt.Sprintf("table2-%s", p.Steady)
		list = append(list, ruling{claim: Claim{
			ID: id, Section: "V, Table II",
			Text: fmt.Sprintf("%s with p = %g at %s: the amplification is %g.", p.Scenario, p.P, tiers(p), p.Printed),
			Rule: "Reproduced if the exact amplification of the last failing tier (eq. 1, 3 retries on each edge, no limits) is within 1% of the printed value.", See: []string{"table2"},
		}, needs: cellsOf([]Prediction{p}), judge: func(e *Evidence, c *Claim) {
			exact, perRequest := p.Exact()
			c.value("eq. 2 and 3", "", p.Equation())
			c.value("exact", "", exact)
			c.number("simulated without limits", "", e.Simulated(p, p.Free()))
			c.number("simulated with limits", "", e.Simulated(p, p.Limited()))
			c.value("exact, per request of the client", "", perRequest)
			sum := "The printed value is what the formula gives"
			if !rounds(p.Equation(), p.Printed, 2) {
				sum = "The printed value is not even what the formula gives"
			}
			c.decide(math.Abs(exact/p.Printed-1) <= 0.01, sum+", and within 1% of the exact one.",
				fmt.Sprintf("%s, but the exact amplification is %s: the formula leaves out that callers above retry too.", sum, plain(exact)))
		}})
	}
	return list
}

func tiers(p Prediction) string {
	if p.First == p.Last {
		return fmt.Sprintf("tier %d", p.First)
	}
	return fmt.Sprintf("tiers %d to %d", p.First, p.Last)
}
