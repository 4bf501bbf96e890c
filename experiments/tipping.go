package experiments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"retrylab/analysis"
	"retrylab/results"
)

// Tipping asks where along one factor of a sweep something tips.
type Tipping struct {
	// Sweep and Changes name the sweep; all factors but Factor must be left with one level.
	Sweep   string
	Changes SweepChanges
	// Factor is varied from From to To until the interval is at most Width wide.
	Factor          string
	From, To, Width float64
	// Quantity is collapse or staying_down, whose probability passes Target, or during, after or success: success
	// of the second strategy minus the first, which passes Target, in shares.
	Quantity string
	Target   float64
	// Strategy whose collapse is meant; default the last.
	Strategy string
	// MinTrials and MaxTrials of each value of the factor.
	MinTrials, MaxTrials int
	Workers              int
}

// Quantities are the names that Tipping.Quantity may have.
func Quantities() []string { return []string{"collapse", "staying_down", "during", "after", "success"} }

// Find searches by sequential bisection. It gives the interval in which the quantity passes the target, and what was
// looked at. Trials of a value are kept and added to, and cells of both strategies face the same draws.
func (t Tipping) Find(ctx context.Context) (analysis.Interval, []analysis.Probed, error) {
	if !slices.Contains(Quantities(), t.Quantity) {
		return analysis.Interval{}, nil, fmt.Errorf("quantity %q: expected one of %s", t.Quantity, strings.Join(Quantities(), ", "))
	}
	if !(t.From < t.To) || !(t.Width > 0) || t.MinTrials < 2 || t.MaxTrials < t.MinTrials {
		return analysis.Interval{}, nil, fmt.Errorf("from must be below to, width above 0, and trials at least 2 and at most the most: got %v, %v, %v, %d, %d",
			t.From, t.To, t.Width, t.MinTrials, t.MaxTrials)
	}
	kept := map[float64]*probed{}
	probe := func(x float64, trials int, level float64) (analysis.Interval, error) {
		p := kept[x]
		if p == nil {
			s, err := t.at(x)
			if err != nil {
				return analysis.Interval{}, err
			}
			p = &probed{sweep: s, trials: make([][]results.Trial, len(s.Cells))}
			kept[x] = p
		}
		if err := p.run(ctx, trials, t.Workers); err != nil {
			return analysis.Interval{}, err
		}
		return t.interval(p, level), nil
	}
	return analysis.Bisect(analysis.Bisection{From: t.From, To: t.To, Target: t.Target, Width: t.Width, MinTrials: t.MinTrials, MaxTrials: t.MaxTrials, Level: 0.95}, probe)
}

// at is the sweep at one value of the factor.
func (t Tipping) at(x float64) (*Sweep, error) {
	changes := t.Changes
	changes.Sweep = append(slices.Clone(changes.Sweep), t.Factor+"="+formatNumber(x))
	s, err := LoadSweep(t.Sweep, changes)
	if err != nil {
		return nil, err
	}
	for _, c := range s.Cells[1:] {
		if fmt.Sprint(c.Factors) != fmt.Sprint(s.Cells[0].Factors) {
			return nil, fmt.Errorf("%s has several cells at each value of %s, e.g. %s and %s: leave the other factors one level each, with --sweep factor=level",
				t.Sweep, t.Factor, s.Cells[0].ID(), c.ID())
		}
	}
	if t.paired() && len(s.Cells) != 2 {
		return nil, fmt.Errorf("%s has %d strategies, expected two for the quantity %s", t.Sweep, len(s.Cells), t.Quantity)
	}
	if !t.paired() {
		last := s.Cells[len(s.Cells)-1]
		for _, c := range s.Cells {
			if c.Strategy == t.Strategy {
				last = c
			}
		}
		s.Cells = []*Cell{last}
	}
	return s, nil
}

func (t Tipping) paired() bool { return t.Quantity != "collapse" && t.Quantity != "staying_down" }

// probed holds the trials at one value.
type probed struct {
	sweep  *Sweep
	trials [][]results.Trial // of each cell
}

// run adds trials until there are that many of each cell.
func (p *probed) run(ctx context.Context, trials, workers int) error {
	var spans []span
	for i := range p.sweep.Cells {
		if have := len(p.trials[i]); have < trials {
			spans = append(spans, span{i, have, trials})
		}
	}
	line := &pipeline{sweep: p.sweep, runner: Runner{Seed: p.sweep.Seed, Workers: workers}}
	return line.run(ctx, spans, 0, func(b *block) error {
		for i := range b.rows {
			p.trials[b.cell] = append(p.trials[b.cell], b.rows[i].Trial)
		}
		return nil
	})
}

// interval is that of the quantity.
func (t Tipping) interval(p *probed, level float64) analysis.Interval {
	if t.paired() {
		topA, bottomA := t.counts(p.trials[1])
		topB, bottomB := t.counts(p.trials[0])
		return analysis.PairedRatioOfSums(topA, bottomA, topB, bottomB, level).Interval
	}
	k := 0
	for i := range p.trials[0] {
		row := &p.trials[0][i]
		if analysis.Collapsed(phases(row)) && (t.Quantity == "collapse" || !row.Recovered) {
			k++
		}
	}
	return analysis.ClopperPearson(k, len(p.trials[0]), level)
}

// counts are what the paired quantities are made of.
func (t Tipping) counts(trials []results.Trial) (top, bottom []float64) {
	for i := range trials {
		r := &trials[i]
		a, b := r.RequestsSucceeded, r.Requests
		switch t.Quantity {
		case "during":
			a, b = r.SucceededDuring, r.RequestsDuring
		case "after":
			a, b = r.SucceededAfter, r.RequestsAfter
		}
		top, bottom = append(top, float64(a)), append(bottom, float64(b))
	}
	return top, bottom
}
