package experiments

import (
	"testing"

	"retrylab/engine"
)

const second = int64(1e9)

func TestRecovery(t *testing.T) {
	// Windows of 1 s: 3 before (100 requests each), a span of 2 (from 3 s to 5 s), the rest after.
	before := []int64{100, 100, 100, 20, 10}
	for _, c := range []struct {
		name  string
		after []int64
		want  int64 // seconds; -1: censored
	}{
		{"at once", []int64{100, 100, 100, 100}, 0},
		{"exactly the threshold", []int64{90, 90, 90}, 0},
		{"just below it", []int64{89, 89, 89, 89}, -1},
		{"after two", []int64{10, 50, 95, 91, 100}, 2},
		{"never", []int64{10, 10, 10, 10, 10, 10}, -1},
		{"too late to tell", []int64{10, 10, 10, 100, 100}, -1},
		{"a dip within noise", []int64{95, 88, 100, 100}, 0},
		{"a spike of the backlog is not recovery", []int64{300, 0, 0, 0, 0, 0, 0}, -1},
		{"a spike, then back", []int64{300, 10, 10, 100, 100, 100}, 3}, // the mean holds from the spike on, but not the next three windows
		{"back, then down again", []int64{100, 100, 100, 100, 0, 0, 0, 0}, -1},
		{"down for good after a long time", []int64{100, 100, 100, 100, 100, 100, 100, 100, 100, 0}, 0},
		{"two windows only", []int64{100, 100}, -1},
	} {
		all := append(append([]int64{}, before...), c.after...)
		got, ok := recovery(all, second, 0, 3*second, 5*second, int64(len(all))*second)
		if ok != (c.want >= 0) || ok && got != c.want*second {
			t.Errorf("%s: %d, %v, want %d s", c.name, got, ok, c.want)
		}
	}
}

func TestRecoveryAtTheEdges(t *testing.T) {
	g := []int64{0, 100, 100, 20, 100, 100, 100, 100, 5, 5, 5}
	for _, c := range []struct {
		name                     string
		window, warmup, from, to int64
		end                      int64
		want                     int64
		ok                       bool
	}{
		{"warm-up is not before", second, second, 3 * second, 4 * second, 8 * second, 0, true},
		{"no window before", second, 0, second / 2, 4 * second, 8 * second, -1, false},
		{"warm-up up to the fault", second, 3 * second, 3 * second, 4 * second, 8 * second, -1, false},
		{"span ends within a window", second, second, 3 * second, 3*second + second/4, 8 * second, 3 * second / 4, true},
		{"drain does not count", second, second, 3 * second, 4 * second, 8 * second, 0, true},
		{"no windows", 0, 0, 3 * second, 4 * second, 8 * second, -1, false},
		{"nothing before", second, 0, second, 4 * second, 8 * second, -1, false},
	} {
		got, ok := recovery(g, c.window, c.warmup, c.from, c.to, c.end)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v, want %d, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func TestGoodputSumsClientsOnly(t *testing.T) {
	tally := engine.Tally{Clients: make([]engine.ClientTally, 2), Windows: []engine.Window{
		{Index: 0, Station: 0, Succeeded: 1}, {Index: 0, Station: 1, Succeeded: 2}, {Index: 0, Station: 2, Succeeded: 100},
		{Index: 1, Station: 0, Succeeded: 4}, {Index: 1, Station: 1, Succeeded: 0}, {Index: 1, Station: 2, Succeeded: 100},
	}}
	if got := goodput(nil, &tally); len(got) != 2 || got[0] != 3 || got[1] != 4 {
		t.Errorf("got %v", got)
	}
}
