package claims

import (
	"fmt"
	"math"

	"retrylab/report/measure"
)

var transients = [3]string{"T1", "T5", "blips"}

func transientKeys() []Key {
	var keys []Key
	for _, s := range transients {
		for _, strategy := range []string{"NR", "SR-text", "CB-text", "ARB-text", "ARB", "B10-text", "B20-text"} {
			keys = append(keys, Key{"transient", s, strategy, ""})
		}
	}
	return keys
}

// controlRulings are about the breaker and ARB.
func controlRulings() []ruling {
	return []ruling{
		{claim: Claim{
			ID: "raf-near-one", Section: "VII-B", Text: "Circuit breaker and ARB hold the amplification at or near 1.",
			Rule: "Reproduced if both stay at or below 1.05 in S1 to S3 of the reference model.", See: []string{"table4"},
		}, needs: reference.all(), judge: nearOne},
		{claim: Claim{
			ID: "within-a-point", Section: "VII-B, IX", Text: "Both stay within about a percentage point of no retries.",
			Rule: "Holds in a cell if |difference to NR| is at most 1.1 points as counted in Table III. Reproduced if in all six cells of the reference model and, with a breaker that stops traffic, of text-released.",
			See:  []string{"table3", "models"},
		}, needs: append(reference.all(), model("text-released").all()...), judge: withinPoint},
		{claim: Claim{
			ID: "arb-like-breaker", Section: "VII-D, IX", Text: "On success the circuit breaker is essentially ARB's equal, within a point, and it is simpler.",
			Rule: "Holds in a model if |CB − ARB| is at most 1.1 points as counted in Table III, in S1 to S3. Reproduced if in reference and in text-released.",
			See:  []string{"table3", "models"},
		}, needs: append(reference.all(), model("text-released").all()...), judge: likeBreaker},
		{claim: Claim{
			ID: "recovers-transients", Section: "Abstract", Text: "ARB holds the baseline while still recovering from transient faults.",
			Rule: "Reproduced if ARB recovers at least half of the requests that plain retries recover, in each of: 1% and 5% failures all the time, blips of 1 s; by Algorithm 1 and by the authors' program.", See: []string{"transient"},
		}, needs: transientKeys(), judge: recovers},
		{claim: Claim{
			ID: "no-oscillation", Section: "VII-D, IX", Text: "ARB throttles continuously and so avoids the load oscillation of a breaker that trips and resets.",
			Rule: "Holds in a model if, in S1 to S3, the retry rate of ARB swings less than the breaker's within a trial (standard deviation of retries per second in the fault, paired difference, whole interval). Reproduced if in both models.",
			See:  []string{"arb-lens"},
		}, needs: append(reference.all(), model("text-released").all()...), judge: oscillation},
		{claim: Claim{
			ID: "pressure", Section: "VI, VII-D, IX", Text: "ARB's OVERLOADED signal propagates pressure across tiers.",
			Rule: "Reproduced if any reply that an ARB client got carried the signal, in S1 to S3 of the reference model or of the text's models.", See: []string{"arb-lens"},
		}, needs: append(reference.all(), relayed("text-released")...), judge: pressure},
		{claim: Claim{
			ID: "arb-graduated", Section: "VI, VII-C", Text: "ARB's control is graduated: it keeps spending a budget and declines where the dependency fails.",
			Rule: "Reproduced if ARB retries at least 10% of the failures it sees in S1 to S3 of the reference model or of text-released.", See: []string{"arb-lens"},
		}, needs: append(reference.all(), model("text-released").all()...), judge: graduated},
	}
}

func nearOne(e *Evidence, c *Claim) {
	worst := 0.0
	for _, strategy := range []string{"CB", "ARB"} {
		for _, s := range Scenarios {
			raf := e.Over(measure.RAF, reference.Key(strategy, s), 1)
			c.number(strategy+", "+s, "", raf)
			worst = math.Max(worst, raf.High)
		}
	}
	c.decide(worst <= 1.05, "They hold it there by hardly retrying at all: see arb-graduated.", "It is above 1.05.")
}

