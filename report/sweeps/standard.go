package sweeps

import (
	"fmt"
	"slices"

	"retrylab/results"
)

// standard is the report of a standard sweep. It is made for the design of that sweep, so another one that bears the
// name, say a copy with other factors or with one more on the command line, gets the plain report.
type standard struct {
	numbers, texts []string          // the factors, and there are no others
	strategies     int               // how many there are; 0 is any number
	table          string            // that it reads beside cells and trials; empty is none
	check          func(*cell) error // what else it needs of a cell; nil is nothing
	trials         bool              // it looks at single trials of a cell, which are kept for it
	make           func(*data, *parts) error
}

// own are the reports of the standard sweeps, by the name of the experiment.
var own = map[string]standard{
	"harm_map": {numbers: []string{"utilization", "p", "room", "timeout_s"}, texts: []string{"retries_at", "workers", "abandoned"}, strategies: 2, make: harm},
	"amplification": {numbers: []string{"retries", "p"}, texts: []string{"calls", "failures_at"}, strategies: 1, table: results.Service{}.TableName(), trials: true,
		check: func(c *cell) error { _, err := c.calls(); return err }, make: amplification},
	"topology":    {numbers: []string{"p"}, texts: []string{"shape"}, strategies: 2, make: topology},
	"recovery":    {numbers: []string{"utilization"}, texts: []string{"fault"}, trials: true, make: recovery},
	"correlation": {numbers: []string{"p", "rho"}, texts: []string{"retries_at"}, strategies: 2, make: correlation},
	"jitter":      {texts: []string{"jitter"}, strategies: 1, table: results.Window{}.TableName(), make: jitter},
}

// reportOf is what makes the report of a sweep.
func reportOf(d *data) func(*data, *parts) error {
	if s, is := own[d.name]; is && s.fits(d) {
		return s.make
	}
	return func(d *data, p *parts) error { plain(d, p); return nil }
}

// fits tells whether the rows are of the design that the report is made for: its factors, as many strategies and one scenario. A sweep
// has all its strategies at every point.
func (s standard) fits(d *data) bool {
	if len(d.cells) == 0 || len(d.factors) != len(s.numbers)+len(s.texts) || s.strategies > 0 && len(d.strategies) != s.strategies {
		return false
	}
	for _, f := range d.factors {
		names := s.texts
		if f.Kind == results.Float64 {
			names = s.numbers
		}
		if !slices.Contains(names, f.Name) {
			return false
		}
	}
	if s.table != "" {
		if _, err := tablePath(d.dir, s.table); err != nil {
			return false
		}
	}
	return !slices.ContainsFunc(d.cells, func(c *cell) bool {
		return c.Scenario != d.cells[0].Scenario || s.check != nil && s.check(c) != nil
	})
}

// calls is the number in a level such as 2 calls.
func (c *cell) calls() (n int, err error) {
	if _, err = fmt.Sscanf(c.text("calls"), "%d", &n); err != nil {
		err = fmt.Errorf("cell %s: calls %q: %w", c.Cell.Cell, c.text("calls"), err)
	}
	return n, err
}
