package report

import (
	"fmt"
	"math"

	"retrylab/report/facts"
	"retrylab/report/measure"
	"retrylab/results"
)

// summary says in a few sentences what the run shows, each sentence computed from the rows.
func (d *data) summary() []string {
	if !d.main.isReference() {
		if d.main == nil {
			return []string{"The run has no cells."}
		}
		return []string{fmt.Sprintf("%s, %s in all; figures show %s.", Count(len(d.cells), "cell"), Count(len(d.trials), "trial"), d.main.title())}
	}
	var sentences []string
	for _, sentence := range []string{d.agreement(), d.ranking(), d.entry()} {
		if sentence != "" {
			sentences = append(sentences, sentence)
		}
	}
	return sentences
}

// agreement compares all cells with the authors' run.
func (d *data) agreement() string {
	success, raf, cells := 0.0, 0.0, 0
	d.main.eachPaperCell(func(p pair, trials []results.Trial) {
		authors, ok := facts.Authors(p.strategy, p.scenario)
		if !ok || len(trials) == 0 {
			return
		}
		cells++
		success = math.Max(success, math.Abs(measure.SuccessPerAttempt.Over(trials, 100).Estimate-authors.SuccessPct))
		raf = math.Max(raf, math.Abs(measure.RAF.Over(trials, 1).Estimate-authors.RAF))
	})
	if cells == 0 {
		return ""
	}
	return fmt.Sprintf("The paper's numbers come out again: in all %d cells of Tables III and IV, success per attempt is within %.2f percentage points "+
		"and RAF within %.4f of the authors' own run.", 2*cells, roundUp(success, 100), roundUp(raf, 10000))
}

// roundUp makes "within" true of the printed number, at so many steps per unit; what arithmetic leaves
// over, far below a step, does not count.
func roundUp(x, steps float64) float64 { return max(0, math.Ceil(x*steps-1e-6)/steps) }

// ranking says how the strategies stand per attempt and per request.
func (d *data) ranking() string {
	last, scenarios, widest := 0, 0, 0.0
	for _, scenario := range paperScenarios {
		lowest, low, high := "", math.Inf(1), math.Inf(-1)
		worst := math.Inf(1)
		for _, strategy := range paperStrategies {
			trials := d.main.trials[pair{strategy, scenario}]
			if len(trials) == 0 {
				return ""
			}
			if v := measure.SuccessPerAttempt.Over(trials, 100).Estimate; v < worst {
				worst, lowest = v, strategy
			}
			v := measure.SuccessPerRequest.Over(trials, 100).Estimate
			low, high = math.Min(low, v), math.Max(high, v)
		}
		scenarios++
		if lowest == "SR" {
			last++
		}
		widest = math.Max(widest, high-low)
	}
	return fmt.Sprintf("Counted per attempt, standard retry (SR) ranks last in %d of %d scenarios. Counted per request, the four strategies of a scenario "+
		"lie within %.2f percentage points of each other: each retry adds an attempt to the denominator, whatever it does for requests.", last, scenarios, roundUp(widest, 100))
}

// entry says how busy the entry service is before any fault.
func (d *data) entry() string {
	if d.windows == nil {
		return ""
	}
	cell := d.windows.cells[pair{"NR", "S1"}]
	if cell == nil || len(cell.tiers) == 0 {
		return ""
	}
	busy := cell.utilization(cell.tiers[0], before)
	if busy.N == 0 {
		return ""
	}
	return fmt.Sprintf("Before any fault, without any retry, %s is already %.1f%% busy, not 50%% as the paper's text says: a worker is held while its request "+
		"waits for the services below, so the entry can finish fewer requests than are offered.", cell.tiers[0], busy.Estimate)
}
