package experiments_test

import (
	"strings"
	"testing"

	"retrylab/policy"
)

func catalogKinds() string {
	var kinds []string
	for _, e := range policy.Catalog() {
		kinds = append(kinds, e.Kind)
	}
	return strings.Join(kinds, ", ")
}

func compareText(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n")
	for i := range max(len(g), len(w)) {
		a, b := "(nothing)", "(nothing)"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Errorf("line %d\ngot  %s\nwant %s", i+1, a, b)
		}
	}
}
