package claims

import (
	"fmt"
	"math"

	"retrylab/analysis/queueing"
	"retrylab/report/facts"
	"retrylab/report/measure"
)

// rafRulings are Table IV and what is said about it.
func rafRulings() []ruling {
	var list []ruling
	for _, strategy := range Strategies {
		for _, scenario := range Scenarios {
			list = append(list, tableCell("table4", "VII-B, Table IV", "RAF of %s in %s is %.2f", strategy, scenario))
		}
	}
	return append(list, ruling{claim: Claim{
		ID: "raf-rises", Section: "VII-B", Text: "Standard retry's amplification rises with the severity of the failure.",
		Rule: "Reproduced if RAF(S1) < RAF(S2) < RAF(S3) for SR in the reference model, intervals apart.", See: []string{"table4"},
	}, needs: reference.all(), judge: func(e *Evidence, c *Claim) {
		var low, high []float64
		for _, s := range Scenarios {
			i := e.Over(measure.RAF, reference.Key("SR", s), 1)
			c.number(s, "", i)
			low, high = append(low, i.Low), append(high, i.High)
		}
		c.decide(high[0] < low[1] && high[1] < low[2], "It does.", "The order is another one, or the intervals overlap.")
	}}, ruling{claim: Claim{
		ID: "finite-queues", Section: "VII-B", Text: "Finite queues are the main reason why Table IV stays so far below Table II.",
		Rule: "Reproduced if, on a logarithmic scale, finite capacity and queues account for more than half of the gap in S3; the gap is taken apart one cause at a time.",
		See:  []string{"table2", "models"},
	}, needs: append(reference.all(), model("reference-25").all()...), judge: finiteQueues})
}

// Gap is the way from Table II's prediction for S3 to Table IV's measurement, one cause after the other. Each value is an amplification.
type Gap struct {
	// Predicted by eq. 3; EndToEnd if only the client retries, twice, as in the authors' program, during the fault; Averaged over
	// the whole trial, most of which is healthy; Unsaturated is simulated at 50% load, Measured at 125%.
	Predicted, EndToEnd, Averaged, Unsaturated, Measured float64
}

// takeGap takes the gap of S3 apart.
func (e *Evidence) takeGap() Gap {
	const p, tiersFailing, retries = 0.6, 3, 2
	predicted := facts.Paper().TableII["S3"].RAF
	k := reference.Key("SR", "S3")
	cell := e.cells[k]
	fails := 1 - math.Pow(1-p, tiersFailing)
	inFault := queueing.RAFSingle(fails, retries)
	share := float64(cell.FaultToNs-cell.FaultFromNs) / float64(cell.DurationNs)
	return Gap{
		Predicted: predicted, EndToEnd: inFault, Averaged: 1 + share*(inFault-1),
		Unsaturated: e.Over(measure.RAF, model("reference-25").Key("SR", "S3"), 1).Estimate,
		Measured:    e.Over(measure.RAF, k, 1).Estimate,
	}
}

// Queues is the share of the gap, on a logarithmic scale, that finite capacity and queues account for.
func (g Gap) Queues() float64 {
	return math.Log(g.Averaged/g.Measured) / math.Log(g.Predicted/g.Measured)
}

func finiteQueues(e *Evidence, c *Claim) {
	g := e.takeGap()
	c.value("predicted, eq. 3", "", g.Predicted)
	c.value("only the client retries, twice (closed form, during the fault)", "", g.EndToEnd)
	c.value("averaged over the whole trial (closed form)", "", g.Averaged)
	c.value("simulated at 50% load", "", g.Unsaturated)
	c.value("simulated at 125% load (Table IV)", "", g.Measured)
	c.value("share of the gap that capacity and queues account for", "%", 100*g.Queues())
	c.decide(g.Queues() > 0.5, "They are.",
		fmt.Sprintf("They account for %s%% of it. Most of the gap is there without any queue: the program retries end to end at the client, twice, where eq. 3 supposes "+
			"three retries at each of three tiers, and Table IV averages over a trial that is mostly healthy. Causes are taken off in this order, capacity last.", plain(100*g.Queues())))
}
