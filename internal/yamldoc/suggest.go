package yamldoc

import (
	"fmt"
	"strings"
)

// Suggest is `, did you mean "x"?` for the known word nearest to the given one, or
// empty if none is near enough to be a slip of the pen.
func Suggest(word string, known []string) string {
	best, bestDistance := "", 0
	for _, k := range known {
		d := distance(strings.ToLower(word), strings.ToLower(k))
		if best == "" || d < bestDistance {
			best, bestDistance = k, d
		}
	}
	if best == "" || bestDistance > 1+len(best)/4 {
		return ""
	}
	return fmt.Sprintf(", did you mean %q?", best)
}

// distance counts the insertions, deletions, substitutions and swaps of neighbours
// that turn a into b (optimal string alignment). Long words are not compared.
func distance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return longest
	}
	var before, above, row [longest + 1]int
	for j := range row {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}