func withinPoint(e *Evidence, c *Claim) {
	const point = 1.1
	outside := map[string][]string{}
	for _, m := range []Model{reference, model("text-released")} {
		for _, strategy := range []string{"CB", "ARB"} {
			for _, s := range Scenarios {
				d := e.Difference(measure.SuccessPerAttempt, m.Key(strategy, s), m.Key("NR", s), 100)
				c.number(fmt.Sprintf("%s, %s: %s − NR", m.Name, s, strategy), "points", d.Interval)
				if math.Abs(d.Estimate) > point {
					outside[strategy] = append(outside[strategy], fmt.Sprintf("%s %s (%s)", m.Name, s, plain(d.Estimate)))
				}
			}
		}
	}
	switch {
	case len(outside) == 0:
		c.Verdict, c.Reason = Reproduced, "All twelve cells are within a point."
	case len(outside["ARB"]) == 0:
		c.only("ARB; of the breaker, in some scenarios of the authors' program, where it never stops fresh traffic",
			"The breaker misses it in: "+listOr(outside["CB"], "")+". A breaker that stops the traffic of its edge, as the text has it, costs tens of points: half of the calls fail, so the other half is refused too.")
	default:
		c.Verdict, c.Reason = Contradicted, "Outside: ARB "+listOr(outside["ARB"], "nowhere")+"; breaker "+listOr(outside["CB"], "nowhere")+"."
	}
}

func likeBreaker(e *Evidence, c *Claim) {
	const point = 1.1
	equal := func(m Model) bool {
		all := true
		for _, s := range Scenarios {
			d := e.Difference(measure.SuccessPerAttempt, m.Key("CB", s), m.Key("ARB", s), 100)
			c.number(m.Name+", "+s+": CB − ARB", "points", d.Interval)
			all = all && math.Abs(d.Estimate) <= point
		}
		return all
	}
	switch own, text := equal(reference), equal(model("text-released")); {
	case own && text:
		c.Verdict, c.Reason = Reproduced, "They are equal in both models."
	case own:
		c.only("the authors' breaker, which gates retries only", "Both then do nearly what no retries do. A breaker that stops the traffic of its edge, as the text has it, is far worse than ARB.")
	default:
		c.Verdict, c.Reason = Contradicted, "They differ by more than a point."
	}
}

// Recovered is the share, in percent, of what plain retries gain over NR that a strategy gains too.
func (e *Evidence) Recovered(scenario, strategy string) float64 {
	k := Key{"transient", scenario, strategy, ""}
	own := e.Difference(measure.SuccessPerArrival, k, k.With("NR"), 100)
	plainly := e.Difference(measure.SuccessPerArrival, k.With("SR-text"), k.With("NR"), 100)
	return 100 * own.Estimate / plainly.Estimate
}

func recovers(e *Evidence, c *Claim) {
	printed, program := math.Inf(1), math.Inf(1)
	for _, s := range transients {
		k := Key{"transient", s, "ARB-text", ""}
		c.number(s+": SR − NR per arrival", "points", e.Difference(measure.SuccessPerArrival, k.With("SR-text"), k.With("NR"), 100).Interval)
		c.number("Algorithm 1 − NR", "points", e.Difference(measure.SuccessPerArrival, k, k.With("NR"), 100).Interval)
		c.number("authors' ARB − NR", "points", e.Difference(measure.SuccessPerArrival, k.With("ARB"), k.With("NR"), 100).Interval)
		c.value("of plain retries' gain, Algorithm 1", "%", e.Recovered(s, "ARB-text"))
		c.value("the authors' program", "%", e.Recovered(s, "ARB"))
		c.value("a static budget of 10%", "%", e.Recovered(s, "B10-text"))
		printed, program = math.Min(printed, e.Recovered(s, "ARB-text")), math.Min(program, e.Recovered(s, "ARB"))
	}
	switch {
	case printed >= 50 && program >= 50:
		c.Verdict, c.Reason = Reproduced, "It recovers at least half."
	case program >= 50:
		c.only("the authors' program, whose budget starts and is capped at 1",
			fmt.Sprintf("Algorithm 1 as printed, with B capped at 0.2, keeps down to %s%% of the gain: its draw below min(B, 1 − f) refuses four of five retries even when all is well. "+
				"The program keeps at least %s%%. A static budget of 10%% does as well or better.", plain(printed), plain(program)))
	default:
		c.Verdict, c.Reason = Contradicted, fmt.Sprintf("Down to %s%% of plain retries' gain is kept.", plain(math.Min(printed, program)))
	}
}

