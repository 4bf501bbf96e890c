package experiments_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"retrylab/experiments"
)

// The cell that settles last is found wherever it is in the design, and is told from one that never does and from one
// that is steady; cells with faults are not looked at.
func TestSettling(t *testing.T) {
	const (
		base  = "name: x\nbase:\n  duration: %s\n  warmup: %s\n  clients: [{arrivals: {rate: 500}, call: {to: A}}]\n  services: [{name: A, servers: %d, time: {kind: exponential, mean: 10ms}}]\n"
		fault = "  faults: [{services: [A], from: 1s, to: 2s, p: 1}]\n"
		load  = "factors: [{name: x, path: clients.client.arrivals.rate, times: 100, list: [%s]}]\n"
		// A rush at the start.
		rush = "set: {clients.client.arrivals: {kind: piecewise, rate: 400, steps: [{at: 8s, rate: 100}]}}\nfactors: [{name: x, path: services.A.time.mean, suffix: ms, list: [%s]}]\n"
	)
	for name, c := range map[string]struct {
		base, factor, levels string
		last                 string // the level that settles last; empty: none without faults
		settled, short       bool
		least, most          time.Duration
	}{
		"a full queue, first": {fmt.Sprintf(base, "60s", "0s", 1), load, "0.95,0.2,0.3", "0.95", false, false, 30 * time.Second, time.Minute},
		"a full queue, last":  {fmt.Sprintf(base, "60s", "0s", 1), load, "0.2,0.3,0.95", "0.95", false, false, 30 * time.Second, time.Minute},
		"a light queue":       {fmt.Sprintf(base, "400s", "0s", 1), load, "0.1", "0.1", true, false, 0, 0},
		"a rush":              {fmt.Sprintf(base, "60s", "0s", 0), rush, "100", "100", true, true, 6 * time.Second, 20 * time.Second},
		"a rush, warmed":      {fmt.Sprintf(base, "60s", "20s", 0), rush, "100", "100", true, false, 6 * time.Second, 20 * time.Second},
		"faults":              {fmt.Sprintf(base, "20s", "0s", 1) + fault, load, "0.2,0.3", "", false, false, 0, 0},
	} {
		s, err := experiments.ParseSweep("x.yaml", ".", fmt.Appendf(nil, c.base+c.factor, c.levels), experiments.SweepChanges{})
		if err != nil {
			t.Fatal(err)
		}
		found := s.Settling(t.Context())
		if found == nil {
			if c.last != "" {
				t.Errorf("%s: nothing was found", name)
			}
			continue
		}
		if found.Settled != c.settled || found.Short != c.short || found.After < c.least || found.After > c.most || !strings.HasSuffix(found.Cell.ID(), "="+c.last) {
			t.Errorf("%s: %s, %+v", name, found.Cell.ID(), found)
		}
	}
}
