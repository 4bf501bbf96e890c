package design

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"
)

// Dimension is one side of the box from which samples are taken.
type Dimension struct {
	From, To float64
	Log      bool // equal ratios are equally likely, instead of equal differences
	Whole    bool // the whole numbers from From to To, each equally likely; with Log as likely as its step to the next
}

// Check says what is wrong with the dimension, or nothing.
func (d Dimension) Check() error {
	if !finite(d.From, d.To) || d.From >= d.To {
		return fmt.Errorf("from must be below to, got %v and %v", d.From, d.To)
	}
	if d.Log && d.From <= 0 {
		return fmt.Errorf("from must be above 0 on a logarithmic scale, got %v", d.From)
	}
	if d.Whole && (d.From != math.Trunc(d.From) || d.To != math.Trunc(d.To)) {
		return fmt.Errorf("from and to must be whole numbers, got %v and %v", d.From, d.To)
	}
	return nil
}

// At is the value at a share t of the dimension, 0 to 1. A whole number has the share from itself to the next one, so
// that the ends are as likely as the others: rounding would give them half.
func (d Dimension) At(t float64) float64 {
	to := d.To
	if d.Whole {
		to++
	}
	x := d.From + t*(to-d.From)
	if d.Log {
		x = d.From * math.Exp(t*math.Log(to/d.From))
	}
	if d.Whole {
		return min(max(math.Floor(x+1e-9), d.From), d.To) // what is whole but for an error of arithmetic is that number
	}
	return Round(x)
}

// LatinHypercube gives n points of the unit cube: each of its dimensions is cut into n equal parts, and each
// part holds one point. Source: McKay, Beckman and Conover, Technometrics 21 (1979).
func LatinHypercube(n, dimensions int, seed uint64) [][]float64 {
	src := rand.NewPCG(seed, uint64(dimensions))
	batch := mat.NewDense(n, dimensions, nil)
	samplemv.LatinHypercube{Q: distmv.NewUnitUniform(dimensions, nil), Src: src}.Sample(batch)
	points := make([][]float64, n)
	for i := range points {
		points[i] = mat.Row(nil, i, batch)
	}
	return points
}
