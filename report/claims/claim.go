package claims

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"retrylab/analysis"
)

// Verdict is what the rows say about a claim.
type Verdict string

// The verdicts.
const (
	// Reproduced: the claim's own rule holds.
	Reproduced Verdict = "reproduced"
	// OnlyUnder: it holds in some of the models or by some ways of counting; Claim.Condition says which.
	OnlyUnder Verdict = "reproduced only under"
	// Contradicted: the rule fails.
	Contradicted Verdict = "contradicted"
	// NotTestable: nothing that this project can run decides it.
	NotTestable Verdict = "not testable here"
	// NotRun: the cells that would decide it are not in this run.
	NotRun Verdict = "not run"
)

// Claim is a statement of the paper with what became of it.
type Claim struct {
	// ID is short and stable, e.g. "raf-bound".
	ID string `json:"id"`
	// Section of the paper, e.g. "III-C".
	Section string `json:"section"`
	// Text says the claim in our own words.
	Text string `json:"claim"`
	// Rule is the test that gives the verdict, with its threshold.
	Rule string `json:"rule"`
	// Verdict is the rule's result; Condition completes [OnlyUnder], else it is empty.
	Verdict   Verdict `json:"verdict"`
	Condition string  `json:"condition,omitempty"`
	// Reason says in one or two sentences why.
	Reason string `json:"reason"`
	// Numbers are what the verdict rests on.
	Numbers []Number `json:"numbers"`
	// See names the tables and figures that show it, by the stems of their files.
	See []string `json:"see"`
}

// Number is a measured or computed number with its 95% interval.
type Number struct {
	// What it is, and its unit; empty for a pure number.
	What string `json:"what"`
	Unit string `json:"unit,omitempty"`
	// Estimate, and the interval's ends; nil where there is none.
	Estimate *float64 `json:"estimate"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	// N is the number of trials, or of repositories; 0 for a closed form.
	N int `json:"n"`
}

// String is the number as a reader sees it.
func (n Number) String() string {
	text := n.What + " " + show(n.Estimate)
	if n.Low != nil && n.High != nil && *n.Low != *n.High {
		text += " [" + show(n.Low) + ", " + show(n.High) + "]"
	}
	if n.Unit != "" {
		text += " " + n.Unit
	}
	return text
}

// show prints three to four digits, with U+2212 as minus sign.
func show(x *float64) string {
	if x == nil {
		return "none"
	}
	return plain(*x)
}

// plain prints a number with the digits that its size deserves.
func plain(x float64) string {
	digits := 3
	switch size := math.Abs(x); {
	case size >= 1000:
		digits = 0
	case size >= 100:
		digits = 1
	case size >= 3:
		digits = 2
	}
	return strings.Replace(strconv.FormatFloat(x, 'f', digits, 64), "-", "−", 1)
}

// number adds an interval to what the verdict rests on.
func (c *Claim) number(what, unit string, i analysis.Interval) {
	c.Numbers = append(c.Numbers, Number{what, unit, finite(i.Estimate), finite(i.Low), finite(i.High), i.N})
}

// value adds a number without interval.
func (c *Claim) value(what, unit string, x float64) {
	c.Numbers = append(c.Numbers, Number{What: what, Unit: unit, Estimate: finite(x)})
}

// finite rounds to eight significant digits, on which all processors agree; nil if there is no number.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 8, 64), 64)
	if err != nil {
		panic(fmt.Sprintf("claims: %v does not survive rounding: %v", x, err))
	}
	return &rounded
}

// decide sets the verdict of a claim that holds or does not.
func (c *Claim) decide(holds bool, ifHolds, ifNot string) {
	if holds {
		c.Verdict, c.Reason = Reproduced, ifHolds
		return
	}
	c.Verdict, c.Reason = Contradicted, ifNot
}

// only sets the verdict of a claim that holds under a condition.
func (c *Claim) only(condition, reason string) {
	c.Verdict, c.Condition, c.Reason = OnlyUnder, condition, reason
}

// ruling is a claim with its rule; judge fills in the verdict from the rows. needs are the cells without which it is not run.
type ruling struct {
	claim Claim
	needs []Key
	judge func(*Evidence, *Claim)
}

// Judge gives a verdict on every claim, in the order of the paper.
func Judge(e *Evidence) []Claim {
	var list []Claim
	for _, r := range rulings() {
		c := r.claim
		if e.Has(r.needs...) {
			r.judge(e, &c)
		} else {
			c.Verdict, c.Reason = NotRun, "The run does not hold the cells that decide this."
		}
		list = append(list, c)
	}
	return list
}

// rulings are all claims in the order of the paper.
func rulings() []ruling {
	var list []ruling
	for _, part := range []func() []ruling{
		formulaRulings, studyRulings, setupRulings, predictionRulings, successRulings, rafRulings, causeRulings, controlRulings, budgetRulings,
	} {
		list = append(list, part()...)
	}
	return list
}

// Paper says whether the run holds the paper's own cells; without them there is nothing to judge.
func (e *Evidence) Paper() bool { return e.Has(model("reference").all()...) }

// all are the cells of a model for the paper's strategies and scenarios.
func (m Model) all() []Key {
	var keys []Key
	for _, strategy := range Strategies {
		for _, scenario := range Scenarios {
			keys = append(keys, m.Key(strategy, scenario))
		}
	}
	return keys
}
