package experiments

import (
	"cmp"
	"context"
	"errors"
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
	// Quantity is collapse or staying_down, whose probability passes Target (above 0 and below 1), or during, after or
	// success: success of Strategy minus that of the sweep's first, which passes Target, in shares. A difference is the mean
	// of the trials' differences; a trial without requests in that phase has none.
	Quantity string
	Target   float64
	// Strategy is the one that is looked at; default the last. For a difference it must be named if there are more than two.
	Strategy string
	// MinTrials are run at each value of the factor first, MaxTrials in the whole search; at least 2 and twice as many.
	MinTrials, MaxTrials int
	Workers              int
}

// Quantities are the names that Tipping.Quantity may have.
func Quantities() []string { return []string{"collapse", "staying_down", "during", "after", "success"} }

// Find searches by sequential bisection, see [analysis.Bisect]. It gives the interval of where the quantity passes the
// target, and what was looked at. No trial has the number of another, at whatever value, so that trials are independent
// even along a factor that leaves the environment and so the draws alone. The two strategies of a difference face the
// same draws.
func (t Tipping) Find(ctx context.Context) (analysis.Interval, []analysis.Probed, error) {
	if err := t.Check(); err != nil {
		return analysis.Interval{}, nil, err
	}
	sweeps := map[float64]*Sweep{}
	next := 0
	probe := func(x float64, trials int) ([]float64, error) {
		s := sweeps[x]
		if s == nil {
			var err error
			if s, err = t.at(x); err != nil {
				return nil, err
			}
			sweeps[x] = s
		}
		rows, err := t.run(ctx, s, next, next+trials)
		next += trials
		if err != nil {
			return nil, err
		}
		return t.values(rows), nil
	}
	return analysis.Bisect(analysis.Bisection{
		From: t.From, To: t.To, Target: t.Target, Shares: !t.paired(), Width: t.Width,
		MinTrials: t.MinTrials, MaxTrials: t.MaxTrials, Level: 0.95,
	}, probe)
}

// Check says all that is wrong with what is asked for, without running anything.
func (t Tipping) Check() error {
	var errs []error
	wrong := func(is bool, format string, args ...any) {
		if is {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	known := slices.Contains(Quantities(), t.Quantity)
	wrong(!known, "quantity %q: expected one of %s", t.Quantity, strings.Join(Quantities(), ", "))
	wrong(!(t.From < t.To), "from %v: must be below to, got to %v", t.From, t.To)
	wrong(!(t.Width > 0), "width %v: must be above 0", t.Width)
	wrong(t.MinTrials < 2, "min-trials %d: must be at least 2", t.MinTrials)
	wrong(t.MaxTrials < 2*t.MinTrials, "max-trials %d: must be at least twice min-trials, %d", t.MaxTrials, t.MinTrials)
	wrong(t.Workers < 0, "workers %d: must be at least 0 (one a core)", t.Workers)
	wrong(known && !t.paired() && !(t.Target > 0 && t.Target < 1), "target %v: a probability of %s is expected, above 0 and below 1", t.Target, t.Quantity)
	if known {
		if _, err := t.at(t.From); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
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
	if t.paired() && t.Strategy == "" && len(s.Cells) != 2 {
		return nil, fmt.Errorf("%s has %d strategies, expected two for the quantity %s, or the name of the one to compare with %s",
			t.Sweep, len(s.Cells), t.Quantity, s.Cells[0].Strategy)
	}
	if err := t.defined(s.Cells[0]); err != nil {
		return nil, err
	}
	chosen, err := t.choose(s.Cells)
	if err != nil {
		return nil, err
	}
	if t.paired() {
		s.Cells = []*Cell{s.Cells[0], chosen}
	} else {
		s.Cells = []*Cell{chosen}
	}
	return s, nil
}

// choose is the cell of the strategy that is looked at.
func (t Tipping) choose(cells []*Cell) (*Cell, error) {
	if t.Strategy == "" {
		return cells[len(cells)-1], nil
	}
	if t.paired() {
		cells = cells[1:] // the first is what they are compared with
	}
	var names []string
	for _, c := range cells {
		if c.Strategy == t.Strategy {
			return c, nil
		}
		names = append(names, c.Strategy)
	}
	return nil, fmt.Errorf("strategy %q: %s has %s", t.Strategy, t.Sweep, cmp.Or(strings.Join(names, ", "), "no second one"))
}

// defined refuses a quantity that no trial of the model has: it would be 0 or empty everywhere. One cell is enough to look at, as
// strategies have the same faults and windows.
func (t Tipping) defined(c *Cell) error {
	_, to, faults := c.Program.FaultSpan()
	switch {
	case t.Quantity == "success":
		return nil
	case !faults:
		return fmt.Errorf("quantity %s: the model has no faults, expected a model or scenario with faults, or the quantity success", t.Quantity)
	case t.Quantity != "during" && to >= c.Program.Duration():
		return fmt.Errorf("quantity %s: the faults last to the end, so that no request arrives after them, expected a longer duration", t.Quantity)
	case t.Quantity == "staying_down":
		if ok, warning := c.Recovers(); !ok {
			return fmt.Errorf("quantity %s: %s", t.Quantity, cmp.Or(warning, "there is no time before the faults in which the system works"))
		}
	}
	return nil
}

func (t Tipping) paired() bool { return t.Quantity != "collapse" && t.Quantity != "staying_down" }

// run runs trials from, from+1, ..., to-1 of each cell.
func (t Tipping) run(ctx context.Context, s *Sweep, from, to int) (trials [][]results.Trial, err error) {
	trials = make([][]results.Trial, len(s.Cells))
	spans := make([]span, len(s.Cells))
	for i := range spans {
		spans[i] = span{i, from, to}
	}
	line := &pipeline{cells: s.Cells, tables: s.details(), runner: Runner{Seed: s.Seed, Workers: t.Workers}}
	err = line.run(ctx, spans, 0, func(b *block) error {
		for i := range b.rows {
			trials[b.cell] = append(trials[b.cell], b.rows[i].Trial)
		}
		return nil
	})
	return trials, err
}

// values are those of the quantity, one a trial.
func (t Tipping) values(trials [][]results.Trial) []float64 {
	values := make([]float64, len(trials[0]))
	for i := range values {
		row := &trials[0][i]
		if t.paired() {
			values[i] = t.success(&trials[1][i]) - t.success(row)
		} else if analysis.Collapsed(phases(row)) && (t.Quantity == "collapse" || !row.Recovered) {
			values[i] = 1
		}
	}
	return values
}

// success is a trial's share of requests that succeeded, in the phase of the quantity.
func (t Tipping) success(r *results.Trial) float64 {
	switch t.Quantity {
	case "during":
		return float64(r.SucceededDuring) / float64(r.RequestsDuring)
	case "after":
		return float64(r.SucceededAfter) / float64(r.RequestsAfter)
	}
	return float64(r.RequestsSucceeded) / float64(r.Requests)
}
