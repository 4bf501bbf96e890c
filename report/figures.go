package report

import (
	"fmt"
	"math"

	"retrylab/analysis"
	"retrylab/report/figure"
)

// drawers are all figures in the order in which a report shows them, by the stem of their files. A
// drawer returns nil if the run has nothing for it.
var drawers = []struct {
	name string
	draw func(*data) (*figure.Figure, error)
}{
	{"raf-against-p", rafAgainstP},
	{"raf-against-depth", rafAgainstDepth},
	{"success", successDots},
	{"raf", rafDots},
	{"load-over-time", loadOverTime},
	{"policy-over-time", policyOverTime},
	{"utilization", utilizationByTier},
	{"causes", causesDots},
	{"models", modelsDots},
	{"arb-lens", lensOverTime},
	{"study-waits", studyWaits},
	{"study-counts", studyCounts},
	{"study-patterns", studyPatterns},
}

// buildFigures makes all figures.
func buildFigures(d *data) ([]*figure.Figure, error) {
	var figures []*figure.Figure
	for _, drawer := range drawers {
		f, err := drawer.draw(d)
		if err != nil {
			return nil, err
		}
		if f != nil {
			f.Name = drawer.name
			figures = append(figures, f)
		}
	}
	return figures, nil
}

// bandLow and bandHigh are the quantiles over trials between which bands are drawn.
const bandLow, bandHigh = 0.05, 0.95

// medianSeries draws the median over trials, and a band, of a value per window. within says where
// in the window a point stands: 0.5 for what is counted over it, 1 for what is seen at its end.
func medianSeries(name string, values perTrial, windowS, within, scale float64) figure.Series {
	s := figure.Series{Name: name}
	for i, trials := range values {
		s.X = append(s.X, (float64(i)+within)*windowS)
		s.Values = append(s.Values, scale*analysis.Quantile(trials, 0.5))
		s.Lo = append(s.Lo, scale*analysis.Quantile(trials, bandLow))
		s.Hi = append(s.Hi, scale*analysis.Quantile(trials, bandHigh))
	}
	return s
}

// span is the shaded fault of a cell; none without faults.
func (e *experiment) span(p pair) []figure.Span {
	from, to, ok := faultSpan(e.cells[p])
	if !ok {
		return nil
	}
	return []figure.Span{{From: from, To: to, Label: "fault"}}
}

// timeTicks are round times up to the end of a trial.
func timeTicks(endS float64) []figure.Tick {
	step := niceStep(endS, 5)
	var ticks []figure.Tick
	for at := 0.0; at <= endS; at += step {
		ticks = append(ticks, figure.Tick{At: at, Label: fmt.Sprintf("%g", at)})
	}
	return ticks
}

// axisFrom0 is a range from 0 to a little above the highest value, and its ticks.
func axisFrom0(highest float64, wanted int) (figure.Range, []figure.Tick) {
	if !(highest > 0) {
		highest = 1
	}
	step := niceStep(highest, wanted)
	var ticks []figure.Tick
	for i := 0; float64(i)*step <= highest*1.04; i++ {
		ticks = append(ticks, figure.Tick{At: float64(i) * step, Label: fmt.Sprintf("%g", float64(i)*step)})
	}
	return figure.Range{Min: 0, Max: highest * 1.06}, ticks
}

// niceStep is 1, 2 or 5 times a power of ten, with at most about wanted steps up to the range.
func niceStep(length float64, wanted int) float64 {
	rough := length / float64(wanted)
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= rough*0.999 {
			return factor * power
		}
	}
	return 10 * power
}

// highest is the largest value or end of an interval in the panels.
func highest(panels []figure.Panel) float64 {
	top := math.Inf(-1)
	for _, p := range panels {
		for _, s := range p.Series {
			for i := range s.Values {
				top = math.Max(top, s.Values[i])
				if s.Hi != nil {
					top = math.Max(top, s.Hi[i])
				}
			}
		}
	}
	return top
}
