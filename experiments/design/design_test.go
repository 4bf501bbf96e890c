package design

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// The first points in five dimensions, worked out by hand from the direction numbers: x(n+1) = x(n) xor v(c), where
// c is the place of the lowest 0 bit of n.
func TestSobolBeginsAsPublished(t *testing.T) {
	want := [][]float64{
		{0, 0, 0, 0, 0},
		{0.5, 0.5, 0.5, 0.5, 0.5},
		{0.75, 0.25, 0.25, 0.25, 0.75},
		{0.25, 0.75, 0.75, 0.75, 0.25},
		{0.375, 0.375, 0.625, 0.875, 0.375},
		{0.875, 0.875, 0.125, 0.375, 0.875},
	}
	got := Sobol(len(want), 5)
	for i := range want {
		for d := range want[i] {
			if got[i][d] != want[i][d] {
				t.Errorf("point %d: %v, want %v", i, got[i], want[i])
				break
			}
		}
	}
}

// Of 2^k points, each dimension has one in each of 2^k equal parts, and each pair of the first dimensions fills a
// grid as well as chance could hope for.
func TestSobolFillsEvenly(t *testing.T) {
	const n = 256
	points := Sobol(n, MaxSobol)
	for d := range MaxSobol {
		seen := map[int]bool{}
		for _, p := range points {
			seen[int(p[d]*n)] = true
		}
		if len(seen) != n {
			t.Errorf("dimension %d: %d of %d parts hold a point", d, len(seen), n)
		}
	}
	for d := range MaxSobol {
		for e := range d {
			// The mean of the product of two independent coordinates is 1/4; chance would be off by 0.014.
			sum := 0.0
			for _, p := range points {
				sum += p[d] * p[e]
			}
			if off := math.Abs(sum/n - 0.25); off > 0.03 {
				t.Errorf("dimensions %d and %d: mean product is off by %.3f", e, d, off)
			}
		}
	}
}

func TestLatinHypercubeHasOnePointInEachPart(t *testing.T) {
	const n = 40
	points := LatinHypercube(n, 4, 7)
	for d := range 4 {
		seen := map[int]bool{}
		for _, p := range points {
			seen[int(p[d]*n)] = true
		}
		if len(seen) != n {
			t.Errorf("dimension %d: %d of %d parts hold a point", d, len(seen), n)
		}
	}
	if fmt.Sprint(points) != fmt.Sprint(LatinHypercube(n, 4, 7)) {
		t.Error("the same seed gives other points")
	}
	if fmt.Sprint(points) == fmt.Sprint(LatinHypercube(n, 4, 8)) {
		t.Error("another seed gives the same points")
	}
}

func TestValues(t *testing.T) {
	for _, c := range []struct {
		got  func() ([]float64, error)
		want string
	}{
		{func() ([]float64, error) { return Linspace(0, 1, 5) }, "[0 0.25 0.5 0.75 1] <nil>"},
		{func() ([]float64, error) { return Linspace(3, 3, 1) }, "[3] <nil>"},
		{func() ([]float64, error) { return Linspace(0, 1, 1) }, "[] n must be at least 2 to reach from 0 to 1, got 1"},
		{func() ([]float64, error) { return Logspace(0.01, 100, 5) }, "[0.01 0.1 1 10 100] <nil>"},
		{func() ([]float64, error) { return Logspace(0, 1, 3) }, "[] from and to must be above 0, got 0 and 1"},
		{func() ([]float64, error) { return Range(0.1, 0.5, 0.1) }, "[0.1 0.2 0.3 0.4 0.5] <nil>"},
		{func() ([]float64, error) { return Range(5, 0, -2) }, "[5 3 1] <nil>"},
		{func() ([]float64, error) { return Range(0, 1, 0) }, "[] step must lead from 0 to 1, got 0"},
		{func() ([]float64, error) { return Linspace(0, math.Inf(1), 3) }, "[] from and to must be finite numbers"},
	} {
		values, err := c.got()
		if got := fmt.Sprint(values, " ", err); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(c.want), " ") {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func factor(name string, levels ...string) Factor {
	f := Factor{Name: name}
	for _, l := range levels {
		f.Levels = append(f.Levels, Level{Text: l})
	}
	return f
}

func ids(points []Point) []string {
	var list []string
	for _, p := range points {
		list = append(list, p.ID())
	}
	return list
}

// The points of a product are the same whatever the order of its factors.
func TestProductDoesNotDependOnOrder(t *testing.T) {
	a, b, c := factor("a", "1", "2"), factor("b", "x"), factor("c", "u", "v", "w")
	want := ids(Product(a.Points(), b.Points(), c.Points()))
	if len(want) != 6 || want[0] != "a=1,b=x,c=u" {
		t.Fatalf("%v", want)
	}
	got := ids(Product(c.Points(), a.Points(), b.Points()))
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%v in another order, %v", got, want)
	}
	if got := ids(Product()); len(got) != 1 || got[0] != "" {
		t.Errorf("the product of nothing is %q", got)
	}
	if got := ids(Product(a.Points(), factor("empty").Points())); len(got) != 0 {
		t.Errorf("a factor without levels gives %v", got)
	}
}

func TestZipAndRepeated(t *testing.T) {
	points, err := Zip(factor("b", "1", "2"), factor("a", "x", "x"))
	if err != nil || fmt.Sprint(ids(points)) != "[a=x,b=1 a=x,b=2]" {
		t.Errorf("%v, %v", ids(points), err)
	}
	if _, err := Zip(factor("b", "1", "2"), factor("a", "x")); err == nil {
		t.Error("unequal factors are zipped")
	}
	if got := Repeated(append(points, points[1], points[1])); fmt.Sprint(got) != "[a=x,b=2]" {
		t.Errorf("repeated: %v", got)
	}
}

// Every whole number of a dimension is as likely as every other, the ends too.
func TestWholeNumbersAreEquallyLikely(t *testing.T) {
	for _, log := range []bool{false, true} {
		d := Dimension{From: 1, To: 8, Log: log, Whole: true}
		if got := fmt.Sprint(d.At(0), d.At(1)); got != "1 8" {
			t.Errorf("log %v: the ends are %s", log, got)
		}
	}
	for name, points := range map[string][][]float64{"hypercube": LatinHypercube(800, 1, 3), "Sobol": Sobol(256, 1)} {
		count := map[float64]int{}
		for _, p := range points {
			count[Dimension{From: 1, To: 8, Whole: true}.At(p[0])]++
		}
		for k := 1.0; k <= 8; k++ {
			if n := len(points) / 8; count[k] < n-1 || count[k] > n+1 {
				t.Errorf("%s: %v comes %d times of %d: %v", name, k, count[k], len(points), count)
			}
		}
	}
	if err := (Dimension{From: 1.2, To: 1.8, Whole: true}).Check(); err == nil {
		t.Error("a dimension without whole numbers is accepted")
	}
}

// Where the steps are short of decimals, so are the levels that ids show.
func TestSobolLevelsAreShort(t *testing.T) {
	d := Dimension{From: 0.1, To: 0.9}
	for i, want := range []float64{0.1, 0.5, 0.7, 0.3} {
		if got := d.At(Sobol(4, 1)[i][0]); got != want {
			t.Errorf("level %d is %v, want %v", i, got, want)
		}
	}
}
