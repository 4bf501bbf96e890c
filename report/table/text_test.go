package table_test

import (
	"math"
	"testing"

	"retrylab/report/table"
)

// Sentences have numbers and beginnings as tables have them.
func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{table.UpperFirst("überlast"), "Überlast"}, {table.UpperFirst("5 trials"), "5 trials"}, {table.UpperFirst(""), ""},
		{table.Fixed(-1.25, 1), "−1.2"}, {table.Fixed(2, 0), "2"}, {table.Fixed(math.NaN(), 1), "—"},
		{table.Signed(0.34, 1), "+0.3"}, {table.Signed(-0.04, 1), "0.0"}, {table.Signed(-12, 0), "−12"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
