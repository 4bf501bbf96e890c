package design

import (
	"fmt"
	"math/bits"
)

// MaxSobol is the number of dimensions for which direction numbers are held.
const MaxSobol = 21

// direction holds the primitive polynomial (degree s and inner coefficients a) and the first direction
// numbers m of one dimension, from the second on. Source: Joe and Kuo, Constructing Sobol sequences with
// better two-dimensional projections, SIAM J. Sci. Comput. 30 (2008), their table D(6).
var direction = []struct {
	s int
	a uint32
	m []uint32
}{
	{1, 0, []uint32{1}},
	{2, 1, []uint32{1, 3}},
	{3, 1, []uint32{1, 3, 1}},
	{3, 2, []uint32{1, 1, 1}},
	{4, 1, []uint32{1, 1, 3, 3}},
	{4, 4, []uint32{1, 3, 5, 13}},
	{5, 2, []uint32{1, 1, 5, 5, 17}},
	{5, 4, []uint32{1, 1, 5, 5, 5}},
	{5, 7, []uint32{1, 1, 7, 11, 19}},
	{5, 11, []uint32{1, 1, 5, 1, 1}},
	{5, 13, []uint32{1, 1, 1, 3, 11}},
	{5, 14, []uint32{1, 3, 5, 5, 31}},
	{6, 1, []uint32{1, 3, 3, 9, 7, 49}},
	{6, 13, []uint32{1, 1, 1, 15, 21, 21}},
	{6, 16, []uint32{1, 3, 1, 13, 27, 49}},
	{6, 19, []uint32{1, 1, 1, 15, 7, 5}},
	{6, 22, []uint32{1, 3, 1, 15, 13, 25}},
	{6, 25, []uint32{1, 1, 5, 5, 19, 61}},
	{7, 1, []uint32{1, 3, 7, 11, 23, 15, 103}},
	{7, 4, []uint32{1, 3, 7, 13, 13, 15, 69}},
}

// Sobol gives the first n points of the Sobol sequence in the unit cube; the first is its corner 0. It fills the cube more evenly than chance; the first 2^k
// points put one point into each of 2^k equal parts of every dimension. It panics for more than
// MaxSobol dimensions. The library that serves Latin hypercubes has no Sobol sequence.
func Sobol(n, dimensions int) [][]float64 {
	if dimensions < 1 || dimensions > MaxSobol {
		panic(fmt.Sprintf("design: Sobol in %d dimensions, at most %d", dimensions, MaxSobol))
	}
	points := make([][]float64, n)
	for i := range points {
		points[i] = make([]float64, dimensions)
	}
	for d := range dimensions {
		v := directionNumbers(d)
		x := uint32(0)
		for i := range points {
			if i > 0 {
				x ^= v[bits.TrailingZeros32(uint32(i))] // Gray code order: one number changes
			}
			points[i][d] = float64(x) / (1 << 32)
		}
	}
	return points
}

// directionNumbers are those of a dimension, from 0, as 32-bit fractions.
func directionNumbers(dimension int) [32]uint32 {
	var v [32]uint32
	if dimension == 0 {
		for i := range v {
			v[i] = 1 << (31 - i)
		}
		return v
	}
	d := direction[dimension-1]
	for i := range v {
		if i < d.s {
			v[i] = d.m[i] << (31 - i)
			continue
		}
		v[i] = v[i-d.s] ^ v[i-d.s]>>d.s
		for k := 1; k < d.s; k++ {
			if d.a>>(d.s-1-k)&1 == 1 {
				v[i] ^= v[i-k]
			}
		}
	}
	return v
}
