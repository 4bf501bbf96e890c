package analysis_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"retrylab/analysis"
)

// dumbDip finds the nearest unimodal law by linear programming, one program for
// each point at which its mode may lie: values g(1..n) at the points, a second
// value at the mode (the law may jump there), and the distance d to minimize.
//
// The solver gives up on some degenerate programs: then solved is false.
func dumbDip(sorted []float64) (dip float64, solved bool) {
	var x, before, upto []float64
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			x, before, upto = append(x, v), append(before, float64(i)/float64(len(sorted))), append(upto, 0)
		}
		upto[len(x)-1] = float64(i+1) / float64(len(sorted))
	}
	dip = 1.0
	for mode := range x {
		optimum, err := dipWithMode(x, before, upto, mode)
		if err != nil {
			return 0, false
		}
		dip = min(dip, optimum)
	}
	return dip, true
}

// dipWithMode solves one program. Variables, all at least 0: left limits and
// values 0..mode as column i, values mode..n-1 as column i+1, d as column n+1.
func dipWithMode(x, before, upto []float64, mode int) (float64, error) {
	n := len(x)
	var rows [][]float64
	var bounds []float64
	atMost := func(bound float64, terms map[int]float64) {
		row := make([]float64, n+2)
		for column, factor := range terms {
			row[column] = factor
		}
		rows, bounds = append(rows, row), append(bounds, bound)
	}
	d := n + 1
	left := func(i int) int { return i }      // i <= mode: the left limit
	right := func(i int) int { return i + 1 } // i >= mode: the value
	for i := range n {
		l, r := left(i), left(i)
		if i > mode {
			l, r = right(i), right(i)
		} else if i == mode {
			r = right(i)
		}
		atMost(before[i], map[int]float64{l: 1, d: -1}) // left limit <= before + d
		atMost(-upto[i], map[int]float64{r: -1, d: -1}) // value >= upto - d
		if i == mode {
			atMost(-before[i], map[int]float64{l: -1, d: -1})
			atMost(upto[i], map[int]float64{r: 1, d: -1})
		}
	}
	atMost(0, map[int]float64{left(mode): 1, right(mode): -1}) // no jump down
	atMost(1, map[int]float64{right(n - 1): 1})
	bend := func(a, b, c int, column func(int) int, sign float64) {
		// sign*(slope before - slope after) <= 0, scaled so that no factor exceeds 2.
		narrow := min(x[b]-x[a], x[c]-x[b])
		s, u := narrow/(x[b]-x[a]), narrow/(x[c]-x[b])
		atMost(0, map[int]float64{column(a): -sign * s, column(b): sign * (s + u), column(c): -sign * u})
	}
	for b := 1; b < mode; b++ {
		bend(b-1, b, b+1, left, +1)
	}
	for b := mode + 1; b < n-1; b++ {
		bend(b-1, b, b+1, right, -1)
	}
	for i := 1; i <= mode; i++ {
		atMost(0, map[int]float64{left(i - 1): 1, left(i): -1})
	}
	for i := mode + 1; i < n; i++ {
		atMost(0, map[int]float64{right(i - 1): 1, right(i): -1})
	}
	// Slack variables make equalities, as the solver wants.
	a := mat.NewDense(len(rows), n+2+len(rows), nil)
	for i, row := range rows {
		for j, v := range row {
			a.Set(i, j, v)
		}
		a.Set(i, n+2+i, 1)
	}
	cost := make([]float64, n+2+len(rows))
	cost[d] = 1
	optimum, _, err := lp.Simplex(cost, a, bounds, 1e-12, nil)
	return optimum, err
}

func TestDipByHand(t *testing.T) {
	near(t, "evenly spaced: the least possible", analysis.Dip([]float64{1, 2, 3, 4, 5, 6, 7, 8}), 1.0/16, 1e-15)
	near(t, "two equal points: the most possible", analysis.Dip([]float64{0, 0, 1, 1}), 0.25, 1e-15)
	near(t, "one point", analysis.Dip([]float64{3, 3, 3}), 1.0/6, 1e-15)
}

func TestDipAgainstLinearPrograms(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1985))
	compared := 0
	for try := range 150 {
		xs := make([]float64, 2+random.IntN(7))
		for i := range xs {
			xs[i] = random.NormFloat64()
			if random.IntN(2) == 0 {
				xs[i] = 4 + random.Float64()
			}
			if try%3 == 0 { // ties
				xs[i] = float64(int(2 * xs[i]))
			}
		}
		slices.Sort(xs)
		want, solved := dumbDip(xs)
		if !solved {
			continue
		}
		compared++
		got := analysis.Dip(xs)
		// Half a step is the least that the definition by observations gives.
		if least := 0.5 / float64(len(xs)); want < least {
			want = least
		}
		near(t, "dip", got, want, 1e-9)
		if t.Failed() {
			t.Fatalf("sample %d: %v", try, xs)
		}
	}
	if compared < 120 {
		t.Errorf("only %d of 150 samples could be compared", compared)
	}
	t.Logf("%d samples compared", compared)
}