func oscillation(e *Evidence, c *Claim) {
	calmer := func(m Model) int {
		n := 0
		for _, s := range Scenarios {
			arb, cb := m.Key("ARB", s), m.Key("CB", s)
			d := e.deviationDifference(arb, cb)
			c.number(fmt.Sprintf("%s, %s: ARB − CB, standard deviation of retries per second", m.Name, s), "1/s", d)
			c.number("transitions, ARB", "", e.Transitions(arb))
			c.number("CB", "", e.Transitions(cb))
			if d.Excludes(0) < 0 {
				n++
			}
		}
		return n
	}
	own, text := calmer(reference), calmer(model("text-released"))
	all := len(Scenarios)
	switch {
	case own == all && text == all:
		c.Verdict, c.Reason = Reproduced, "ARB's retry rate swings less in both models."
	case text == all:
		c.only("a breaker that stops traffic and probes, which is not the one that the paper simulated",
			fmt.Sprintf("In the authors' program there is no oscillation to avoid: the breaker opens once and stays open, and ARB's rate swings less in only %d of %d scenarios. "+
				"Against the text's breaker ARB swings less because it hardly retries.", own, all))
	default:
		c.Verdict, c.Reason = Contradicted, fmt.Sprintf("ARB's retry rate swings less than the breaker's in %d of %d scenarios of the authors' program and %d of %d of the text's model.", own, all, text, all)
	}
}

// relayed are the cells in which ARB listens to signals that all hops hand on.
func relayed(name string) []Key {
	var keys []Key
	for _, s := range Scenarios {
		keys = append(keys, Key{name, s, "ARB-text", "services[*].signal.relay_hops=4"})
	}
	return keys
}

func pressure(e *Evidence, c *Claim) {
	total := 0.0
	add := func(label string, keys []Key) {
		sum := 0.0
		for _, k := range keys {
			for i := range e.edges[k] {
				sum += float64(e.edges[k][i].Signalled)
			}
		}
		c.value(label+": replies with the signal, all trials of S1 to S3", "", sum)
		total += sum
	}
	of := func(m Model) []Key { return []Key{m.Key("ARB", "S1"), m.Key("ARB", "S2"), m.Key("ARB", "S3")} }
	add("reference", of(reference))
	add("text-released, relayed by one hop", of(model("text-released")))
	add("text-released, relayed by all hops", relayed("text-released"))
	add("text-held, relayed by one hop", of(model("text-held")))
	k := model("text-released").Key("SR", "S3")
	c.number("text-released, S3, plain retries: replies with the signal", "%",
		e.OnEdges(k, func(x *Edges) int64 { return x.Signalled }, func(x *Edges) int64 { return x.Ended }, 100))
	c.decide(total > 0, "It does.",
		"The signal never fires while ARB is in charge: failures cut the budget long before any queue fills. With plain retries the same services do signal. So no result of the paper can rest on the signal.")
}

func graduated(e *Evidence, c *Claim) {
	most := 0.0
	for _, m := range []Model{reference, model("text-released")} {
		for _, s := range Scenarios {
			i := e.Retried(m.Key("ARB", s))
			c.number(m.Name+", "+s+": failures that are retried", "%", i)
			most = math.Max(most, i.Estimate)
		}
	}
	c.decide(most >= 10, "It spends a budget.",
		fmt.Sprintf("It retries at most %s%% of the failures it sees. In S1 to S3 it acts, after its first seconds, like no retries, and so its success and its amplification are those of no retries.", plain(most)))
}
