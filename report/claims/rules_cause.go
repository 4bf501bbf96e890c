package claims

import (
	"fmt"

	"retrylab/analysis"
	"retrylab/report/measure"
	"retrylab/results"
)

// Ratios that only the ledger needs.
var (
	rejectedPerRequest = measure.Ratio{
		Name:   "rejected attempts per request",
		Top:    func(t *results.Trial) int64 { return t.AttemptsRejected },
		Bottom: func(t *results.Trial) int64 { return t.Requests },
	}
	timedOutPerRequest = measure.Ratio{
		Name:   "client attempts that timed out per request",
		Top:    func(t *results.Trial) int64 { return t.AttemptsTimedOut },
		Bottom: func(t *results.Trial) int64 { return t.Requests },
	}
)

// TimeoutKey is the cell of the entry at 50% load whose client gives an attempt up after a time.
func TimeoutKey(strategy, timeout, room string) Key {
	return Key{"reference-25", "S3", strategy, "clients.client.call.timeout=" + timeout + " services[*].limit.max=" + room}
}

// Timeouts and Rooms are those of the cells with timeouts.
var (
	Timeouts = []string{"0.5s", "1s", "2s"}
	Rooms    = []string{"100", "1000"}
)

func timeoutCells() []Key {
	var keys []Key
	for _, room := range Rooms {
		for _, timeout := range Timeouts {
			keys = append(keys, TimeoutKey("NR", timeout, room), TimeoutKey("SR-text", timeout, room))
		}
	}
	return keys
}

// causeRulings are the mechanisms of section VII-C.
func causeRulings() []ruling {
	return []ruling{
		{claim: Claim{
			ID: "competes", Section: "VII-C", Text: "Retries compete with fresh traffic for queue slots, and more of both is rejected.",
			Rule: "Holds in a model if SR's rejected attempts per request exceed NR's, whole interval, in S1 to S3. Reproduced if at 125% and at 50% load.",
			See:  []string{"causes", "models"},
		}, needs: append(reference.all(), model("reference-25").all()...), judge: competes},
		{claim: Claim{
			ID: "abandons", Section: "VII-C", Text: "Each attempt consumes processing time, so latency rises until callers abandon requests that might have completed.",
			Rule: "Holds where attempts time out and SR − NR per arrival is below −5 points, whole interval. Reproduced if in the reference model.",
			See:  []string{"timeouts"},
		}, needs: append(reference.all(), timeoutCells()...), judge: abandons},
		{claim: Claim{
			ID: "retries-harm", Section: "Abstract, VII-C, IX", Text: "Adding retries makes a correlated failure worse; the usual expectation turns round when it matters.",
			Rule: "Harm in a cell: success per arrival lower by 0.5 points or more during the fault, or by 5 after it, whole interval. Reproduced if retries harm in more than 90% of the cells of the harm map " +
				"(of the cells with timeouts, where there is no map); contradicted if in fewer than 1%.",
			See: []string{"causes", "models", "timeouts"},
		}, needs: timeoutCells(), judge: harmful},
	}
}

func competes(e *Evidence, c *Claim) {
	more := func(m Model, label string) int {
		n := 0
		for _, s := range Scenarios {
			d := e.Difference(rejectedPerRequest, m.Key("SR", s), m.Key("NR", s), 100)
			c.number(label+", "+s+": SR − NR, rejected per 100 requests", "", d.Interval)
			if d.Excludes(0) > 0 {
				n++
			}
		}
		return n
	}
	at125, at50 := more(reference, "125% load"), more(model("reference-25"), "50% load")
	switch {
	case at125 == len(Scenarios) && at50 == len(Scenarios):
		c.Verdict, c.Reason = Reproduced, "More is rejected at either load."
	case at125 == len(Scenarios):
		c.only("an entry loaded to 125%", "At 125% each retry that is admitted displaces a fresh request, so success per arrival stays the same. At 50% nothing is rejected, and retries displace nobody.")
	default:
		c.Verdict, c.Reason = Contradicted, "Not more is rejected with retries."
	}
}

func abandons(e *Evidence, c *Claim) {
	timedOut := e.Over(timedOutPerRequest, reference.Key("SR", "S3"), 100)
	c.number("reference, S3, SR: attempts timed out per 100 requests", "", timedOut)
	p99 := func(strategy string) analysis.Interval {
		return measure.MeanOf(e.trials[reference.Key(strategy, "S3")], func(t *results.Trial) int64 { return t.LatencyNsP99 }, 1e-9)
	}
	c.number("latency p99, NR", "s", p99("NR"))
	c.number("SR", "s", p99("SR"))
	var where []string
	for _, room := range Rooms {
		for _, timeout := range Timeouts {
			d := e.Difference(measure.SuccessPerArrival, TimeoutKey("SR-text", timeout, room), TimeoutKey("NR", timeout, room), 100)
			c.number(fmt.Sprintf("50%% load, timeout %s, room %s: SR − NR per arrival", timeout, room), "points", d.Interval)
			if d.High < -5 {
				where = append(where, fmt.Sprintf("%s with room for %s", timeout, room))
			}
		}
	}
	switch {
	case timedOut.Estimate > 0:
		c.Verdict, c.Reason = Reproduced, "Callers of the reference model abandon attempts."
	case len(where) > 0:
		c.only("attempt timeouts shorter than the time that a full queue takes to drain",
			"Nobody abandons anything in the paper's simulation: it has no timeouts, so this cannot explain its numbers. With timeouts the effect is real and far stronger than the paper's: at 50% load success per arrival collapses with a timeout of "+
				listOr(where, "")+", where a full queue makes every attempt too late, and not with the other timeouts and rooms.")
	default:
		c.Verdict, c.Reason = Contradicted, "No caller abandons, and with timeouts nothing collapses."
	}
}

func harmful(e *Evidence, c *Claim) {
	groups := e.HarmGroups()
	cells, harmed := 0, 0
	for _, g := range groups {
		cells, harmed = cells+g.Cells, harmed+g.Harmed
		c.number(g.Name+": cells where retries harm", "%", g.Share())
	}
	share := float64(harmed) / float64(cells)
	condition := "some of the cells that were looked at"
	if SplitHarm(groups).Holds() {
		condition = "workers held through hop-level backoff, attempt timeouts no longer than a full queue drains (with hop-level retries, any), or an entry near saturation"
		c.See = append(c.See, "harm-map")
	}
	switch {
	case share > 0.9:
		c.Verdict, c.Reason = Reproduced, "They harm nearly everywhere."
	case share < 0.01:
		c.Verdict, c.Reason = Contradicted, "They harm nowhere that was looked at."
	default:
		c.only(condition, fmt.Sprintf("Retries harm in %d of %d cells. %s", harmed, cells, HarmRule(groups)))
	}
}
