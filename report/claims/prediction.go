package claims

import (
	"retrylab/analysis"
	"retrylab/analysis/queueing"
	"retrylab/report/facts"
)

// Prediction is a row of the paper's Table II, or one end of its range: p at each tier from First to Last,
// tiers counted from 1.
type Prediction struct {
	// Scenario is the paper's; Steady is the scenario in which p lasts all the time.
	Scenario, Steady string
	// First and Last are the failing tiers, P their failure probability.
	First, Last int
	P           float64
	// Printed is the paper's value.
	Printed float64
}

// Predictions are the values of Table II.
func Predictions() []Prediction {
	two := facts.Paper().TableII
	return []Prediction{
		{"S1", "P1", 3, 3, 0.5, two["S1"].RAF},
		{"S2", "P2-low", 4, 5, 0.1, two["S2"].RAFLow},
		{"S2", "P2-high", 4, 5, 0.7, two["S2"].RAFHigh},
		{"S3", "P3", 3, 5, 0.6, two["S3"].RAF},
	}
}

// Equation is eq. 3 over the failing tiers; for one tier it is eq. 2.
func (p Prediction) Equation() float64 {
	return queueing.RAFChain(p.P, facts.Paper().Setup.Retries, p.Last-p.First+1)
}

// Exact is the amplification, by eq. 1, of the last failing tier in the paper's chain without limits, by the recursion of package
// queueing; perRequest is the attempts there per request.
func (p Prediction) Exact() (raf, perRequest float64) {
	setup := facts.Paper().Setup
	failure := make([]float64, len(setup.Tiers))
	retries := make([]int, len(setup.Tiers)-1)
	for i := range failure {
		if i+1 >= p.First && i+1 <= p.Last {
			failure[i] = p.P
		}
	}
	for i := range retries {
		retries[i] = setup.Retries
	}
	solution, err := queueing.Chain(failure, retries, 0).Solve()
	if err != nil {
		panic("claims: the paper's chain: " + err.Error()) // it is constant
	}
	last := solution.Services[p.Last-1]
	return last.RAF, last.Attempts
}

// Service is the name of the last failing tier.
func (p Prediction) Service() string { return facts.Paper().Setup.Tiers[p.Last-1] }

// Free is the cell that simulates it without limits, Limited the one with the text's workers and queues.
func (p Prediction) Free() Key { return Key{"text-free", p.Steady, "SR-text", ""} }

// Limited is the cell with the text's workers and queues.
func (p Prediction) Limited() Key { return Key{"text-released", p.Steady, "SR-text", "duration=20s"} }

// Simulated is the amplification of the last failing tier in a cell.
func (e *Evidence) Simulated(p Prediction, k Key) analysis.Interval { return e.RAF(k, p.Service()) }

// cellsOf are all cells that the predictions are compared with.
func cellsOf(list []Prediction) []Key {
	var keys []Key
	for _, p := range list {
		keys = append(keys, p.Free(), p.Free().With("NR"), p.Limited(), p.Limited().With("NR"))
	}
	return keys
}
